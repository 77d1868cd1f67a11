#!/bin/sh
# A good guess: no compiler keeps a __local variable in a register across a barrier, for a barrier is where other
# work-items' stores become visible. Really: clang 14 for nvptx, at -O2, reads a __local variable once, before
# the first bar.sync, if nobody but the kernel has the variable's address; 15 and 19 read again behind each.
# Consequence: each work-item counts on its own, a loop ends too early or never, and the PTX looks tidy: an emulator
# that runs the PTX faithfully is blamed for the compiler's result.
. "$(dirname "$0")/packages.sh"
clangs 14 15 19

cat >count.cl <<'END'
kernel void count_down(global int *out)
{
	local int count;
	int lane = __nvvm_read_ptx_sreg_tid_x();

	if (lane == 0)
		count = 5;
	__syncthreads();
	for (int i = 0; count > 0 && i < 20; i++) {
		out[lane] += count;
		__syncthreads();
		if (lane == 33)
			count--;
		__syncthreads();
	}
}
END
cat count.cl
for major in 14 15 19; do
	tool $major clang
	nvidia $major count.cl >count.s
	grep 'shared\.u32.*\[\|bar\.sync' count.s
	behind=$(sed '1,/bar\.sync/d' count.s | grep -c 'ld\.shared' || :)
	case $major in
	14) stated 'reads behind the first barrier' "$behind" 0 ;;
	*) stated 'reads behind the first barrier' "$behind" 3 ;;
	esac
done
exit $status
