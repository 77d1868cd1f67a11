// Histogram of 16 bins: each work-item counts its stride into private bins, then the group adds them up.
#define BINS 16
__kernel void histogram_private(__global uint *out, __global const uchar *in, uint n)
{
	__local uint table[128 * BINS];
	uint bins[BINS];
	uint l = get_local_id(0);

	for (int b = 0; b < BINS; b++)
		bins[b] = 0;
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		bins[in[i] >> 4]++;
	for (int b = 0; b < BINS; b++)
		table[b * get_local_size(0) + l] = bins[b];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int b = l; b < BINS; b += get_local_size(0)) {
		uint sum = 0;
		for (uint i = 0; i < get_local_size(0); i++)
			sum += table[b * get_local_size(0) + i];
		out[get_group_id(0) * BINS + b] = sum;
	}
}
