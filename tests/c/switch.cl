// Five cases: clang gives no line to most of the masks that it makes of a switch.
// .grid 2
// .block 64
// .arg zero=512
__kernel void kinds(__global uint *out)
{
	uint i = get_global_id(0), v = i * 2654435761u, r;

	switch (v >> 29) {
	case 0:
		r = v / (i + 1);
		break;
	case 1:
		r = v % (i + 3);
		break;
	case 2:
		for (r = 0; v; v >>= 1)
			r += v & 1;
		break;
	case 5:
		r = v * v;
		break;
	default:
		r = 7;
	}
	out[i] = r;
}
