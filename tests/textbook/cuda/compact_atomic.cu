// The odd elements in any order: each thread reserves a place by an atomic.
extern "C" __global__ void compact_atomic(uint *out, uint *count, const uint *in, uint n)
{
	for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		if (!(in[i] & 1))
			continue;
		out[atomicAdd(count, 1)] = in[i];
	}
}
