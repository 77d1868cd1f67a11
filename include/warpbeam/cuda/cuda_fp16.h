/* Halves: numbers of 16 bits. Conversions are instructions; arithmetic is that of floats, rounded to a half, which for
 * sums, differences, products, quotients and roots is the correctly rounded result. */
#ifndef WARPBEAM_CUDA_FP16_H
#define WARPBEAM_CUDA_FP16_H

#include "cuda_runtime.h"

#define WB_H static __inline__ __host__ __device__

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };

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

#define WB_B __host__ __device__
struct __align__(2) __half {
	unsigned short __x;

	__half() = default;
	WB_B __half(float f) : __x(warpbeam_half_of(f)) {}
	WB_B __half(double f) : __x(warpbeam_half_of((float)f)) {}
	WB_B __half(const __half_raw &r) : __x(r.x) {}
#define WB_FROM(type) WB_B __half(type n) : __x(warpbeam_half_of((float)n)) {}
	WB_FROM(short)
	WB_FROM(unsigned short)
	WB_FROM(int)
	WB_FROM(unsigned)
	WB_FROM(long)
	WB_FROM(unsigned long)
	WB_FROM(long long)
	WB_FROM(unsigned long long)
#undef WB_FROM
	WB_B operator float() const { return warpbeam_float_of(__x); }
	WB_B operator __half_raw() const { return __half_raw{ __x }; }
};
typedef __half half;
struct __align__(4) __half2 {
	__half x, y;

	__half2() = default;
	WB_B __half2(__half a, __half b) : x(a), y(b) {}
	WB_B __half2(const __half2_raw &r) { x.__x = r.x; y.__x = r.y; }
	WB_B operator __half2_raw() const { return __half2_raw{ x.__x, y.__x }; }
};
typedef __half2 half2;
#undef WB_B

WB_H unsigned short __half_as_ushort(__half h) { return h.__x; }
WB_H short __half_as_short(__half h) { return (short)h.__x; }
WB_H __half __ushort_as_half(unsigned short x) { return __half(__half_raw{ x }); }
WB_H __half __short_as_half(short x) { return __half(__half_raw{ (unsigned short)x }); }

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

/* ---- conversions ---- */

/* The next half above, and below. */
WB_H __half warpbeam_step(__half h, bool up)
{
	bool away = up == !(h.__x >> 15);

	return __ushort_as_half((unsigned short)(away ? h.__x + 1 : h.__x - 1));
}
WB_H __half __float2half_rn(float f) { return __half(f); }
WB_H __half __float2half(float f) { return __half(f); }
WB_H __half __float2half_rd(float f) { __half h(f); return (float)h > f ? warpbeam_step(h, false) : h; }
WB_H __half __float2half_ru(float f) { __half h(f); return (float)h < f ? warpbeam_step(h, true) : h; }
WB_H __half __float2half_rz(float f) { return f < 0 ? __float2half_ru(f) : __float2half_rd(f); }
/* Cut to a float first, with the lowest bit as a sign of what is cut: the half is rounded once. */
WB_H __half __double2half(double d)
{
	float f = (float)d;
	unsigned bits;

	memcpy(&bits, &f, sizeof bits);
	if ((double)f != d && d == d && !(bits & 1)) {
		bits += ((double)f < d) == (d > 0) ? 1 : -1;
		memcpy(&f, &bits, sizeof f);
	}
	return __half(f);
}
WB_H float __half2float(__half h) { return (float)h; }
WB_H __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
WB_H __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
WB_H __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
WB_H float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }

/* Integers beyond a float's 24 bits are beyond a half's range as well. */
#define WB_INTEGER(name, type) \
	WB_H __half __##name##2half_rn(type n) { return __half((float)n); } \
	WB_H __half __##name##2half_rz(type n) { return __float2half_rz((float)n); } \
	WB_H __half __##name##2half_rd(type n) { return __float2half_rd((float)n); } \
	WB_H __half __##name##2half_ru(type n) { return __float2half_ru((float)n); }
WB_INTEGER(short, short)
WB_INTEGER(ushort, unsigned short)
WB_INTEGER(int, int)
WB_INTEGER(uint, unsigned)
WB_INTEGER(ll, long long)
WB_INTEGER(ull, unsigned long long)
#undef WB_INTEGER

