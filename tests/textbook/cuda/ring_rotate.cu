// Each thread passes its number around the ring of its block and sums what comes by, two barriers a round.
extern "C" __global__ void ring_rotate(uint *out, const uint *in, uint rounds)
{
	__shared__ uint ring[256];
	uint l = threadIdx.x, size = blockDim.x, sum = 0;

	ring[l] = in[blockIdx.x * blockDim.x + threadIdx.x];
	for (uint r = 0; r < rounds; r++) {
		__syncthreads();
		uint got = ring[(l + 1) % size];
		__syncthreads();
		ring[l] = got;
		if (got & 1)
			sum += got;
		else
			sum ^= got >> 1;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
