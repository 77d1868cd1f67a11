// Gradient of an image by Sobel's masks: magnitude as a sum of absolute values, direction in eight sectors.
typedef unsigned char uchar;

extern "C" __global__ void sobel(uchar2 *out, const uchar *in, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
		return;
	const uchar *p = in + y * width + x;
	int gx = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[-1 + width];
	int gy = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[1 - width];
	uint sector = 0;
	if (gy < 0)
		sector |= 4;
	if (gx < 0)
		sector |= 2;
	if (abs(gx) < abs(gy))
		sector |= 1;
	out[y * width + x] = make_uchar2(min(abs(gx) + abs(gy), 255), sector);
}
