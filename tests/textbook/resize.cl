// An image resized with bilinear weights in fixed point, four channels of a vector.
__kernel void resize(__global uchar4 *out, __global const uchar4 *in, int w_in, int h_in, int w_out, int h_out)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x >= w_out || y >= h_out)
		return;
	int fx = x * ((w_in - 1) * 256 / w_out), fy = y * ((h_in - 1) * 256 / h_out);
	int ix = fx >> 8, iy = fy >> 8;
	uint4 a = convert_uint4(in[iy * w_in + ix]), b = convert_uint4(in[iy * w_in + ix + 1]);
	uint4 c = convert_uint4(in[(iy + 1) * w_in + ix]), d = convert_uint4(in[(iy + 1) * w_in + ix + 1]);
	uint4 top = a * (uint)(256 - (fx & 255)) + b * (uint)(fx & 255);
	uint4 low = c * (uint)(256 - (fx & 255)) + d * (uint)(fx & 255);
	out[y * w_out + x] = convert_uchar4((top * (uint)(256 - (fy & 255)) + low * (uint)(fy & 255)) >> 16);
}
