// Knuth, Morris and Pratt: the failure table in local memory by one work-item, a part of the text for each.
#define M_MAX 32
__kernel void kmp(__global uint *counts, __global const char *text, uint n, __constant char *pattern, uint m, uint part)
{
	__local int fail[M_MAX];
	uint g = get_global_id(0), start = g * part, end = min(start + part + m - 1, n), count = 0;

	if (get_local_id(0) == 0) {
		fail[0] = 0;
		for (uint i = 1, k = 0; i < m; i++) {
			while (k > 0 && pattern[i] != pattern[k])
				k = fail[k - 1];
			if (pattern[i] == pattern[k])
				k++;
			fail[i] = k;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
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
