// Knuth, Morris and Pratt: the failure table in shared memory by one thread, a part of the text for each.
#define M_MAX 32
extern "C" __global__ void kmp(uint *counts, const char *text, uint n, const char *pattern, uint m, uint part)
{
	__shared__ int fail[M_MAX];
	uint g = blockIdx.x * blockDim.x + threadIdx.x, start = g * part, end = min(start + part + m - 1, n), count = 0;

	if (threadIdx.x == 0) {
		fail[0] = 0;
		for (uint i = 1, k = 0; i < m; i++) {
			while (k > 0 && pattern[i] != pattern[k])
				k = fail[k - 1];
			if (pattern[i] == pattern[k])
				k++;
			fail[i] = k;
		}
	}
	__syncthreads();
	uint k = 0;
	for (uint i = start; i < end; i++) {
		while (k > 0 && text[i] != pattern[k])
			k = fail[k - 1];
		if (text[i] == pattern[k])
			k++;
		if (k == m) {
			count++;
			k = fail[k - 1];
		}
	}
	counts[g] = count;
}
