/* Double precision (facts 4.6): IEEE in four rounding directions with denormals, NaNs carried through.
 *
 * Written over integers: one fused multiply-add of exact parts and one packing step serve fma, add and mul. */
#ifndef WB_CORE_ISA_TESLA_ARITH_F64_H
#define WB_CORE_ISA_TESLA_ARITH_F64_H

#include "core/isa/tesla/arith.h"

#define F64_SIGN    0x8000000000000000ull
#define F64_INF     0x7ff0000000000000ull
#define F64_QUIET   0x0008000000000000ull
#define F64_INVALID 0xfff8000000000000ull

typedef unsigned __int128 uint128;

/* A binary format: bits of significand (the hidden one included) and the exponent of the least denormal. */
struct float_format {
	int precision;
	int min_exp;
};

static const struct float_format FORMAT_F16 = {11, -24}, FORMAT_F32 = {24, -149}, FORMAT_F64 = {53, -1074};

/* The finite number (negative ? -1 : 1) * mant * 2^exp. */
struct float_parts {
	bool negative;
	int exp;
	uint64_t mant;
};

static inline bool f64_is_nan(uint64_t v)
{
	return (v & ~F64_SIGN) > F64_INF;
}

static inline bool f64_is_inf(uint64_t v)
{
	return (v & ~F64_SIGN) == F64_INF;
}

static inline bool f64_is_zero(uint64_t v)
{
	return v << 1 == 0;
}

/* abs, then neg; neither touches a NaN. */
static inline uint64_t f64_modify(uint64_t v, bool neg, bool abs)
{
	uint64_t changed = (abs ? v & ~F64_SIGN : v) ^ (neg ? F64_SIGN : 0);
	return f64_is_nan(v) ? v : changed;
}

static inline uint32_t f64_flags(uint64_t v)
{
	if (f64_is_nan(v))
		return FLAG_Z | FLAG_S;
	return f64_is_zero(v) ? FLAG_Z : (uint32_t)(v >> 63) << 1;
}

static inline struct float_parts f64_parts(uint64_t v)
{
	int biased = v >> 52 & 0x7ff;
	uint64_t fraction = v & 0xfffffffffffffull;
	return (struct float_parts){v >> 63, (biased ? biased : 1) - 1075, biased ? fraction | 1ull << 52 : fraction};
}

