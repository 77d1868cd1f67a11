// Two phases, a barrier between: each work-item walks until its number is small, then as its neighbour's count says.
__kernel void collatz_phases(__global uint *out, __global const uint *in, uint rounds)
{
	__local uint steps[256];
	uint l = get_local_id(0), size = get_local_size(0), v = in[get_global_id(0)], sum = 0;

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
		barrier(CLK_LOCAL_MEM_FENCE);
		uint other = steps[(l + size - 1) % size];
		do {
			sum += v % 10;
			v = v / 10 + other % 32;
		} while (v > 50 && v % 3);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = sum << 8 ^ v;
}
