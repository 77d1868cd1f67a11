// Radix sort of a group's elements, a bit a pass: flags, exclusive scan, scatter.
__kernel void radix_sort(__global uint *data, uint bits)
{
	__local uint key[256], sum[256];
	uint l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);

	key[l] = data[g];
	for (uint b = 0; b < bits; b++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		uint k = key[l], zero = !(k >> b & 1);
		sum[l] = zero;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint d = 1; d < n; d <<= 1) {
			uint s = l >= d ? sum[l - d] : 0;
			barrier(CLK_LOCAL_MEM_FENCE);
			sum[l] += s;
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		uint zeros = sum[n - 1];
		if (zero)
			key[sum[l] - 1] = k;
		else
			key[zeros + l - sum[l]] = k;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	data[g] = key[l];
}
