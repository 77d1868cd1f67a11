/* Halves: numbers of 16 bits. Conversions are instructions; arithmetic is that of floats, rounded to a half, which for
 * sums, differences, products, quotients and roots is the correctly rounded result. */
#ifndef WARPBEAM_CUDA_FP16_H
#define WARPBEAM_CUDA_FP16_H

#include "cuda_runtime.h"

#define WB_H static __inline__ __host__ __device__

struct __half_raw { unsigned short x; };

/* Of the host: rounded to nearest, ties to even. */
WB_H unsigned short warpbeam_half_of(float f)
{
#ifdef __CUDA_ARCH__
	return __nv_float2half_rn(f);
#else
	unsigned bits, sign, magnitude, rest;

	memcpy(&bits, &f, sizeof bits);
	sign = bits >> 16 & 0x8000;
	magnitude = bits & 0x7fffffff;
	if (magnitude > 0x7f800000)
		return (unsigned short)0x7fff;
	if (magnitude >= 0x47800000)
		return (unsigned short)(sign | 0x7c00);
	if (magnitude < 0x38800000) {   /* denormal: adding 0.5 puts the last bit at 2^-24 */
		float v;
		memcpy(&v, &magnitude, sizeof v);
		v += 0.5f;
		memcpy(&magnitude, &v, sizeof v);
		return (unsigned short)(sign | (magnitude - 0x3f000000));
	}
	rest = magnitude & 0x1fff;
	magnitude = (magnitude - 0x38000000) >> 13;
	return (unsigned short)(sign | (magnitude + (rest > 0x1000 || (rest == 0x1000 && (magnitude & 1)))));
#endif
}

WB_H float warpbeam_float_of(unsigned short h)
{
#ifdef __CUDA_ARCH__
	return __nv_half2float(h);
#else
	unsigned sign = (unsigned)(h & 0x8000) << 16, bits = (unsigned)(h & 0x7fff) << 13;
	float f;

	if (bits >= 0x7c00u << 13)
		bits += 0x70000000;
	else if (bits >= 0x400u << 13)
		bits += 0x38000000;
	else {
		f = (float)(h & 0x3ff) * 0x1p-24f;
		memcpy(&bits, &f, sizeof bits);
	}
	bits |= sign;
	memcpy(&f, &bits, sizeof f);
	return f;
#endif
}

struct __align__(2) __half {
	unsigned short __x;

	__half() = default;
	__host__ __device__ __half(float f) : __x(warpbeam_half_of(f)) {}
	__host__ __device__ __half(double f) : __x(warpbeam_half_of((float)f)) {}
	__host__ __device__ __half(int f) : __x(warpbeam_half_of((float)f)) {}
	__host__ __device__ operator float() const { return warpbeam_float_of(__x); }
};
typedef __half half;
struct __align__(4) __half2 {
	__half x, y;

	__half2() = default;
	__host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

WB_H __half __float2half(float f) { return __half(f); }
WB_H __half __float2half_rn(float f) { return __half(f); }
WB_H float __half2float(__half h) { return (float)h; }
WB_H __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
WB_H __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
WB_H __half2 __half2half2(__half a) { return __half2(a, a); }
WB_H __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
WB_H __half2 make_half2(__half a, __half b) { return __half2(a, b); }
WB_H __half __low2half(__half2 v) { return v.x; }
WB_H __half __high2half(__half2 v) { return v.y; }
WB_H float __low2float(__half2 v) { return (float)v.x; }
WB_H float __high2float(__half2 v) { return (float)v.y; }
WB_H float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }
WB_H unsigned short __half_as_ushort(__half h) { return h.__x; }
WB_H __half __ushort_as_half(unsigned short x) { __half h; h.__x = x; return h; }

#define WB_OPERATION(name, sign) \
	WB_H __half name(__half a, __half b) { return __half((float)a sign (float)b); } \
	WB_H __half2 name##2(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
WB_OPERATION(__hadd, +)
WB_OPERATION(__hsub, -)
WB_OPERATION(__hmul, *)
#undef WB_OPERATION
WB_H __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
WB_H __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
WB_H __half __hneg(__half a) { return __ushort_as_half(a.__x ^ 0x8000); }
WB_H __half __habs(__half a) { return __ushort_as_half(a.__x & 0x7fff); }
/* A product and a sum of halves are exact in doubles, and rounded once to a float with the lowest bit odd where inexact
 * they round right to a half. */
WB_H __half __hfma(__half a, __half b, __half c)
{
	float p = (float)a * (float)b, s = p + (float)c, t = s - p, e = (p - (s - t)) + ((float)c - t);
	unsigned bits;

	memcpy(&bits, &s, sizeof bits);
	if (e != 0 && !(bits & 1)) {
		bits += (e > 0) == (s > 0) ? 1 : -1;
		memcpy(&s, &bits, sizeof s);
	}
	return __half(s);
}
WB_H __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }

#define WB_COMPARE(name, sign) WB_H bool name(__half a, __half b) { return (float)a sign (float)b; }
WB_COMPARE(__heq, ==)
WB_COMPARE(__hne, !=)
WB_COMPARE(__hlt, <)
WB_COMPARE(__hle, <=)
WB_COMPARE(__hgt, >)
WB_COMPARE(__hge, >=)
#undef WB_COMPARE
WB_H bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }

WB_H __half operator+(__half a, __half b) { return __hadd(a, b); }
WB_H __half operator-(__half a, __half b) { return __hsub(a, b); }
WB_H __half operator*(__half a, __half b) { return __hmul(a, b); }
WB_H __half operator/(__half a, __half b) { return __hdiv(a, b); }
WB_H __half operator-(__half a) { return __hneg(a); }
WB_H __half &operator+=(__half &a, __half b) { return a = a + b; }
WB_H __half &operator-=(__half &a, __half b) { return a = a - b; }
WB_H __half &operator*=(__half &a, __half b) { return a = a * b; }
WB_H __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
WB_H __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
WB_H __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }

static __device__ __forceinline__ __half hsqrt(__half a) { return __half(sqrtf((float)a)); }
static __device__ __forceinline__ __half hexp(__half a) { return __half(expf((float)a)); }
static __device__ __forceinline__ __half hlog(__half a) { return __half(logf((float)a)); }
static __device__ __forceinline__ __half hrcp(__half a) { return __half(1.0f / (float)a); }
#undef WB_H

#endif
