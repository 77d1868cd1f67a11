// What bench/gcn.c runs: two kernels whose time goes to divergent loops. Sizes of both are those of the launch.
__kernel void mandelbrot(__global int *out)
{
	int px = get_global_id(0), rounds = 0;
	float cx = -2.0f + (px % 512) * (3.0f / 512), cy = -1.125f + (px / 512) * (2.25f / 256), x = 0, y = 0;

	while (rounds < 256) {
		float x2 = x * x, y2 = y * y;
		if (x2 + y2 > 4.0f)
			break;
		y = 2.0f * x * y + cy;
		x = x2 - y2 + cx;
		rounds++;
	}
	out[px] = rounds;
}

__kernel void collatz(__global int *out)
{
	uint v = get_global_id(0) + 1, steps = 0;

	while (v != 1 && steps < 1000) {
		v = (v & 1) ? 3 * v + 1 : v >> 1;
		steps++;
	}
	out[get_global_id(0)] = steps;
}
