// Records into a shared array behind a lock that each thread takes as often as it has records, in any order.
extern "C" __global__ void lock_queue(volatile uint *list, volatile uint *length, int *lock, const uint *in)
{
	uint n = in[blockIdx.x * blockDim.x + threadIdx.x] & 3, made = 0;

	while (made < n) {
		if (!atomicCAS(lock, 0, 1)) {
			uint end = *length;
			list[end] = (blockIdx.x * blockDim.x + threadIdx.x) * 4 + made;
			*length = end + 1;
			__threadfence();
			made += atomicExch(lock, 0);
		}
	}
}
