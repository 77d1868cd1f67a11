#!/bin/sh
# The template of a page: template.sh PAGE.AWK LAB.HTML LAB.WASM.GZ OUTPUT SOURCES
set -eu
awk=$1 page=$2 module=$3 out=$4 from=$5
{
	echo "A lab page of Warpbeam. All code in the page is Warpbeam's own, under this licence; the module also has"
	echo "parts of wasi-libc (MIT; Apache 2.0 with LLVM exceptions) and of LLVM's compiler-rt (Apache 2.0 with LLVM"
	echo "exceptions)."
	cat "$from/../../LICENSE"
	echo "The letters in the pictures are under the SIL Open Font License:"
	head -n 20 "$from/../../LICENSE.OFL"
} | sed -e 's/--/- -/g' -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' >"$out.licence"
{
	cat "$from/help.html"
	echo '<h3>Keys</h3><ul>'
	sed -nE 's/^KEY\("([^"]+)", "[^"]*", "(.*)", ([^"]*|"[^"]*")\)$/\1\t\2/p' "$from/../view/keys.def" |
		sed -e 's/\\"/\&quot;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' \
			-e 's/^\([^	]*\)	\(.*\)$/<li><kbd>\1<\/kbd> \2<\/li>/'
	echo '</ul>'
} >"$out.help"
awk -f "$from/words.awk" "$from/../../inspect/counter.def" "$from/../../sched/stall.def" "$from/../cli/bill.def" \
	"$from/../cli/advice.def" >"$out.words"
base64 -w 0 "$module" >"$out.module"
echo >>"$out.module"
awk -f "$awk" "LICENCE=$out.licence" "HELP=$out.help" "MODULE=$out.module" "STYLE=$from/lab.css" \
	"MACHINE=$from/machine.js,$from/worker.js" \
	"SCRIPT=$out.words,$from/report.js,$from/editor.js,$from/lab.js" "$page" >"$out"
rm "$out.licence" "$out.help" "$out.words" "$out.module"
