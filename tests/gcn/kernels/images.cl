/* Refused: there are no images here. */
__kernel void images(__read_only image2d_t from, __global float4 *out)
{
	const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
	out[get_global_id(0)] = read_imagef(from, nearest, (int2)(get_global_id(0), 0));
}
