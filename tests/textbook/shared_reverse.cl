// Reverse each block of 200 elements through local memory, whatever the size of a group.
#define CHUNK 200
__kernel void shared_reverse(__global uint *out, __global const uint *in)
{
	__local uint tile[CHUNK];
	int l = get_local_id(0), base = get_group_id(0) * CHUNK;

	for (int i = l; i < CHUNK; i += get_local_size(0))
		tile[i] = in[base + i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = l; i < CHUNK; i += get_local_size(0))
		out[base + i] = tile[CHUNK - 1 - i];
}
