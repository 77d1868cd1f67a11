// Shortest paths from a source by rounds over all edges until no distance changes.
typedef struct { ushort from, to; int weight; } edge;
__kernel void bellman_ford(__global int *out, __global const edge *edges, int nvertices, int nedges)
{
	__local int d[128];
	__local int changed;
	int l = get_local_id(0), size = get_local_size(0);

	for (int v = l; v < nvertices; v += size)
		d[v] = v == 0 ? 0 : 1 << 28;
	do {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l == 0)
			changed = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int e = l; e < nedges; e += size) {
			int new_distance = atomic_add(&d[edges[e].from], 0) + edges[e].weight;
			if (new_distance < atomic_min(&d[edges[e].to], new_distance))
				atomic_xchg(&changed, 1);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	} while (changed);
	for (int v = l; v < nvertices; v += size)
		out[v] = d[v];
}
