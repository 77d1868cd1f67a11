// Threads fetch the next job from a counter until none is left; jobs are of very different length.
extern "C" __global__ void dynamic_work(uint *out, uint *next, const uint *jobs, uint n)
{
	uint job;

	while ((job = atomicAdd(next, 1)) < n) {
		uint v = jobs[job], steps = 0;
		while (v != 1) {
			v = v & 1 ? 3 * v + 1 : v / 2;
			steps++;
		}
		out[job] = steps;
	}
}
