// Sum of a whole array: strided private sums, a tree in local memory, one atomic addition for each group.
__kernel void reduce_grid(__global uint *total, __global const uint *in, uint n, __local uint *part)
{
	uint l = get_local_id(0), sum = 0;

	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		sum += in[i];
	part[l] = sum;
	for (uint s = 128; s > 0; s >>= 1) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < s && l + s < get_local_size(0))
			part[l] += part[l + s];
	}
	if (l == 0)
		atomic_add(total, part[0]);
}
