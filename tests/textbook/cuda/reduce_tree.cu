// Sum of each block by a tree with sequential addressing; sizes need not be powers of two.
extern "C" __global__ void reduce_tree(int *out, const int *in, int n)
{
	extern __shared__ int sum[];
	uint l = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x;

	sum[l] = i < n ? in[i] : 0;
	__syncthreads();
	while (size > 1) {
		uint half_size = (size + 1) / 2;
		if (l + half_size < size)
			sum[l] += sum[l + half_size];
		size = half_size;
		__syncthreads();
	}
	if (l == 0)
		out[blockIdx.x] = sum[0];
}
