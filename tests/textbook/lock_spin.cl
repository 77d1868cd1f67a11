// A counter and a checksum behind one lock: a compare-and-swap loop with a done flag. The flag is what the release
// found (1), unknown to compilers: LLVM compiles a plain `done = true` away, and moves the work behind the loop.
__kernel void lock_spin(__global int *lock, volatile __global uint *shared)
{
	int done = 0;

	while (!done) {
		if (atomic_cmpxchg(lock, 0, 1) == 0) {
			shared[0] = shared[0] + 1;
			shared[1] = shared[1] + get_global_id(0) * 3;
			mem_fence(CLK_GLOBAL_MEM_FENCE);
			done = atomic_xchg(lock, 0);
		}
	}
}
