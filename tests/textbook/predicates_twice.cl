// One condition in several places, before and behind a barrier, negated and combined.
__kernel void predicates_twice(__global int *out, __global const int *in, int n)
{
	__local int tile[256];
	int l = get_local_id(0), g = get_global_id(0), size = get_local_size(0), v = 0;
	bool inside = g < n, odd = in[g] & 1, big = in[g] > 500;

	tile[l] = 0;
	if (inside && odd)
		tile[l] = in[g];
	if (inside && !odd)
		v = in[g] * 2;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (inside && odd)
		v += tile[(l + 1) % size];
	if (big || !inside)
		v -= tile[(l + 2) % size];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (big)
		tile[l] = v;
	for (int i = 0; i < 3; i++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (inside && (odd != big))
			v ^= tile[(l + i) % size];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (big && odd)
			tile[l] += i;
	}
	if (inside)
		out[g] = v;
}
