// A stack in local memory: all push, then pop until it is empty; what is popped is summed, in whatever order.
__kernel void stack_local(__global uint *out, __global const uint *in)
{
	__local uint stack[512], sum;
	__local int top;
	uint l = get_local_id(0), v = in[get_global_id(0)];

	if (l == 0) {
		top = 0;
		sum = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	stack[atomic_inc(&top)] = v;
	if (v & 1)
		stack[atomic_inc(&top)] = v >> 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (;;) {
		int i = atomic_dec(&top) - 1;
		if (i < 0)
			break;
		uint w = stack[i];
		while (w > 100)
			w = w % 1000 / 3;
		atomic_add(&sum, w);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0)
		out[get_group_id(0)] = sum;
}
