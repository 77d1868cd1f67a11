#!/bin/sh
# A good guess: `v[i] = x` changes one element of a vector, whatever its type.
# Really: for AMD clang 14 and 15 change 16 bits where the elements are bytes, at every -O: the mask is 0xffff << 8 * i
# in vectors of two to eight char or uchar, so that the element behind is overwritten as well. clang 16 and 19 have
# a mask of 8 bits; vectors of short are right everywhere.
# Consequence: clang 15 makes such vectors of private arrays of up to eight bytes, too: `uchar p[6]; p[i] = x`.
. "$(dirname "$0")/packages.sh"
clangs 14 15 16 19

cat >store.cl <<'END_OF_SOURCE'
kernel void store(global uchar8 *p)
{
	uchar8 v = *p;
	v[__builtin_amdgcn_workitem_id_x() & 7] = 99;
	p[1] = v;
}
kernel void store_short(global ushort4 *p)
{
	ushort4 v = *p;
	v[__builtin_amdgcn_workitem_id_x() & 3] = 99;
	p[1] = v;
}
END_OF_SOURCE
cat store.cl
# The first mask of each kernel in a register, to be shifted to the element.
masks() {   # MAJOR: KERNEL MASK...
	llvm "$1" clang -x cl -cl-std=CL1.2 -target amdgcn-unknown-amdhsa -mcpu=tonga -nogpulib -O1 -S store.cl \
		-o code.s
	awk '/^[a-z_]+:/ { kernel = substr($1, 1, length($1) - 1) }
		/[sv]_mov(k_i32|_b32|_b64)(_e32)? [sv][0-9:\[\]]+, 0xff(ff)?$/ && !seen[kernel]++ {
			match($0, /0xff(ff)?/)
			printf "%s%s %s", n++ ? ", " : "", kernel, substr($0, RSTART, RLENGTH)
		}' code.s
}
for major in 14 15 16 19; do
	tool $major clang
done
stated 'clang 14' "$(masks 14)" 'store 0xffff, store_short 0xffff'
stated 'clang 15' "$(masks 15)" 'store 0xffff, store_short 0xffff'
stated 'clang 16' "$(masks 16)" 'store 0xff, store_short 0xffff'
stated 'clang 19' "$(masks 19)" 'store 0xff, store_short 0xffff'
exit $status
