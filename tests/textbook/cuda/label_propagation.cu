// Connected components: each vertex takes the smallest label of its neighbours until a round changes nothing.
extern "C" __global__ void label_propagation(int *out, const int *row, const int *column, int n)
{
	__shared__ int label[256], next[256];
	__shared__ int again;
	int l = threadIdx.x, size = blockDim.x;

	for (int v = l; v < n; v += size)
		label[v] = v;
	if (l == 0)
		again = 1;
	__syncthreads();
	while (again) {
		__syncthreads();
		if (l == 0)
			again = 0;
		__syncthreads();
		for (int v = l; v < n; v += size) {
			int best = label[v];
			for (int e = row[v]; e < row[v + 1]; e++)
				best = min(best, label[column[e]]);
			next[v] = best;
			if (best != label[v])
				atomicOr(&again, 1);
		}
		__syncthreads();
		for (int v = l; v < n; v += size)
			label[v] = next[v];
		__syncthreads();
	}
	for (int v = l; v < n; v += size)
		out[v] = label[v];
}
