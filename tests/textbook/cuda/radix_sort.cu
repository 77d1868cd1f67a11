// Radix sort of a block's elements, a bit a pass: flags, exclusive scan, scatter.
extern "C" __global__ void radix_sort(uint *data, uint bits)
{
	__shared__ uint key[256], sum[256];
	uint l = threadIdx.x, n = blockDim.x, g = blockIdx.x * blockDim.x + threadIdx.x;

	key[l] = data[g];
	for (uint b = 0; b < bits; b++) {
		__syncthreads();
		uint k = key[l], zero = !(k >> b & 1);
		sum[l] = zero;
		__syncthreads();
		for (uint d = 1; d < n; d <<= 1) {
			uint s = l >= d ? sum[l - d] : 0;
			__syncthreads();
			sum[l] += s;
			__syncthreads();
		}
		uint zeros = sum[n - 1];
		if (zero)
			key[sum[l] - 1] = k;
		else
			key[zeros + l - sum[l]] = k;
	}
	__syncthreads();
	data[g] = key[l];
}
