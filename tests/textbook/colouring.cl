// Greedy colouring in order of random priorities (Jones and Plassmann), rounds until all have a colour.
__kernel void colouring(__global int *colour, __global const int *row, __global const int *column,
			__global const uint *priority, int n)
{
	__local int done[128], left_over;
	int v = get_local_id(0);
	bool open = v < n;

	if (open)
		done[v] = -1;
	if (v == 0)
		left_over = n;
	barrier(CLK_LOCAL_MEM_FENCE);
	while (left_over > 0) {
		int mine = -1;
		if (open) {
			uint used = 0;
			bool highest = true;
			for (int e = row[v]; e < row[v + 1] && highest; e++) {
				int w = column[e];
				if (done[w] >= 0)
					used |= 1u << done[w];
				else if (priority[w] > priority[v])
					highest = false;
			}
			if (highest)
				for (mine = 0; used >> mine & 1; mine++)
					;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (mine >= 0) {
			done[v] = mine;
			open = false;
			atomic_dec(&left_over);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (v < n)
		colour[v] = done[v];
}
