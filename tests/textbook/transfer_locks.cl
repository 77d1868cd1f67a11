// Transfers between accounts with two locks each, taken in ascending order, with a retry after a missed second lock.
__kernel void transfer_locks(volatile __global int *balance, __global int *lock, __global const uint *orders, int n)
{
	int i = get_global_id(0);

	if (i >= n)
		return;
	uint order = orders[i];
	int from = order & 15, to = order >> 4 & 15, amount = order >> 8 & 255;
	if (from == to)
		return;
	int low = min(from, to), high = max(from, to), moved = 0;
	do {
		if (atomic_cmpxchg(&lock[low], 0, 1) == 0) {
			if (atomic_cmpxchg(&lock[high], 0, 1) == 0) {
				balance[from] -= amount;
				balance[to] += amount;
				mem_fence(CLK_GLOBAL_MEM_FENCE);
				moved = atomic_xchg(&lock[high], 0);
			}
			atomic_xchg(&lock[low], 0);
		}
	} while (!moved);
}
