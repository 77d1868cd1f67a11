// Each group leaves its sum; the last one to come adds all sums up.
__kernel void last_block(volatile __global uint *partial, __global uint *count, __global uint *total,
			 __global const uint *in)
{
	__local uint sum, is_last;
	uint l = get_local_id(0);

	if (l == 0)
		sum = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&sum, in[get_global_id(0)] & 0xffff);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0) {
		partial[get_group_id(0)] = sum;
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		is_last = atomic_inc(count) == get_num_groups(0) - 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (!is_last)
		return;
	if (l == 0) {
		uint all = 0;
		for (uint g = 0; g < get_num_groups(0); g++)
			all += partial[g];
		*total = all;
	}
}
