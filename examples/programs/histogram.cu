// Counts of bytes: each block counts in shared memory, then adds the counts of all; limits of the bins are constants.
#include <cstdio>
#include <cstring>
#include <vector>

enum { BINS = 16 };

__constant__ unsigned char upper[BINS];

__global__ void histogram(const unsigned char *text, int n, unsigned *counts)
{
	extern __shared__ unsigned mine[];

	for (int i = threadIdx.x; i < BINS; i += blockDim.x)
		mine[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int bin = 0;
		while (bin < BINS - 1 && text[i] > upper[bin])
			bin++;
		atomicAdd(&mine[bin], 1u);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < BINS; i += blockDim.x)
		atomicAdd(&counts[i], mine[i]);
}

int main()
{
	const int n = 4096;
	std::vector<unsigned char> text(n);
	unsigned char limits[BINS];
	unsigned want[BINS] = { 0 }, found[BINS], *counts;
	unsigned char *d;

	for (int i = 0; i < BINS; i++)
		limits[i] = i * i + 10;
	for (int i = 0; i < n; i++) {
		text[i] = i * 2654435761u >> 24;
		int bin = 0;
		while (bin < BINS - 1 && text[i] > limits[bin])
			bin++;
		want[bin]++;
	}
	if (cudaMalloc(&d, n) || cudaMalloc(&counts, sizeof found))
		return 1;
	cudaMemcpy(d, text.data(), n, cudaMemcpyHostToDevice);
	cudaMemset(counts, 0, sizeof found);
	cudaMemcpyToSymbol(upper, limits, sizeof limits);
	histogram<<<4, 64, BINS * sizeof(unsigned)>>>(d, n, counts);
	cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost);
	bool right = !memcmp(found, want, sizeof want);
	printf("%s: the counts are %s\n", cudaGetErrorString(cudaGetLastError()), right ? "right" : "wrong");
	return !right;
}
