// Quotients and remainders of 64 bits, signed and unsigned, and upper halves of products.
__kernel void divide64(__global long4 *out, __global const long *a, __global const long *b, int n)
{
	int i = get_global_id(0);

	if (i < n) {
		long x = a[i], y = b[i];
		if (y == 0 || (y == -1 && x == LONG_MIN))
			y = 3;
		out[i] = (long4)(x / y, x % y, (long)((ulong)x / (ulong)y), mul_hi(x, y));
	}
}
