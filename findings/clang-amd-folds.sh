#!/bin/sh
# A good guess: without fast math, a compiler replaces a call of a mathematical function only where each result stays
# right, special cases included. Really: clang for AMD makes x * x of powr(x, 2.0f), though powr of a negative x
# is NaN (powr(-2, 2.0f) becomes 4), in 14 and 19; 14 makes 1 of fma(x, 0.0f, 1.0f), NaN for an infinite x; 19 makes
# 1 / sqrt(x) of rootn(x, -2), -inf for -0.0f where +inf is right. -amdgpu-simplify-libcall=0 keeps all three calls.
# Consequence: a library of built-in functions, tested right, gives wrong results when the arguments are constants.
. "$(dirname "$0")/packages.sh"
clangs 14 19

cat >folds.cl <<'END'
float __attribute__((overloadable)) powr(float, float);
float __attribute__((overloadable)) rootn(float, int);
float __attribute__((overloadable)) fma(float, float, float);
kernel void square(global float *x)
{
	x[0] = powr(x[0], 2.0f);
}
kernel void root(global float *x)
{
	x[0] = rootn(x[0], -2);
}
kernel void one(global float *x)
{
	x[0] = fma(x[0], 0.0f, 1.0f);
}
END
cat folds.cl

# Whether a kernel's text in LLVM's language has the function's name: a call, or an intrinsic of the same name.
kept() {   # MAJOR KERNEL FUNCTION OPTION...
	major=$1 kernel=$2 function=$3
	shift 3
	amd $major folds.cl -emit-llvm "$@" | sed -n "/^define.*@$kernel(/,/^}/p" | grep ' = \|store' >body
	grep -v getelementptr body | sed 's/, !.*//; s/^/   /' >&2
	grep -q "call.*$function" body && echo kept || echo folded
}
for major in 14 19; do
	tool $major clang
	stated 'powr(x, 2.0f)' "$(kept $major square powr)" folded
	stated 'rootn(x, -2)' "$(kept $major root rootn)" "$([ $major = 14 ] && echo kept || echo folded)"
	stated 'fma(x, 0.0f, 1.0f)' "$(kept $major one fma)" "$([ $major = 14 ] && echo folded || echo kept)"
	for row in square,powr root,rootn one,fma; do
		stated "${row#*,} without such folds" \
			"$(kept $major ${row%,*} ${row#*,} -mllvm -amdgpu-simplify-libcall=0)" kept
	done
done
exit $status
