/* The sum of a block's elements, with a barrier missing: warps read what others may not have written yet. */
kernel void sum(global const uint *data, global uint *sums)
{
	local uint part[256];
	uint t = get_local_id(0);

	part[t] = data[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint step = 128; step; step /= 2)
		if (t < step)
			part[t] += part[t + step];      /* a barrier belongs behind each step */
	if (!t)
		sums[get_group_id(0)] = part[0];
}
