// Shortest paths from a source by rounds over all edges until no distance changes.
typedef struct { ushort from, to; int weight; } edge;
extern "C" __global__ void bellman_ford(int *out, const edge *edges, int nvertices, int nedges)
{
	__shared__ int d[128];
	__shared__ int changed;
	int l = threadIdx.x, size = blockDim.x;

	for (int v = l; v < nvertices; v += size)
		d[v] = v == 0 ? 0 : 1 << 28;
	do {
		__syncthreads();
		if (l == 0)
			changed = 0;
		__syncthreads();
		for (int e = l; e < nedges; e += size) {
			int new_distance = atomicAdd(&d[edges[e].from], 0) + edges[e].weight;
			if (new_distance < atomicMin(&d[edges[e].to], new_distance))
				atomicExch(&changed, 1);
		}
		__syncthreads();
	} while (changed);
	for (int v = l; v < nvertices; v += size)
		out[v] = d[v];
}
