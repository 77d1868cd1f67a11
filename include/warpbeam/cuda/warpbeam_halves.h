/* Numbers of 16 bits and pairs of these: types, conversions, arithmetic, comparisons, operators, functions. The text is
 * read once for each kind of number, by cuda_fp16.h and cuda_bf16.h, which define
 *
 *   WB_NAME       the kind in names of conversions: half of __float2half
 *   WB_T, WB_T2   the type, and the pair; WB_RAW, WB_RAW2 the same as bits
 *   WB_TO(f)      bits of the number nearest to a float; WB_BACK(bits): the float
 *   WB_EXACT(n)   an integer as a float that is rounded as the integer would be
 *   WB_FMA(a, b, c)   bits of a * b + c, rounded once
 *   WB_ONE, WB_INFINITY   bits of 1 and of infinity
 *
 * Without WB_NAME the text is only the functions at its head.
 *
 * Arithmetic is that of floats, rounded, which is the correctly rounded result of sums, differences, products,
 * quotients and roots: a float has more than twice the bits, and 2. What is not exact in a float gets an odd last bit,
 * so that another rounding knows of the rest. */
#ifndef WARPBEAM_HALVES_H
#define WARPBEAM_HALVES_H

#define WB_H static __inline__ __host__ __device__
WB_H float warpbeam_with_rest(float f, float rest)
{
	unsigned bits;

	memcpy(&bits, &f, sizeof bits);
	if ((rest < 0 || rest > 0) && !(bits & 1)) {    /* of infinities the rest is no number */
		bits += (rest > 0) == (f > 0) ? 1 : -1;
		memcpy(&f, &bits, sizeof f);
	}
	return f;
}
WB_H float warpbeam_odd(double d)
{
	float f = (float)d;

	return warpbeam_with_rest(f, (double)f < d ? 1.0f : (double)f > d ? -1.0f : 0.0f);
}
WB_H float warpbeam_odd_magnitude(unsigned long long n)
{
	float scale = 1;

	for (; n >> 24; scale *= 256)
		n = n >> 8 | ((n & 0xff) != 0);
	return (float)(unsigned)n * scale;
}
WB_H float warpbeam_odd(unsigned long long n) { return warpbeam_odd_magnitude(n); }
WB_H float warpbeam_odd(long long n)
{
	return n < 0 ? -warpbeam_odd_magnitude(-(unsigned long long)n) : warpbeam_odd_magnitude((unsigned long long)n);
}
#define WB_ODD(type, wide) WB_H float warpbeam_odd(type n) { return warpbeam_odd((wide)n); }
WB_ODD(int, long long)
WB_ODD(unsigned, unsigned long long)
WB_ODD(long, long long)
WB_ODD(unsigned long, unsigned long long)
#undef WB_ODD
WB_H float warpbeam_odd(short n) { return (float)n; }
WB_H float warpbeam_odd(unsigned short n) { return (float)n; }
/* p + c */
WB_H float warpbeam_odd_sum(float p, float c)
{
	float s = p + c, t = s - p;

	return warpbeam_with_rest(s, (p - (s - t)) + (c - t));
}
#undef WB_H
#endif

#ifdef WB_NAME
#define WB_H static __inline__ __host__ __device__
#define WB_PASTE(before, name, after) before##name##after
#define WB_JOIN(before, name, after) WB_PASTE(before, name, after)
#define WB_NAMED(before, after) WB_JOIN(before, WB_NAME, after)
#define WB_PASTE_TWICE(name) __##name##2##name##2
#define WB_DOUBLED(name) WB_PASTE_TWICE(name)
#define WB_OF(bits) WB_T(WB_RAW{ (unsigned short)(bits) })
#define WB_PAIR_OF(a) WB_T2(a, a)
#define WB_B __host__ __device__
struct __align__(2) WB_T {
	unsigned short __x;

	WB_T() = default;
	WB_B WB_T(float f) : __x(WB_TO(f)) {}
	WB_B WB_T(double f) : __x(WB_TO(warpbeam_odd(f))) {}
	WB_B WB_T(const WB_RAW &r) : __x(r.x) {}
#define WB_FROM(type) WB_B WB_T(type n) : __x(WB_TO(WB_EXACT(n))) {}
	WB_FROM(short)
	WB_FROM(unsigned short)
	WB_FROM(int)
	WB_FROM(unsigned)
	WB_FROM(long)
	WB_FROM(unsigned long)
	WB_FROM(long long)
	WB_FROM(unsigned long long)
#undef WB_FROM
	WB_B operator float() const { return WB_BACK(__x); }
	WB_B operator WB_RAW() const { return WB_RAW{ __x }; }
};
struct __align__(4) WB_T2 {
	WB_T x, y;

