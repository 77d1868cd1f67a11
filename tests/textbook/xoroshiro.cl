// A generator of 64 bits (xoroshiro128+) with rotations, its state in registers; a work-item draws several numbers.
__kernel void xoroshiro(__global ulong *out, __global const ulong2 *seeds, uint draws)
{
	uint g = get_global_id(0);
	ulong a = seeds[g].x, b = seeds[g].y;

	for (uint i = 0; i < draws; i++) {
		out[g * draws + i] = a + b;
		b ^= a;
		a = rotate(a, 24ul) ^ b ^ b << 16;
		b = rotate(b, 37ul);
	}
}
