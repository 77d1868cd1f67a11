// Primes of a segment of numbers for each block: multiples struck out in shared memory by strided loops.
typedef unsigned char uchar;

#define SEGMENT 512
extern "C" __global__ void sieve(uint *counts, uchar *flags)
{
	__shared__ uchar composite[SEGMENT];
	__shared__ uint count;
	uint l = threadIdx.x, size = blockDim.x, base = blockIdx.x * SEGMENT;

	for (uint i = l; i < SEGMENT; i += size)
		composite[i] = base + i < 2;
	if (l == 0)
		count = 0;
	__syncthreads();
	for (uint p = 2; p * p < base + SEGMENT; p++) {
		if (p > 2 && p % 2 == 0)
			continue;
		uint first = max(p * p, (base + p - 1) / p * p);
		for (uint m = first + l * p; m < base + SEGMENT; m += size * p)
			composite[m - base] = 1;
		__syncthreads();
	}
	for (uint i = l; i < SEGMENT; i += size) {
		flags[base + i] = !composite[i];
		if (!composite[i])
			atomicAdd(&count, 1);
	}
	__syncthreads();
	if (l == 0)
		counts[blockIdx.x] = count;
}
