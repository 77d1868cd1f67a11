/* Integers of 64 bits: products, quotients, shifts by lane, comparisons. */
__kernel void longs(__global ulong *out, __global const uint *in, uint n)
{
	uint i = get_global_id(0);
	if (i >= n)
		return;
	ulong a = (ulong)in[i] << 32 | in[i + 1], b = in[i + 2] | 1u;
	long s = (long)a, t = (long)(int)in[i + 3] | 1;
	ulong r = a * b + (a >> (b & 63)) - (a << (in[i + 4] & 63));
	r ^= a / b;
	r += a % b;
	r ^= (ulong)(s / t) * 3;
	r += (ulong)(s % t);
	r ^= s < t ? 0x123456789abcdeful : (ulong)(s >> 7);
	r += (ulong)max(s, t) ^ (ulong)min(a, b);
	out[i] = r;
}
