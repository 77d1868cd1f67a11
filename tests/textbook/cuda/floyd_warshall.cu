// All shortest paths of a small graph in shared memory, by one block.
#define N 24
extern "C" __global__ void floyd_warshall(int *graphs)
{
	__shared__ int d[N * N];
	int *g = graphs + blockIdx.x * N * N;

	for (int i = threadIdx.x; i < N * N; i += blockDim.x)
		d[i] = g[i];
	__syncthreads();
	for (int k = 0; k < N; k++) {
		for (int i = threadIdx.x; i < N * N; i += blockDim.x) {
			int row = i / N, column = i % N;
			int through = d[row * N + k] + d[k * N + column];
			if (row != k && column != k && through < d[i])
				d[i] = through;
		}
		__syncthreads();
	}
	for (int i = threadIdx.x; i < N * N; i += blockDim.x)
		g[i] = d[i];
}
