/* Functions that stay functions: calls in divergent code, recursion unrolled by hand, an array passed by pointer. */
__attribute__((noinline)) uint mixed(uint a, uint b)
{
	for (uint k = a & 3; k < 6; k++)
		b = (b ^ a) * 2654435761u + k;
	return b;
}
__attribute__((noinline)) uint gcd(uint a, uint b)
{
	while (b) {
		uint t = a % b;
		a = b;
		b = t;
	}
	return a;
}
__attribute__((noinline)) void fill(uint *to, uint n, uint seed)
{
	for (uint k = 0; k < n; k++)
		to[k] = mixed(seed, k);
}
__kernel void calls(__global uint *out, __global const uint *in, uint n)
{
	uint i = get_global_id(0), a[5];
	if (i >= n)
		return;
	uint v = in[i];
	if (v & 1)
		v = mixed(v, i);
	else if (v & 2)
		v = gcd(v, in[i + 1] | 1) + mixed(i, v);
	fill(a, 5, v);
	out[i] = a[v % 5] ^ a[(v >> 4) % 5];
}
