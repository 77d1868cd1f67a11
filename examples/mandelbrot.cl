// The Mandelbrot set in OpenCL C, of the size and the blocks of mandelbrot.s.
//
// What to look for: the same picture and the same reason for lost lanes as in mandelbrot.s, the loop that neighbours
// leave at different times; but 64 lanes wait for the slowest of them, not 32.
// .grid 4,3
// .block 16,16
// .arg zero=12288                        out: rounds of each pixel
// expect: arg 0 u32[0..2] = 1 1 1
// expect: arg 0 u32[1568] = 256
__kernel void mandelbrot(__global int *out)
{
	int px = get_global_id(0), py = get_global_id(1), rounds = 0;
	float cx = -2.0f + px * (3.0f / 64), cy = -1.125f + py * (2.25f / 48), x = 0, y = 0;

	while (rounds < 256) {
		float x2 = x * x, y2 = y * y;
		if (x2 + y2 > 4.0f)
			break;
		y = 2.0f * x * y + cy;
		x = x2 - y2 + cx;
		rounds++;
	}
	out[py * 64 + px] = rounds;
}
