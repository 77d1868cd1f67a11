// A counter-based generator (Philox 4x32-10) by mul_hi, four words for each counter.
__kernel void philox(__global uint4 *out, uint seed, uint n)
{
	for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
		uint4 c = (uint4)(i, 0, 0, 0);
		uint2 k = (uint2)(seed, 0xdecafbad);
		for (int r = 0; r < 10; r++) {
			uint hi0 = mul_hi(0xd2511f53u, c.x), lo0 = 0xd2511f53u * c.x;
			uint hi1 = mul_hi(0xcd9e8d57u, c.z), lo1 = 0xcd9e8d57u * c.z;
			c = (uint4)(hi1 ^ c.y ^ k.x, lo1, hi0 ^ c.w ^ k.y, lo0);
			k += (uint2)(0x9e3779b9u, 0xbb67ae85u);
		}
		out[i] = c;
	}
}
