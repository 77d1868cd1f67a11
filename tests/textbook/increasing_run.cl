// Longest strictly increasing subsequence of a row, by patience piles and bisection, piles in private memory.
#define ROW 30
__kernel void increasing_run(__global int *out, __global const short *rows)
{
	short piles[ROW];
	int n = 0, g = get_global_id(0);

	for (int i = 0; i < ROW; i++) {
		short v = rows[g * ROW + i];
		int low = 0, high = n;
		while (low < high) {
			int middle = (low + high) >> 1;
			if (piles[middle] < v)
				low = middle + 1;
			else
				high = middle;
		}
		piles[low] = v;
		if (low == n)
			n++;
	}
	out[g] = n;
}
