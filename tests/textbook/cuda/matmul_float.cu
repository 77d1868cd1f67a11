// Product of rectangular matrices of floats, a thread for each element, with an early exit.
extern "C" __global__ void matmul_float(float *c, const float *a, const float *b, uint rows, uint inner,
				uint columns)
{
	uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x >= columns || y >= rows)
		return;
	float sum = 0;
	for (uint k = 0; k < inner; k++)
		sum += a[y * inner + k] * b[k * columns + x];
	c[y * columns + x] = sum;
}
