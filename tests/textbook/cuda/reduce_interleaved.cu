// Maximum of each block by a tree with interleaved addressing: threads whose id is a multiple of the distance.
extern "C" __global__ void reduce_interleaved(int *out, const int *in)
{
	extern __shared__ int best[];
	uint l = threadIdx.x;

	best[l] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	for (uint s = 1; s < blockDim.x; s *= 2) {
		if (l % (2 * s) == 0 && l + s < blockDim.x)
			best[l] = max(best[l], best[l + s]);
		__syncthreads();
	}
	if (!l)
		out[blockIdx.x] = best[0];
}
