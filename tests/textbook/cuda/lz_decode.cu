// LZ decoding: literals and matches that may overlap their own output, a stream of bytes for each thread.
typedef unsigned char uchar;

extern "C" __global__ void lz_decode(uchar *out, uint *sizes, const uchar *in, const uint *starts, uint n,
				uint capacity)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x;

	if (g >= n)
		return;
	const uchar *p = in + starts[g], *end = in + starts[g + 1];
	uchar *base = out + g * capacity;
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
