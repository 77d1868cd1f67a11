// Product of rectangular matrices of floats, a work-item for each element, with an early exit.
__kernel void matmul_float(__global float *c, __global const float *a, __global const float *b, uint rows, uint inner,
			   uint columns)
{
	uint x = get_global_id(0), y = get_global_id(1);

	if (x >= columns || y >= rows)
		return;
	float sum = 0;
	for (uint k = 0; k < inner; k++)
		sum += a[y * inner + k] * b[k * columns + x];
	c[y * columns + x] = sum;
}
