// Dot products of doubles: strided sums and a tree in shared memory.
extern "C" __global__ void double_dot(double *out, const double *a, const double *b, int n)
{
	__shared__ double part[256];
	int l = threadIdx.x, size = blockDim.x;
	double sum = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += a[i] * b[i];
	part[l] = sum;
	__syncthreads();
	for (int s = 1; s < size; s *= 2) {
		if (l % (2 * s) == 0 && l + s < size)
			part[l] += part[l + s];
		__syncthreads();
	}
	if (l == 0)
		out[blockIdx.x] = part[0];
}
