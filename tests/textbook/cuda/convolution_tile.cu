// A 5 by 5 mask over an image by tiles with a halo, loaded by strided loops in both directions, borders clamped.
typedef unsigned char uchar;

#define TILE 8
#define R 2
__constant__ short mask[25] = {
	1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1,
};
extern "C" __global__ void convolution_tile(uchar *out, const uchar *in, int width, int height)
{
	__shared__ uchar tile[TILE + 2 * R][TILE + 2 * R];
	int x0 = blockIdx.x * TILE - R, y0 = blockIdx.y * TILE - R;

	for (int y = threadIdx.y; y < TILE + 2 * R; y += blockDim.y)
		for (int x = threadIdx.x; x < TILE + 2 * R; x += blockDim.x)
			tile[y][x] = in[min(max(y0 + y, 0), height - 1) * width + min(max(x0 + x, 0), width - 1)];
	__syncthreads();
	for (int y = threadIdx.y; y < TILE; y += blockDim.y) {
		for (int x = threadIdx.x; x < TILE; x += blockDim.x) {
			int sum = 0, gx = x0 + R + x, gy = y0 + R + y;
			for (int j = 0; j < 5; j++)
				for (int i = 0; i < 5; i++)
					sum += mask[j * 5 + i] * tile[y + j][x + i];
			if (gx < width && gy < height)
				out[gy * width + gx] = min(sum / 273, 255);
		}
	}
}
