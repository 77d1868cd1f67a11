/* Two kernels whose code object has what loaders must read: a table of addresses, shared memory that the launch sizes,
 * a required block, arguments of several kinds and hidden ones. two.hsaco is made from it by
 *
 *     clang-14 -x cl -cl-std=CL1.2 -target amdgcn-amd-amdhsa -mcpu=gfx900 -O2 -Xclang -finclude-default-header -nogpulib \
 *         -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/amdgcn--amdhsa.bc two.cl -o two.hsaco
 */
__constant int a[4] = { 1, 2, 3, 4 };
__constant int b[4] = { 5, 6, 7, 8 };
__constant int *__constant table[2] = { a, b };

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void add(__global int *out, int n, __local int *shared)
{
	shared[get_local_id(0)] = n;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = shared[63 - get_local_id(0)] + table[n & 1][n & 3];
}

__kernel void fill(__global float *out, float v, long m)
{
	out[get_global_id(0)] = v * m;
}