	WB_T2() = default;
	WB_B WB_T2(WB_T a, WB_T b) : x(a), y(b) {}
	WB_B WB_T2(const WB_RAW2 &r) { x.__x = r.x; y.__x = r.y; }
	WB_B operator WB_RAW2() const { return WB_RAW2{ x.__x, y.__x }; }
};
#undef WB_B

WB_H unsigned short WB_NAMED(__, _as_ushort)(WB_T h) { return h.__x; }
WB_H short WB_NAMED(__, _as_short)(WB_T h) { return (short)h.__x; }
WB_H WB_T WB_NAMED(__ushort_as_, )(unsigned short x) { return WB_T(WB_RAW{ x }); }
WB_H WB_T WB_NAMED(__short_as_, )(short x) { return WB_T(WB_RAW{ (unsigned short)x }); }

/* ---- conversions ---- */

/* The next half above, and below. */
WB_H WB_T warpbeam_step(WB_T h, bool up)
{
	bool away = up == !(h.__x >> 15);

	return WB_OF((unsigned short)(away ? h.__x + 1 : h.__x - 1));
}
WB_H WB_T WB_NAMED(__float2, _rn)(float f) { return WB_T(f); }
WB_H WB_T WB_NAMED(__float2, )(float f) { return WB_T(f); }
WB_H WB_T WB_NAMED(__float2, _rd)(float f) { WB_T h(f); return (float)h > f ? warpbeam_step(h, false) : h; }
WB_H WB_T WB_NAMED(__float2, _ru)(float f) { WB_T h(f); return (float)h < f ? warpbeam_step(h, true) : h; }
WB_H WB_T WB_NAMED(__float2, _rz)(float f)
{
	return f < 0 ? WB_NAMED(__float2, _ru)(f) : WB_NAMED(__float2, _rd)(f);
}
WB_H WB_T WB_NAMED(__double2, )(double d) { return WB_T(warpbeam_odd(d)); }
WB_H float WB_NAMED(__, 2float)(WB_T h) { return (float)h; }
WB_H WB_T2 WB_NAMED(__floats2, 2_rn)(float a, float b) { return WB_T2(WB_T(a), WB_T(b)); }
WB_H WB_T2 WB_NAMED(__float2, 2_rn)(float a) { return WB_T2(WB_T(a), WB_T(a)); }
WB_H WB_T2 WB_NAMED(__float22, 2_rn)(float2 v) { return WB_T2(WB_T(v.x), WB_T(v.y)); }
WB_H float2 WB_NAMED(__, 22float2)(WB_T2 v) { return make_float2((float)v.x, (float)v.y); }

