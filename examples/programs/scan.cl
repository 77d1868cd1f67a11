#define BLOCK 64

/* Sums of all elements before each, within a block; the sum of the block goes to sums. */
kernel void scan_blocks(global uint *data, global uint *sums)
{
	local uint part[2][BLOCK];
	uint t = get_local_id(0), from = 0, own = data[get_global_id(0)];

	part[0][t] = own;
	for (uint step = 1; step < BLOCK; step *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		part[1 - from][t] = part[from][t] + (t >= step ? part[from][t - step] : 0);
		from = 1 - from;
	}
	data[get_global_id(0)] = part[from][t] - own;
	if (t == BLOCK - 1)
		sums[get_group_id(0)] = part[from][t];
}

kernel void add_sums(global uint *data, global const uint *sums)
{
	data[get_global_id(0)] += sums[get_group_id(0)];
}
