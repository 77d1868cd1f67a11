// A switch whose first compare has no line of its own: clang puts it behind the shift of the line above.
// .grid 4
// .block 64
// .arg zero=4096
__kernel void moved(__global int *p)
{
	int i = get_global_id(0);
	int x = i * 2654435761u >> 28;
	int r = 0;
	switch (x & 7) {
	case 0: r = x * 3; break;
	case 1: for (int k = 0; k < i % 7; k++) r += k * x; break;
	case 2: r = x / 3; break;
	case 5: r = x ^ 0x55; p[i + 256] = r; break;
	default: r = -1;
	}
	p[i] = r;
}
