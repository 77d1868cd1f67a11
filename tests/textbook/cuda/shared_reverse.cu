// Reverse each block of 200 elements through shared memory, whatever the size of a block.
#define CHUNK 200
extern "C" __global__ void shared_reverse(uint *out, const uint *in)
{
	__shared__ uint tile[CHUNK];
	int l = threadIdx.x, base = blockIdx.x * CHUNK;

	for (int i = l; i < CHUNK; i += blockDim.x)
		tile[i] = in[base + i];
	__syncthreads();
	for (int i = l; i < CHUNK; i += blockDim.x)
		out[base + i] = tile[CHUNK - 1 - i];
}
