#!/bin/sh
# docs/reference/pica-assembly.md is right: every example of its tables, put into the page's program, gives the result
# in the table; whole programs meet their expectations; messages are the assembler's.
#   pica_assembly.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
page=$(realpath "$2")/docs/reference/pica-assembly.md
cd "$work" || exit 1

# The page's programs, each in a file; the first is the program around the examples.
awk '/^```[vg]sh$/ { name = sprintf("program%02d.%s", n++, substr($0, 4)); next } /^```$/ { name = "" }
	name { print >name }' "$page"
# Rows of its tables: code and result, with a tab between them; "\|" is "|" in a table.
sed -n 's/^| `\(.*\)` | .* | `\([^`]*\)` |$/\1	\2/p' "$page" | sed 's/\\|/|/g' >rows

while IFS='	' read -r code result; do
	awk -v code="$code" '$0 == "EXAMPLE" { n = split(code, line, "; ")
		for (i = 1; i <= n; i++) print (line[i] ~ /:$/ ? "" : "\t") line[i]; next } { print }' \
		program00.vsh >example.vsh
	echo "// expect: vertex 0 o0 = $result" >>example.vsh
	"$warpbeam" run -q --check-expect example.vsh >out 2>err && grep -q '1 passed, 0 failed' out
	result $? "$code: expected $result: $(cat out err)"
	"$warpbeam" run -q --hw-strict example.vsh >out 2>err
	result $? "$code: goes wrong on a console: $(cat err)"
done <rows
[ "$(wc -l <rows)" -ge 28 ]
result $? "the page has $(wc -l <rows) examples, expected 28"

for program in program0[1-9].?sh; do
	check 0 out ' 0 failed' "$warpbeam" run --check-expect "$program"
done

# A line in the program of the page, and the message of the page's last table.
refused() {   # LINE MESSAGE
	grep -q "^| .*$2" "$page"
	result $? "the page has no '$2'"
	awk -v line="$1" '$0 == "EXAMPLE" { print "\t" line; next } { print }' program00.vsh >example.vsh
	check 4 err "$2" "$warpbeam" run example.vsh
}
# shellcheck disable=SC2016
{
refused 'add r1, k, zero' 'only one source may be a float uniform or use an address register'
refused 'rcp r1.x, b' 'source 1 has 4 components and the destination 1'
refused 'cmp r0.xy, gt, gt, b.xy' '`gt` is no register'
refused 'if cmp.x' '`cmp` is no register'
refused 'add r1, out, r0' 'outputs can only be written'
refused 'loop trips\n\tbreak yes' 'the hardware has no break on a boolean uniform'
}
finish
