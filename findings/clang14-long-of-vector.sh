#!/bin/sh
# A good guess: `v[i] = x` writes both words of an element of 64 bits, one behind the other.
# Really: for AMD clang 14 to 16 without optimisation write both words to the same register, by the same index: in a
# long2 the low word becomes x's high one, and the high word stays. clang 19 compares the index with each place instead,
# as clang 16 does from -O1 on.
. "$(dirname "$0")/packages.sh"
clangs 14 15 16 19

cat >store.cl <<'END_OF_SOURCE'
kernel void store(global long2 *p, int x)
{
	long2 v = p[0];
	v[__builtin_amdgcn_workitem_id_x() & 1] = x;
	p[1] = v;
}
END_OF_SOURCE
cat store.cl
# The stores by index: register of the element 0, and register of the index. The other allocator of registers keeps both
# in registers between the stores, which makes the code easy to read; the usual one has the same two stores.
stores() {   # MAJOR OPTION...
	major=$1
	shift
	llvm "$major" clang -x cl -cl-std=CL1.2 -target amdgcn-unknown-amdhsa -mcpu=gfx900 -nogpulib \
		-mllvm -optimize-regalloc "$@" -S store.cl -o code.s
	awk '/v_readfirstlane_b32/ { index_at = $3 }
		/s_set_gpr_idx_on/ { getline; printf "%s%s[%s]", n++ ? " " : "", $2, index_at }
		END { if (!n) printf "none" }' code.s | tr -d ,
}
for major in 14 15 16 19; do
	tool $major clang
done
stated 'clang 14 -O0' "$(stores 14 -O0)" 'v0[v6] v0[v6]'
stated 'clang 15 -O0' "$(stores 15 -O0)" 'v0[v6] v0[v6]'
stated 'clang 16 -O0' "$(stores 16 -O0)" 'v0[v6] v0[v6]'
stated 'clang 16 -O1' "$(stores 16 -O1)" none
stated 'clang 19 -O0' "$(stores 19 -O0)" none
exit $status
