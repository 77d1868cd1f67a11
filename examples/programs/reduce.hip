// The sum of many numbers on waves of 64 lanes: within a wave by shuffles, within a block through shared memory,
// between blocks by an atomic; and the number of odd ones by ballots.   warpbeam run reduce.hip --
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>

__device__ unsigned total, odd;

__device__ unsigned wave_sum(unsigned v)
{
	for (int offset = warpSize / 2; offset; offset /= 2)
		v += __shfl_down(v, offset);
	return v;
}

__global__ void sum(const unsigned *in, int n)
{
	__shared__ unsigned part[16];
	int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
	unsigned v = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned long long odds = __ballot(in[i] & 1);
		if (lane == __ffsll(__ballot(1)) - 1)
			atomicAdd(&odd, __popcll(odds));
		v += in[i];
	}
	v = wave_sum(v);
	if (lane == 0)
		part[wave] = v;
	__syncthreads();
	if (wave == 0) {
		v = wave_sum(lane < blockDim.x / warpSize ? part[lane] : 0);
		if (lane == 0)
			atomicAdd(&total, v);
	}
}

int main()
{
	const int n = 10000;
	std::vector<unsigned> in(n);
	unsigned want = 0, want_odd = 0, found = 0, found_odd = 0, *d;

	for (int i = 0; i < n; i++) {
		want += in[i] = i * 2654435761u >> 12;
		want_odd += in[i] & 1;
	}
	if (hipMalloc(&d, n * sizeof *d) != hipSuccess)
		return 1;
	hipMemcpy(d, in.data(), n * sizeof *d, hipMemcpyHostToDevice);
	hipMemcpyToSymbol(HIP_SYMBOL(total), &found, sizeof found);
	hipLaunchKernelGGL(sum, dim3(8), dim3(256), 0, 0, d, n);
	hipMemcpyFromSymbol(&found, HIP_SYMBOL(total), sizeof found);
	hipMemcpyFromSymbol(&found_odd, HIP_SYMBOL(odd), sizeof found_odd);
	printf("%s: found %u with %u odd, expected %u with %u\n", hipGetErrorString(hipGetLastError()), found,
	       found_odd, want, want_odd);
	hipFree(d);
	return found != want || found_odd != want_odd;
}
