// AES-128 of a block for each work-item; the S-box is made by a group in local memory, the key schedule by one of it.
uchar gf_product(uchar a, uchar b)
{
	uchar p = 0;

	while (b) {
		if (b & 1)
			p ^= a;
		a = a << 1 ^ (a & 0x80 ? 0x1b : 0);
		b >>= 1;
	}
	return p;
}

uchar gf_sub(uint v)
{
	uchar inverse = 0;

	for (uint c = 1; c < 256 && v; c++)
		if (gf_product(v, c) == 1) {
			inverse = c;
			break;
		}
	uint x = inverse | inverse << 8;
	return inverse ^ x >> 7 ^ x >> 6 ^ x >> 5 ^ x >> 4 ^ 0x63;
}

__kernel void aes128(__global uchar *out, __global const uchar *in, __global const uchar *key)
{
	__local uchar box[256], schedule[176];
	uint l = get_local_id(0), g = get_global_id(0);
	uchar s[16], t[16];

	for (uint i = l; i < 256; i += get_local_size(0))
		box[i] = gf_sub(i);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0) {
		uchar round = 1;
		for (uint i = 0; i < 16; i++)
			schedule[i] = key[i];
		for (uint i = 16; i < 176; i += 4) {
			uchar w[4];
			for (uint k = 0; k < 4; k++)
				w[k] = schedule[i - 4 + k];
			if (i % 16 == 0) {
				uchar first = w[0];
				w[0] = box[w[1]] ^ round;
				w[1] = box[w[2]];
				w[2] = box[w[3]];
				w[3] = box[first];
				round = gf_product(round, 2);
			}
			for (uint k = 0; k < 4; k++)
				schedule[i + k] = schedule[i - 16 + k] ^ w[k];
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = 0; i < 16; i++)
		s[i] = in[g * 16 + i] ^ schedule[i];
	for (uint round = 1; round <= 10; round++) {
		for (uint i = 0; i < 16; i++)
			t[i] = box[s[(i + i % 4 * 4) % 16]];
		for (uint c = 0; c < 16; c += 4) {
			for (uint i = 0; i < 4; i++) {
				uchar v = t[c + i];
				if (round < 10)
					v = gf_product(t[c + i], 2) ^ gf_product(t[c + (i + 1) % 4], 3) ^
					    t[c + (i + 2) % 4] ^ t[c + (i + 3) % 4];
				s[c + i] = v ^ schedule[round * 16 + c + i];
			}
		}
	}
	vstore16((uchar16)(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13],
			   s[14], s[15]), g, out);
}
