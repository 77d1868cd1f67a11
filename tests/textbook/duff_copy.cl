// Copies of any length by a switch into the middle of a loop.
__kernel void duff_copy(__global uchar *to, __global const uchar *from, __global const uint *offsets, uint n)
{
	uint g = get_global_id(0);

	if (g >= n)
		return;
	uint count = offsets[g + 1] - offsets[g];
	if (!count)
		return;
	__global uchar *q = to + offsets[g];
	__global const uchar *p = from + offsets[g];
	uint rounds = (count + 3) / 4;
	switch (count % 4) {
	case 0: do { *q++ = *p++ ^ 1;
	case 3: *q++ = *p++ ^ 3;
	case 2: *q++ = *p++ ^ 5;
	case 1: *q++ = *p++ ^ 7;
		} while (--rounds);
	}
}
