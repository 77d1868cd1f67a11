// Triangles of a graph with sorted neighbour lists: each edge intersects two lists, with two pointers.
__kernel void triangles(__global uint *total, __global const int *row, __global const int *column,
			__global const int2 *edges, int n)
{
	int i = get_global_id(0);

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
		atomic_add(total, count);
}
