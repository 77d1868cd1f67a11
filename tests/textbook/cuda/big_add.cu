// Numbers of 256 words: sums with carries found by a scan of generate and propagate in shared memory.
#include <climits>

typedef unsigned char uchar;

extern "C" __global__ void big_add(uint *sum, uint *carry_out, const uint *a, const uint *b)
{
	__shared__ uchar generate[256], propagate[256];
	int l = threadIdx.x, size = blockDim.x, g = blockIdx.x * blockDim.x + threadIdx.x;
	uint s = a[g] + b[g];

	generate[l] = s < a[g];
	propagate[l] = s == UINT_MAX;
	__syncthreads();
	for (int d = 1; d < size; d <<= 1) {
		uchar gen = generate[l], pro = propagate[l];
		if (l >= d) {
			gen |= pro & generate[l - d];
			pro &= propagate[l - d];
		}
		__syncthreads();
		generate[l] = gen;
		propagate[l] = pro;
		__syncthreads();
	}
	sum[g] = s + (l ? generate[l - 1] : 0);
	if (l == size - 1)
		carry_out[blockIdx.x] = generate[l];
}
