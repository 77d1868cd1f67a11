// The 0-1 knapsack: rows of capacities in shared memory, two in turn, items from a __constant__ parameter.
#define CAPACITY 150
extern "C" __global__ void knapsack(int *out, const int2 *items, int n)
{
	__shared__ int best[2][CAPACITY + 1];
	int l = threadIdx.x, size = blockDim.x, now = 0;

	for (int c = l; c <= CAPACITY; c += size)
		best[0][c] = 0;
	for (int i = 0; i < n; i++, now ^= 1) {
		int weight = items[i].x, value = items[i].y + blockIdx.x;
		__syncthreads();
		for (int c = l; c <= CAPACITY; c += size) {
			int b = best[now][c];
			if (c >= weight && best[now][c - weight] + value > b)
				b = best[now][c - weight] + value;
			best[now ^ 1][c] = b;
		}
	}
	__syncthreads();
	for (int c = l; c <= CAPACITY; c += size)
		out[blockIdx.x * (CAPACITY + 1) + c] = best[now][c];
}
