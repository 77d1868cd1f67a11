// The sum of many numbers: within a warp by shuffles, within a block through shared memory, between blocks by an atomic.
#include <cstdio>
#include <vector>

__device__ unsigned total;

__device__ unsigned warp_sum(unsigned v)
{
	for (int offset = warpSize / 2; offset; offset /= 2)
		v += __shfl_down_sync(0xffffffff, v, offset);
	return v;
}

__global__ void sum(const unsigned *in, int n)
{
	__shared__ unsigned part[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	unsigned v = 0;

	for (; i < n; i += gridDim.x * blockDim.x)
		v += in[i];
	v = warp_sum(v);
	if (lane == 0)
		part[warp] = v;
	__syncthreads();
	if (warp == 0) {
		v = warp_sum(lane < blockDim.x / 32 ? part[lane] : 0);
		if (lane == 0)
			atomicAdd(&total, v);
	}
}

int main()
{
	const int n = 10000;
	std::vector<unsigned> in(n);
	unsigned want = 0, found = 0, *d;

	for (int i = 0; i < n; i++)
		want += in[i] = i * 2654435761u >> 12;
	if (cudaMalloc(&d, n * sizeof *d) != cudaSuccess)
		return 1;
	cudaMemcpy(d, in.data(), n * sizeof *d, cudaMemcpyHostToDevice);
	cudaMemcpyToSymbol(total, &found, sizeof found);
	sum<<<8, 128>>>(d, n);
	cudaMemcpyFromSymbol(&found, total, sizeof found);
	printf("%s: found %u, expected %u\n", cudaGetErrorString(cudaGetLastError()), found, want);
	return found != want;
}
