/* The shader unit's 24-bit floats: 1 sign, 7 exponent (bias 63) and 16 fraction bits, held as the binary32 pattern of
 * the same value, so that host floats do the work (spec pica, "The 24-bit arithmetic, exactly").
 *
 * Each function is the meaning of one component. All are free of branches: executors loop over lanes and the compiler
 * makes vectors of the loops. `mode` is a constant at each call. Arguments and results are representable.
 *
 * Truncation costs one AND because the host rounds towards zero meanwhile: cutting the exact result to 24 bits and then
 * to 17 is cutting the result to 17. So F24_TRUNC calls of mul, add, mad and the dot products stand between f24_enter
 * and f24_leave; the functions defined in binary32 (rcp, rsq, ex2, lg2) stand outside. */
#ifndef WB_CORE_ISA_PICA_F24_H
#define WB_CORE_ISA_PICA_F24_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/bits.h"

/* A host that only rounds to nearest (WebAssembly) truncates what doubles have exactly, or rounded to odd. */
#ifdef __wasm__
#define F24_HOST_TRUNCATES 0
#elif !defined(F24_HOST_TRUNCATES)
#define F24_HOST_TRUNCATES 1
#include <fenv.h>
#endif

enum f24_mode {
	F24_TRUNC,      /* cut towards zero: the best evidence of the hardware (spec pica 1) */
	F24_RNE,        /* to nearest even */
	F24_OFF,        /* binary32, as the known emulators compute */
	F24_MODES
};

#define F24_SIGN 0x80000000u
#define F24_ONE  0x3f800000u
#define F24_INF  0x7f800000u
#define F24_CUT  0x7fu      /* bits of a binary32 fraction beyond the format */
#define F24_LITP_MAX 0x42fffe00u    /* 127.9961: 127 + 255/256 */
enum { F24_MIN_NORMAL = 0x20800000 /* 2^-62 */, F24_TOO_BIG = 0x5f800000 /* 2^64 */ };

/* The host's rounding for a piece of arithmetic: towards zero to truncate, else to nearest. Leave takes the result of
 * enter. On x86 a single register suffices; fesetround would also set the register of the old floating-point unit, at
 * the cost of a few instructions of a shader. */
#if defined(__SSE2__) && F24_HOST_TRUNCATES
static inline unsigned f24_enter(enum f24_mode mode)
{
	unsigned before = __builtin_ia32_stmxcsr(), rounding = 0x6000;

	__builtin_ia32_ldmxcsr(mode == F24_TRUNC ? before | rounding : before & ~rounding);
	return before;
}

static inline void f24_leave(unsigned before)
{
	__builtin_ia32_ldmxcsr(before);
}
#elif !F24_HOST_TRUNCATES
static inline unsigned f24_enter(enum f24_mode mode)
{
	return mode;
}

static inline void f24_leave(unsigned before)
{
	(void)before;
}
#else
static inline unsigned f24_enter(enum f24_mode mode)
{
	int before = fegetround();

	fesetround(mode == F24_TRUNC ? FE_TOWARDZERO : FE_TONEAREST);
	return (unsigned)before;
}

static inline void f24_leave(unsigned before)
{
	fesetround((int)before);
}
#endif

/* The magnitude as a signed number: SSE2 has only signed comparisons. */
static inline int32_t f24_mag(uint32_t x)
{
	return (int32_t)(x & ~F24_SIGN);
}

/* Flush below 2^-62 to +0, from 2^64 up to infinity, cut the fraction to 16 bits. */
static inline uint32_t f24_cut(uint32_t x)
{
	int32_t m = f24_mag(x);
	uint32_t r = x & ~F24_CUT;

	r = m >= F24_TOO_BIG && m <= (int32_t)F24_INF ? (x & F24_SIGN) | F24_INF : r;
	return m < F24_MIN_NORMAL ? 0 : r;
}

/* Round a double that is exact, or was rounded to odd, to nearest even. */
static inline uint32_t f24_nearest(double v)
{
	uint64_t x = f64_bits(v), m = x & ~(1ull << 63);
	bool tiny = m < (uint64_t)(1023 - 62) << 52, special = m >= 0x7ffull << 52;
	uint64_t up = x + 0x7ffffffffull + (x >> 36 & 1);

	x = special ? x : up & ~0xfffffffffull;
	return tiny ? 0 : f24_cut(f32_bits((float)f64_value(x)));
}

static inline uint32_t f24_flush(uint32_t x)
{
	return f24_mag(x) < F24_MIN_NORMAL ? 0 : x;
}

/* a + b rounded to odd: any shorter rounding of the result is right (Boldo and Melquiond 2008). */
static inline double f24_sum_odd(double a, double b)
{
	double s = a + b, bb = s - a, e = (a - (s - bb)) + (b - bb);
	uint64_t x = f64_bits(s);
	bool exact = e == 0 || !(s - s == 0);

	return f64_value(x + (exact || (x & 1) ? 0 : (e > 0) == (s > 0) ? 1 : UINT64_MAX));
}

