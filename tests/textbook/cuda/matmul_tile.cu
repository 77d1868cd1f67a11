// Product of two square matrices of integers by tiles; the side is no multiple of the tile's.
#define T 8
extern "C" __global__ void matmul_tile(int *c, const int *a, const int *b, int n)
{
	__shared__ int ta[T][T], tb[T][T];
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int lx = threadIdx.x, ly = threadIdx.y, sum = 0;

	for (int t = 0; t < (n + T - 1) / T; t++) {
		ta[ly][lx] = y < n && t * T + lx < n ? a[y * n + t * T + lx] : 0;
		tb[ly][lx] = x < n && t * T + ly < n ? b[(t * T + ly) * n + x] : 0;
		__syncthreads();
		for (int k = 0; k < T; k++)
			sum += ta[ly][k] * tb[k][lx];
		__syncthreads();
	}
	if (x < n && y < n)
		c[y * n + x] = sum;
}
