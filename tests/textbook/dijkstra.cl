// Shortest paths by Dijkstra in one group: the nearest open vertex by a tree, then its edges relaxed in parallel.
#define N 60
__kernel void dijkstra(__global uint *out, __global const uint *weight)
{
	__local uint distance[N], best[256];
	__local uchar closed[N];
	uint l = get_local_id(0), size = get_local_size(0);
	weight += get_group_id(0) * N * N;

	for (uint v = l; v < N; v += size) {
		distance[v] = v ? 0xffffff : 0;
		closed[v] = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint round = 0; round < N; round++) {
		uint mine = UINT_MAX;
		for (uint v = l; v < N; v += size)
			if (!closed[v])
				mine = min(mine, distance[v] << 8 | v);
		best[l] = mine;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint s = 128; s > 0; s /= 2) {
			if (l < s && l + s < size)
				best[l] = min(best[l], best[l + s]);
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		uint v = best[0] & 255, d = best[0] >> 8;
		if (l == 0)
			closed[v] = 1;
		for (uint w = l; w < N; w += size) {
			uint length = weight[v * N + w];
			if (length && d + length < distance[w])
				distance[w] = d + length;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (uint v = l; v < N; v += size)
		out[get_group_id(0) * N + v] = distance[v];
}
