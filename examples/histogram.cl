// A histogram in OpenCL C: atomics where histogram.s takes a lock for each bin.
//
// What to look for: no loop around a lock and so no lanes lost; the cost of lanes that want one bin is in the time that
// the atomics take.
// .grid 2
// .block 64
// .arg zero=64                           out: 16 bins
// expect: arg 0 u32[0..3] = 64 64 64 64
__kernel void histogram(__global uint *out)
{
	__local uint bins[16];
	uint l = get_local_id(0), i = get_global_id(0);

	if (l < 16)
		bins[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < 8; k++)
		atomic_inc(&bins[(i * 7 + k * k * 3) & 15]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 16)
		atomic_add(&out[l], bins[l]);
}
