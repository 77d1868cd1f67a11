// Sixteen bytes at any address: uchar16 loads at three times the id, and stores four bytes off.
__kernel void bytes_unaligned(__global uchar *out, __global const uchar *in)
{
	int g = get_global_id(0);
	uchar16 v = vload16(0, in + 3 * g);
	uchar16 w = v.sfedcba9876543210 ^ (uchar16)(g);

	vstore16(w, g, out + 1);
}
