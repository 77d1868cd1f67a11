// Steps of an explicit heat equation in fixed point, a rod for each group, in two rows of local memory.
__kernel void heat(__global int *rods, int n, int steps)
{
	__local int a[2][200];
	__global int *rod = rods + get_group_id(0) * n;
	int l = get_local_id(0), size = get_local_size(0);

	for (int i = l; i < n; i += size)
		a[0][i] = rod[i];
	for (int s = 0; s < steps; s++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int i = l; i < n; i += size) {
			int v = a[s & 1][i];
			if (i > 0 && i < n - 1)
				v += (a[s & 1][i - 1] - 2 * v + a[s & 1][i + 1]) / 4;
			a[(s + 1) & 1][i] = v;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = l; i < n; i += size)
		rod[i] = a[steps & 1][i];
}
