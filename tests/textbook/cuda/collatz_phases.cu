// Two phases, a barrier between: each thread walks until its number is small, then as its neighbour's count says.
extern "C" __global__ void collatz_phases(uint *out, const uint *in, uint rounds)
{
	__shared__ uint steps[256];
	uint l = threadIdx.x, size = blockDim.x, v = in[blockIdx.x * blockDim.x + threadIdx.x], sum = 0;

	for (uint r = 0; r < rounds; r++) {
		uint n = 0;
		for (uint w = v; w > 4; n++) {
			if (w & 1) {
				w = w * 3 + 1;
				if (w > 1000000)
					break;
			} else {
				w /= 2;
			}
		}
		steps[l] = n;
		__syncthreads();
		uint other = steps[(l + size - 1) % size];
		do {
			sum += v % 10;
			v = v / 10 + other % 32;
		} while (v > 50 && v % 3);
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum << 8 ^ v;
}
