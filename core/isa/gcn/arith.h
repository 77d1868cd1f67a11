/* Parts common to GCN's arithmetic headers: words as floats and back, and rounding beyond the host's.
 *
 * Every operation is written once, for one lane, as an inline function over bit patterns; executors stamp the function
 * over the lanes (exec.h) and the compiler makes vectors of the loops. Frequent operations therefore have no branches:
 * both sides are computed and one is chosen.
 *
 * binary32 and binary64 are the host's arithmetic, rounded by MODE (valu.h). binary16 is computed in double, where sums
 * and products are exact, and rounded here, without need of the host. NaNs are not left to the host, whose choice of
 * two depends on the compiler's order of operands: a result is the first NaN source, made quiet, or else 0xffc00000
 * (0xfe00, 0xfff8…) ("AMD Vega ISA", V_DIV_FIXUP_F32). */
#ifndef WB_CORE_ISA_GCN_ARITH_H
#define WB_CORE_ISA_GCN_ARITH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/vector.h"
#include "core/isa/gcn/state.h"

/* Rounding directions of MODE. */
enum gcn_round { ROUND_NEAREST, ROUND_UP, ROUND_DOWN, ROUND_ZERO };

static inline unsigned round_16(uint32_t mode)
{
	return mode >> MODE_ROUND_64 & 3;
}

/* p + c cut to double, with the last bit set if anything fell off: rounding the result to fewer bits rounds the exact
 * sum. The host rounds to nearest. On the bits, for which all hosts have vectors. */
static inline double sum_to_odd(double p, double c)
{
	double s = p + c, t = s - p, error = (p - (s - t)) + (c - t);
	uint64_t bits = f64_bits(s), e = f64_bits(error), magnitude = e << 1;
	uint64_t inexact = (magnitude | (0 - magnitude)) >> 63, infinite = ((bits >> 52 & 0x7ff) + 1) >> 11;
	uint64_t inward = (e ^ bits) >> 63, moves = 0 - (inexact & ~infinite & ~bits & 1);

	return f64_value(bits + ((1 - 2 * inward) & moves));
}

/* a * b + c in binary32, rounded once, for hosts without the instruction: the product is exact in double. */
static inline float fma_by_double(float a, float b, float c)
{
	return (float)sum_to_odd((double)a * (double)b, (double)c);
}

static inline float f32_fused(float a, float b, float c, uint32_t mode)
{
	if (HOST_FUSES)
		return __builtin_fmaf(a, b, c);
	/* rounding twice in a direction is rounding once */
	return mode >> MODE_ROUND_32 & 3 ? (float)((double)a * (double)b + (double)c) : fma_by_double(a, b, c);
}

/* 2^n for -1022 <= n <= 1023. */
static inline double power_of_two(int n)
{
	return f64_value((uint64_t)(n + 1023) << 52);
}

static inline double f16_value(uint32_t v)
{
	uint32_t exponent = v >> 10 & 31, fraction = v & 0x3ff;
	uint64_t special = exponent == 31 ? 0x7ff0000000000000 | (uint64_t)fraction << 42 : 0;
	double tiny = (double)(int32_t)fraction * power_of_two(-24);
	double usual = f64_value((uint64_t)(exponent + 1023 - 15) << 52 | (uint64_t)fraction << 42);
	uint64_t magnitude = special ? special : f64_bits(exponent ? usual : tiny);

	return f64_value(magnitude | (uint64_t)(v >> 15 & 1) << 63);
}

/* Round to binary16. */
static inline uint32_t f16_round(double f, unsigned direction)
{
	uint64_t bits = f64_bits(f), mantissa = bits & 0xfffffffffffff;
	uint32_t sign = (uint32_t)(bits >> 63), v;
	int exponent = (int)(bits >> 52 & 0x7ff), e = exponent - 1023, shift;
	uint64_t kept, rest, half;
	bool away;

	if (exponent == 0x7ff)
		return sign << 15 | 0x7c00 | (uint32_t)(mantissa >> 42) | (mantissa ? 0x200 : 0);
	mantissa |= exponent ? 1ull << 52 : 0;
	shift = e < -14 ? 42 - 14 - e : 42;
	shift = shift > 60 ? 60 : shift;
	kept = mantissa >> shift;
	rest = mantissa & ((1ull << shift) - 1);
	half = 1ull << (shift - 1);
	away = direction == ROUND_NEAREST ? rest > half || (rest == half && kept & 1) :
	       direction == ROUND_ZERO ? false : rest && (direction == ROUND_DOWN) == sign;
	if (e > 15)
		kept = 0, v = 0x7c00;
	else
		v = (uint32_t)(e < -14 ? 0 : e + 14) << 10;
	v += (uint32_t)kept + away;
	if (v >= 0x7c00)
		v = direction == ROUND_NEAREST || (direction != ROUND_ZERO && (direction == ROUND_DOWN) == sign)
			    ? 0x7c00
			    : 0x7bff;
	return sign << 15 | v;
}

/* ---- the three formats ---- */

#define FLOAT_PASTE2(format, name) format##_##name
#define FLOAT_PASTE(format, name) FLOAT_PASTE2(format, name)
#define F(name) FLOAT_PASTE(FLOAT_FORMAT, name)

#define FLOAT_FORMAT f32
#define WORD uint32_t
#define SIGNED int32_t
#define VALUE float
#define MANTISSA 23
#define EXPONENT 8
#define DENORM MODE_DENORM_32
#define TO_WORD(v, mode) f32_bits(v)
#define FUSED(a, b, c, mode) f32_fused(a, b, c, mode)
#define MATH(name) name##f
#include "core/isa/gcn/arith_float.h"

#define FLOAT_FORMAT f64
#define WORD uint64_t
#define SIGNED int64_t
#define VALUE double
#define MANTISSA 52
#define EXPONENT 11
#define DENORM MODE_DENORM_64
#define TO_WORD(v, mode) f64_bits(v)
#define FUSED(a, b, c, mode) fma(a, b, c)
#define MATH(name) name
#include "core/isa/gcn/arith_float.h"

#define FLOAT_FORMAT f16
#define WORD uint32_t
#define SIGNED int32_t
#define VALUE double
#define MANTISSA 10
#define EXPONENT 5
#define DENORM MODE_DENORM_64
#define TO_WORD(v, mode) f16_round(v, round_16(mode))
#define FUSED(a, b, c, mode) sum_to_odd((a) * (b), c)
#define MATH(name) name
#include "core/isa/gcn/arith_float.h"

#endif
