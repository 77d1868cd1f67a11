// Exclusive prefix sums of twice as many elements as work-items (a power of two) by Blelloch: up-sweep, down-sweep.
__kernel void scan_blelloch(__global uint *out, __global const uint *in, __local uint *temp)
{
	uint l = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n, offset = 1;

	temp[2 * l] = in[base + 2 * l];
	temp[2 * l + 1] = in[base + 2 * l + 1];
	for (uint d = n >> 1; d > 0; d >>= 1) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < d) {
			uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
			temp[b] += temp[a];
		}
		offset *= 2;
	}
	if (l == 0)
		temp[n - 1] = 0;
	for (uint d = 1; d < n; d *= 2) {
		offset >>= 1;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < d) {
			uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1, t = temp[a];
			temp[a] = temp[b];
			temp[b] += t;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[base + 2 * l] = temp[2 * l];
	out[base + 2 * l + 1] = temp[2 * l + 1];
}