/* To integers: what is beyond the range becomes the nearest end of the range, and a NaN 0. */
#define WB_ROUNDED(r) \
	static __device__ __forceinline__ int __half2int_##r(__half h) { return __float2int_##r((float)h); } \
	static __device__ __forceinline__ unsigned __half2uint_##r(__half h) { return __float2uint_##r((float)h); } \
	static __device__ __forceinline__ long long __half2ll_##r(__half h) { return __float2ll_##r((float)h); } \
	static __device__ __forceinline__ unsigned long long __half2ull_##r(__half h) \
	{ \
		return __float2ull_##r((float)h); \
	} \
	WB_NARROW(short, short, r, -32768, 32767) \
	WB_NARROW(ushort, unsigned short, r, 0, 65535)
#define WB_NARROW(name, type, r, low, high) \
	static __device__ __forceinline__ type __half2##name##_##r(__half h) \
	{ \
		int n = __half2int_##r(h); \
		return (type)(n < low ? low : n > high ? high : n); \
	}
WB_ROUNDED(rn)
WB_ROUNDED(rz)
WB_ROUNDED(rd)
WB_ROUNDED(ru)
WB_NARROW(char, signed char, rz, -128, 127)
WB_NARROW(uchar, unsigned char, rz, 0, 255)
#undef WB_ROUNDED
#undef WB_NARROW

/* ---- pairs ---- */

WB_H __half2 make_half2(__half a, __half b) { return __half2(a, b); }
WB_H __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
WB_H __half2 __half2half2(__half a) { return __half2(a, a); }
WB_H __half __low2half(__half2 v) { return v.x; }
WB_H __half __high2half(__half2 v) { return v.y; }
WB_H float __low2float(__half2 v) { return (float)v.x; }
WB_H float __high2float(__half2 v) { return (float)v.y; }
WB_H __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
WB_H __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
WB_H __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
WB_H __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
WB_H __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

/* ---- arithmetic ---- */

WB_H __half __hneg(__half a) { return __ushort_as_half(a.__x ^ 0x8000); }
WB_H __half __habs(__half a) { return __ushort_as_half(a.__x & 0x7fff); }
WB_H bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
WB_H int __hisinf(__half a) { return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0; }
/* 0 to 1; a NaN is 0. */
WB_H __half warpbeam_saturated(__half a) { return (float)a > 0 ? (float)a < 1 ? a : __half(1.0f) : __half(0.0f); }

/* The product is exact in a float, and the sum gets an odd lowest bit where it is not: the half is rounded once. */
WB_H __half __hfma(__half a, __half b, __half c)
{
	float p = (float)a * (float)b, s = p + (float)c, t = s - p, e = (p - (s - t)) + ((float)c - t);
	unsigned bits;

	memcpy(&bits, &s, sizeof bits);
	if ((e < 0 || e > 0) && !(bits & 1)) {  /* of infinities e is no number */
		bits += (e > 0) == (s > 0) ? 1 : -1;
		memcpy(&s, &bits, sizeof s);
	}
	return __half(s);
}
WB_H __half __hfma_sat(__half a, __half b, __half c) { return warpbeam_saturated(__hfma(a, b, c)); }
WB_H __half __hfma_relu(__half a, __half b, __half c)
{
	__half v = __hfma(a, b, c);

	return __hisnan(v) ? CUDART_NAN_FP16 : (float)v > 0 ? v : CUDART_ZERO_FP16;
}
WB_H __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }

/* The larger and the smaller: of a NaN and a number the number, but a NaN where the name says so; -0 is below +0. */
WB_H bool warpbeam_below(__half a, __half b)
{
	return (float)a < (float)b || ((float)a == (float)b && a.__x >> 15 && !(b.__x >> 15));
}
WB_H __half __hmax(__half a, __half b)
{
	return __hisnan(a) ? __hisnan(b) ? CUDART_NAN_FP16 : b : __hisnan(b) ? a : warpbeam_below(a, b) ? b : a;
}
WB_H __half __hmin(__half a, __half b)
{
	return __hisnan(a) ? __hisnan(b) ? CUDART_NAN_FP16 : b : __hisnan(b) ? a : warpbeam_below(b, a) ? b : a;
}
WB_H __half __hmax_nan(__half a, __half b)
{
	return __hisnan(a) || __hisnan(b) ? CUDART_NAN_FP16 : __hmax(a, b);
}
WB_H __half __hmin_nan(__half a, __half b)
{
	return __hisnan(a) || __hisnan(b) ? CUDART_NAN_FP16 : __hmin(a, b);
}

