// XTEA in counter mode over a stream, the key from a __constant parameter.
__kernel void xtea(__global uint2 *data, __constant uint *key, uint n)
{
	for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
		uint a = i, b = 0x12345678, sum = 0;
		for (int r = 0; r < 32; r++) {
			a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
			sum += 0x9e3779b9;
			b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
		}
		data[i] ^= (uint2)(a, b);
	}
}
