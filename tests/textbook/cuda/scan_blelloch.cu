// Exclusive prefix sums of twice as many elements as threads (a power of two) by Blelloch: up-sweep, down-sweep.
extern "C" __global__ void scan_blelloch(uint *out, const uint *in)
{
	extern __shared__ uint temp[];
	uint l = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n, offset = 1;

	temp[2 * l] = in[base + 2 * l];
	temp[2 * l + 1] = in[base + 2 * l + 1];
	for (uint d = n >> 1; d > 0; d >>= 1) {
		__syncthreads();
		if (l < d) {
			uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
			temp[b] += temp[a];
		}
		offset *= 2;
	}
	if (l == 0)
		temp[n - 1] = 0;
	for (uint d = 1; d < n; d *= 2) {
		offset >>= 1;
		__syncthreads();
		if (l < d) {
			uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1, t = temp[a];
			temp[a] = temp[b];
			temp[b] += t;
		}
	}
	__syncthreads();
	out[base + 2 * l] = temp[2 * l];
	out[base + 2 * l + 1] = temp[2 * l + 1];
}
