// The positive elements of each group, in their order: flags, prefix sums, scatter, count.
__kernel void compact_scan(__global int *out, __global uint *counts, __global const int *in)
{
	__local uint place[256];
	uint l = get_local_id(0), size = get_local_size(0);
	int v = in[get_global_id(0)];
	bool kept = v > 0;

	place[l] = kept;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint d = 1; d < size; d *= 2) {
		uint sum = place[l];
		if (l >= d)
			sum += place[l - d];
		barrier(CLK_LOCAL_MEM_FENCE);
		place[l] = sum;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (kept)
		out[get_group_id(0) * size + place[l] - 1] = v;
	if (l == size - 1)
		counts[get_group_id(0)] = place[l];
}
