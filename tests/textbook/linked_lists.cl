// Lists by key: each work-item puts its node in front by an exchange; after a barrier one work-item walks each list.
__kernel void linked_lists(__global uint *sums, __global uint *lengths, __global const uint *in)
{
	__local int heads[7];
	__local int next[256];
	__local uint value[256];
	int l = get_local_id(0), size = get_local_size(0);

	for (int h = l; h < 7; h += size)
		heads[h] = -1;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint v = in[get_global_id(0)];
	value[l] = v;
	next[l] = atomic_xchg(&heads[v % 7], l);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int h = l; h < 7; h += size) {
		uint sum = 0, length = 0;
		for (int node = heads[h]; node != -1; node = next[node]) {
			sum += value[node];
			length++;
		}
		sums[get_group_id(0) * 7 + h] = sum;
		lengths[get_group_id(0) * 7 + h] = length;
	}
}
