// Transpose of a matrix whose sides are no multiples of the tile's, with a padded tile.
#define TILE 16
extern "C" __global__ void transpose_tile(int *out, const int *in, int width, int height)
{
	__shared__ int tile[TILE][TILE + 1];
	int lx = threadIdx.x, ly = threadIdx.y;
	int x = blockIdx.x * TILE + lx, y = blockIdx.y * TILE + ly;

	if (x < width && y < height)
		tile[ly][lx] = in[y * width + x];
	__syncthreads();
	x = blockIdx.y * TILE + lx;
	y = blockIdx.x * TILE + ly;
	if (x < height && y < width)
		out[y * height + x] = tile[lx][ly];
}