#define WB_INTEGER(name, type) \
	WB_H WB_T WB_NAMED(__##name##2, _rn)(type n) { return WB_T(WB_EXACT(n)); } \
	WB_H WB_T WB_NAMED(__##name##2, _rz)(type n) { return WB_NAMED(__float2, _rz)(WB_EXACT(n)); } \
	WB_H WB_T WB_NAMED(__##name##2, _rd)(type n) { return WB_NAMED(__float2, _rd)(WB_EXACT(n)); } \
	WB_H WB_T WB_NAMED(__##name##2, _ru)(type n) { return WB_NAMED(__float2, _ru)(WB_EXACT(n)); }
WB_INTEGER(short, short)
WB_INTEGER(ushort, unsigned short)
WB_INTEGER(int, int)
WB_INTEGER(uint, unsigned)
WB_INTEGER(ll, long long)
WB_INTEGER(ull, unsigned long long)
#undef WB_INTEGER

/* To integers: what is beyond the range becomes the nearest end of the range, and a NaN 0. */
#define WB_ROUNDED(r) \
	WB_WHOLE(int, int, r) \
	WB_WHOLE(uint, unsigned, r) \
	WB_WHOLE(ll, long long, r) \
	WB_WHOLE(ull, unsigned long long, r) \
	WB_NARROW(short, short, r, -32768, 32767) \
	WB_NARROW(ushort, unsigned short, r, 0, 65535)
#define WB_WHOLE(name, type, r) \
	static __device__ __forceinline__ type WB_NAMED(__, 2##name##_##r)(WB_T h) \
	{ \
		return __float2##name##_##r((float)h); \
	}
#define WB_NARROW(name, type, r, low, high) \
	static __device__ __forceinline__ type WB_NAMED(__, 2##name##_##r)(WB_T h) \
	{ \
		int n = WB_NAMED(__, 2int_##r)(h); \
		return (type)(n < low ? low : n > high ? high : n); \
	}
WB_ROUNDED(rn)
WB_ROUNDED(rz)
WB_ROUNDED(rd)
WB_ROUNDED(ru)
WB_NARROW(char, signed char, rz, -128, 127)
WB_NARROW(uchar, unsigned char, rz, 0, 255)
#undef WB_ROUNDED
#undef WB_WHOLE
#undef WB_NARROW

/* ---- pairs ---- */

WB_H WB_T2 WB_NAMED(make_, 2)(WB_T a, WB_T b) { return WB_T2(a, b); }
WB_H WB_T2 WB_NAMED(__halves2, 2)(WB_T a, WB_T b) { return WB_T2(a, b); }
WB_H WB_T2 WB_DOUBLED(WB_NAME)(WB_T a) { return WB_T2(a, a); }
WB_H WB_T WB_NAMED(__low2, )(WB_T2 v) { return v.x; }
WB_H WB_T WB_NAMED(__high2, )(WB_T2 v) { return v.y; }
WB_H float __low2float(WB_T2 v) { return (float)v.x; }
WB_H float __high2float(WB_T2 v) { return (float)v.y; }
WB_H WB_T2 WB_NAMED(__low2, 2)(WB_T2 v) { return WB_T2(v.x, v.x); }
WB_H WB_T2 WB_NAMED(__high2, 2)(WB_T2 v) { return WB_T2(v.y, v.y); }
WB_H WB_T2 __lowhigh2highlow(WB_T2 v) { return WB_T2(v.y, v.x); }
WB_H WB_T2 WB_NAMED(__lows2, 2)(WB_T2 a, WB_T2 b) { return WB_T2(a.x, b.x); }
WB_H WB_T2 WB_NAMED(__highs2, 2)(WB_T2 a, WB_T2 b) { return WB_T2(a.y, b.y); }

/* ---- arithmetic ---- */

WB_H WB_T __hneg(WB_T a) { return WB_OF(a.__x ^ 0x8000); }
WB_H WB_T __habs(WB_T a) { return WB_OF(a.__x & 0x7fff); }
WB_H bool __hisnan(WB_T a) { return (a.__x & 0x7fff) > WB_INFINITY; }
WB_H int __hisinf(WB_T a) { return a.__x == WB_INFINITY ? 1 : a.__x == (WB_INFINITY | 0x8000) ? -1 : 0; }
/* 0 to 1; a NaN is 0. */
WB_H WB_T warpbeam_saturated(WB_T a) { return (float)a > 0 ? (float)a < 1 ? a : WB_T(1.0f) : WB_T(0.0f); }

/* Rounded once. */
WB_H WB_T __hfma(WB_T a, WB_T b, WB_T c) { return WB_OF(WB_FMA((float)a, (float)b, (float)c)); }
WB_H WB_T __hfma_sat(WB_T a, WB_T b, WB_T c) { return warpbeam_saturated(__hfma(a, b, c)); }
WB_H WB_T __hfma_relu(WB_T a, WB_T b, WB_T c)
{
	WB_T v = __hfma(a, b, c);

	return __hisnan(v) ? WB_OF(0x7fff) : (float)v > 0 ? v : WB_OF(0);
}
WB_H WB_T __hdiv(WB_T a, WB_T b) { return WB_T((float)a / (float)b); }

/* The larger and the smaller: of a NaN and a number the number, but a NaN where the name says so; -0 is below +0. */
WB_H bool warpbeam_below(WB_T a, WB_T b)
{
	return (float)a < (float)b || ((float)a == (float)b && a.__x >> 15 && !(b.__x >> 15));
}
WB_H WB_T __hmax(WB_T a, WB_T b)
{
	return __hisnan(a) ? __hisnan(b) ? WB_OF(0x7fff) : b : __hisnan(b) ? a : warpbeam_below(a, b) ? b : a;
}
WB_H WB_T __hmin(WB_T a, WB_T b)
{
	return __hisnan(a) ? __hisnan(b) ? WB_OF(0x7fff) : b : __hisnan(b) ? a : warpbeam_below(b, a) ? b : a;
}
WB_H WB_T __hmax_nan(WB_T a, WB_T b)
{
	return __hisnan(a) || __hisnan(b) ? WB_OF(0x7fff) : __hmax(a, b);
}
WB_H WB_T __hmin_nan(WB_T a, WB_T b)
{
	return __hisnan(a) || __hisnan(b) ? WB_OF(0x7fff) : __hmin(a, b);
}

/* name of halves, name2 of pairs; likewise with an ending. */
#define WB_PAIRS1(name, pairs) WB_H WB_T2 pairs(WB_T2 a) { return WB_T2(name(a.x), name(a.y)); }
#define WB_PAIRS(name, pairs) \
	WB_H WB_T2 pairs(WB_T2 a, WB_T2 b) { return WB_T2(name(a.x, b.x), name(a.y, b.y)); }
#define WB_PAIRS3(name, pairs) \
	WB_H WB_T2 pairs(WB_T2 a, WB_T2 b, WB_T2 c) \
	{ \
		return WB_T2(name(a.x, b.x, c.x), name(a.y, b.y, c.y)); \
	}
#define WB_OPERATION(name, sign) \
	WB_H WB_T name(WB_T a, WB_T b) { return WB_T((float)a sign (float)b); } \
	WB_H WB_T name##_rn(WB_T a, WB_T b) { return name(a, b); } \
	WB_H WB_T name##_sat(WB_T a, WB_T b) { return warpbeam_saturated(name(a, b)); } \
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
WB_H WB_T2 __hcmadd(WB_T2 a, WB_T2 b, WB_T2 c)
{
	return WB_T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* ---- comparisons: false with a NaN; with "u" true; of pairs 1 or 0 each, or whether both are true ---- */

#define WB_COMPARE(name, expression) \
	WB_H bool __h##name(WB_T a, WB_T b) { return expression; } \
	WB_H WB_T2 __h##name##2(WB_T2 a, WB_T2 b) \
	{ \
		return WB_T2(WB_T((float)__h##name(a.x, b.x)), WB_T((float)__h##name(a.y, b.y))); \
	} \
	WB_H bool __hb##name##2(WB_T2 a, WB_T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
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
WB_H WB_T2 __hisnan2(WB_T2 a)
{
	return WB_T2(WB_T((float)__hisnan(a.x)), WB_T((float)__hisnan(a.y)));
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
WB_H WB_T operator/(const WB_T &a, const WB_T &b) { return __hdiv(a, b); }
WB_H WB_T2 operator/(const WB_T2 &a, const WB_T2 &b) { return __h2div(a, b); }
WB_OPERATORS(WB_T, WB_OF(WB_ONE), )
WB_OPERATORS(WB_T2, WB_PAIR_OF(WB_OF(WB_ONE)), 2)
#undef WB_OPERATORS
#define WB_COMPARE(type, sign, name) WB_H bool operator sign(const type &a, const type &b) { return name(a, b); }
#define WB_COMPARISONS(type, prefix, suffix) \
	WB_COMPARE(type, ==, prefix##eq##suffix) \
	WB_COMPARE(type, <, prefix##lt##suffix) \
	WB_COMPARE(type, <=, prefix##le##suffix) \
	WB_COMPARE(type, >, prefix##gt##suffix) \
	WB_COMPARE(type, >=, prefix##ge##suffix)
WB_COMPARISONS(WB_T, __h, )
WB_COMPARISONS(WB_T2, __hb, 2)
WB_COMPARE(WB_T, !=, __hneu)
WB_COMPARE(WB_T2, !=, __hbneu2)
#undef WB_COMPARISONS
#undef WB_COMPARE

/* ---- functions of the device: those of floats, rounded ---- */

#define WB_D static __device__ __forceinline__
#define WB_FUNCTION(name, expression) \
	WB_D WB_T h##name(WB_T h) { float x = (float)h; return WB_T(expression); } \
	WB_D WB_T2 h2##name(WB_T2 v) { return WB_T2(h##name(v.x), h##name(v.y)); }
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

WB_D unsigned warpbeam_bits(WB_T h) { return h.__x; }
WB_D unsigned warpbeam_bits(WB_T2 v) { return (unsigned)v.y.__x << 16 | v.x.__x; }
WB_D void warpbeam_put(WB_T &h, unsigned bits) { h.__x = (unsigned short)bits; }
WB_D void warpbeam_put(WB_T2 &v, unsigned bits) { memcpy(&v, &bits, sizeof v); }
#ifndef WARPBEAM_HIP_RUNTIME_H /* where shuffles take every type */
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
WB_SHUFFLES(WB_T)
WB_SHUFFLES(WB_T2)
#undef WB_SHUFFLES
#undef WB_SHUFFLE
#endif

#undef WB_PAIRS1
#undef WB_PAIRS
#undef WB_PAIRS3
#undef WB_D
#undef WB_H
#undef WB_PASTE
#undef WB_JOIN
#undef WB_NAMED
#undef WB_PASTE_TWICE
#undef WB_DOUBLED
#undef WB_OF
#undef WB_PAIR_OF
#undef WB_NAME
#undef WB_T
#undef WB_T2
#undef WB_RAW
#undef WB_RAW2
#undef WB_TO
#undef WB_BACK
#undef WB_EXACT
#undef WB_FMA
#undef WB_ONE
#undef WB_INFINITY
#endif
