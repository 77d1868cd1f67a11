/* The functions of <cmath> for a float in device code: clang's headers declare them, and leave them to the headers of
 * an SDK. Each is the function whose name ends in f. */
#ifndef WARPBEAM_CUDA_MATH_H
#define WARPBEAM_CUDA_MATH_H

#define WB_F __device__ static __inline__ __attribute__((always_inline))
#define WB_1(name) WB_F float name(float x) { return name ## f(x); }
#define WB_2(name) WB_F float name(float x, float y) { return name ## f(x, y); }
#define WB_WHOLE(type, name) WB_F type name(float x) { return name ## f(x); }

WB_1(acosh) WB_1(asinh) WB_1(atanh) WB_1(cbrt) WB_1(erf) WB_1(erfc) WB_1(exp2) WB_1(expm1) WB_1(lgamma) WB_1(log1p)
WB_1(log2) WB_1(logb) WB_1(nearbyint) WB_1(rint) WB_1(round) WB_1(tgamma) WB_1(trunc)
WB_2(copysign) WB_2(fdim) WB_2(fmax) WB_2(fmin) WB_2(hypot) WB_2(nextafter) WB_2(remainder)
WB_WHOLE(int, ilogb) WB_WHOLE(long, lrint) WB_WHOLE(long, lround) WB_WHOLE(long long, llrint)
WB_WHOLE(long long, llround)
WB_F float fma(float x, float y, float z) { return fmaf(x, y, z); }
WB_F float remquo(float x, float y, int *q) { return remquof(x, y, q); }
WB_F float scalbn(float x, int n) { return scalbnf(x, n); }
WB_F float scalbln(float x, long n) { return scalblnf(x, n); }
/* The text of a NaN chooses bits that nobody reads. */
WB_F float nanf(const char *text) { (void)text; return __builtin_nanf(""); }
WB_F double nan(const char *text) { (void)text; return __builtin_nan(""); }

/* Functions of the device that C's library lacks, for the host: a library's function of both sides may call one. */
#define WB_HOST static __inline__ __host__
WB_HOST double rsqrt(double x) { return 1 / ::sqrt(x); }
WB_HOST float rsqrtf(float x) { return (float)(1 / ::sqrt((double)x)); }
WB_HOST double rcbrt(double x) { return 1 / ::cbrt(x); }
WB_HOST float rcbrtf(float x) { return (float)(1 / ::cbrt((double)x)); }
WB_HOST double normcdf(double x) { return ::erfc(x * -0.70710678118654752) / 2; }
WB_HOST float normcdff(float x) { return (float)normcdf((double)x); }
/* By Halley's steps, as the device's functions (functions.cl). */
WB_HOST double erfinv(double x)
{
	double a = __builtin_fabs(x), t = ::sqrt(-2 * ::log((1 - a) / 2));
	double z = a <= 0.5 ? a * (0.88622692545275801 + 0.23201366653465444 * a * a)
			    : 0.70710678118654752 *
			      (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));

	for (int i = 0; a < 1 && i < 4; i++) {
		double wrong = a <= 0.5 ? ::erf(z) - a : 1 - a - ::erfc(z);
		z -= wrong / (1.1283791670955126 * ::exp(-z * z) + z * wrong);
	}
	return __builtin_copysign(a < 1 ? z : a == 1 ? __builtin_inf() : __builtin_nan(""), x);
}
WB_HOST double erfcinv(double y)
{
	double t = ::sqrt(-2 * ::log(y / 2));
	double z = 0.70710678118654752 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));

	if (!(y > 0 && y < 0.5))
		return y == 0 ? __builtin_inf() : y > 1.5 ? -erfcinv(2 - y) : erfinv(1 - y);
	for (int i = 0; i < 4; i++) {
		double wrong = ::erfc(z) - y;
		z += wrong / (1.1283791670955126 * ::exp(-z * z) - z * wrong);
	}
	return z;
}
WB_HOST float erfinvf(float x) { return (float)erfinv((double)x); }
WB_HOST float erfcinvf(float y) { return (float)erfcinv((double)y); }
WB_HOST double normcdfinv(double p) { return -1.4142135623730951 * erfcinv(2 * p); }
WB_HOST float normcdfinvf(float p) { return (float)normcdfinv((double)p); }
#undef WB_HOST

#undef WB_1
#undef WB_2
#undef WB_WHOLE
#undef WB_F
#endif
