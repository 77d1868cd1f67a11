#!/bin/sh
# OpenCL C on the home machine: the examples give what they give on the other one, costs stand on lines of C, and what a
# chip lacks is refused at its line.   opencl_tesla.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

if ! "$warpbeam" info "$root/examples/collatz.cl" --chip g200 >out 2>err; then
	if grep -q 'install' err; then
		echo "skipped: $(cat err)"
		exit 77
	fi
fi
check 0 out 'collatz (g200, cp)' "$warpbeam" info "$root/examples/collatz.cl" --chip g200
for name in bitonic collatz mandelbrot nqueens scan; do
	for chip in g80 g200; do
		for option in --timing=on --timing=off --reconverge=ipdom; do
			check 0 out ' 0 failed' "$warpbeam" run "$root/examples/$name.cl" --chip $chip -q \
				--check-expect $option
		done
	done
	check 0 out ' 0 failed' "$warpbeam" run "$root/examples/$name.cl" --chip g200 -q --check-expect --max-regs 16
done
check 0 out ' 0 failed' "$warpbeam" run "$root/examples/histogram.cl" --chip mcp77 -q --check-expect
check 4 err 'histogram.cl:18: atom.shared.add.u32 needs sm_12 (g80 is sm_10)' \
	"$warpbeam" run "$root/examples/histogram.cl" --chip g80

# The loop's branch stands on the line of the loop, with its joinat.
check 0 out 'while (v != 1' "$warpbeam" annotate "$root/examples/collatz.cl" --chip g200
check 0 out '^  *[0-9]* .*joinat' "$warpbeam" annotate "$root/examples/collatz.cl" --chip g200
printf 'kernel void k(global int *p)\n{\n\t*p = missing;\n}\n' >bad.cl
check 4 err "bad.cl:3:7: use of undeclared identifier 'missing'" "$warpbeam" info bad.cl --chip g200
check 2 err 'OpenCL C is compiled for' "$warpbeam" info bad.cl --chip pica
cp "$root/examples/collatz.cl" .
check 0 out 'steps' "$warpbeam" run collatz.cl --chip g200 --keep --json
check 0 out '.version' cat collatz.cl.g200.ptx
finish
