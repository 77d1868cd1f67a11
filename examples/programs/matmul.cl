#define TILE 16

/* c = a b, matrices of n by n. A block makes a tile of c and reads each element of a and b once for 16 threads. */
kernel void multiply(global const float *a, global const float *b, global float *c, uint n)
{
	local float in_a[TILE][TILE], in_b[TILE][TILE];
	uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (uint from = 0; from < n; from += TILE) {
		in_a[y][x] = a[row * n + from + x];
		in_b[y][x] = b[(from + y) * n + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint i = 0; i < TILE; i++)
			sum += in_a[y][i] * in_b[i][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + column] = sum;
}
