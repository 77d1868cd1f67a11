// The 0-1 knapsack: rows of capacities in local memory, two in turn, items from a __constant parameter.
#define CAPACITY 150
__kernel void knapsack(__global int *out, __constant int2 *items, int n)
{
	__local int best[2][CAPACITY + 1];
	int l = get_local_id(0), size = get_local_size(0), now = 0;

	for (int c = l; c <= CAPACITY; c += size)
		best[0][c] = 0;
	for (int i = 0; i < n; i++, now ^= 1) {
		int weight = items[i].x, value = items[i].y + get_group_id(0);
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int c = l; c <= CAPACITY; c += size) {
			int b = best[now][c];
			if (c >= weight && best[now][c - weight] + value > b)
				b = best[now][c - weight] + value;
			best[now ^ 1][c] = b;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int c = l; c <= CAPACITY; c += size)
		out[get_group_id(0) * (CAPACITY + 1) + c] = best[now][c];
}
