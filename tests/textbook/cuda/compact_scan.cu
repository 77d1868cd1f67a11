// The positive elements of each block, in their order: flags, prefix sums, scatter, count.
extern "C" __global__ void compact_scan(int *out, uint *counts, const int *in)
{
	__shared__ uint place[256];
	uint l = threadIdx.x, size = blockDim.x;
	int v = in[blockIdx.x * blockDim.x + threadIdx.x];
	bool kept = v > 0;

	place[l] = kept;
	__syncthreads();
	for (uint d = 1; d < size; d *= 2) {
		uint sum = place[l];
		if (l >= d)
			sum += place[l - d];
		__syncthreads();
		place[l] = sum;
		__syncthreads();
	}
	if (kept)
		out[blockIdx.x * size + place[l] - 1] = v;
	if (l == size - 1)
		counts[blockIdx.x] = place[l];
}
