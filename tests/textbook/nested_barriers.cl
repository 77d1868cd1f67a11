// Uniform loops around barriers, and inside of them loops that each work-item leaves when it likes.
__kernel void nested_barriers(__global uint *out, __global const uint *in, uint rounds, uint phases)
{
	__local uint cell[256];
	uint l = get_local_id(0), size = get_local_size(0);
	uint v = in[get_global_id(0)];

	cell[l] = v;
	barrier(CLK_LOCAL_MEM_FENCE);
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
			barrier(CLK_LOCAL_MEM_FENCE);
			cell[l] = w;
			barrier(CLK_LOCAL_MEM_FENCE);
			for (uint k = l; k < l + (w & 3); k++)
				v += cell[k % size] ^ k;
		}
		if (r == rounds / 2) {
			barrier(CLK_LOCAL_MEM_FENCE);
			cell[size - 1 - l] = v;
			barrier(CLK_LOCAL_MEM_FENCE);
		}
	}
	out[get_global_id(0)] = v + cell[l];
}
