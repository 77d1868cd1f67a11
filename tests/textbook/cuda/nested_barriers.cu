// Uniform loops around barriers, and inside of them loops that each thread leaves when it likes.
extern "C" __global__ void nested_barriers(uint *out, const uint *in, uint rounds, uint phases)
{
	__shared__ uint cell[256];
	uint l = threadIdx.x, size = blockDim.x;
	uint v = in[blockIdx.x * blockDim.x + threadIdx.x];

	cell[l] = v;
	__syncthreads();
	for (uint r = 0; r < rounds; r++) {
		for (uint p = 0; p < phases; p++) {
			uint steps = cell[(l + p) % size] % 7, w = v;
			while (steps--) {
				if ((w & 3) == 1)
					w = 3 * w + 1;
				else if ((w & 3) == 2)
					break;
				else
					w = w / 2 + 5;
			}
			__syncthreads();
			cell[l] = w;
			__syncthreads();
			for (uint k = l; k < l + (w & 3); k++)
				v += cell[k % size] ^ k;
		}
		if (r == rounds / 2) {
			__syncthreads();
			cell[size - 1 - l] = v;
			__syncthreads();
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = v + cell[l];
}
