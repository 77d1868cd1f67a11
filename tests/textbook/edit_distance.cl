// Edit distance of two strings by antidiagonals in local memory, one group for each pair.
#define LENGTH 70
__kernel void edit_distance(__global int *out, __global const char *a, __global const char *b, int na, int nb)
{
	__local int d[3][LENGTH + 1];
	int l = get_local_id(0), size = get_local_size(0), g = get_group_id(0);

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
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0)
		out[g] = d[(na + nb) % 3][na];
}
