// Run-length coding of a row of bytes by each thread: pairs of count and byte, counts up to 255.
typedef unsigned char uchar;

#define ROW 64
extern "C" __global__ void rle_encode(uchar *out, uint *lengths, const uchar *in)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
	const uchar *p = in + g * ROW;
	uchar *q = out + g * 2 * ROW;

	for (uint i = 0; i < ROW;) {
		uint run = 1;
		while (i + run < ROW && p[i + run] == p[i] && run < 10)
			run++;
		q[n++] = run;
		q[n++] = p[i];
		i += run;
	}
	lengths[g] = n;
}
