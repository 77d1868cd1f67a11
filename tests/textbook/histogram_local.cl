// Histogram of 64 bins: zeroed, counted by atomics and flushed by strided loops between barriers.
__kernel void histogram_local(__global uint *out, __global const uint *in, int n)
{
	__local uint bins[64];

	for (int b = get_local_id(0); b < 64; b += get_local_size(0))
		bins[b] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = get_global_id(0); i < n; i += get_global_size(0))
		atomic_inc(&bins[in[i] % 64]);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int b = get_local_id(0); b < 64; b += get_local_size(0))
		if (bins[b])
			atomic_add(&out[b], bins[b]);
}
