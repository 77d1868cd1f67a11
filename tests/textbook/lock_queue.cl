// Records into a shared array behind a lock that each work-item takes as often as it has records, in any order.
__kernel void lock_queue(volatile __global uint *list, volatile __global uint *length, __global int *lock,
			 __global const uint *in)
{
	uint n = in[get_global_id(0)] & 3, made = 0;

	while (made < n) {
		if (!atomic_cmpxchg(lock, 0, 1)) {
			uint end = *length;
			list[end] = get_global_id(0) * 4 + made;
			*length = end + 1;
			mem_fence(CLK_GLOBAL_MEM_FENCE);
			made += atomic_xchg(lock, 0);
		}
	}
}
