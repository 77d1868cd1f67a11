// Subsets of twelve numbers with a wanted sum, counted by backtracking with a bound and a state of each level.
#define N 12
__kernel void subset_sum(__global uint *out, __global const uchar *numbers, __global const ushort *wanted)
{
	__global const uchar *w = numbers + get_group_id(0) * N;
	uchar tried[N];
	int level = 0, sum = 0, goal = wanted[get_global_id(0)];
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
	out[2 * get_global_id(0)] = count;
	out[2 * get_global_id(0) + 1] = visits;
}
