#define BINS 64

/* Count the values of each block in local memory, then add the counts to the whole. */
kernel void count(global const uchar *values, uint n, global uint *bins)
{
	local uint mine[BINS];
	uint t = get_local_id(0);

	for (uint i = t; i < BINS; i += get_local_size(0))
		mine[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		atomic_inc(&mine[values[i] % BINS]);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = t; i < BINS; i += get_local_size(0))
		if (mine[i])
			atomic_add(&bins[i], mine[i]);
}
