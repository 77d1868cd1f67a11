// Which work-items of a group have a key above the group's mean: a bit each in a mask of words.
__kernel void vote_count(__global uint *mask, __global uint *above, __global const uint *key)
{
	__local uint bits[8], sum, count;
	uint l = get_local_id(0), size = get_local_size(0), k = key[get_global_id(0)] & 0xffff;

	if (l < 8)
		bits[l] = 0;
	if (l == 0)
		sum = count = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&sum, k);
	barrier(CLK_LOCAL_MEM_FENCE);
	bool yes = k > sum / size;
	if (yes) {
		atomic_or(&bits[l / 32], 1u << (l % 32));
		atomic_inc(&count);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = l; i < 8; i += size)
		mask[get_group_id(0) * 8 + i] = bits[i];
	if (l == 0)
		above[get_group_id(0)] = count;
}
