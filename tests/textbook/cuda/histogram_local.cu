// Histogram of 64 bins: zeroed, counted by atomics and flushed by strided loops between barriers.
extern "C" __global__ void histogram_local(uint *out, const uint *in, int n)
{
	__shared__ uint bins[64];

	for (int b = threadIdx.x; b < 64; b += blockDim.x)
		bins[b] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[in[i] % 64], 1);
	__syncthreads();
	for (int b = threadIdx.x; b < 64; b += blockDim.x)
		if (bins[b])
			atomicAdd(&out[b], bins[b]);
}
