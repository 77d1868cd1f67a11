// Steps of an explicit heat equation in fixed point, a rod for each block, in two rows of shared memory.
extern "C" __global__ void heat(int *rods, int n, int steps)
{
	__shared__ int a[2][200];
	int *rod = rods + blockIdx.x * n;
	int l = threadIdx.x, size = blockDim.x;

	for (int i = l; i < n; i += size)
		a[0][i] = rod[i];
	for (int s = 0; s < steps; s++) {
		__syncthreads();
		for (int i = l; i < n; i += size) {
			int v = a[s & 1][i];
			if (i > 0 && i < n - 1)
				v += (a[s & 1][i - 1] - 2 * v + a[s & 1][i + 1]) / 4;
			a[(s + 1) & 1][i] = v;
		}
	}
	__syncthreads();
	for (int i = l; i < n; i += size)
		rod[i] = a[steps & 1][i];
}
