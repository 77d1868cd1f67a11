// A queue of tasks in local memory: a task is a number that splits in two until it is small; rounds until it is empty.
#define LENGTH 512
__kernel void queue_local(__global uint *leaves, __global const uint *seeds)
{
	__local uint queue[LENGTH];
	__local uint head, tail, found;
	uint l = get_local_id(0), size = get_local_size(0);

	if (l == 0) {
		head = found = 0;
		tail = 1;
		queue[0] = seeds[get_group_id(0)];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	while (head < tail) {
		uint begin = head, end = tail;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint i = begin + l; i < end; i += size) {
			uint v = queue[i % LENGTH];
			if (v < 10) {
				atomic_add(&found, v);
				continue;
			}
			uint place = atomic_add(&tail, 2);
			queue[place % LENGTH] = v / 2;
			queue[(place + 1) % LENGTH] = v - v / 2 - 1;
		}
		if (l == 0)
			head = end;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0) {
		leaves[2 * get_group_id(0)] = found;
		leaves[2 * get_group_id(0) + 1] = tail;
	}
}
