// Transpose of a matrix whose sides are no multiples of the tile's, with a padded tile.
#define TILE 16
__kernel void transpose_tile(__global int *out, __global const int *in, int width, int height)
{
	__local int tile[TILE][TILE + 1];
	int lx = get_local_id(0), ly = get_local_id(1);
	int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;

	if (x < width && y < height)
		tile[ly][lx] = in[y * width + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	x = get_group_id(1) * TILE + lx;
	y = get_group_id(0) * TILE + ly;
	if (x < height && y < width)
		out[y * height + x] = tile[lx][ly];
}
