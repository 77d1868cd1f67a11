/* The functions that clang's headers for HIP C++ call (__ocml_…), behind functions.cl. Pointers of these functions
 * point into a lane's own memory. */

#define F(name, parameters, value) \
	float __ocml_##name##_f32 parameters { return value; }
#define D(name, parameters, value) \
	double __ocml_##name##_f64 parameters { return value; }
#define KIND(name, value) \
	int __ocml_##name##_f32(float x) { return value; } \
	int __ocml_##name##_f64(double x) { return value; }

/* ---- names of OCML alone ---- */

F(len3, (float x, float y, float z), __ocml_norm3d_f32(x, y, z))
D(len3, (double x, double y, double z), __ocml_norm3d_f64(x, y, z))
F(len4, (float x, float y, float z, float w), __ocml_norm4d_f32(x, y, z, w))
D(len4, (double x, double y, double z, double w), __ocml_norm4d_f64(x, y, z, w))
F(rlen3, (float x, float y, float z), __ocml_rnorm3d_f32(x, y, z))
D(rlen3, (double x, double y, double z), __ocml_rnorm3d_f64(x, y, z))
F(rlen4, (float x, float y, float z, float w), __ocml_rnorm4d_f32(x, y, z, w))
D(rlen4, (double x, double y, double z, double w), __ocml_rnorm4d_f64(x, y, z, w))
F(ncdf, (float x), __ocml_normcdf_f32(x))
D(ncdf, (double x), __ocml_normcdf_f64(x))
F(pown, (float x, int n), pown(x, n))
D(pown, (double x, int n), pown(x, n))
F(scalb, (float x, float n), ldexp(x, (int)clamp(n, -10000.0f, 10000.0f)))
D(scalb, (double x, double n), ldexp(x, (int)clamp(n, -10000.0, 10000.0)))
F(fma, (float x, float y, float z), fma(x, y, z))
D(fma, (double x, double y, double z), fma(x, y, z))
F(rsqrt, (float x), (float)rsqrt((double)x))
D(rsqrt, (double x), rsqrt(x))
float __ocml_sincos_f32(float x, float *c) { *c = __ocml_cos_f32(x); return __ocml_sin_f32(x); }
double __ocml_sincos_f64(double x, double *c) { *c = cos(x); return sin(x); }
float __ocml_sincospi_f32(float x, float *c) { *c = __ocml_cospi_f32(x); return __ocml_sinpi_f32(x); }
double __ocml_sincospi_f64(double x, double *c) { *c = cospi(x); return sinpi(x); }

KIND(isnan, x != x)
KIND(isinf, fabs(x) == INFINITY)
KIND(isfinite, fabs(x) < INFINITY)
int __ocml_signbit_f32(float x) { return as_int(x) < 0; }
int __ocml_signbit_f64(double x) { return as_long(x) < 0; }

/* ---- roots: the machine's is off by up to a unit of the last place, and the rest of the square tells which of three
 * neighbours is nearest ---- */

float __ocml_sqrt_f32(float x)
{
	bool tiny = x < 0x1p-96f;
	float scaled = tiny ? x * 0x1p32f : x, root = native_sqrt(scaled);
	float below = as_float(as_int(root) - 1), above = as_float(as_int(root) + 1);

	if (!(scaled > 0) || scaled == INFINITY)
		return scaled < 0 ? NAN : x;
	if (fma(-below, root, scaled) <= 0)
		root = below;
	else if (fma(-above, root, scaled) > 0)
		root = above;
	return tiny ? root * 0x1p-16f : root;
}
F(sqrt_rte, (float x), __ocml_sqrt_f32(x))
F(native_sqrt, (float x), native_sqrt(x))
D(sqrt, (double x), sqrt(x))
D(sqrt_rte, (double x), sqrt(x))

/* ---- fast ones: the machine's instructions ---- */

F(native_sin, (float x), native_sin(x))
F(native_cos, (float x), native_cos(x))
F(native_exp, (float x), native_exp2(x * 1.44269504f))
F(native_exp10, (float x), native_exp2(x * 3.32192809f))
F(native_log, (float x), native_log2(x) * 0.693147181f)
F(native_log2, (float x), native_log2(x))
F(native_log10, (float x), native_log2(x) * 0.301029996f)
