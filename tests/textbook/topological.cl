// Levels of a directed graph without cycles: counters of open predecessors, a queue in local memory.
#define VERTICES 200
__kernel void topological(__global int *level, __global const int *row, __global const int *column,
			  __global const int *degree, int n)
{
	__local int open[VERTICES], queue[VERTICES];
	__local int begin, end;
	int l = get_local_id(0), size = get_local_size(0);

	if (l == 0)
		begin = end = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int v = l; v < n; v += size) {
		open[v] = degree[v];
		if (open[v] == 0)
			queue[atomic_inc(&end)] = v;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	int depth = 0;
	while (begin < end) {
		int from = begin, to = end;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l == 0)
			begin = to;
		for (int i = from + l; i < to; i += size) {
			int v = queue[i];
			level[v] = depth;
			for (int e = row[v]; e < row[v + 1]; e++)
				if (atomic_dec(&open[column[e]]) == 1)
					queue[atomic_inc(&end)] = column[e];
		}
		depth++;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}
