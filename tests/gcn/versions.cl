/* One kernel for code objects of every version: sizes and numbers of blocks, constants, LDS, private memory, pointers that
 * may be to any of them. Nothing of a library is used, since libraries of built-in functions are for one version each.
 * versions-v2.hsaco to versions-v6.hsaco are made from it by
 *
 *     for v in 2 3 4; do
 *         clang-14 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx803 -O1 -nogpulib -mcode-object-version=$v \
 *             -Wl,--strip-all versions.cl -o versions-v$v.hsaco
 *     done
 *     for v in 5 6; do
 *         clang-19 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx803 -O1 -nogpulib -mcode-object-version=$v \
 *             -DIMPLICIT_BLOCKS -Wl,--strip-all versions.cl -o versions-v$v.hsaco
 *     done
 */
typedef unsigned uint;
typedef unsigned long ulong;
typedef unsigned short ushort;

__constant uint table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

/* From version 5 on the implicit arguments begin with the numbers of blocks, the sizes of a block and the threads of the
 * last blocks that are not whole. Before, a number of blocks is a quotient. */
static void sizes(uint blocks[3], uint threads[3], uint rest[3])
{
#ifdef IMPLICIT_BLOCKS
	__constant uint *counts = (__constant uint *)__builtin_amdgcn_implicitarg_ptr();
	__constant ushort *sizes = (__constant ushort *)(counts + 3);
	for (int i = 0; i < 3; i++) {
		blocks[i] = counts[i];
		threads[i] = sizes[i];
		rest[i] = sizes[3 + i];
	}
#else
	threads[0] = __builtin_amdgcn_workgroup_size_x();
	threads[1] = __builtin_amdgcn_workgroup_size_y();
	threads[2] = __builtin_amdgcn_workgroup_size_z();
	blocks[0] = __builtin_amdgcn_grid_size_x() / threads[0];
	blocks[1] = __builtin_amdgcn_grid_size_y() / threads[1];
	blocks[2] = __builtin_amdgcn_grid_size_z() / threads[2];
	rest[0] = rest[1] = rest[2] = 0;
#endif
}

__attribute__((noinline)) static uint any(uint *p, uint i)
{
	return p[i & 7];
}

__kernel void describe(__global uint *out, short bias, ulong scale, __global const uint *in)
{
	__local uint shared[8];
	volatile uint local_copy[8];
	uint blocks[3], threads[3], rest[3];
	uint x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y();
	uint l = y * __builtin_amdgcn_workgroup_size_x() + x, block, i;

	sizes(blocks, threads, rest);
	block = (__builtin_amdgcn_workgroup_id_z() * blocks[1] + __builtin_amdgcn_workgroup_id_y()) * blocks[0] +
		__builtin_amdgcn_workgroup_id_x();
	if (l < 8)
		shared[l] = in[l] + block;
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	for (i = 0; i < 8; i++)
		local_copy[i] = table[i] * l;
	out[block * threads[0] * threads[1] * threads[2] + l] =
		any(l & 1 ? (uint *)shared : (uint *)local_copy, l >> 1) + bias + (uint)(scale >> 32) +
		1000 * blocks[0] + 100000 * blocks[1] + 10000000 * blocks[2] + rest[0] + rest[1] + rest[2];
}
