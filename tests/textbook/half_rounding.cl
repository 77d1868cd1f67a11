// Conversion to half by all four roundings, and back.
__kernel void half_rounding(__global ushort *out, __global const float *in)
{
	int i = get_global_id(0);

	vstore_half_rte(in[i], 4 * i, (__global half *)out);
	vstore_half_rtz(in[i], 4 * i + 1, (__global half *)out);
	vstore_half_rtp(in[i], 4 * i + 2, (__global half *)out);
	vstore_half_rtn(in[i], 4 * i + 3, (__global half *)out);
}
