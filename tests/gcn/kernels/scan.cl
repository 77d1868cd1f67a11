/* Local memory and barriers: the running sum of a group, and its values in order of a bit. */
__kernel void scan(__global uint *out, __global const uint *in, uint n)
{
	__local uint sum[2][256];
	uint l = get_local_id(0), i = get_global_id(0), size = get_local_size(0), from = 0;
	uint v = i < n ? in[i] & 0xffff : 0;
	sum[0][l] = v & 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint d = 1; d < size; d <<= 1, from = !from) {
		sum[!from][l] = sum[from][l] + (l >= d ? sum[from][l - d] : 0);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	uint ones = sum[from][l], all = sum[from][size - 1];
	barrier(CLK_LOCAL_MEM_FENCE);
	sum[1][v & 1 ? size - all + ones - 1 : l - ones] = v;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = sum[1][l] << 16 | ones;
}
