// The four largest of each work-item's stride, kept sorted in registers, then of the group.
__kernel void top_k(__global uint *out, __global const uint *in, uint n)
{
	__local uint best[4 * 128];
	uint l = get_local_id(0), size = get_local_size(0);
	uint4 k = (uint4)(0);

	for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
		uint v = in[i];
		if (v <= k.w)
			continue;
		if (v > k.x)
			k = (uint4)(v, k.x, k.y, k.z);
		else if (v > k.y)
			k = (uint4)(k.x, v, k.y, k.z);
		else if (v > k.z)
			k = (uint4)(k.x, k.y, v, k.z);
		else
			k.w = v;
	}
	vstore4(k, l, best);
	for (uint s = 1; s < size; s *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l % (2 * s) == 0 && l + s < size) {
			uint merged[4], i = 0, j = 0;
			for (uint m = 0; m < 4; m++) {
				uint a = best[4 * l + i], b = best[4 * (l + s) + j];
				if (a >= b) {
					merged[m] = a;
					i++;
				} else {
					merged[m] = b;
					j++;
				}
			}
			for (uint m = 0; m < 4; m++)
				best[4 * l + m] = merged[m];
		}
	}
	if (l == 0)
		vstore4(vload4(0, best), get_group_id(0), out);
}
