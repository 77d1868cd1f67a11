// Adler-32 and Fletcher-16 of rows of bytes, with remainders deferred over runs.
typedef unsigned char uchar;

extern "C" __global__ void adler(uint2 *out, const uchar *rows, uint bytes)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, a = 1, b = 0, i = 0;
	const uchar *p = rows + g * bytes;

	while (i < bytes) {
		uint end = min(i + 24, bytes);
		for (; i < end; i++) {
			a += p[i];
			b += a;
		}
		a %= 65521;
		b %= 65521;
	}
	ushort x = 0, y = 0;
	for (i = 0; i < bytes; i++) {
		x = (x + p[i]) % 255;
		y = (y + x) % 255;
	}
	out[g] = make_uint2(b << 16 | a, y << 8 | x);
}
