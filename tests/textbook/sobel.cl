// Gradient of an image by Sobel's masks: magnitude as a sum of absolute values, direction in eight sectors.
__kernel void sobel(__global uchar2 *out, __global const uchar *in, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
		return;
	__global const uchar *p = in + y * width + x;
	int gx = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[-1 + width];
	int gy = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[1 - width];
	uint sector = 0;
	if (gy < 0)
		sector |= 4;
	if (gx < 0)
		sector |= 2;
	if (abs(gx) < abs(gy))
		sector |= 1;
	out[y * width + x] = (uchar2)(min(abs(gx) + abs(gy), 255u), sector);
}
