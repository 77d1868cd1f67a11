// Boyer, Moore and Horspool: a table of shifts in local memory, filled by all; each work-item searches its own line.
#define LINE_BYTES 64
__kernel void horspool(__global int *place, __global const uchar *lines, __global const uchar *pattern, int m)
{
	__local uchar shift[256];
	int l = get_local_id(0), g = get_global_id(0);

	for (int c = l; c < 256; c += get_local_size(0))
		shift[c] = m;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0)
		for (int i = 0; i < m - 1; i++)
			shift[pattern[i]] = m - 1 - i;
	barrier(CLK_LOCAL_MEM_FENCE);
	__global const uchar *line = lines + g * LINE_BYTES;
	int i = 0, where = -1;
	while (i + m <= LINE_BYTES) {
		int k = m - 1;
		while (k >= 0 && line[i + k] == pattern[k])
			k--;
		if (k < 0) {
			where = i;
			break;
		}
		i += shift[line[i + m - 1]];
	}
	place[g] = where;
}