static inline int width_of(uint128 v)
{
	uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
	return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* v >> shift for any shift >= 0; bits shifted out are kept as a one in the last bit. */
static inline uint128 shift_jam(uint128 v, int shift)
{
	if (shift > 127)
		return v != 0;
	return v >> shift | ((v & (((uint128)1 << shift) - 1)) != 0);
}

/* v >> shift (0 to 127), the magnitude of a number of the given sign, rounded. */
static inline uint128 shift_round(uint128 v, int shift, unsigned mode, bool negative)
{
	uint128 kept = v >> shift, rest = v & (((uint128)1 << shift) - 1);
	if (!rest)
		return kept;
	uint128 half = (uint128)1 << (shift - 1);
	switch (round_of_magnitude(mode, negative)) {
	case ROUND_RN:
		return kept + (rest > half || (rest == half && (kept & 1)));
	case ROUND_RP:
		return kept + 1;
	default:
		return kept;
	}
}

/* Round (negative ? -1 : 1) * mant * 2^exp into a format; the encoding, right-aligned and without the sign. Denormals
 * are honoured; overflow is infinity, or the largest number where the direction is inward. */
static inline uint64_t float_pack(const struct float_format *to, bool negative, int exp, uint128 mant, unsigned mode)
{
	int shift = width_of(mant) - to->precision;
	if (shift < to->min_exp - exp)
		shift = to->min_exp - exp;
	uint128 kept;
	if (shift <= 0)
		kept = mant << -shift;
	else if (shift > 127)
		kept = shift_round(mant != 0, 2, mode, negative);
	else
		kept = shift_round(mant, shift, mode, negative);
	if (!kept)
		return 0;
	/* The hidden bit and a carry out of the significand both increment the exponent field. */
	int field = kept >> (to->precision - 1) ? exp + shift - to->min_exp : 0;
	int infinity_field = 5 - 2 * to->precision - 2 * to->min_exp;
	uint64_t infinity = (uint64_t)infinity_field << (to->precision - 1);
	uint64_t v = ((uint64_t)field << (to->precision - 1)) + (uint64_t)kept;
	if (field < infinity_field && v < infinity)
		return v;
	unsigned direction = round_of_magnitude(mode, negative);
	return direction == ROUND_RZ || direction == ROUND_RM ? infinity - 1 : infinity;
}

static inline uint64_t f64_pack(bool negative, int exp, uint128 mant, unsigned mode)
{
	return float_pack(&FORMAT_F64, negative, exp, mant, mode) | (uint64_t)negative << 63;
}

/* Exact x + y, rounded once; neither is zero. Both are shifted up to bit 125, so that a sticky bit is needed only for
 * exponents too far apart for the bit to reach the rounding position. */
static inline uint64_t f64_sum_parts(bool x_neg, int x_exp, uint128 x, bool y_neg, int y_exp, uint128 y, unsigned mode)
{
	int x_up = 126 - width_of(x), y_up = 126 - width_of(y);
	x <<= x_up, x_exp -= x_up;
	y <<= y_up, y_exp -= y_up;
	int exp = x_exp > y_exp ? x_exp : y_exp;
	x = shift_jam(x, exp - x_exp);
	y = shift_jam(y, exp - y_exp);
	if (x_neg == y_neg)
		return f64_pack(x_neg, exp, x + y, mode);
	if (x == y)
		return mode == ROUND_RM ? F64_SIGN : 0;
	return x > y ? f64_pack(x_neg, exp, x - y, mode) : f64_pack(y_neg, exp, y - x, mode);
}

/* a * b + c of operands that are no NaNs. */
static inline uint64_t f64_fma_numbers(uint64_t a, uint64_t b, uint64_t c, unsigned mode)
{
	uint64_t sign = (a ^ b) & F64_SIGN;
	bool a_special = f64_is_inf(a), b_special = f64_is_inf(b);
	if (a_special || b_special) {
		bool invalid = f64_is_zero(a) || f64_is_zero(b) || (f64_is_inf(c) && (c & F64_SIGN) != sign);
		return invalid ? F64_INVALID : sign | F64_INF;
	}
	if (f64_is_inf(c))
		return c;
	if (f64_is_zero(a) || f64_is_zero(b)) {
		if (!f64_is_zero(c) || sign == (c & F64_SIGN))
			return c;
		return mode == ROUND_RM ? F64_SIGN : 0;
	}
	struct float_parts x = f64_parts(a), y = f64_parts(b), z = f64_parts(c);
	uint128 product = (uint128)x.mant * y.mant;
	if (!z.mant)
		return f64_pack(sign != 0, x.exp + y.exp, product, mode);
	return f64_sum_parts(sign != 0, x.exp + y.exp, product, z.negative, z.exp, z.mant, mode);
}

/* Pass a NaN on, made quiet, with its payload and sign and without modifiers; the operation decides the order of
 * operands. */
static inline bool f64_take_nan(uint64_t v, uint64_t *out)
{
	*out = v | F64_QUIET;
	return f64_is_nan(v);
}

static inline uint64_t f64_fma(uint64_t a, uint64_t b, uint64_t c, unsigned mode, uint32_t *cc)
{
	uint64_t v;
	if (!f64_take_nan(b, &v) && !f64_take_nan(c, &v) && !f64_take_nan(a, &v))
		v = f64_fma_numbers(a, b, c, mode);
	*cc = f64_flags(v);
	return v;
}

static inline uint64_t f64_add(uint64_t a, uint64_t c, unsigned mode, uint32_t *cc)
{
	uint64_t v;
	if (!f64_take_nan(c, &v) && !f64_take_nan(a, &v))
		v = f64_fma_numbers(a, 0x3ff0000000000000ull, c, mode);
	*cc = f64_flags(v);
	return v;
}

/* The addend is the zero that keeps the sign of a zero product. */
static inline uint64_t f64_mul(uint64_t a, uint64_t b, unsigned mode, uint32_t *cc)
{
	uint64_t v;
	if (!f64_take_nan(b, &v) && !f64_take_nan(a, &v))
		v = f64_fma_numbers(a, b, mode == ROUND_RM ? 0 : F64_SIGN, mode);
	*cc = f64_flags(v);
	return v;
}

/* A number with the signed order of v; -0 comes just before +0. */
static inline int64_t f64_order(uint64_t v)
{
	return (int64_t)(v ^ ((uint64_t)((int64_t)v >> 63) & ~F64_SIGN));
}

/* A single NaN loses against the other operand; of two, source 2 wins. */
static inline uint64_t f64_minmax(uint64_t a, uint64_t b, bool max, uint32_t *cc)
{
	bool less = f64_order(a) < f64_order(b);
	uint64_t v = less != max ? a : b;
	if (f64_is_nan(a))
		v = f64_is_nan(b) ? b | F64_QUIET : b;
	else if (f64_is_nan(b))
		v = a;
	*cc = f64_flags(v);
	return v;
}

/* All ones (32 bits) if the relation of a to b is in `cond` (1 less, 2 equal, 4 greater, 8 unordered), else 0. */
static inline uint32_t f64_set(uint64_t a, uint64_t b, unsigned cond, uint32_t *cc)
{
	double x = f64_value(a), y = f64_value(b);
	uint32_t relation = x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
	uint32_t v = cond & relation ? ~0u : 0;
	*cc = v ? FLAG_S : FLAG_Z;
	return v;
}

#endif