/* A double that is exact, or was rounded to odd, to a float towards zero. */
static inline float f24_towards_zero(double v)
{
	return (float)f64_value(f64_bits(v) & ~0x1fffffffull);
}

/* Product and sum in the direction of the piece of arithmetic (f24_enter) with truncation. */
static inline float f24_product(float a, float b)
{
	return F24_HOST_TRUNCATES ? a * b : f24_towards_zero((double)a * (double)b);
}

static inline float f24_plus(float a, float b)
{
	return F24_HOST_TRUNCATES ? a + b : f24_towards_zero(f24_sum_odd(a, b));
}

static inline uint32_t f24_mul(uint32_t a, uint32_t b, enum f24_mode mode)
{
	int32_t ma = f24_mag(a), mb = f24_mag(b), least = mode == F24_OFF ? 1 : F24_MIN_NORMAL;
	bool zero = ((ma < least) | (mb < least)) & (ma <= (int32_t)F24_INF) & (mb <= (int32_t)F24_INF);
	uint32_t r;

	if (mode == F24_OFF) {
		bool inf = (ma == (int32_t)F24_INF) | (mb == (int32_t)F24_INF);
		r = f32_bits(f32_value(a) * f32_value(b));
		return (zero & inf) ? 0 : r;
	}
	if (mode == F24_RNE)
		r = f24_nearest((double)f32_value(a) * (double)f32_value(b));
	else
		r = f24_cut(f32_bits(f24_product(f32_value(a), f32_value(b))));
	return zero ? 0 : r;
}

/* The sum of values that are flushed already, such as results. */
static inline uint32_t f24_sum(uint32_t a, uint32_t b, enum f24_mode mode)
{
	if (mode == F24_OFF)
		return f32_bits(f32_value(a) + f32_value(b));
	if (mode == F24_RNE)
		return f24_nearest(f24_sum_odd(f32_value(a), f32_value(b)));
	return f24_cut(f32_bits(f24_plus(f32_value(a), f32_value(b))));
}

static inline uint32_t f24_add(uint32_t a, uint32_t b, enum f24_mode mode)
{
	return mode == F24_OFF ? f24_sum(a, b, mode) : f24_sum(f24_flush(a), f24_flush(b), mode);
}

/* Not fused: the product is rounded. */
static inline uint32_t f24_mad(uint32_t a, uint32_t b, uint32_t c, enum f24_mode mode)
{
	return f24_sum(f24_mul(a, b, mode), mode == F24_OFF ? c : f24_flush(c), mode);
}

/* Add a term to a dot product. A sum begins at +0, which matters only where -0 exists. */
static inline uint32_t f24_dot(uint32_t sum, uint32_t a, uint32_t b, enum f24_mode mode)
{
	return f24_sum(sum, f24_mul(a, b, mode), mode);
}

/* Cut sums and products of usual operands: right if no operand is subnormal and the highest bit of *odd, gathered over
 * any number of calls, stays 0. Infinite, NaN or too big operands or results set the bit; then the whole has to be
 * computed by the functions above. */
static inline uint32_t f24_cut_fast(float value)
{
	uint32_t x = f32_bits(value);

	return f24_mag(x) < F24_MIN_NORMAL ? 0 : x & ~F24_CUT;
}

static inline uint32_t f24_odd_from(float value, int32_t limit)
{
	return (uint32_t)(limit - 1 - f24_mag(f32_bits(value)));
}

static inline uint32_t f24_mul_fast(uint32_t a, uint32_t b, uint32_t *odd)
{
	float product = f24_product(f32_value(a), f32_value(b));

	*odd |= f24_odd_from(product, F24_TOO_BIG);
	return f24_cut_fast(product);
}

static inline uint32_t f24_add_fast(uint32_t a, uint32_t b, uint32_t *odd)
{
	float sum = f24_plus(f32_value(a), f32_value(b));

	*odd |= f24_odd_from(sum, F24_TOO_BIG);
	return f24_cut_fast(sum);
}

/* A term of a dot product of up to four, and the sum of terms: while each term is below a quarter of F24_TOO_BIG, no
 * sum is too big. */
static inline uint32_t f24_term_fast(uint32_t a, uint32_t b, uint32_t *odd)
{
	float product = f24_product(f32_value(a), f32_value(b));

	*odd |= f24_odd_from(product, F24_TOO_BIG - (2 << 23));
	return f24_cut_fast(product);
}

static inline uint32_t f24_dot_fast(uint32_t sum, uint32_t term)
{
	return f24_cut_fast(f24_plus(f32_value(sum), f32_value(term)));
}

static inline uint32_t f24_neg(uint32_t a, enum f24_mode mode)
{
	return mode != F24_OFF && f24_mag(a) == 0 ? 0 : a ^ F24_SIGN;
}

/* A binary32 result into the format. Not for sums and products, whose exact value is no binary32. */
static inline uint32_t f24_round(float f, enum f24_mode mode)
{
	if (mode == F24_OFF)
		return f32_bits(f);
	return mode == F24_RNE ? f24_nearest(f) : f24_cut(f32_bits(f));
}

