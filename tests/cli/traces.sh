#!/bin/sh
# A trace runs again in place of a program, and damage is noticed.   traces.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

# The trace alone, under the program's name, gives the program's report, text and picture.
mkdir alone
for name in ifelse nested barrier lock-ok histogram; do
	cp "$root/examples/$name.s" .
	"$warpbeam" run $name.s --trace alone/$name.s >report
	result $? "$name: recording"
	rm $name.s
	for verb in run bill annotate 'tui --print' 'debug --batch -x /dev/null' 'compare --json'; do
		"$warpbeam" ${verb%% *} $(echo "$verb" | sed 's/^[a-z]*//') "$root/examples/$name.s" 2>&1 </dev/null |
			sed "s|$root/examples|alone|" >expected
		"$warpbeam" ${verb%% *} $(echo "$verb" | sed 's/^[a-z]*//') alone/$name.s >got 2>&1 </dev/null
		cmp -s expected got
		result $? "$name: $verb of the trace and of the program differ"
	done
	"$warpbeam" shot -q "$root/examples/$name.s" -o expected.png
	"$warpbeam" shot -q alone/$name.s -o got.png
	cmp -s expected.png got.png
	result $? "$name: shot of the trace and of the program differ"
done

# A trace has options, arguments and files; options beside the trace count first; no file is written.
head -c 256 /dev/urandom >in.bin
cp "$root/examples/ifelse.s" k.s
"$warpbeam" run k.s --diverge fall --timing-set alu.latency=40 \
	-a inout=in.bin:out.bin --dump g:0x100000:32 --trace k.trace >expected
result $? "recording with files"
rm in.bin out.bin k.s
"$warpbeam" run k.trace --dump g:0x100000:32 >got 2>err
[ $? = 0 ] && cmp -s expected got && [ ! -s err ] && [ ! -e out.bin ]
result $? "options, arguments and files of the trace"
[ "$("$warpbeam" bill k.trace --diverge taken --json | grep '"diverge"')" = '    "diverge": "taken",' ]
result $? "an option beside the trace"
"$warpbeam" run k.trace -a in=/etc/passwd >got 2>err
[ $? = 3 ] && grep -q 'not among' err
result $? "a trace opens no file of the host"

# A shader's vertices, and included texts.
cat >shader.vsh <<'END'
.include "half.vsh"
	mul pos, v0, k
	nop
	end
END
printf '%s\n' '.alias pos o0 as position' '.alias k c7 as (0.5, 0.5, 0.5, 1.0)' >half.vsh
printf '%s\n' '1,2,3,1' '4,5,6,1' >v.csv
"$warpbeam" run --isa pica --format asm shader.vsh --in v.csv --trace s.trace --out expected.json >expected 2>err
result $? "recording a shader: $(cat err)"
rm shader.vsh half.vsh v.csv
"$warpbeam" run s.trace --out got.json >got 2>err
[ $? = 0 ] && cmp -s expected got && cmp -s expected.json got.json
result $? "a shader, its vertices and its include: $(cat err)"
"$warpbeam" tui --print s.trace >got 2>err
result $? "a shader in the terminal: $(cat err)"

# A run with another result in another release: here the digest has another last letter.
zcat k.trace | sed '$s/.\("}\)$/x\1/' | gzip >other
"$warpbeam" run other >got 2>err
[ $? = 0 ] && grep -q 'differently' err
result $? "another digest: expected a word about it"
# Faulting runs are recorded, too.
"$warpbeam" run "$root/examples/lock-livelock.s" --livelock 20000 --trace hang.trace >expected 2>/dev/null
"$warpbeam" run hang.trace >got 2>err
[ $? = 7 ] && cmp -s expected got && ! grep -q differently err
result $? "a livelock again"

# ---- damage ----

refused() {   # FILE TEXT: every reading verb ends with 4 and says the place
	for verb in 'export --format csv -o out' "diff k.trace" run 'shot -q -o out.png' 'tui --print'; do
		"$warpbeam" $verb "$1" >got 2>err </dev/null
		[ $? = 4 ] && grep -q "$1: .*$2" err
		result $? "$1: $verb: expected exit 4 and '$2', found $(cat err)"
	done
}
size=$(wc -c <k.trace)
for n in 300 $((size / 2)) $((size - 30)) $((size - 1)); do
	head -c $n k.trace >short
	refused short 'ends early or is damaged'
done
for at in 40 $((size / 2)) $((size - 40)) $((size - 6)); do
	{ head -c $at k.trace; printf '\377\252'; tail -c +$((at + 3)) k.trace; } >flipped
	"$warpbeam" export --format csv flipped -o out 2>err
	[ $? = 4 ] && [ -s err ]
	result $? "two bytes changed at $at: expected exit 4 and a message"
done
zcat k.trace | sed '1s/2/9/' | gzip >future
refused future 'version 9; expected 1 to 2'
zcat k.trace | head -c 2000 | gzip >cut
refused cut 'ends early or is damaged'
{ zcat k.trace; echo more; } | gzip >more
refused more 'damaged'

# The first version stays readable.
old=$root/tests/golden/version-1.trace
"$warpbeam" run "$root/examples/ifelse.s" --trace new >got
[ "$("$warpbeam" export --format csv "$old" | grep -c '^issue,')" = \
	"$("$warpbeam" export --format csv new | grep -c '^issue,')" ]
result $? "version 1: its issues"
"$warpbeam" run "$old" >got 2>err
[ $? = 4 ] && grep -q 'version 1 does not carry its program' err
result $? "version 1 cannot be run"

finish
