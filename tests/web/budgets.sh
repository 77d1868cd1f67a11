#!/bin/sh
# Budgets of a page: budgets.sh WARPBEAM SOURCE LAB.WASM.GZ. Sizes are tested. WB_PAGE_TIMES=1 adds processor times of
# node beside the program's at --simd base, shown and not tested, as a busy host changes times.
set -eu
warpbeam=$(realpath "$1") source=$2 module=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

budget() {   # WHAT FOUND LIMIT
	printf '%-46s %9d of %9d\n' "$1" "$2" "$3"
	if [ "$2" -lt "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$1: found $2, expected less than $3"
	fi
}

"$warpbeam" page "$source/examples/ifelse.s" -o "$work/ifelse.html" -q
budget "bytes of the module, gzip" "$(wc -c <"$module")" 460000
budget "bytes of the page of ifelse.s" "$(wc -c <"$work/ifelse.html")" 1000000
if [ -n "${WB_PAGE_TIMES:-}" ] && command -v node >/dev/null; then
	sed -e 's/^\.grid 4,3/.grid 32,24/' -e 's/zero=12288/zero=786432/' -e 's/^\.arg u32=64 /.arg u32=512 /' \
		-e 's/^\.arg f32=0.046875 /.arg f32=0.005859375 /' "$source/examples/mandelbrot.s" >"$work/mandelbrot.s"
	TIMES=1 node "$source/tests/web/module.js" "$source/frontends/web/machine.js" "$module" \
		time "$work/mandelbrot.s"
	for run in 1 2 3 4 5; do
		/usr/bin/time -f "native report, --simd base, run $run: %U s" "$warpbeam" run "$work/mandelbrot.s" \
			--simd base --threads 1 --json >/dev/null
	done
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
