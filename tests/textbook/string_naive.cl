// Every place of a pattern in a text, tried byte by byte; places in any order.
__kernel void string_naive(__global uint *places, __global uint *count, __global const char *text, uint n,
			   __global const char *pattern, uint m)
{
	for (uint i = get_global_id(0); i + m <= n; i += get_global_size(0)) {
		uint k = 0;
		while (k < m && text[i + k] == pattern[k])
			k++;
		if (k == m)
			places[atomic_inc(count)] = i;
	}
}
