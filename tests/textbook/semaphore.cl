// A semaphore of three units guards a pool: take, use, give back. More than three uses at a time would be seen.
__kernel void semaphore(__global int *units, __global int *in_use, __global int *largest, __global int *uses)
{
	int done = 0;

	while (!done) {
		int u = atomic_add(units, 0);
		if (u > 0 && atomic_cmpxchg(units, u, u - 1) == u) {
			int now = atomic_inc(in_use) + 1;
			atomic_max(largest, now > 3 ? 99 : 1);
			atomic_inc(&uses[get_global_id(0) % 5]);
			done = atomic_dec(in_use) > 0;
			atomic_inc(units);
		}
	}
}
