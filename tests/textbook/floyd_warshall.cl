// All shortest paths of a small graph in local memory, by one group.
#define N 24
__kernel void floyd_warshall(__global int *graphs)
{
	__local int d[N * N];
	__global int *g = graphs + get_group_id(0) * N * N;

	for (int i = get_local_id(0); i < N * N; i += get_local_size(0))
		d[i] = g[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < N; k++) {
		for (int i = get_local_id(0); i < N * N; i += get_local_size(0)) {
			int row = i / N, column = i % N;
			int through = d[row * N + k] + d[k * N + column];
			if (row != k && column != k && through < d[i])
				d[i] = through;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = get_local_id(0); i < N * N; i += get_local_size(0))
		g[i] = d[i];
}
