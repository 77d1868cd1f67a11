// Points of three floats without padding: vload3 and vstore3, and shorts of three at odd addresses.
__kernel void vector_three(__global float *out, __global short *shorts, __global const float *in, int n)
{
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
		float3 v = vload3(i, in);
		vstore3(v.zxy * 2.0f + (float3)(1, 2, 3), i, out);
		vstore3(convert_short3(v) + (short)i, i, shorts);
	}
}
