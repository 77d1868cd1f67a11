/* Conversions (facts 4.5, 4.6 and 1.9; spec tesla-encoding 6.1). The order is: abs, neg, flush, saturate, round to an
 * integer, narrow. Numbers travel as sign and magnitude, so that the clamps and the directions of rounding see both. */
#ifndef WB_CORE_ISA_TESLA_ARITH_CVT_H
#define WB_CORE_ISA_TESLA_ARITH_CVT_H

#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/arith_f64.h"
#include "core/isa/tesla/arith_int.h"

enum { F16_SIGN = 0x8000, F16_INF = 0x7c00, F16_MAX = 0x7bff, F16_NAN = 0x7fff };

/* An integer of up to 32 bits after abs and neg, signs in bit 31; a negated zero keeps its sign for the floats. */
struct cvt_int {
	uint32_t source_sign;   /* before abs and neg */
	uint32_t sign;
	uint32_t size;
};

LANE_FN struct cvt_int cvt_int(uint32_t v, bool is_signed, int bytes, bool neg, bool abs)
{
	uint32_t whole = (uint32_t)int_extend(v, is_signed, bytes * 8);
	uint32_t below = whole & (is_signed ? F32_SIGN : 0);
	return (struct cvt_int){below, f32_modify(below, neg, abs), below ? 0 - whole : whole};
}

/* Clamp to an integer of `bytes`: the magnitude that is left. */
LANE_FN uint32_t cvt_limit(uint32_t sign, bool is_signed, int bytes)
{
	uint32_t all = int_mask(bytes * 8);
	uint32_t above = is_signed ? all >> 1 : all, below = is_signed ? (all >> 1) + 1 : 0;
	return sign ? below : above;
}

/* Clamped, in a register of reg_bytes: a narrower result is extended by its sign (facts 1.9). */
LANE_FN uint32_t cvt_to_int(uint32_t sign, uint32_t size, bool is_signed, int bytes, int reg_bytes, uint32_t *cc)
{
	uint32_t limit = cvt_limit(sign, is_signed, bytes);
	uint32_t clamped = size > limit ? limit : size;
	uint32_t v = (sign ? 0 - clamped : clamped) & int_mask(reg_bytes * 8);
	*cc = int_flags(v, reg_bytes * 8);
	return v;
}

/* A magnitude rounded to an integer; exact for 0 <= d < 2^51. `mode` is that of the magnitude. */
LANE_FN double cvt_rint(double d, unsigned mode)
{
	double near = d + 0x1p52 - 0x1p52;
	double down = near > d ? near - 1 : near, up = near < d ? near + 1 : near;
	return mode == ROUND_RN ? near : mode == ROUND_RP ? up : down;
}

/* A float that is already flushed and modified, to an integer of up to 32 bits. NaN gives 0. */
LANE_FN uint32_t cvt_f32_to_int(uint32_t v, unsigned mode, bool is_signed, int bytes, int reg_bytes, uint32_t *cc)
{
	uint32_t sign = v & F32_SIGN;
	float size = __builtin_fabsf(f32_value(v));
	double within = size < 0x1p32f ? size : 0x1p32f;
	double whole = cvt_rint(within, round_of_magnitude(mode, sign));
	double limited = whole < 0x1p32 ? whole : 0x1p32 - 1;
	uint32_t integer = (uint32_t)f64_bits(limited + 0x1p52);
	return cvt_to_int(sign, f32_is_nan(v) ? 0 : integer, is_signed, bytes, reg_bytes, cc);
}

/* The same rounding, kept a float. */
LANE_FN uint32_t cvt_f32_rint(uint32_t v, unsigned mode)
{
	uint32_t sign = v & F32_SIGN;
	float size = __builtin_fabsf(f32_value(v));
	float rounded = (float)cvt_rint(size, round_of_magnitude(mode, sign));
	return size < 0x1p23f ? f32_bits(rounded) | sign : v;
}

/* Exact; denormals count (facts 4.5). */
LANE_FN uint32_t cvt_f16_to_f32(uint32_t h)
{
	uint32_t sign = (h & F16_SIGN) << 16;
	int32_t size = h & 0x7fff;
	uint32_t number = ((uint32_t)size << 13) + (112u << 23);
	uint32_t tiny = f32_bits((float)size * 0x1p-24f);
	uint32_t v = size < 0x400 ? tiny : size < F16_INF ? number : size == F16_INF ? F32_INF : F32_NAN;
	return f32_canonical(sign | v);
}

