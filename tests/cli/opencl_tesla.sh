#!/bin/sh
# OpenCL C on the home machine: the examples give the results of GCN, costs stand on lines of C, and instructions that
# the chip lacks are refused at their line.   opencl_tesla.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
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
check 0 out '^  *ptx [0-9]*: mad.lo.s32' "$warpbeam" annotate "$root/examples/collatz.cl" --chip g200
printf 'kernel void k(global int *p)\n{\n\t*p = missing;\n}\n' >bad.cl
check 4 err "bad.cl:3:7: use of undeclared identifier 'missing'" "$warpbeam" info bad.cl --chip g200
check 2 err 'OpenCL C is compiled for' "$warpbeam" info bad.cl --chip pica
# A source on two machines, with the branches of both.
check 0 out 'collatz.cl .* g200 .* 1.000 ' "$warpbeam" compare "$root/examples/collatz.cl" --chip g200 --chip tonga
check 0 out 'A is g200, B is tonga' "$warpbeam" compare "$root/examples/collatz.cl" --chip g200 --chip tonga
check 0 out 's_and_saveexec_b64 .*(line 17)' "$warpbeam" compare "$root/examples/collatz.cl" --chip g200 --chip tonga
check 2 err 'chip .foo. is not known' "$warpbeam" compare "$root/examples/collatz.cl" --chip g200 --chip foo

# Products and sums: the machine's mad cuts the product, so 1.25 * (1 + 3u) - 1.25 is 3u there, u = 2^-23.
cat >mad.cl <<'END'
// .arg zero=32
// .arg f32=1.25
// .arg f32=1.00000035762787
kernel void k(global float *out, float a, float b)
{
	float4 v = (float4)(a, a, a, 2);

	out[0] = a * b - 1.25f;
	out[1] = fma(a, b, -1.25f);
	vstore4(v * v + v, 1, out);
}
END
for c in g80 g200; do
	check 0 out 'arg 0 \[0\] 3.57627869e-07 4.47034836e-07 0 0 2.8125 2.8125 2.8125 6' \
		"$warpbeam" run mad.cl --chip $c --show 0:f32:8
done
check 0 out 'arg 0 \[0\] 4.76837158e-07 4.47034836e-07 0 0 2.8125 2.8125 2.8125 6' \
	"$warpbeam" run mad.cl --chip g200 --no-contract --show 0:f32:8

# A value read before a barrier is read again behind it, although no other function has the variable's address.
cat >reread.cl <<'END'
// .block 64
// .arg zero=256
// expect: arg 0 s32[0..1] = 15 15
kernel void reread(global int *out)
{
	local int count;
	int l = get_local_id(0);

	if (l == 0)
		count = 5;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; count > 0 && i < 20; i++) {
		out[l] += count;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l == 33)
			count--;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}
END
for cc in clang-14 clang-19; do
	command -v $cc >/dev/null || continue
	check 0 out ' 0 failed' "$warpbeam" run reread.cl --cc $cc --chip g200 -q --check-expect
done

# Pointers to local memory; parameters have the source's names, in the cubin as well.
cat >reverse.cl <<'END'
// .grid 2
// .block 64
// .arg zero=512
// .arg local=256
// .arg s32=3
// expect: arg 0 s32[0..3] = 315 310 305 300
kernel void reverse(global int *out, local int *turned, int n)
{
	local int twice[64];
	uint l = get_local_id(0);

	turned[l] = n * get_global_id(0);
	twice[l] = 2 * l;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = turned[63 - l] + twice[63 - l];
}
END
check 0 out '4: local int\* turned (4 bytes)' "$warpbeam" info reverse.cl --chip g80
for chip in g80 g200 tonga; do
	check 0 out ' 0 failed' "$warpbeam" run reverse.cl --chip $chip -q --check-expect
done
"$warpbeam" compile reverse.cl --chip g80 -o reverse.cubin
check 0 out '4: local int\* turned (4 bytes)' "$warpbeam" info reverse.cubin
check 0 out ' 0 failed' "$warpbeam" run reverse.cubin -q --check-expect
check 2 err 'no pointer to shared memory' \
	"$warpbeam" run reverse.cl --chip g200 -a local=512 -a local=256 -a s32=3
check 2 err '16384' "$warpbeam" run reverse.cl --chip g200 -a zero=512 -a local=16384 -a s32=3
cat >pointer.ptx <<'END'
.version 2.0
.target sm_20
.entry k (.param .u32 out, .param .u64 .ptr .shared .align 4 p) {
	.reg .u32 %r<3>; .reg .u64 %d<1>;
	ld.param.u32 %r1, [out]; ld.param.u64 %d0, [p];
	st.shared.u32 [%d0], 7; ld.shared.u32 %r2, [%d0]; st.global.u32 [%r1], %r2; exit;
}
END
check 0 out 'arg 0 \[0\] 7' "$warpbeam" run pointer.ptx -a zero=4 -a local=16 --block 1 --show 0:u32:1

cp "$root/examples/collatz.cl" .
check 0 out 'steps' "$warpbeam" run collatz.cl --chip g200 --keep --json
check 0 out '.version' cat collatz.cl.g200.ptx
finish
