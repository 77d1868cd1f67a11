// Transfers between accounts with two locks each, taken in ascending order, with a retry after a missed second lock.
extern "C" __global__ void transfer_locks(volatile int *balance, int *lock, const uint *orders, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	uint order = orders[i];
	int from = order & 15, to = order >> 4 & 15, amount = order >> 8 & 255;
	if (from == to)
		return;
	int low = min(from, to), high = max(from, to), moved = 0;
	do {
		if (atomicCAS(&lock[low], 0, 1) == 0) {
			if (atomicCAS(&lock[high], 0, 1) == 0) {
				balance[from] -= amount;
				balance[to] += amount;
				__threadfence();
				moved = atomicExch(&lock[high], 0);
			}
			atomicExch(&lock[low], 0);
		}
	} while (!moved);
}
