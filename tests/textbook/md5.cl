// MD5 of messages of up to 55 bytes: one block, four kinds of rounds by a switch, shifts in __constant memory.
__constant uchar shifts[16] = { 7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21 };
__kernel void md5(__global uint4 *digests, __global const uint *messages, __constant uint *sines)
{
	uint g = get_global_id(0);
	__global const uint *m = messages + g * 16;
	uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;

	for (uint i = 0; i < 64; i++) {
		uint f, k;
		switch (i / 16) {
		case 0:
			f = (b & c) | (~b & d);
			k = i;
			break;
		case 1:
			f = (d & b) | (~d & c);
			k = (5 * i + 1) % 16;
			break;
		case 2:
			f = b ^ c ^ d;
			k = (3 * i + 5) % 16;
			break;
		default:
			f = c ^ (b | ~d);
			k = 7 * i % 16;
		}
		f += a + sines[i] + m[k];
		a = d;
		d = c;
		c = b;
		b += rotate(f, (uint)shifts[i / 16 * 4 + i % 4]);
	}
	digests[g] = (uint4)(a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476);
}
