// Merge sort of 256 elements a group from run to run between two arrays; each work-item merges whole pairs of runs.
#define N 256
__kernel void merge_sort(__global int *out, __global const int *in)
{
	__local int a[N], b[N];
	__local int *from = a, *to = b;
	int l = get_local_id(0), size = get_local_size(0), base = get_group_id(0) * N;

	for (int i = l; i < N; i += size)
		from[i] = in[base + i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int run = 1; run < N; run *= 2) {
		for (int start = l * 2 * run; start < N; start += size * 2 * run) {
			int i = start, j = start + run, i_end = j, j_end = j + run;
			for (int k = start; k < j_end; k++) {
				if (i < i_end && (j >= j_end || from[i] <= from[j]))
					to[k] = from[i++];
				else
					to[k] = from[j++];
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		__local int *t = from;
		from = to;
		to = t;
	}
	for (int i = l; i < N; i += size)
		out[base + i] = from[i];
}
