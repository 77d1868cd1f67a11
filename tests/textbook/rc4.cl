// RC4: a state of 256 bytes for each work-item in global memory, key schedule and stream.
__kernel void rc4(__global uchar *out, __global uchar *states, __global const uchar *keys, uint bytes)
{
	uint g = get_global_id(0);
	__global uchar *s = states + g * 256;
	uchar i = 0, j = 0;

	do
		s[i] = i;
	while (++i);
	do {
		j += s[i] + keys[g * 8 + (i & 7)];
		uchar t = s[i];
		s[i] = s[j];
		s[j] = t;
	} while (++i);
	j = 0;
	for (uint k = 0; k < bytes; k++) {
		i++;
		j += s[i];
		uchar t = s[i];
		s[i] = s[j];
		s[j] = t;
		out[g * bytes + k] = s[(uchar)(s[i] + s[j])];
	}
}
