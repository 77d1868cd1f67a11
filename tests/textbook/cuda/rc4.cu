// RC4: a state of 256 bytes for each thread in global memory, key schedule and stream.
typedef unsigned char uchar;

extern "C" __global__ void rc4(uchar *out, uchar *states, const uchar *keys, uint bytes)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x;
	uchar *s = states + g * 256;
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
