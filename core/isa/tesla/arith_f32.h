/* Single precision (facts 4.1 to 4.4). Denormal operands and results are zeros of their sign, and every NaN result is
 * 0x7fffffff. */
#ifndef WB_CORE_ISA_TESLA_ARITH_F32_H
#define WB_CORE_ISA_TESLA_ARITH_F32_H

#include "core/isa/tesla/arith.h"

#define F32_SIGN 0x80000000u
#define F32_INF  0x7f800000u
#define F32_MAX  0x7f7fffffu
#define F32_ONE  0x3f800000u
#define F32_NAN  0x7fffffffu

LANE_FN bool f32_is_nan(uint32_t v)
{
	return (int32_t)(v & ~F32_SIGN) > (int32_t)F32_INF;
}

LANE_FN uint32_t f32_flush(uint32_t v)
{
	return v & F32_INF ? v : v & F32_SIGN;
}

LANE_FN uint32_t f32_canonical(uint32_t v)
{
	return f32_is_nan(v) ? F32_NAN : v;
}

/* abs, then neg, on the bits. */
LANE_FN uint32_t f32_modify(uint32_t v, bool neg, bool abs)
{
	return (v & (abs ? ~F32_SIGN : ~0u)) ^ (neg ? F32_SIGN : 0);
}

/* Z and S of a result: zero of either sign, below zero; both for a NaN (facts 4.1). */
LANE_FN uint32_t f32_flags(uint32_t v)
{
	uint32_t number = v << 1 == 0 ? FLAG_Z : v >> 31 << 1;
	return f32_is_nan(v) ? FLAG_Z | FLAG_S : number;
}

/* Clamp to [+0, 1]; a NaN stays (facts 4.1). */
LANE_FN uint32_t f32_sat(uint32_t v)
{
	int32_t low = (int32_t)v < 0 ? 0 : (int32_t)v;
	int32_t clamped = low > (int32_t)F32_ONE ? (int32_t)F32_ONE : low;
	return f32_is_nan(v) ? F32_NAN : (uint32_t)clamped;
}

/* The last step of every arithmetic result. */
LANE_FN uint32_t f32_result(uint32_t v, bool sat, uint32_t *cc)
{
	uint32_t clean = f32_canonical(f32_flush(v));
	uint32_t out = sat ? f32_sat(clean) : clean;
	*cc = f32_flags(out);
	return out;
}

/* A double cut to single precision towards zero: too large is the largest number, below the normal range is zero. */
LANE_FN uint32_t f32_truncate(double d)
{
	double cut = f64_value(f64_bits(d) & ~0x1fffffffull);
	uint32_t v = f32_bits((float)cut);
	uint32_t sign = v & F32_SIGN;
	bool overflow = (v & ~F32_SIGN) == F32_INF && __builtin_fabs(d) < __builtin_inf();
	bool underflow = __builtin_fabs(cut) < 0x1p-126;
	return overflow ? sign | F32_MAX : underflow ? sign : v;
}

/* The part of a + b lost in the rounded sum s, exactly (Knuth's TwoSum). */
LANE_FN double f64_sum_error(double a, double b, double s)
{
	double b_part = s - a, a_part = s - b_part;
	return (a - a_part) + (b - b_part);
}

/* 1 where s + error is nearer to zero than s, else 0. Not called where the error is 0. */
LANE_FN uint64_t f64_is_inward(double s, double error)
{
	return (f64_bits(s) ^ f64_bits(error)) >> 63;
}

/* a + b with the last bit standing for all further bits ("round to odd"): a second rounding to single precision then
 * rounds the exact sum once. */
LANE_FN double f64_sum_odd(double a, double b)
{
	double s = a + b, error = f64_sum_error(a, b, s);
	uint64_t bits = f64_bits(s);
	uint64_t step = __builtin_fabs(error) > 0 ? ~bits & 1 : 0;
	return f64_value(bits + step - (step & f64_is_inward(s, error)) * 2);
}

LANE_FN double f64_sum_truncated(double a, double b)
{
	double s = a + b, error = f64_sum_error(a, b, s);
	uint64_t step = __builtin_fabs(error) > 0 ? f64_is_inward(s, error) : 0;
	return f64_value(f64_bits(s) - step);
}

/* Sums in the denormal range are exact in both formats, so flushing the host's result suffices. */
LANE_FN uint32_t f32_add_raw(uint32_t a, uint32_t b)
{
	return f32_bits(f32_value(f32_flush(a)) + f32_value(f32_flush(b)));
}

LANE_FN uint32_t f32_add(uint32_t a, uint32_t b, bool sat, uint32_t *cc)
{
	return f32_result(f32_add_raw(a, b), sat, cc);
}

LANE_FN uint32_t f32_add_rz(uint32_t a, uint32_t b, bool sat, uint32_t *cc)
{
	return f32_result(f32_truncate(f64_sum_truncated(f32_value(f32_flush(a)), f32_value(f32_flush(b)))), sat, cc);
}

