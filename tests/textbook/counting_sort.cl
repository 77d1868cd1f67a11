// Stable counting sort of bytes: counts by work-item and key, a serial scan by one work-item, scatter.
#define KEYS 16
__kernel void counting_sort(__global uchar *out, __global const uchar *in, int chunk)
{
	__local int counts[KEYS * 64];
	int l = get_local_id(0), n = get_local_size(0);
	int base = get_group_id(0) * n * chunk;

	for (int k = 0; k < KEYS; k++)
		counts[k * n + l] = 0;
	for (int i = 0; i < chunk; i++)
		counts[(in[base + l * chunk + i] & 15) * n + l]++;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0) {
		int sum = 0;
		for (int i = 0; i < KEYS * n; i++) {
			int c = counts[i];
			counts[i] = sum;
			sum += c;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < chunk; i++) {
		uchar v = in[base + l * chunk + i];
		out[base + counts[(v & 15) * n + l]++] = v;
	}
}
