// Every place of a pattern in a text, tried byte by byte; places in any order.
extern "C" __global__ void string_naive(uint *places, uint *count, const char *text, uint n,
				const char *pattern, uint m)
{
	for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i + m <= n; i += gridDim.x * blockDim.x) {
		uint k = 0;
		while (k < m && text[i + k] == pattern[k])
			k++;
		if (k == m)
			places[atomicAdd(count, 1)] = i;
	}
}
