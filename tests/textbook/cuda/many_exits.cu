// Loops with several exits and continues; which exit was taken decides what follows.
extern "C" __global__ void many_exits(uint *out, const uint *in, uint n)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, v = in[g], w = in[(g + 1) % (gridDim.x * blockDim.x)];
	uint way = 0, i, j = 0;

	for (i = 0; i < n; i++) {
		v = v * 1664525 + 1013904223;
		if (v >> 28 == 3) {
			way = 1;
			break;
		}
		if (v >> 24 & 1)
			continue;
		for (j = 0; j < 8; j++) {
			w ^= w << 13;
			w ^= w >> 17;
			w ^= w << 5;
			if ((w & 31) == 7)
				break;
			if ((w & 63) == 33) {
				way = 2;
				goto out_of_both;
			}
			if ((w & 127) == 65) {
				out[g] = 0x1000000 | i << 8 | j;
				return;
			}
		}
		if (j < 3)
			continue;
		way = 3;
		if ((v & w & 15) == 15)
			break;
	}
out_of_both:
	switch (way) {
	case 1:
		v ^= w;
		break;
	case 2:
		v += i * j;
		/* fall through */
	case 3:
		v = ~v;
	}
	out[g] = (v & 0xffff) | way << 16 | (i & 15) << 18;
}
