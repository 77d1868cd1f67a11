// Greedy colouring in order of random priorities (Jones and Plassmann), rounds until all have a colour.
extern "C" __global__ void colouring(int *colour, const int *row, const int *column, const uint *priority,
				int n)
{
	__shared__ int done[128], left_over;
	int v = threadIdx.x;
	bool open = v < n;

	if (open)
		done[v] = -1;
	if (v == 0)
		left_over = n;
	__syncthreads();
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
		__syncthreads();
		if (mine >= 0) {
			done[v] = mine;
			open = false;
			atomicSub(&left_over, 1);
		}
		__syncthreads();
	}
	if (v < n)
		colour[v] = done[v];
}