/* A product is flushed if still denormal after rounding to 24 bits (facts 4.1); the host rounds to fewer there. The
 * same product from a scaled operand shows the case. Where scaling overflows the product is large. */
LANE_FN uint32_t f32_mul_raw(uint32_t a, uint32_t b)
{
	float x = f32_value(f32_flush(a)), y = f32_value(f32_flush(b));
	float product = x * y, scaled = x * 0x1p32f * y;
	uint32_t v = f32_bits(product);
	return __builtin_fabsf(scaled) < 0x1p-94f ? v & F32_SIGN : v;
}

LANE_FN uint32_t f32_mul(uint32_t a, uint32_t b, bool sat, uint32_t *cc)
{
	return f32_result(f32_mul_raw(a, b), sat, cc);
}

LANE_FN uint32_t f32_mul_rz(uint32_t a, uint32_t b, bool sat, uint32_t *cc)
{
	double product = (double)f32_value(f32_flush(a)) * f32_value(f32_flush(b));
	return f32_result(f32_truncate(product), sat, cc);
}

/* a * b + c, the product cut to 24 bits of unbounded exponent, the sum rounded to nearest (facts 4.2). A double holds
 * the product exactly. Where c is zero the machine rounds the product as a multiplication does; where a or b is zero
 * both ways agree. */
LANE_FN uint32_t f32_mad(uint32_t a, uint32_t b, uint32_t c, bool sat, uint32_t *cc)
{
	uint32_t addend = f32_flush(c);
	double product = (double)f32_value(f32_flush(a)) * f32_value(f32_flush(b));
	double cut = f64_value(f64_bits(product) & ~0x1fffffffull);
	double rounded = f32_value(f32_flush(f32_mul_raw(a, b)));
	double sum = f64_sum_odd(addend << 1 ? cut : rounded, f32_value(addend));
	return f32_result(f32_bits((float)sum), sat, cc);
}

/* A number whose signed order is the order of v; -0 comes just before +0. */
LANE_FN int32_t f32_order(uint32_t v)
{
	return (int32_t)(v ^ ((uint32_t)((int32_t)v >> 31) & ~F32_SIGN));
}

/* A NaN loses against the other operand (facts 4.3): it is last in order, and one step on it wraps to the front. */
LANE_FN uint32_t f32_minmax(uint32_t a, uint32_t b, bool max, uint32_t *cc)
{
	uint32_t x = f32_canonical(f32_flush(a)), y = f32_canonical(f32_flush(b));
	bool less = (int32_t)((uint32_t)f32_order(x) + max) < (int32_t)((uint32_t)f32_order(y) + max);
	uint32_t v = less != max ? x : y;
	*cc = f32_flags(v);
	return v;
}

/* An operand of a comparison, for which denormals are zeros. Where the including file says that the host is in the mode
 * without them, the host's comparison knows as much; compilers know of no mode, and compare constants without one. */
#ifndef F32_HOST_HAS_NO_DENORMALS
#define F32_HOST_HAS_NO_DENORMALS false
#endif
LANE_FN float f32_compared(uint32_t v)
{
	return f32_value(F32_HOST_HAS_NO_DENORMALS && !__builtin_constant_p(v) ? v : f32_flush(v));
}

/* All ones where the relation of a to b is in `cond` (1 less, 2 equal, 4 greater, 8 unordered), else 0 (facts 4.3). */
LANE_FN uint32_t f32_set(uint32_t a, uint32_t b, unsigned cond, uint32_t *cc)
{
	float x = f32_compared(a), y = f32_compared(b);
	uint32_t relation = x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
	uint32_t v = cond & relation ? ~0u : 0;
	*cc = v ? FLAG_S : FLAG_Z;
	return v;
}

/* a where c >= 0 (or -0, or a denormal), b where it is negative or a NaN; the flags are of the bits (facts 4.4). */
LANE_FN uint32_t f32_slct(uint32_t a, uint32_t b, uint32_t c, uint32_t *cc)
{
	uint32_t v = f32_compared(c) >= 0 ? a : b;
	*cc = v << 1 == 0 ? FLAG_Z : v >> 31 << 1;
	return v;
}

enum quad_op { QUAD_ADD, QUAD_SUBR, QUAD_SUB, QUAD_MOV2 };

/* One lane of quadop: a is the word of the selected lane of the quad, b the lane's own (facts 4.4). mov2 adds zero. */
LANE_FN uint32_t f32_quadop(unsigned op, uint32_t a, uint32_t b, uint32_t *cc)
{
	uint32_t x = op == QUAD_MOV2 ? 0 : op == QUAD_SUBR ? a ^ F32_SIGN : a;
	uint32_t y = op == QUAD_SUB ? b ^ F32_SIGN : b;
	return f32_add(x, y, false, cc);
}

#endif
