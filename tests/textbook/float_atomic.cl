// Addition of floats (whole numbers: exact) to a few sums by compare-and-swap of their bits.
void add(volatile __global uint *p, float v)
{
	uint old = *p, assumed;

	do {
		assumed = old;
		old = atomic_cmpxchg(p, assumed, as_uint(as_float(assumed) + v));
	} while (old != assumed);
}

__kernel void float_atomic(volatile __global uint *sums, __global const float *in, uint nsums)
{
	uint i = get_global_id(0);

	if (in[i] > 0)
		add(&sums[i % nsums], in[i]);
}
