// Adler-32 and Fletcher-16 of rows of bytes, with remainders deferred over runs.
__kernel void adler(__global uint2 *out, __global const uchar *rows, uint bytes)
{
	uint g = get_global_id(0), a = 1, b = 0, i = 0;
	__global const uchar *p = rows + g * bytes;

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
	out[g] = (uint2)(b << 16 | a, y << 8 | x);
}
