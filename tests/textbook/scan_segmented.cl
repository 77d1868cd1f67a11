// Prefix sums that begin anew at each flag, by pairs of flag and sum.
__kernel void scan_segmented(__global int *out, __global const int *in, __global const uchar *flags)
{
	__local int sum[256];
	__local int flag[256];
	int l = get_local_id(0), g = get_global_id(0);

	sum[l] = in[g];
	flag[l] = flags[g] || l == 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int d = 1; d < get_local_size(0); d *= 2) {
		int s = sum[l], f = flag[l];
		if (l >= d && !f) {
			s += sum[l - d];
			f |= flag[l - d];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		sum[l] = s;
		flag[l] = f;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[g] = sum[l];
}
