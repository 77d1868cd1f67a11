// Which threads of a block have a key above the block's mean: a bit each in a mask of words.
extern "C" __global__ void vote_count(uint *mask, uint *above, const uint *key)
{
	__shared__ uint bits[8], sum, count;
	uint l = threadIdx.x, size = blockDim.x, k = key[blockIdx.x * blockDim.x + threadIdx.x] & 0xffff;

	if (l < 8)
		bits[l] = 0;
	if (l == 0)
		sum = count = 0;
	__syncthreads();
	atomicAdd(&sum, k);
	__syncthreads();
	bool yes = k > sum / size;
	if (yes) {
		atomicOr(&bits[l / 32], 1u << (l % 32));
		atomicAdd(&count, 1);
	}
	__syncthreads();
	for (uint i = l; i < 8; i += size)
		mask[blockIdx.x * 8 + i] = bits[i];
	if (l == 0)
		above[blockIdx.x] = count;
}
