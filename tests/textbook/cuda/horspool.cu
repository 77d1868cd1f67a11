// Boyer, Moore and Horspool: a table of shifts in shared memory, filled by all; each thread searches its own line.
typedef unsigned char uchar;

#define LINE_BYTES 64
extern "C" __global__ void horspool(int *place, const uchar *lines, const uchar *pattern, int m)
{
	__shared__ uchar shift[256];
	int l = threadIdx.x, g = blockIdx.x * blockDim.x + threadIdx.x;

	for (int c = l; c < 256; c += blockDim.x)
		shift[c] = m;
	__syncthreads();
	if (l == 0)
		for (int i = 0; i < m - 1; i++)
			shift[pattern[i]] = m - 1 - i;
	__syncthreads();
	const uchar *line = lines + g * LINE_BYTES;
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
