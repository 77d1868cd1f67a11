// Histogram of 16 bins: each thread counts its stride into private bins, then the block adds them up.
typedef unsigned char uchar;

#define BINS 16
extern "C" __global__ void histogram_private(uint *out, const uchar *in, uint n)
{
	__shared__ uint table[128 * BINS];
	uint bins[BINS];
	uint l = threadIdx.x;

	for (int b = 0; b < BINS; b++)
		bins[b] = 0;
	for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		bins[in[i] >> 4]++;
	for (int b = 0; b < BINS; b++)
		table[b * blockDim.x + l] = bins[b];
	__syncthreads();
	for (int b = l; b < BINS; b += blockDim.x) {
		uint sum = 0;
		for (uint i = 0; i < blockDim.x; i++)
			sum += table[b * blockDim.x + i];
		out[blockIdx.x * BINS + b] = sum;
	}
}
