// Longest strictly increasing subsequence of a row, by patience piles and bisection, piles in private memory.
#define ROW 30
extern "C" __global__ void increasing_run(int *out, const short *rows)
{
	short piles[ROW];
	int n = 0, g = blockIdx.x * blockDim.x + threadIdx.x;

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
