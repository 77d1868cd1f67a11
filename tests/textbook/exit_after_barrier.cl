// Work-items leave at several places after the last barrier; before it all take part.
__kernel void exit_after_barrier(__global int *out, __global const int *in, int n)
{
	__local int tile[256];
	int l = get_local_id(0), g = get_global_id(0), size = get_local_size(0);

	tile[l] = g < n ? in[g] : -1;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (g >= n)
		return;
	int v = tile[size - 1 - l];
	if (v < 0) {
		out[g] = -7;
		return;
	}
	for (int i = 0; i < size; i++) {
		if (tile[i] == v) {
			out[g] = i;
			return;
		}
		if (tile[i] > v + 90)
			break;
	}
	out[g] = v * 2 + 1000;
}
