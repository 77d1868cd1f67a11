#!/bin/sh
# The module in node has the reports and verdicts of the program: reports.sh WARPBEAM SOURCE LAB.WASM.GZ [EXAMPLE]...
# Without examples: one of each machine and of each kind of input; WB_PAGE_ALL=1 takes all text examples.
set -eu
warpbeam=$(realpath "$1") source=$(realpath "$2") module=$(realpath "$3")
shift 3
. "$(dirname "$0")/node.sh"
cd "$source/examples"
[ $# != 0 ] || set -- ifelse.s mandelbrot.s lock-livelock.s textured-triangle.s foliage.s diffuse.vsh quads.gsh
[ -z "${WB_PAGE_ALL:-}" ] || set -- *.s *.vsh *.gsh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
for file in "$@"; do
	"$warpbeam" run "$file" --simd base --json >"$work/native" 2>/dev/null || true
	node "$source/tests/web/module.js" "$source/frontends/web/machine.js" "$module" report "$file" simd=base \
		>"$work/module" || true
	if [ -s "$work/native" ] && cmp -s "$work/native" "$work/module"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$file: the module's report differs"
		diff "$work/native" "$work/module" | head -n 6
	fi
done
# Programs compiled on the command line travel as images.
compiled='collatz.cl: collatz.cl:--chip=g200'
[ -z "${WB_PAGE_ALL:-}" ] || compiled=$(for f in *.cl; do echo "$f: $f:--chip=g200"; done)
"$warpbeam" run collatz.cl -q >/dev/null 2>&1 ||
	{ echo "no compiled programs: collatz.cl does not compile here"; compiled=; }
for row in $compiled; do
	file=${row%%:*} chip=${row#*:}
	"$warpbeam" run "$file" ${chip:+"$chip"} --simd base --json >"$work/native" 2>/dev/null || true
	"$warpbeam" page "$file" ${chip:+"$chip"} -o "$work/page.html" -q
	node "$source/tests/web/module.js" "$source/frontends/web/machine.js" "$module" report "$work/page.html" \
		simd=base >"$work/module" || true
	if [ -s "$work/native" ] && cmp -s "$work/native" "$work/module"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$file $chip: the report of the page differs"
		diff "$work/native" "$work/module" | head -n 6
	fi
done
# Vertices of a file travel as texts, and an entry beyond 32 bits is no entry where longs have 32.
printf 'v0.x,v0.y,v0.z,v0.w,v1.x,v1.y,v1.z,v1.w\n0,1,2,1,0,0,1,0\n3,4,5,1,0,1,0,0\n' >"$work/in.csv"
"$warpbeam" run diffuse.vsh --in "$work/in.csv" --simd base --json >"$work/native" 2>/dev/null || true
"$warpbeam" page diffuse.vsh --in "$work/in.csv" -o "$work/page.html" -q
node "$source/tests/web/module.js" "$source/frontends/web/machine.js" "$module" report "$work/page.html" simd=base \
	>"$work/module" || true
head -c 64 /dev/zero >"$work/words"
entry=$(node "$source/tests/web/module.js" "$source/frontends/web/machine.js" "$module" report "$work/words" \
	format=raw entry=0x100000000) || true
if [ -s "$work/native" ] && cmp -s "$work/native" "$work/module" &&
	[ "${entry%expected a byte address*}" != "$entry" ]; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo "--in or --entry: $entry"
	diff "$work/native" "$work/module" | head -n 6
fi
# A host that only rounds to nearest refuses other directions by name, rather than compute otherwise.
printf '.kernel k\n.chip gfx900\n.block 64\ns_setreg_imm32_b32 hwreg(mode, 0, 4), 3\ns_endpgm\n' >"$work/mode.s"
if node "$source/tests/web/module.js" "$source/frontends/web/machine.js" "$module" report "$work/mode.s" |
	grep -q '"block 0 warp 0: ROUNDING .*s_setreg'; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo "a MODE that rounds towards zero: expected the fault ROUNDING"
fi
# Labs are judged alike: the handed-out program, the solution, and an endless program.
cd "$work"
for lab in "$source"/examples/labs/*.s; do
	name=$(basename "$lab" .s)
	"$warpbeam" lab "$lab" --handout >"$name.s"
	"$warpbeam" lab "$lab" --solution >"solved-$name.s"
	sed '0,/^\t/s//endless:\n\tbra #endless\n&/' "$name.s" >"endless-$name.s"
	for file in "$name.s" "solved-$name.s" "endless-$name.s"; do
		"$warpbeam" lab "$lab" "$file" --json 2>/dev/null >document || true
		node "$source/tests/web/module.js" "$source/frontends/web/machine.js" "$module" verdict "$file" \
			"lab=$lab" >verdict 2>/dev/null || true
		if node -e 'const { readFileSync: f } = require("fs"); require("assert").deepStrictEqual(
			JSON.parse(f("verdict")), JSON.parse(f("document")).files[0])' 2>error; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "$file: the module's verdict differs"
			head -n 20 error
		fi
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
