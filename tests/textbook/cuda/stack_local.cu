// A stack in shared memory: all push, then pop until it is empty; what is popped is summed, in whatever order.
extern "C" __global__ void stack_local(uint *out, const uint *in)
{
	__shared__ uint stack[512], sum;
	__shared__ int top;
	uint l = threadIdx.x, v = in[blockIdx.x * blockDim.x + threadIdx.x];

	if (l == 0) {
		top = 0;
		sum = 0;
	}
	__syncthreads();
	stack[atomicAdd(&top, 1)] = v;
	if (v & 1)
		stack[atomicAdd(&top, 1)] = v >> 1;
	__syncthreads();
	for (;;) {
		int i = atomicSub(&top, 1) - 1;
		if (i < 0)
			break;
		uint w = stack[i];
		while (w > 100)
			w = w % 1000 / 3;
		atomicAdd(&sum, w);
	}
	__syncthreads();
	if (l == 0)
		out[blockIdx.x] = sum;
}