/* Without a -0, the reciprocals of both zeros are +inf (seed 003). */
static inline uint32_t f24_rcp(uint32_t a, enum f24_mode mode)
{
	a = mode != F24_OFF && f24_mag(a) == 0 ? 0 : a;
	return f24_round(1.0f / f32_value(a), mode);
}

static inline uint32_t f24_rsq(uint32_t a, enum f24_mode mode)
{
	a = mode != F24_OFF && f24_mag(a) == 0 ? 0 : a;
	return f24_round(1.0f / sqrtf(f32_value(a)), mode);
}

static inline uint32_t f24_ex2(uint32_t a, enum f24_mode mode)
{
	return f24_round(exp2f(f32_value(a)), mode);
}

static inline uint32_t f24_lg2(uint32_t a, enum f24_mode mode)
{
	return f24_round(log2f(f32_value(a)), mode);
}

/* A signalling NaN becomes quiet, as everywhere; floorf differs from compiler to compiler here. */
static inline uint32_t f24_flr(uint32_t a, enum f24_mode mode)
{
	uint32_t r = f24_round(floorf(f32_value(a)), mode);

	return f24_mag(a) > (int32_t)F24_INF ? a | 0x400000 : r;
}

/* The comparisons neither flush nor round. max(NaN, x) = x and max(x, NaN) = NaN follow from the form; so does max(0,
 * -inf) = 0, seen on a console against seed 003 (spec pica 6). */
static inline uint32_t f24_max(uint32_t a, uint32_t b)
{
	return f32_value(a) > f32_value(b) ? a : b;
}

static inline uint32_t f24_min(uint32_t a, uint32_t b)
{
	return f32_value(a) < f32_value(b) ? a : b;
}

static inline uint32_t f24_sge(uint32_t a, uint32_t b)
{
	return f32_value(a) >= f32_value(b) ? F24_ONE : 0;
}

static inline uint32_t f24_slt(uint32_t a, uint32_t b)
{
	return f32_value(a) < f32_value(b) ? F24_ONE : 0;
}

/* The comparison operators of CMP by encoding; 6 and 7 are always true (seed 003). */
static inline bool f24_cmp(uint32_t a, uint32_t b, unsigned op)
{
	float x = f32_value(a), y = f32_value(b);

	switch (op) {
	case 0: return x == y;
	case 1: return x != y;
	case 2: return x < y;
	case 3: return x <= y;
	case 4: return x > y;
	case 5: return x >= y;
	default: return true;
	}
}

static inline uint32_t f24_litp_y(uint32_t y)
{
	return f24_max(f24_min(y, F24_LITP_MAX), F24_LITP_MAX | F24_SIGN);
}

/* MOVA: towards zero; values beyond any integer act as 0 (spec pica, "MOVA truncates"). */
static inline int32_t f24_to_int(uint32_t a)
{
	bool fits = f24_mag(a) < 0x4f000000;   /* 2^31 */

	return (int32_t)f32_value(fits ? a : 0);
}

/* The 24 raw bits of files to the value, exactly, subnormals and specials included. */
static inline uint32_t f24_from_raw(uint32_t raw)
{
	uint32_t sign = (raw & 0x800000) << 8, e = raw >> 16 & 0x7f, f = raw & 0xffff;

	if (e == 0x7f)
		return sign | F24_INF | f << 7;
	if (e == 0)
		return sign | f32_bits((float)f * 0x1p-78f);
	return sign | (e + 64) << 23 | f << 7;
}

/* A binary32 value to the 24 raw bits, towards zero, from 2^64 up to infinity. */
static inline uint32_t f24_to_raw(uint32_t x)
{
	uint32_t sign = (x & F24_SIGN) >> 8;
	int32_t m = f24_mag(x);

	if (m > (int32_t)F24_INF)
		return sign | 0x7f8000;
	if (m >= F24_TOO_BIG)
		return sign | 0x7f0000;
	if (m < F24_MIN_NORMAL)
		return sign | (uint32_t)(f32_value((uint32_t)m) * 0x1p78f);
	return sign | ((uint32_t)m - (64u << 23)) >> 7;
}

/* 0, or a magnitude with its whole fraction: no subnormal number, no infinity, no NaN. */
static inline bool f24_ordinary(uint32_t x)
{
	uint32_t m = x & ~F24_SIGN;

	return (m - F24_MIN_NORMAL < F24_TOO_BIG - F24_MIN_NORMAL) | (m == 0);
}

/* An input in the machine's format. */
static inline uint32_t f24_from_float(uint32_t x, enum f24_mode mode)
{
	if (f24_mag(x) >= F24_MIN_NORMAL && f24_mag(x) < F24_TOO_BIG && mode != F24_OFF)
		return x & ~F24_CUT;
	return mode == F24_OFF ? x : f24_from_raw(f24_to_raw(x));
}

#endif
