#!/bin/sh
# A good guess: pow(0.5, y) is 0 for every y from 1075 on. Really: with libclc 22 the double function is small, but not
# 0, for y = 2^128, infinite from 2^400 on, as powr is; asin(-0.0) is +0, and sign of a NaN whose sign bit is set is -0.
# libclc 14 and 19 are right.
# Consequence: a wrong result seen with an emulator is the library's here; a test of random arguments sees the fault
# only where exponents of its numbers are random as well.
. "$(dirname "$0")/packages.sh"
clangs 22
unpack libclc-22="$(version_of 22)"

cat >borders.cl <<'END'
kernel void borders(global double *out)
{
	out[0] = pow(0.5, 0x1p10);
	out[1] = pow(0.5, 0x1p12);
	out[2] = pow(0.5, 0x1p100);
	out[3] = pow(0.5, 0x1p128);
	out[4] = pow(0.5, 0x1p400);
	out[5] = powr(0.5, DBL_MAX);
	out[6] = 1.0 / asin(-0.0);
	out[7] = 1.0f / sign(as_float(0xffffffff));
}
END
cat borders.cl
tool 22 clang
amd 22 borders.cl -emit-llvm -Xclang -mlink-builtin-bitcode -Xclang "$work/usr/lib/clc/amdgcn-amd-amdhsa.bc" \
	>all 2>message || cat message
sed -n '/^define.*@borders/,/^}/s/.*store double \([^,]*\),.*/\1/p' all | head -n 8 >stores
nth() {
	sed -n "$1p" stores
}
stated 'pow(0.5, 0x1p10)' "$(nth 1)" 0x4000000000000
stated 'pow(0.5, 0x1p12)' "$(nth 2)" 0.000000e+00
stated 'pow(0.5, 0x1p100)' "$(nth 3)" 0.000000e+00
stated 'pow(0.5, 0x1p128), 0 is right' "$(nth 4)" 0x733A82303C1153
stated 'pow(0.5, 0x1p400), 0 is right' "$(nth 5)" 0x7FF0000000000000
stated 'powr(0.5, DBL_MAX), 0 is right' "$(nth 6)" 0x7FF0000000000000
stated '1 / asin(-0.0), -inf is right' "$(nth 7)" 0x7FF0000000000000
stated '1 / sign(NaN), inf is right' "$(nth 8)" 0xFFF0000000000000
exit $status
