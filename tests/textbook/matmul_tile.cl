// Product of two square matrices of integers by tiles; the side is no multiple of the tile's.
#define T 8
__kernel void matmul_tile(__global int *c, __global const int *a, __global const int *b, int n)
{
	__local int ta[T][T], tb[T][T];
	int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1), sum = 0;

	for (int t = 0; t < (n + T - 1) / T; t++) {
		ta[ly][lx] = y < n && t * T + lx < n ? a[y * n + t * T + lx] : 0;
		tb[ly][lx] = x < n && t * T + ly < n ? b[(t * T + ly) * n + x] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < T; k++)
			sum += ta[ly][k] * tb[k][lx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (x < n && y < n)
		c[y * n + x] = sum;
}
