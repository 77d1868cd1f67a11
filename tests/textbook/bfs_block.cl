// Breadth-first search of a graph (CSR) by one group: frontiers in local memory, distances by compare-and-swap.
#define VERTICES 256
__kernel void bfs_block(__global int *distance, __global const int *row, __global const int *column, int n, int source)
{
	__local int frontier[VERTICES], next[VERTICES];
	__local int count, next_count;
	int l = get_local_id(0), size = get_local_size(0);

	for (int v = l; v < n; v += size)
		distance[v] = v == source ? 0 : -1;
	if (l == 0) {
		frontier[0] = source;
		count = 1;
		next_count = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	for (int level = 1; count > 0; level++) {
		for (int i = l; i < count; i += size) {
			int v = frontier[i];
			for (int e = row[v]; e < row[v + 1]; e++) {
				int w = column[e];
				if (atomic_cmpxchg(&distance[w], -1, level) == -1)
					next[atomic_inc(&next_count)] = w;
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		for (int i = l; i < next_count; i += size)
			frontier[i] = next[i];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l == 0) {
			count = next_count;
			next_count = 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}
