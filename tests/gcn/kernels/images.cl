/* Refused: images are read as floats and integers, as in OpenCL C 1.2. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void images(__read_only image2d_t from, __global float4 *out)
{
	const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
	half4 texel = read_imageh(from, nearest, (int2)(get_global_id(0), 0));
	out[get_global_id(0)] = (float4)(texel.x, texel.y, texel.z, texel.w);
}
