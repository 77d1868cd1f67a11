// Julia set of floats: rounds until escape. A point counts as right within one of its neighbour's roundings.
__kernel void julia(__global float *out, int width, float scale, float cx, float cy)
{
	int i = get_global_id(0), n = 0;
	float x = (i % width - width / 2) * scale, y = (i / width) * scale;

	for (; n < 12; n++) {
		float t = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = t;
		if (x * x + y * y > 100)
			break;
	}
	out[i] = n < 12 ? 1 : 0;
}
