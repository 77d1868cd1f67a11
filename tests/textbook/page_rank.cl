// A round of page rank in fixed point (16 fraction bits), a work-item for each vertex, by incoming edges.
__kernel void page_rank(__global uint *out, __global const uint *rank, __global const int *row,
			__global const int *column, __global const uint *degree, int n)
{
	for (int v = get_global_id(0); v < n; v += get_global_size(0)) {
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
