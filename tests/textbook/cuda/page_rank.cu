// A round of page rank in fixed point (16 fraction bits), a thread for each vertex, by incoming edges.
extern "C" __global__ void page_rank(uint *out, const uint *rank, const int *row, const int *column,
				const uint *degree, int n)
{
	for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
		ulong sum = 0;
		for (int e = row[v]; e < row[v + 1]; e++) {
			int u = column[e];
			if (degree[u] == 0)
				continue;
			sum += rank[u] / degree[u];
		}
		out[v] = (uint)((sum * 55705 + 9830ul * 65536) >> 16);
	}
}
