// Work-items fetch the next job from a counter until none is left; jobs are of very different length.
__kernel void dynamic_work(__global uint *out, __global uint *next, __global const uint *jobs, uint n)
{
	uint job;

	while ((job = atomic_inc(next)) < n) {
		uint v = jobs[job], steps = 0;
		while (v != 1) {
			v = v & 1 ? 3 * v + 1 : v / 2;
			steps++;
		}
		out[job] = steps;
	}
}