/* Rounded in the direction `mode`; zero below 2^-33 in any direction. With `truncate` the direction only decides about
 * values that are too large (facts 4.5). */
LANE_FN uint32_t cvt_f32_to_f16(uint32_t v, unsigned mode, bool truncate)
{
	uint32_t sign = v >> 16 & F16_SIGN;
	int32_t size = (int32_t)(v & ~F32_SIGN), exp = size >> 23;
	unsigned direction = round_of_magnitude(mode, v & F32_SIGN);
	int32_t deep = 126 - exp < 25 ? 126 - exp : 25;
	int32_t shift = exp >= 113 ? 13 : deep;
	int32_t base = exp >= 113 ? (exp - 113) << 10 : 0;
	int32_t mant = (size & 0x7fffff) | 0x800000;
	int32_t below = (int32_t)((1u << shift) - 1);
	int32_t nearest = (below >> 1) + (mant >> shift & 1);
	int32_t bias = direction == ROUND_RN ? nearest : direction == ROUND_RP ? below : 0;
	int32_t rounded = base + (int32_t)((uint32_t)(mant + (truncate ? 0 : bias)) >> shift);
	int32_t largest = direction == ROUND_RN || direction == ROUND_RP ? F16_INF : F16_MAX;
	int32_t number = exp < 127 - 33 ? 0 : rounded >= F16_INF ? largest : rounded;
	int32_t special = size == (int32_t)F32_INF ? F16_INF : number;
	return size > (int32_t)F32_INF ? F16_NAN : sign | (uint32_t)special;
}

LANE_FN uint32_t f16_flags(uint32_t v)
{
	int32_t size = v & 0x7fff;
	return size > F16_INF ? FLAG_Z | FLAG_S : size == 0 ? FLAG_Z : (v & F16_SIGN) >> 15 << 1;
}

/* A magnitude of 32 bits to a float, in the direction of the signed number. */
LANE_FN uint32_t cvt_int_to_f32(uint32_t sign, uint32_t size, unsigned mode)
{
	double d = f64_value(0x4330000000000000ull | size) - 0x1p52;
	unsigned direction = round_of_magnitude(mode, sign);
	uint64_t up = direction == ROUND_RP ? 0x1fffffff : 0;
	uint64_t cut = (f64_bits(d) + up) & ~0x1fffffffull;
	double rounded = direction == ROUND_RN ? d : f64_value(cut);
	return f32_bits((float)rounded) | sign;
}

/* The magnitude actually converted to f16: a defect of the hardware, seen from 2^25 on (facts 4.5), drops two bits, one
 * more for each leading zero of the low half (at most five), and everything if bits 29:5 are ones and rounding might
 * carry. */
LANE_FN uint32_t cvt_f16_defect(uint32_t size, uint32_t source_sign, unsigned direction)
{
	uint32_t carries = direction == ROUND_RN || direction == ROUND_RP ? 0x3fffffe0 : 0;
	uint32_t x = carries && (size & carries) == carries ? 0 : size;
	int32_t low = (x - (source_sign >> 31)) & 0xffff;
	uint32_t kept = 0x3fffffff;
#pragma GCC unroll 5
	for (int i = 0; i < 5; i++)
		kept = low < 0x8000 >> i ? 0x1fffffffu >> i : kept;
	return x & kept;
}

LANE_FN uint32_t cvt_int_to_f16(struct cvt_int in, unsigned mode, bool sat)
{
	uint32_t size = cvt_f16_defect(in.size, in.source_sign, round_of_magnitude(mode, in.sign));
	uint32_t wide = cvt_int_to_f32(in.sign, size, mode);
	return cvt_f32_to_f16(sat ? f32_sat(wide) : wide, mode, false);
}

/* The source of a conversion from a 16- or 32-bit float, modified, flushed and with NaNs made one. Denormals of f16 are
 * normal numbers here. */
LANE_FN uint32_t cvt_float(uint32_t v, int bytes, bool neg, bool abs)
{
	uint32_t wide = bytes == 2 ? cvt_f16_to_f32(v) : v;
	return f32_canonical(f32_flush(f32_modify(wide, neg, abs)));
}

