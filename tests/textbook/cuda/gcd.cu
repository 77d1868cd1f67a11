// Greatest common divisors, by Euclid with remainders and by Stein with shifts; both must agree.
extern "C" __global__ void gcd(uint2 *out, const uint2 *in, uint n)
{
	uint i = blockIdx.x * blockDim.x + threadIdx.x;

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
	out[i] = make_uint2(euclid, a << shift);
}
