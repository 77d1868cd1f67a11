// Dot products of doubles: strided sums and a tree in local memory.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void double_dot(__global double *out, __global const double *a, __global const double *b, int n)
{
	__local double part[256];
	int l = get_local_id(0), size = get_local_size(0);
	double sum = 0;

	for (int i = get_global_id(0); i < n; i += get_global_size(0))
		sum += a[i] * b[i];
	part[l] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int s = 1; s < size; s *= 2) {
		if (l % (2 * s) == 0 && l + s < size)
			part[l] += part[l + s];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0)
		out[get_group_id(0)] = part[0];
}
