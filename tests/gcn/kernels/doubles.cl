/* binary64: sums, products, quotients, roots, conversions both ways. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void doubles(__global double *out, __global const uint *in, uint n)
{
	uint i = get_global_id(0);
	if (i >= n)
		return;
	double a = (double)(in[i] & 0xfffff) * 0.001 + 1.0, b = (double)((int)in[i + 1] >> 8) * 0.25 + 0.5;
	double r = a * b - b / a + sqrt(a);
	r += floor(b * 0.125);
	r = fma(r, a, b);
	for (int k = 0; k < (int)(in[i] & 7); k++)
		r = r > 0.0 ? r * 0.5 - 1.0 : r * -0.75 + 3.0;
	long whole = (long)r;
	r += (double)whole + (double)(float)(in[i] & 0xffffff);
	out[i] = fmin(r, 1e12) + (r != fabs(r) ? 1.0 : 2.0);
}
