// Connected components: each vertex takes the smallest label of its neighbours until a round changes nothing.
__kernel void label_propagation(__global int *out, __global const int *row, __global const int *column, int n)
{
	__local int label[256], next[256];
	__local int again;
	int l = get_local_id(0), size = get_local_size(0);

	for (int v = l; v < n; v += size)
		label[v] = v;
	if (l == 0)
		again = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	while (again) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l == 0)
			again = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int v = l; v < n; v += size) {
			int best = label[v];
			for (int e = row[v]; e < row[v + 1]; e++)
				best = min(best, label[column[e]]);
			next[v] = best;
			if (best != label[v])
				atomic_or(&again, 1);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int v = l; v < n; v += size)
			label[v] = next[v];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int v = l; v < n; v += size)
		out[v] = label[v];
}