/* A conversion between 16- and 32-bit floats of what cvt_float gave. With `rint` the narrowing truncates. */
LANE_FN uint32_t cvt_f32_to_float(uint32_t v, unsigned mode, bool rint, bool sat, int bytes, uint32_t *cc)
{
	uint32_t clamped = sat ? f32_sat(v) : v;
	uint32_t whole = rint ? cvt_f32_rint(clamped, mode) : clamped;
	uint32_t narrow = cvt_f32_to_f16(whole, mode, rint);
	*cc = bytes == 2 ? f16_flags(narrow) : f32_flags(whole);
	return bytes == 2 ? narrow : whole;
}

/* From here on the 64-bit forms (facts 4.6), which honour denormals and carry NaNs through. */

static inline uint64_t cvt_f32_to_f64(uint32_t v)
{
	uint64_t nan = (uint64_t)(v & F32_SIGN) << 32 | F64_INF | F64_QUIET | (uint64_t)(v & 0x7fffff) << 29;
	return f32_is_nan(v) ? nan : f64_bits(f32_value(v));
}

static inline uint32_t cvt_f64_to_f32(uint64_t v, unsigned mode)
{
	uint32_t sign = (uint32_t)(v >> 32) & F32_SIGN;
	struct float_parts in = f64_parts(v);
	if (f64_is_nan(v))
		return sign | F32_INF | 0x400000 | (uint32_t)(v >> 29 & 0x7fffff);
	if (f64_is_inf(v))
		return sign | F32_INF;
	return sign | (uint32_t)float_pack(&FORMAT_F32, in.negative, in.exp, in.mant, mode);
}

/* The integer nearest to |v| in the direction of v's sign; more than 64 bits stay more than 64 bits. */
static inline uint128 cvt_f64_whole(uint64_t v, unsigned mode)
{
	struct float_parts in = f64_parts(v);
	if (in.exp >= 0)
		return (uint128)in.mant << (in.exp < 64 ? in.exp : 64);
	int shift = -in.exp < 64 ? -in.exp : 64;
	return shift_round(in.mant, shift, mode, in.negative);
}

static inline uint64_t cvt_f64_rint(uint64_t v, unsigned mode)
{
	struct float_parts in = f64_parts(v);
	if (f64_is_nan(v))
		return v | F64_QUIET;
	if (in.exp >= 0)
		return v;
	return f64_pack(in.negative, 0, cvt_f64_whole(v, mode), ROUND_RZ);
}

/* To 32 or 64 bits. O is set where the result was clamped or was no number, except for a too large u64. */
static inline uint64_t cvt_f64_to_int(uint64_t v, unsigned mode, bool is_signed, int bytes, uint32_t *cc)
{
	bool negative = v >> 63;
	uint64_t all = bytes == 8 ? ~0ull : 0xffffffffull, top = all ^ all >> 1;
	uint64_t limit = is_signed ? (all >> 1) + negative : negative ? 0 : all;
	uint128 whole = f64_is_inf(v) ? (uint128)1 << 64 : cvt_f64_whole(v, mode);
	bool clamped = whole > limit;
	uint64_t size = clamped ? limit : (uint64_t)whole;
	uint64_t out = (negative ? 0 - size : size) & all;
	bool silent = bytes == 8 && !is_signed && !negative;
	if (f64_is_nan(v))
		out = top;
	*cc = (out == 0 ? FLAG_Z : 0) | (out & top ? FLAG_S : 0);
	*cc |= f64_is_nan(v) || (clamped && !silent) ? FLAG_O : 0;
	return out;
}

/* A 32- or 64-bit integer to a 64-bit float or a 64-bit integer to a 32-bit one. The sign that neg gives to an unsigned
 * source does not turn the direction of rounding (facts 4.6). */
static inline uint64_t cvt_long_to_float(uint64_t v, bool is_signed, bool neg, bool abs, unsigned mode,
					 const struct float_format *to, uint32_t *cc)
{
	bool below = is_signed && v >> 63;
	bool negative = (below && !abs) != neg;
	uint64_t size = below ? 0 - v : v;
	uint64_t out = float_pack(to, is_signed && negative, 0, size, mode);
	*cc = out == 0 ? FLAG_Z : negative ? FLAG_S : 0;
	return out | (uint64_t)negative << (to == &FORMAT_F64 ? 63 : 31);
}

#endif
