#!/bin/sh
# A good guess: sub_sat of the OpenCL library saturates. Really: with libclc 14, sub_sat(0, INT_MIN) is INT_MIN and
# sub_sat(0L, LONG_MIN) LONG_MIN, the least numbers where the greatest are right: on overflow the library takes the
# greatest number for x > 0 and the least otherwise, and 0 - INT_MIN is the only overflow with x = 0.
# Consequence: a wrong result seen with an emulator is the library's here; random arguments practically never find
# the fault, a test of all pairs of border values does.
. "$(dirname "$0")/packages.sh"
clangs 14
unpack libclc-14="$(version_of 14)"

cat >differences.cl <<'END'
kernel void differences(global long *out, long a, long b)
{
	out[0] = sub_sat(0L, LONG_MIN);
	out[1] = sub_sat(0, INT_MIN);
	out[2] = sub_sat(a, b);
}
END
cat differences.cl
tool 14 clang
amd 14 differences.cl -emit-llvm -Xclang -mlink-builtin-bitcode -Xclang "$work/usr/lib/clc/amdgcn--amdhsa.bc" \
	>all 2>message || cat message
sed -n '/^define.*@differences/,/^}/p' all | grep 'store\|icmp\|select' | sed 's/, !.*//' >text
cat text
stated 'sub_sat(0L, LONG_MIN)' "$(sed -n 's/.*store i64 \(-*[0-9]*\), .*/\1/p' text | sed -n 1p)" -9223372036854775808
stated 'sub_sat(0, INT_MIN)' "$(sed -n 's/.*store i64 \(-*[0-9]*\), .*/\1/p' text | sed -n 2p)" -2147483648
stated 'the choice on overflow' "$(sed -n 's/.*= \(icmp .*\) %.*, \(.*\)/\1 \2/p' text)" 'icmp sgt i64 0'
exit $status
