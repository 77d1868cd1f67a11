// A semaphore of three units guards a pool: take, use, give back. More than three uses at a time would be seen.
extern "C" __global__ void semaphore(int *units, int *in_use, int *largest, int *uses)
{
	int done = 0;

	while (!done) {
		int u = atomicAdd(units, 0);
		if (u > 0 && atomicCAS(units, u, u - 1) == u) {
			int now = atomicAdd(in_use, 1) + 1;
			atomicMax(largest, now > 3 ? 99 : 1);
			atomicAdd(&uses[(blockIdx.x * blockDim.x + threadIdx.x) % 5], 1);
			done = atomicSub(in_use, 1) > 0;
			atomicAdd(units, 1);
		}
	}
}
