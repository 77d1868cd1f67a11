// Each block leaves its sum; the last one to come adds all sums up.
extern "C" __global__ void last_block(volatile uint *partial, uint *count, uint *total, const uint *in)
{
	__shared__ uint sum, is_last;
	uint l = threadIdx.x;

	if (l == 0)
		sum = 0;
	__syncthreads();
	atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x] & 0xffff);
	__syncthreads();
	if (l == 0) {
		partial[blockIdx.x] = sum;
		__threadfence();
		is_last = atomicAdd(count, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (!is_last)
		return;
	if (l == 0) {
		uint all = 0;
		for (uint g = 0; g < gridDim.x; g++)
			all += partial[g];
		*total = all;
	}
}
