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

#undef WB_1
#undef WB_2
#undef WB_WHOLE
#undef WB_F
#endif
