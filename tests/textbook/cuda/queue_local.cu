// A queue of tasks in shared memory: a task is a number that splits in two until it is small; rounds until it is empty.
#define LENGTH 512
extern "C" __global__ void queue_local(uint *leaves, const uint *seeds)
{
	__shared__ uint queue[LENGTH];
	__shared__ uint head, tail, found;
	uint l = threadIdx.x, size = blockDim.x;

	if (l == 0) {
		head = found = 0;
		tail = 1;
		queue[0] = seeds[blockIdx.x];
	}
	__syncthreads();
	while (head < tail) {
		uint begin = head, end = tail;
		__syncthreads();
		for (uint i = begin + l; i < end; i += size) {
			uint v = queue[i % LENGTH];
			if (v < 10) {
				atomicAdd(&found, v);
				continue;
			}
			uint place = atomicAdd(&tail, 2);
			queue[place % LENGTH] = v / 2;
			queue[(place + 1) % LENGTH] = v - v / 2 - 1;
		}
		if (l == 0)
			head = end;
		__syncthreads();
	}
	if (l == 0) {
		leaves[2 * blockIdx.x] = found;
		leaves[2 * blockIdx.x + 1] = tail;
	}
}
