// Solutions of n queens by bit masks and an explicit stack; a thread for each placing of the first two queens.
#define N 7
extern "C" __global__ void n_queens(uint *out)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, first = g / N % N, second = g % N, count = 0;
	uint columns[N], left_side[N], right_side[N], open[N];
	const uint all = (1 << N) - 1;

	if (g >= N * N)
		return;
	if ((first > second ? first - second : second - first) > 1) {
		int row = 2;
		columns[2] = 1u << first | 1u << second;
		left_side[2] = 1u << first << 2 | 1u << second << 1;
		right_side[2] = 1u << first >> 2 | 1u << second >> 1;
		open[2] = all & ~(columns[2] | left_side[2] | right_side[2]);
		while (row >= 2) {
			if (!open[row]) {
				row--;
				continue;
			}
			uint bit = open[row] & -open[row];
			open[row] ^= bit;
			if (row == N - 1) {
				count++;
				continue;
			}
			columns[row + 1] = columns[row] | bit;
			left_side[row + 1] = (left_side[row] | bit) << 1;
			right_side[row + 1] = (right_side[row] | bit) >> 1;
			row++;
			open[row] = all & ~(columns[row] | left_side[row] | right_side[row]);
		}
	}
	out[g] = count;
}
