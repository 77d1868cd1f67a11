// Histogram of 256 bins by atomics on global memory; a work-item takes four bytes of a word at a time.
__kernel void histogram_global(__global uint *bins, __global const uint *words, uint nwords)
{
	uint i = get_global_id(0);

	if (i >= nwords)
		return;
	uint w = words[i];
	for (int k = 0; k < 4; k++, w >>= 8)
		atomic_inc(bins + (w & 255));
}
