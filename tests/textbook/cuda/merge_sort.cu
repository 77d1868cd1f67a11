// Merge sort of 256 elements a block from run to run between two arrays; each thread merges whole pairs of runs.
#define N 256
extern "C" __global__ void merge_sort(int *out, const int *in)
{
	__shared__ int a[N], b[N];
	int *from = a, *to = b;
	int l = threadIdx.x, size = blockDim.x, base = blockIdx.x * N;

	for (int i = l; i < N; i += size)
		from[i] = in[base + i];
	__syncthreads();
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
		__syncthreads();
		int *t = from;
		from = to;
		to = t;
	}
	for (int i = l; i < N; i += size)
		out[base + i] = from[i];
}
