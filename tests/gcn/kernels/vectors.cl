/* Vectors of four: elements, shuffles, comparisons, conversions, loads and stores of all. */
#pragma OPENCL FP_CONTRACT OFF
__kernel void vectors(__global uint *out, __global const uint *in, uint n)
{
	uint i = get_global_id(0);
	if (i >= n / 4)
		return;
	uint4 v = vload4(i, in);
	int4 s = as_int4(v.wzyx) >> (int4)(1, 2, 3, 4);
	float4 f = convert_float4(s & (int4)(0xffff)) * (float4)(0.5f, 0.25f, 2.0f, 4.0f) + (float4)(1.0f);
	int4 less = as_int4(v) < s;
	uint4 r = (v & as_uint4(less)) | (as_uint4(s) & ~as_uint4(less));
	r += as_uint4(convert_int4(f)).yxwz;
	r.lo ^= v.hi;
	r.odd += v.even * (uint2)(3, 5);
	if (f.x + f.y > f.z)
		r.s2 = v.s0 - v.s3;
	vstore4(r, i, out);
}
