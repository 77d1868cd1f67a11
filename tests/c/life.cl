// The game of life on a torus of 32 x 32: loops of which two are unrolled, and a switch with three ways out.
// .grid 2,2
// .block 16,16
// .arg zero=1024
// .arg zero=1024
__kernel void life(__global const uchar *in, __global uchar *out)
{
	int x = get_global_id(0), y = get_global_id(1), n = 0;

	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (dx || dy)
				n += in[((y + dy) & 31) * 32 + ((x + dx) & 31)];
	switch ((x * 5 + y) % 7) {
	case 2:
		out[y * 32 + x] = in[y * 32 + x];
		break;
	case 3:
		out[y * 32 + x] = n / (x + 1);
		break;
	case 4:
		for (int k = 0; k < x; k++)
			n = n * 3 + k;
		out[y * 32 + x] = n;
		break;
	default:
		out[y * 32 + x] = 0;
	}
}
