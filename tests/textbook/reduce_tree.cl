// Sum of each group by a tree with sequential addressing; sizes need not be powers of two.
__kernel void reduce_tree(__global int *out, __global const int *in, __local int *sum, int n)
{
	uint l = get_local_id(0), i = get_global_id(0), size = get_local_size(0);

	sum[l] = i < n ? in[i] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	while (size > 1) {
		uint half_size = (size + 1) / 2;
		if (l + half_size < size)
			sum[l] += sum[l + half_size];
		size = half_size;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0)
		out[get_group_id(0)] = sum[0];
}
