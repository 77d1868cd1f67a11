// Maximum of each group by a tree with interleaved addressing: work-items whose id is a multiple of the distance.
__kernel void reduce_interleaved(__global int *out, __global const int *in, __local int *best)
{
	uint l = get_local_id(0);

	best[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint s = 1; s < get_local_size(0); s *= 2) {
		if (l % (2 * s) == 0 && l + s < get_local_size(0))
			best[l] = max(best[l], best[l + s]);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (!l)
		out[get_group_id(0)] = best[0];
}
