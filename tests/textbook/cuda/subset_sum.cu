// Subsets of twelve numbers with a wanted sum, counted by backtracking with a bound and a state of each level.
typedef unsigned char uchar;

#define N 12
extern "C" __global__ void subset_sum(uint *out, const uchar *numbers, const ushort *wanted)
{
	const uchar *w = numbers + blockIdx.x * N;
	uchar tried[N];
	int level = 0, sum = 0, goal = wanted[blockIdx.x * blockDim.x + threadIdx.x];
	uint count = 0, visits = 0;

	tried[0] = 0;
	while (level >= 0) {
		visits++;
		if (level == N) {
			if (sum == goal)
				count++;
			level--;
			continue;
		}
		if (tried[level] == 0 && sum > goal) {
			level--;
			continue;
		}
		if (tried[level] == 2) {
			sum -= w[level--];
			continue;
		}
		if (tried[level]++ == 1)
			sum += w[level];
		if (++level < N)
			tried[level] = 0;
	}
	out[2 * (blockIdx.x * blockDim.x + threadIdx.x)] = count;
	out[2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1] = visits;
}
