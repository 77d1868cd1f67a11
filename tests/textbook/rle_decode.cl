// Run-length decoding by a group: prefix sums of the counts, then each work-item writes its run.
__kernel void rle_decode(__global uchar *out, __global const uchar2 *pairs)
{
	__local uint end[256];
	uint l = get_local_id(0), size = get_local_size(0);
	uchar2 pair = pairs[get_global_id(0)];

	end[l] = pair.x;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint d = 1; d < size; d *= 2) {
		uint v = end[l] + (l >= d ? end[l - d] : 0);
		barrier(CLK_LOCAL_MEM_FENCE);
		end[l] = v;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	__global uchar *row = out + get_group_id(0) * size * 8;
	for (uint i = end[l] - pair.x; i < end[l]; i++)
		row[i] = pair.y;
}
