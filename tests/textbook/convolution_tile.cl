// A 5 by 5 mask over an image by tiles with a halo, loaded by strided loops in both directions, borders clamped.
#define TILE 8
#define R 2
__constant short mask[25] = {
	1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1,
};
__kernel void convolution_tile(__global uchar *out, __global const uchar *in, int width, int height)
{
	__local uchar tile[TILE + 2 * R][TILE + 2 * R];
	int x0 = get_group_id(0) * TILE - R, y0 = get_group_id(1) * TILE - R;

	for (int y = get_local_id(1); y < TILE + 2 * R; y += get_local_size(1))
		for (int x = get_local_id(0); x < TILE + 2 * R; x += get_local_size(0))
			tile[y][x] = in[clamp(y0 + y, 0, height - 1) * width + clamp(x0 + x, 0, width - 1)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int y = get_local_id(1); y < TILE; y += get_local_size(1)) {
		for (int x = get_local_id(0); x < TILE; x += get_local_size(0)) {
			int sum = 0, gx = x0 + R + x, gy = y0 + R + y;
			for (int j = 0; j < 5; j++)
				for (int i = 0; i < 5; i++)
					sum += mask[j * 5 + i] * tile[y + j][x + i];
			if (gx < width && gy < height)
				out[gy * width + gx] = min(sum / 273, 255);
		}
	}
}
