// Bits reversed, counted, interleaved; the next number with as many bits; Gray code and back; parity.
__kernel void bit_tricks(__global uint8 *out, __global const uint *in)
{
	uint g = get_global_id(0), v = in[g], r = v, m = v & 0xffff, gray = v ^ v >> 1, back = gray;

	r = (r >> 1 & 0x55555555) | (r & 0x55555555) << 1;
	r = (r >> 2 & 0x33333333) | (r & 0x33333333) << 2;
	r = (r >> 4 & 0x0f0f0f0f) | (r & 0x0f0f0f0f) << 4;
	r = (r >> 8 & 0x00ff00ff) | (r & 0x00ff00ff) << 8;
	r = r >> 16 | r << 16;
	m = (m | m << 8) & 0x00ff00ff;
	m = (m | m << 4) & 0x0f0f0f0f;
	m = (m | m << 2) & 0x33333333;
	m = (m | m << 1) & 0x55555555;
	for (uint s = 1; s < 32; s *= 2)
		back ^= back >> s;
	uint low = v & -v, up = v + low, next = low ? up | ((v ^ up) >> 2) / low : 0;
	uint zeros = v ? clz(v & -v) ^ 31 : 32;
	out[g] = (uint8)(r, m, gray, back, next, popcount(v), zeros, popcount(v) & 1);
}
