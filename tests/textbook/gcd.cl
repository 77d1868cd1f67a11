// Greatest common divisors, by Euclid with remainders and by Stein with shifts; both must agree.
__kernel void gcd(__global uint2 *out, __global const uint2 *in, uint n)
{
	uint i = get_global_id(0);

	if (i >= n)
		return;
	uint a = in[i].x, b = in[i].y;
	while (b) {
		uint r = a % b;
		a = b;
		b = r;
	}
	uint euclid = a, shift = 0;
	a = in[i].x;
	b = in[i].y;
	if (a == 0 || b == 0) {
		a |= b;
	} else {
		while (((a | b) & 1) == 0) {
			a >>= 1;
			b >>= 1;
			shift++;
		}
		while (!(a & 1))
			a >>= 1;
		do {
			while (!(b & 1))
				b >>= 1;
			if (a > b) {
				uint t = a;
				a = b;
				b = t;
			}
			b -= a;
		} while (b);
	}
	out[i] = (uint2)(euclid, a << shift);
}
