/* An array of each work-item, indexed by what was read: private memory. Insertion sort of 24 values. */
__kernel void arrays(__global uint *out, __global const uint *in, uint n)
{
	uint i = get_global_id(0), a[24];
	if (i >= n)
		return;
	for (uint k = 0; k < 24; k++)
		a[(k * 7 + i) % 24] = in[(i + k) % n] % 1000 + k;
	for (int k = 1; k < 24; k++) {
		uint v = a[k];
		int j = k;
		for (; j > 0 && a[j - 1] > v; j--)
			a[j] = a[j - 1];
		a[j] = v;
	}
	uint r = 0;
	for (uint k = 0; k < 24; k++)
		r = r * 31 + a[k] + a[in[i] % 24];
	out[i] = r;
}
