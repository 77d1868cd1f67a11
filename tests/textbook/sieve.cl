// Primes of a segment of numbers for each group: multiples struck out in local memory by strided loops.
#define SEGMENT 512
__kernel void sieve(__global uint *counts, __global uchar *flags)
{
	__local uchar composite[SEGMENT];
	__local uint count;
	uint l = get_local_id(0), size = get_local_size(0), base = get_group_id(0) * SEGMENT;

	for (uint i = l; i < SEGMENT; i += size)
		composite[i] = base + i < 2;
	if (l == 0)
		count = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint p = 2; p * p < base + SEGMENT; p++) {
		if (p > 2 && p % 2 == 0)
			continue;
		uint first = max(p * p, (base + p - 1) / p * p);
		for (uint m = first + l * p; m < base + SEGMENT; m += size * p)
			composite[m - base] = 1;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (uint i = l; i < SEGMENT; i += size) {
		flags[base + i] = !composite[i];
		if (!composite[i])
			atomic_inc(&count);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0)
		counts[get_group_id(0)] = count;
}
