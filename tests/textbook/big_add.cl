// Numbers of 256 words: sums with carries found by a scan of generate and propagate in local memory.
__kernel void big_add(__global uint *sum, __global uint *carry_out, __global const uint *a, __global const uint *b)
{
	__local uchar generate[256], propagate[256];
	int l = get_local_id(0), size = get_local_size(0), g = get_global_id(0);
	uint s = a[g] + b[g];

	generate[l] = s < a[g];
	propagate[l] = s == UINT_MAX;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int d = 1; d < size; d <<= 1) {
		uchar gen = generate[l], pro = propagate[l];
		if (l >= d) {
			gen |= pro & generate[l - d];
			pro &= propagate[l - d];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		generate[l] = gen;
		propagate[l] = pro;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	sum[g] = s + (l ? generate[l - 1] : 0);
	if (l == size - 1)
		carry_out[get_group_id(0)] = generate[l];
}
