// Mandelbrot set in fixed point (24 fraction bits), with products of 64 bits.
typedef unsigned char uchar;

extern "C" __global__ void mandelbrot_fixed(uchar *out, int width, int height, int x0, int y0, int step,
				int limit)
{
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;

	if (px >= width || py >= height)
		return;
	int cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0, n = 0;
	while (n < limit) {
		int xx = (int)((long)x * x >> 24), yy = (int)((long)y * y >> 24);
		if (xx + yy > 4 << 24)
			break;
		y = (int)((long)x * y >> 23) + cy;
		x = xx - yy + cx;
		n++;
	}
	out[py * width + px] = n;
}
