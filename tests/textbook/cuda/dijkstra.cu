// Shortest paths by Dijkstra in one block: the nearest open vertex by a tree, then its edges relaxed in parallel.
#include <climits>

typedef unsigned char uchar;

#define N 60
extern "C" __global__ void dijkstra(uint *out, const uint *weight)
{
	__shared__ uint distance[N], best[256];
	__shared__ uchar closed[N];
	uint l = threadIdx.x, size = blockDim.x;
	weight += blockIdx.x * N * N;

	for (uint v = l; v < N; v += size) {
		distance[v] = v ? 0xffffff : 0;
		closed[v] = 0;
	}
	__syncthreads();
	for (uint round = 0; round < N; round++) {
		uint mine = UINT_MAX;
		for (uint v = l; v < N; v += size)
			if (!closed[v])
				mine = min(mine, distance[v] << 8 | v);
		best[l] = mine;
		__syncthreads();
		for (uint s = 128; s > 0; s /= 2) {
			if (l < s && l + s < size)
				best[l] = min(best[l], best[l + s]);
			__syncthreads();
		}
		uint v = best[0] & 255, d = best[0] >> 8;
		if (l == 0)
			closed[v] = 1;
		for (uint w = l; w < N; w += size) {
			uint length = weight[v * N + w];
			if (length && d + length < distance[w])
				distance[w] = d + length;
		}
		__syncthreads();
	}
	for (uint v = l; v < N; v += size)
		out[blockIdx.x * N + v] = distance[v];
}