/* name of halves, name2 of pairs; likewise with an ending. */
#define WB_PAIRS1(name, pairs) WB_H __half2 pairs(__half2 a) { return __half2(name(a.x), name(a.y)); }
#define WB_PAIRS(name, pairs) \
	WB_H __half2 pairs(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
#define WB_PAIRS3(name, pairs) \
	WB_H __half2 pairs(__half2 a, __half2 b, __half2 c) \
	{ \
		return __half2(name(a.x, b.x, c.x), name(a.y, b.y, c.y)); \
	}
#define WB_OPERATION(name, sign) \
	WB_H __half name(__half a, __half b) { return __half((float)a sign (float)b); } \
	WB_H __half name##_rn(__half a, __half b) { return name(a, b); } \
	WB_H __half name##_sat(__half a, __half b) { return warpbeam_saturated(name(a, b)); } \
	WB_PAIRS(name, name##2) \
	WB_PAIRS(name, name##2_rn) \
	WB_PAIRS(name##_sat, name##2_sat)
WB_OPERATION(__hadd, +)
WB_OPERATION(__hsub, -)
WB_OPERATION(__hmul, *)
#undef WB_OPERATION
WB_PAIRS(__hdiv, __h2div)
WB_PAIRS(__hmax, __hmax2)
WB_PAIRS(__hmin, __hmin2)
WB_PAIRS(__hmax_nan, __hmax2_nan)
WB_PAIRS(__hmin_nan, __hmin2_nan)
WB_PAIRS1(__hneg, __hneg2)
WB_PAIRS1(__habs, __habs2)
WB_PAIRS3(__hfma, __hfma2)
WB_PAIRS3(__hfma_sat, __hfma2_sat)
WB_PAIRS3(__hfma_relu, __hfma2_relu)
/* Pairs as complex numbers: a * b + c. */
WB_H __half2 __hcmadd(__half2 a, __half2 b, __half2 c)
{
	return __half2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* ---- comparisons: false with a NaN; with "u" true; of pairs 1 or 0 each, or whether both are true ---- */

#define WB_COMPARE(name, expression) \
	WB_H bool __h##name(__half a, __half b) { return expression; } \
	WB_H __half2 __h##name##2(__half2 a, __half2 b) \
	{ \
		return __half2(__half((float)__h##name(a.x, b.x)), __half((float)__h##name(a.y, b.y))); \
	} \
	WB_H bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
WB_COMPARE(eq, (float)a == (float)b)
WB_COMPARE(ne, (float)a < (float)b || (float)a > (float)b)
WB_COMPARE(lt, (float)a < (float)b)
WB_COMPARE(le, (float)a <= (float)b)
WB_COMPARE(gt, (float)a > (float)b)
WB_COMPARE(ge, (float)a >= (float)b)
WB_COMPARE(equ, !((float)a < (float)b || (float)a > (float)b))
WB_COMPARE(neu, (float)a != (float)b)
WB_COMPARE(ltu, !((float)a >= (float)b))
WB_COMPARE(leu, !((float)a > (float)b))
WB_COMPARE(gtu, !((float)a <= (float)b))
WB_COMPARE(geu, !((float)a < (float)b))
#undef WB_COMPARE
WB_H __half2 __hisnan2(__half2 a)
{
	return __half2(__half((float)__hisnan(a.x)), __half((float)__hisnan(a.y)));
}

/* ---- operators ---- */

#define WB_OPERATORS(type, number, suffix) \
	WB_H type operator+(const type &a, const type &b) { return __hadd##suffix(a, b); } \
	WB_H type operator-(const type &a, const type &b) { return __hsub##suffix(a, b); } \
	WB_H type operator*(const type &a, const type &b) { return __hmul##suffix(a, b); } \
	WB_H type operator-(const type &a) { return __hneg##suffix(a); } \
	WB_H type operator+(const type &a) { return a; } \
	WB_H type &operator+=(type &a, const type &b) { return a = a + b; } \
	WB_H type &operator-=(type &a, const type &b) { return a = a - b; } \
	WB_H type &operator*=(type &a, const type &b) { return a = a * b; } \
	WB_H type &operator/=(type &a, const type &b) { return a = a / b; } \
	WB_H type &operator++(type &a) { return a = a + number; } \
	WB_H type &operator--(type &a) { return a = a - number; } \
	WB_H type operator++(type &a, int) { type b = a; ++a; return b; } \
	WB_H type operator--(type &a, int) { type b = a; --a; return b; }
WB_H __half operator/(const __half &a, const __half &b) { return __hdiv(a, b); }
WB_H __half2 operator/(const __half2 &a, const __half2 &b) { return __h2div(a, b); }
WB_OPERATORS(__half, CUDART_ONE_FP16, )
WB_OPERATORS(__half2, __half2half2(CUDART_ONE_FP16), 2)
#undef WB_OPERATORS
#define WB_COMPARE(type, sign, name) WB_H bool operator sign(const type &a, const type &b) { return name(a, b); }
#define WB_COMPARISONS(type, prefix, suffix) \
	WB_COMPARE(type, ==, prefix##eq##suffix) \
	WB_COMPARE(type, <, prefix##lt##suffix) \
	WB_COMPARE(type, <=, prefix##le##suffix) \
	WB_COMPARE(type, >, prefix##gt##suffix) \
	WB_COMPARE(type, >=, prefix##ge##suffix)
WB_COMPARISONS(__half, __h, )
WB_COMPARISONS(__half2, __hb, 2)
WB_COMPARE(__half, !=, __hneu)
WB_COMPARE(__half2, !=, __hbneu2)
#undef WB_COMPARISONS
#undef WB_COMPARE

/* ---- functions of the device: those of floats, rounded ---- */

#define WB_D static __device__ __forceinline__
#define WB_FUNCTION(name, expression) \
	WB_D __half h##name(__half h) { float x = (float)h; return __half(expression); } \
	WB_D __half2 h2##name(__half2 v) { return __half2(h##name(v.x), h##name(v.y)); }
WB_FUNCTION(sqrt, sqrtf(x))
WB_FUNCTION(rsqrt, rsqrtf(x))
WB_FUNCTION(rcp, 1.0f / x)
WB_FUNCTION(exp, expf(x))
WB_FUNCTION(exp2, exp2f(x))
WB_FUNCTION(exp10, exp10f(x))
WB_FUNCTION(log, logf(x))
WB_FUNCTION(log2, log2f(x))
WB_FUNCTION(log10, log10f(x))
WB_FUNCTION(sin, sinf(x))
WB_FUNCTION(cos, cosf(x))
WB_FUNCTION(tanh, tanhf(x))
WB_FUNCTION(ceil, ceilf(x))
WB_FUNCTION(floor, floorf(x))
WB_FUNCTION(trunc, truncf(x))
WB_FUNCTION(rint, rintf(x))
#undef WB_FUNCTION

WB_D unsigned warpbeam_bits(__half h) { return h.__x; }
WB_D unsigned warpbeam_bits(__half2 v) { return (unsigned)v.y.__x << 16 | v.x.__x; }
WB_D void warpbeam_put(__half &h, unsigned bits) { h.__x = (unsigned short)bits; }
WB_D void warpbeam_put(__half2 &v, unsigned bits) { memcpy(&v, &bits, sizeof v); }
#define WB_SHUFFLE(name, type, number) \
	WB_D type name(unsigned mask, type v, number n, int width = 32) \
	{ \
		warpbeam_put(v, name(mask, warpbeam_bits(v), n, width)); \
		return v; \
	}
#define WB_SHUFFLES(type) \
	WB_SHUFFLE(__shfl_sync, type, int) \
	WB_SHUFFLE(__shfl_up_sync, type, unsigned) \
	WB_SHUFFLE(__shfl_down_sync, type, unsigned) \
	WB_SHUFFLE(__shfl_xor_sync, type, int)
WB_SHUFFLES(__half)
WB_SHUFFLES(__half2)
#undef WB_SHUFFLES
#undef WB_SHUFFLE

WB_D __half atomicAdd(__half *p, __half v)
{
	__half old;

	asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old.__x) : "l"(p), "h"(v.__x) : "memory");
	return old;
}
WB_D __half2 atomicAdd(__half2 *p, __half2 v)
{
	unsigned bits;

	asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(bits) : "l"(p), "r"(warpbeam_bits(v)) : "memory");
	warpbeam_put(v, bits);
	return v;
}
#undef WB_PAIRS1
#undef WB_PAIRS
#undef WB_PAIRS3
#undef WB_D
#undef WB_H

#endif
