// Edit distance of two strings by antidiagonals in shared memory, one block for each pair.
#define LENGTH 70
extern "C" __global__ void edit_distance(int *out, const char *a, const char *b, int na, int nb)
{
	__shared__ int d[3][LENGTH + 1];
	int l = threadIdx.x, size = blockDim.x, g = blockIdx.x;

	a += g * na;
	b += g * nb;
	for (int k = 0; k <= na + nb; k++) {
		int low = max(0, k - nb), high = min(k, na);
		for (int i = low + l; i <= high; i += size) {
			int j = k - i, best;
			if (i == 0 || j == 0) {
				best = i + j;
			} else {
				best = d[(k + 1) % 3][i - 1] + (a[i - 1] != b[j - 1]);
				best = min(best, d[(k + 2) % 3][i - 1] + 1);
				best = min(best, d[(k + 2) % 3][i] + 1);
			}
			d[k % 3][i] = best;
		}
		__syncthreads();
	}
	if (l == 0)
		out[g] = d[(na + nb) % 3][na];
}
