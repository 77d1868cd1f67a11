// Halves scaled and added: single ones by vload_half and vstore_half, four at a time at odd places.
__kernel void half_scale(__global half *out, __global const half *in, float scale, int n)
{
	int i = get_global_id(0);

	if (i < n) {
		float v = vload_half(i, in);
		vstore_half(v * scale + 1.0f, i, out);
	}
	if (i < n / 4) {
		float4 v = vload_half4(i, in + 1);
		vstore_half4(v * scale, i, out + n + 3);
	}
}
