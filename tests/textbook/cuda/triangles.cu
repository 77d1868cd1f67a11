// Triangles of a graph with sorted neighbour lists: each edge intersects two lists, with two pointers.
extern "C" __global__ void triangles(uint *total, const int *row, const int *column, const int2 *edges, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	int a = row[edges[i].x], a_end = row[edges[i].x + 1], b = row[edges[i].y], b_end = row[edges[i].y + 1];
	uint count = 0;
	while (a < a_end && b < b_end) {
		int x = column[a], y = column[b];
		if (x == y) {
			count++;
			a++;
			b++;
		} else if (x < y) {
			a++;
		} else {
			b++;
		}
	}
	if (count)
		atomicAdd(total, count);
}
