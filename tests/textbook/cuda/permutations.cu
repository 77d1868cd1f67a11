// The permutation of an index by Lehmer's code, then its successors one by one; a hash of what comes.
typedef unsigned char uchar;

#define N 6
extern "C" __global__ void permutations(uint *out, uint steps)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, index = g % 720, hash = 0;
	uchar p[N], used = 0;

	for (uint i = 0, f = 120; i < N; i++) {
		uint skip = index / f;
		index %= f;
		for (uint v = 0; v < N; v++) {
			if (used >> v & 1)
				continue;
			if (skip-- == 0) {
				p[i] = v;
				used |= 1 << v;
				break;
			}
		}
		if (i < N - 1)
			f /= N - 1 - i;
	}
	for (uint s = 0; s < steps; s++) {
		for (uint i = 0; i < N; i++)
			hash = hash * 7 + p[i];
		int i = N - 2, j = N - 1;
		while (i >= 0 && p[i] > p[i + 1])
			i--;
		if (i < 0)
			break;
		while (p[j] < p[i])
			j--;
		uchar t = p[i];
		p[i] = p[j];
		p[j] = t;
		for (i++, j = N - 1; i < j; i++, j--) {
			t = p[i];
			p[i] = p[j];
			p[j] = t;
		}
	}
	out[g] = hash;
}
