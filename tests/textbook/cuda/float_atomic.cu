// Addition of floats (whole numbers: exact) to a few sums by compare-and-swap of their bits.
__device__ void add(uint *p, float v)
{
	uint old = *p, assumed;

	do {
		assumed = old;
		old = atomicCAS(p, assumed, __float_as_uint(__uint_as_float(assumed) + v));
	} while (old != assumed);
}

extern "C" __global__ void float_atomic(uint *sums, const float *in, uint nsums)
{
	uint i = blockIdx.x * blockDim.x + threadIdx.x;

	if (in[i] > 0)
		add(&sums[i % nsums], in[i]);
}
