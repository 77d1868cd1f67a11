#!/bin/sh
# A good guess: a barrier is convergent, so no pass moves it, and a barrier in each side of an if stays two barriers in
# the code. Really: for AMD, clang 14 to 16 make one barrier of two that end both sides, behind the if, where all
# lanes meet; 19 keeps two. -simplifycfg-sink-common=false keeps two in 14 to 16.
# Consequence: the program is wrong by OpenCL's rules, and neither a GPU nor a checker of machine code can see
# that after such a compiler.
. "$(dirname "$0")/packages.sh"
clangs 14 16 19

cat >sides.cl <<'END'
kernel void sides(global int *out, local int *shelf)
{
	int lane = __builtin_amdgcn_workitem_id_x();

	if (lane < 32) {
		shelf[lane] = 1;
		__builtin_amdgcn_s_barrier();
	} else {
		shelf[lane] = 2;
		__builtin_amdgcn_s_barrier();
	}
	out[lane] = shelf[63 - lane];
}
END
cat sides.cl
barriers() {   # MAJOR OPTION...
	amd "$@" sides.cl >sides.s
	grep 's_barrier\|s_cbranch\|exec' sides.s >&2
	grep -c s_barrier sides.s
}
for major in 14 16 19; do
	tool $major clang
	case $major in
	19) stated 'barriers in the code' "$(barriers 19)" 2 ;;
	*)
		stated 'barriers in the code' "$(barriers $major)" 1
		stated 'barriers without sinking' "$(barriers $major -mllvm -simplifycfg-sink-common=false)" 2
		;;
	esac
done
exit $status
