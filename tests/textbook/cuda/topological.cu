// Levels of a directed graph without cycles: counters of open predecessors, a queue in shared memory.
#define VERTICES 200
extern "C" __global__ void topological(int *level, const int *row, const int *column, const int *degree, int n)
{
	__shared__ int open[VERTICES], queue[VERTICES];
	__shared__ int begin, end;
	int l = threadIdx.x, size = blockDim.x;

	if (l == 0)
		begin = end = 0;
	__syncthreads();
	for (int v = l; v < n; v += size) {
		open[v] = degree[v];
		if (open[v] == 0)
			queue[atomicAdd(&end, 1)] = v;
	}
	__syncthreads();
	int depth = 0;
	while (begin < end) {
		int from = begin, to = end;
		__syncthreads();
		if (l == 0)
			begin = to;
		for (int i = from + l; i < to; i += size) {
			int v = queue[i];
			level[v] = depth;
			for (int e = row[v]; e < row[v + 1]; e++)
				if (atomicSub(&open[column[e]], 1) == 1)
					queue[atomicAdd(&end, 1)] = column[e];
		}
		depth++;
		__syncthreads();
	}
}
