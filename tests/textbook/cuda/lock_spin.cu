// A counter and a checksum behind one lock: a compare-and-swap loop with a done flag. The flag is what the release
// found (1), unknown to compilers: compilers compile a plain `done = true` away, and move the work behind the loop.
extern "C" __global__ void lock_spin(int *lock, volatile uint *shared)
{
	int done = 0;

	while (!done) {
		if (atomicCAS(lock, 0, 1) == 0) {
			shared[0] = shared[0] + 1;
			shared[1] = shared[1] + (blockIdx.x * blockDim.x + threadIdx.x) * 3;
			__threadfence();
			done = atomicExch(lock, 0);
		}
	}
}
