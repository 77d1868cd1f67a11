// Run-length coding of a row of bytes by each work-item: pairs of count and byte, counts up to 255.
#define ROW 64
__kernel void rle_encode(__global uchar *out, __global uint *lengths, __global const uchar *in)
{
	uint g = get_global_id(0), n = 0;
	__global const uchar *p = in + g * ROW;
	__global uchar *q = out + g * 2 * ROW;

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
