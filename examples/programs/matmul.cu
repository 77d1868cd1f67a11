// The product of two matrices by tiles in shared memory, beside the product without tiles.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { TILE = 16, N = 64 };

__global__ void plain(const float *a, const float *b, float *c)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	float sum = 0;

	for (int k = 0; k < N; k++)
		sum += a[y * N + k] * b[k * N + x];
	c[y * N + x] = sum;
}

__global__ void tiled(const float *a, const float *b, float *c)
{
	__shared__ float left[TILE][TILE], right[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;

	for (int tile = 0; tile < N; tile += TILE) {
		left[ty][tx] = a[y * N + tile + tx];
		right[ty][tx] = b[(tile + ty) * N + x];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += left[ty][k] * right[k][tx];
		__syncthreads();
	}
	c[y * N + x] = sum;
}

int main()
{
	const size_t bytes = N * N * sizeof(float);
	std::vector<float> a(N * N), b(N * N), c(N * N);
	float *da, *db, *dc, ms[2];
	cudaEvent_t start, stop;
	int wrong = 0;

	for (int i = 0; i < N * N; i++) {
		a[i] = i % 7 - 3;
		b[i] = i % 5 - 2;
	}
	if (cudaMalloc(&da, bytes) || cudaMalloc(&db, bytes) || cudaMalloc(&dc, bytes))
		return 1;
	cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
	cudaEventCreate(&start);
	cudaEventCreate(&stop);
	for (int way = 0; way < 2; way++) {
		dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
		cudaMemset(dc, 0, bytes);
		cudaEventRecord(start);
		if (way)
			tiled<<<grid, block>>>(da, db, dc);
		else
			plain<<<grid, block>>>(da, db, dc);
		cudaEventRecord(stop);
		cudaEventSynchronize(stop);
		cudaEventElapsedTime(&ms[way], start, stop);
		cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost);
		for (int y = 0; y < N; y++)
			for (int x = 0; x < N; x++) {
				float want = 0;
				for (int k = 0; k < N; k++)
					want += a[y * N + k] * b[k * N + x];
				wrong += c[y * N + x] != want;
			}
	}
	cudaError_t e = cudaGetLastError();
	printf("%s; %d wrong elements; plain %.4f ms, tiled %.4f ms\n", cudaGetErrorString(e), wrong, ms[0], ms[1]);
	return wrong || e != cudaSuccess || ms[0] <= 0 || ms[1] <= 0;
}
