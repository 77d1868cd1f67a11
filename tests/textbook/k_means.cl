// A step of k-means on points of integers: nearest centre, and sums of the clusters in local memory.
#define K 5
__kernel void k_means(__global uchar *cluster, __global int *sums, __global const short2 *points,
		      __constant short2 *centre, int n)
{
	__local int sum[3 * K];
	int l = get_local_id(0);

	for (int i = l; i < 3 * K; i += get_local_size(0))
		sum[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
		short2 p = points[i];
		int best = INT_MAX, which = 0;
		for (int k = 0; k < K; k++) {
			int dx = p.x - centre[k].x, dy = p.y - centre[k].y, d = dx * dx + dy * dy;
			if (d < best) {
				best = d;
				which = k;
			}
		}
		cluster[i] = which;
		atomic_add(&sum[3 * which], p.x);
		atomic_add(&sum[3 * which + 1], p.y);
		atomic_inc(&sum[3 * which + 2]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = l; i < 3 * K; i += get_local_size(0))
		if (sum[i])
			atomic_add(&sums[i], sum[i]);
}
