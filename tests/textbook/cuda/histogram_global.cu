// Histogram of 256 bins by atomics on global memory; a thread takes four bytes of a word at a time.
extern "C" __global__ void histogram_global(uint *bins, const uint *words, uint nwords)
{
	uint i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= nwords)
		return;
	uint w = words[i];
	for (int k = 0; k < 4; k++, w >>= 8)
		atomicAdd(bins + (w & 255), 1);
}
