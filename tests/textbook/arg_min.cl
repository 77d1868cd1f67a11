// The smallest element of each row and its column, the first of several; one group for each row.
__kernel void arg_min(__global int *value, __global int *column, __global const int *m, int width)
{
	__local int v[256], c[256];
	int l = get_local_id(0), size = get_local_size(0);
	__global const int *row = m + get_group_id(0) * width;
	int best = INT_MAX, where = -1;

	for (int i = l; i < width; i += size)
		if (row[i] < best) {
			best = row[i];
			where = i;
		}
	v[l] = best;
	c[l] = where;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int s = 1; s < size; s *= 2) {
		int other = l + s;
		if (l % (2 * s) == 0 && other < size) {
			if (v[other] < v[l] || (v[other] == v[l] && (uint)c[other] < (uint)c[l])) {
				v[l] = v[other];
				c[l] = c[other];
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0) {
		value[get_group_id(0)] = v[0];
		column[get_group_id(0)] = c[0];
	}
}
