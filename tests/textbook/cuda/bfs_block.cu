// Breadth-first search of a graph (CSR) by one block: frontiers in shared memory, distances by compare-and-swap.
#define VERTICES 256
extern "C" __global__ void bfs_block(int *distance, const int *row, const int *column, int n, int source)
{
	__shared__ int frontier[VERTICES], next[VERTICES];
	__shared__ int count, next_count;
	int l = threadIdx.x, size = blockDim.x;

	for (int v = l; v < n; v += size)
		distance[v] = v == source ? 0 : -1;
	if (l == 0) {
		frontier[0] = source;
		count = 1;
		next_count = 0;
	}
	__syncthreads();
	for (int level = 1; count > 0; level++) {
		for (int i = l; i < count; i += size) {
			int v = frontier[i];
			for (int e = row[v]; e < row[v + 1]; e++) {
				int w = column[e];
				if (atomicCAS(&distance[w], -1, level) == -1)
					next[atomicAdd(&next_count, 1)] = w;
			}
		}
		__syncthreads();
		for (int i = l; i < next_count; i += size)
			frontier[i] = next[i];
		__syncthreads();
		if (l == 0) {
			count = next_count;
			next_count = 0;
		}
		__syncthreads();
	}
}
