// Inclusive prefix sums of each block by Hillis and Steele, in two buffers.
extern "C" __global__ void scan_hillis(uint *out, const uint *in)
{
	extern __shared__ uint buffer[];
	uint l = threadIdx.x, size = blockDim.x, from = 0, to = 1;

	buffer[l] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	for (uint offset = 1; offset < size; offset <<= 1) {
		uint v = buffer[from * size + l];
		if (l >= offset)
			v += buffer[from * size + l - offset];
		buffer[to * size + l] = v;
		from ^= 1;
		to ^= 1;
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = buffer[from * size + l];
}
