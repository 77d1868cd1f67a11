// Sum of a whole array: strided private sums, a tree in shared memory, one atomic addition for each block.
extern "C" __global__ void reduce_grid(uint *total, const uint *in, uint n)
{
	extern __shared__ uint part[];
	uint l = threadIdx.x, sum = 0;

	for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += in[i];
	part[l] = sum;
	for (uint s = 128; s > 0; s >>= 1) {
		__syncthreads();
		if (l < s && l + s < blockDim.x)
			part[l] += part[l + s];
	}
	if (l == 0)
		atomicAdd(total, part[0]);
}
