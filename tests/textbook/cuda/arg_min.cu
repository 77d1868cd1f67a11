// The smallest element of each row and its column, the first of several; one block for each row.
#include <climits>

extern "C" __global__ void arg_min(int *value, int *column, const int *m, int width)
{
	__shared__ int v[256], c[256];
	int l = threadIdx.x, size = blockDim.x;
	const int *row = m + blockIdx.x * width;
	int best = INT_MAX, where = -1;

	for (int i = l; i < width; i += size)
		if (row[i] < best) {
			best = row[i];
			where = i;
		}
	v[l] = best;
	c[l] = where;
	__syncthreads();
	for (int s = 1; s < size; s *= 2) {
		int other = l + s;
		if (l % (2 * s) == 0 && other < size) {
			if (v[other] < v[l] || (v[other] == v[l] && (uint)c[other] < (uint)c[l])) {
				v[l] = v[other];
				c[l] = c[other];
			}
		}
		__syncthreads();
	}
	if (l == 0) {
		value[blockIdx.x] = v[0];
		column[blockIdx.x] = c[0];
	}
}
