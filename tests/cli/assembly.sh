#!/bin/sh
# docs/reference/assembly.md is right: every example of its tables, put into the page's program, gives the result and
# takes the cycles in the table; whole programs meet their expectations.
#   assembly.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
page=$(realpath "$2")/docs/reference/assembly.md
cd "$work" || exit 1

# The page's programs, one a file; the program around examples has a line EXAMPLE.
awk '/^```asm$/ { name = sprintf("program%02d.s", n++); next } /^```$/ { name = "" } name { print >name }' "$page"
around=$(grep -l '^EXAMPLE$' program*.s)
# Rows of its tables: code, result and cycles, with tabs between them.
sed -n 's/^| `\([^`]*\)` | .* | `\([^`]*\)` | \([0-9]*\) |$/\1	\2	\3/p' "$page" >rows

# The value of word 5 of the first buffer, in the notation of the expected result.
value() {   # RESULT
	case $1 in
	0x*) type=b32 ;;
	*.*) type=f32 ;;
	*) type=s32 ;;
	esac
	"$warpbeam" run example.s --show 0:$type:6 2>err | awk -v type=$type '/^arg 0/ {
		if (type == "f32") printf "%.4f\n", $9; else print type == "b32" ? "0x" $9 : $9 }'
}

# Cycles from the last instruction of the example to the reader of $r3, with a warm code cache.
cycles() {
	"$warpbeam" export --format csv example.s --timing-set l2.latency=0 --timing-set l3.latency=0 \
		--timing-set l4.latency=0 2>err | awk -F , -v pc="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "pc") p = i; if ($i == "cycle") c = i } next }
		!/^issue/ { next }
		$p == pc { print $c - before; exit }
		{ before = $c }'
}

while IFS='	' read -r code result takes; do
	awk -v code="$code" '$0 == "EXAMPLE" { n = split(code, line, "; ")
		for (i = 1; i <= n; i++) print "\t" line[i]; next } { print }' "$around" >example.s
	found=$(value "$result")
	case $result in
	*.*) result=$(awk -v x="$result" 'BEGIN { printf "%.4f", x }') ;;
	esac
	[ "$found" = "$result" ]
	result $? "$code: found ${found:-nothing, $(cat err)}, expected $result"
	pc=$("$warpbeam" dis example.s | sed -n 's/^0*\([0-9a-f]*\): .* add b32 \$r9 \$r3 \$r3$/0x\1/p')
	found=$(cycles "$pc")
	[ "$found" = "$takes" ]
	result $? "$code: ready after ${found:-?} cycles, expected $takes"
done <rows
[ "$(wc -l <rows)" -ge 40 ]
result $? "the page has $(wc -l <rows) examples, expected 40"

for program in program*.s; do
	[ "$program" = "$around" ] && continue
	check 0 out ' 0 failed' "$warpbeam" run --check-expect "$program"
done
finish
