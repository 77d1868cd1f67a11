// Rolling hashes: each thread hashes windows of its part and compares only where the hash is the pattern's.
typedef unsigned char uchar;

extern "C" __global__ void rabin_karp(int *first, const uchar *text, int n, const uchar *pattern, int m,
				int part)
{
	int g = blockIdx.x * blockDim.x + threadIdx.x, start = g * part, last = min(start + part, n - m + 1);
	uint want = 0, hash = 0, power = 1;

	first[g] = -1;
	if (start >= last)
		return;
	for (int k = 0; k < m; k++) {
		want = want * 257 + pattern[k];
		hash = hash * 257 + text[start + k];
		if (k)
			power *= 257;
	}
	for (int i = start;; i++) {
		if (hash == want) {
			int k = 0;
			for (; k < m; k++)
				if (text[i + k] != pattern[k])
					break;
			if (k == m) {
				first[g] = i;
				return;
			}
		}
		if (i + 1 >= last)
			return;
		hash = (hash - text[i] * power) * 257 + text[i + m];
	}
}
