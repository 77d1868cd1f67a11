// Copies of any length by a switch into the middle of a loop.
typedef unsigned char uchar;

extern "C" __global__ void duff_copy(uchar *to, const uchar *from, const uint *offsets, uint n)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x;

	if (g >= n)
		return;
	uint count = offsets[g + 1] - offsets[g];
	if (!count)
		return;
	uchar *q = to + offsets[g];
	const uchar *p = from + offsets[g];
	uint rounds = (count + 3) / 4;
	switch (count % 4) {
	case 0: do { *q++ = *p++ ^ 1;
	case 3: *q++ = *p++ ^ 3;
	case 2: *q++ = *p++ ^ 5;
	case 1: *q++ = *p++ ^ 7;
		} while (--rounds);
	}
}
