// LZ decoding: literals and matches that may overlap their own output, a stream of bytes for each work-item.
__kernel void lz_decode(__global uchar *out, __global uint *sizes, __global const uchar *in,
			__global const uint *starts, uint n, uint capacity)
{
	uint g = get_global_id(0);

	if (g >= n)
		return;
	__global const uchar *p = in + starts[g], *end = in + starts[g + 1];
	__global uchar *base = out + g * capacity;
	uint size = 0;
	while (p < end) {
		uchar token = *p++;
		if (token < 0x80) {
			for (uint k = 0; k <= token; k++)
				base[size++] = *p++;
		} else {
			uint distance = *p++ + 1u, length = (token & 0x7f) + 3u;
			while (length--) {
				base[size] = base[size - distance];
				size++;
			}
		}
	}
	sizes[g] = size;
}
