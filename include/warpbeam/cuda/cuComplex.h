/* Complex numbers of C programs, for device and host: a real part x, an imaginary part y. Quotients and absolute values
 * scale first, so that a number whose square has no float is right. */
#ifndef WARPBEAM_CUCOMPLEX_H
#define WARPBEAM_CUCOMPLEX_H

#include <math.h>
#include "vector_types.h"

#ifdef __CUDACC__
#define WB_C __host__ __device__ static __inline__
#else
#define WB_C static inline
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* number: the type of a part; f: the ending of the functions of C for the type. */
#define WB_COMPLEX(real, imag, conj, add, sub, mul, div, abs, fma, make, type, number, f) \
	WB_C number real(type z) { return z.x; } \
	WB_C number imag(type z) { return z.y; } \
	WB_C type make(number x, number y) { type z; z.x = x; z.y = y; return z; } \
	WB_C type conj(type z) { return make(z.x, -z.y); } \
	WB_C type add(type a, type b) { return make(a.x + b.x, a.y + b.y); } \
	WB_C type sub(type a, type b) { return make(a.x - b.x, a.y - b.y); } \
	WB_C type mul(type a, type b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
	WB_C type fma(type a, type b, type c) \
	{ \
		return make(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x); \
	} \
	WB_C type div(type a, type b) \
	{ \
		number scale = 1 / (fabs##f(b.x) + fabs##f(b.y)); \
		number ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
		number over = 1 / (bx * bx + by * by); \
		return make((ax * bx + ay * by) * over, (ay * bx - ax * by) * over); \
	} \
	WB_C number abs(type z) \
	{ \
		number x = fabs##f(z.x), y = fabs##f(z.y), more = x > y ? x : y, less = x > y ? y : x; \
		number ratio = less / more; \
		if (more == 0 || more + 0 != more || less + 0 != less || more - more != 0) \
			return x + y; \
		return more * sqrt##f(1 + ratio * ratio); \
	}

WB_COMPLEX(cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCfmaf, make_cuFloatComplex,
	   cuFloatComplex, float, f)
WB_COMPLEX(cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv, cuCabs, cuCfma, make_cuDoubleComplex,
	   cuDoubleComplex, double, )

WB_C cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
WB_C cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
WB_C cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
	return make_cuFloatComplex((float)z.x, (float)z.y);
}

#undef WB_COMPLEX
#undef WB_C
#endif
