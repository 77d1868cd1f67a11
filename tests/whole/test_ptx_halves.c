/* f16 in PTX: arithmetic rounded once, and conversions from and to every type in every direction, against sums of whole
 * numbers; and what .sat and testp make of NaNs, zeros and denormals. An H100 gives the same results
 * (values of shared/data/h100, where a NaN's bits alone may differ). */
#include <fenv.h>
#include <math.h>

#include "tests/kit/ptx_body.h"

typedef __int128 fixed;          /* a number in steps of 2^-48 */

enum { STEP = 48, F16_INF = 0x7c00, F16_NAN = 0x7fff };
enum direction { NEAREST, ZERO, DOWN, UP };

static bool is_nan16(uint32_t h) { return (h & 0x7fff) > F16_INF; }
static bool is_inf16(uint32_t h) { return (h & 0x7fff) == F16_INF; }

static fixed fixed_of(uint32_t h)
{
	int32_t exponent = h >> 10 & 31, mantissa = h & 0x3ff;
	fixed size = exponent ? (fixed)(mantissa | 0x400) << (exponent - 25 + STEP) : (fixed)mantissa << (STEP - 24);

	return h & 0x8000 ? -size : size;
}

/* |x| as an f16, of steps of 2^-48; `more`: the number is a little larger than x. */
static uint32_t half_of_size(unsigned __int128 x, bool more, bool negative, enum direction d)
{
	unsigned shift = STEP - 24;      /* the last bit of a denormal */

	while (x >> shift >= 0x800)
		shift++;
	uint32_t kept = (uint32_t)(x >> shift);
	unsigned __int128 rest = x - ((unsigned __int128)kept << shift), middle = (unsigned __int128)1 << (shift - 1);
	bool up = d == NEAREST ? rest > middle || (rest == middle && (more || kept & 1))
		  : d == ZERO  ? false : (rest || more) && negative == (d == DOWN);
	kept += up;
	if (kept >= 0x800) {
		kept >>= 1;
		shift++;
	}
	uint32_t bits = kept < 0x400 ? kept : (shift - (STEP - 24) + 1) << 10 | (kept & 0x3ff);
	bool cut = d == ZERO || (d == DOWN && !negative) || (d == UP && negative);
	return bits >= F16_INF ? (cut ? F16_INF - 1 : F16_INF) : bits;
}

static uint32_t half_of_fixed(fixed x, bool zero_is_minus)
{
	bool negative = x < 0 || (!x && zero_is_minus);

	return half_of_size(x < 0 ? -(unsigned __int128)x : (unsigned __int128)x, false, negative, NEAREST) |
	       (negative ? 0x8000 : 0);
}

/* Any f64 as an f16. */
static uint32_t half_of_double(double v, enum direction d)
{
	bool negative = signbit(v);
	double size = fabs(v), steps = floor(ldexp(fmin(size, 1e6), STEP));

	if (isnan(v))
		return F16_NAN;
	if (isinf(v))
		return F16_INF | (negative ? 0x8000 : 0);
	bool more = ldexp(fmin(size, 1e6), STEP) != steps;
	return half_of_size((unsigned __int128)steps, more, negative, d) | (negative ? 0x8000 : 0);
}

static double double_of_half(uint32_t h)
{
	double size = (h & 0x7fff) < F16_INF ? ldexp((double)fixed_of(h & 0x7fff), -STEP)
		      : is_nan16(h)	     ? NAN
					     : INFINITY;

	return copysign(size, h & 0x8000 ? -1 : 1);
}

/* ---- arithmetic ---- */

static uint32_t sum16(uint32_t a, uint32_t b)
{
	if (is_nan16(a) || is_nan16(b) || (is_inf16(a) && is_inf16(b) && a != b))
		return F16_NAN;
	if (is_inf16(a) || is_inf16(b))
		return is_inf16(a) ? a : b;
	return half_of_fixed(fixed_of(a) + fixed_of(b), a & b & 0x8000);
}

static uint32_t fma16(uint32_t a, uint32_t b, uint32_t c, bool adds)
{
	uint32_t sign = (a ^ b) & 0x8000;
	bool infinite = is_inf16(a) || is_inf16(b), zero = !(a & 0x7fff) || !(b & 0x7fff);

	if (is_nan16(a) || is_nan16(b) || (adds && is_nan16(c)) || (infinite && zero) ||
	    (infinite && adds && is_inf16(c) && sign != (c & 0x8000)))
		return F16_NAN;
	if (infinite || (adds && is_inf16(c)))
		return infinite ? sign | F16_INF : c;
	fixed product = (fixed_of(a) >> (STEP - 24)) * (fixed_of(b) >> (STEP - 24));
	return half_of_fixed(product + (adds ? fixed_of(c) : 0),
			     sign && (!adds || c & 0x8000));
}

static uint32_t less16(uint32_t a, uint32_t b, bool most)
{
	double x = double_of_half(a), y = double_of_half(b);

	if (is_nan16(a) || is_nan16(b))
		return is_nan16(a) ? (is_nan16(b) ? F16_NAN : b) : a;
	if (x == y)
		return most ? a & b : a | b; /* of zeros */
	return (x < y) != most ? a : b;
}

static uint32_t clamp16(uint32_t h)
{
	return is_nan16(h) || h & 0x8000 ? 0 : h > 0x3c00 ? 0x3c00 : h;
}

#define HALF(name, expression) \
	static uint64_t name(uint32_t a, uint32_t b, uint32_t c) \
	{ \
		a &= 0xffff, b &= 0xffff, c &= 0xffff; \
		(void)c; \
		return (expression); \
	}
HALF(h_add, sum16(a, b))
HALF(h_sub, sum16(a, b ^ 0x8000))
HALF(h_mul, fma16(a, b, 0, false))
HALF(h_fma, fma16(a, b, c, true))
HALF(h_min, less16(a, b, false))
HALF(h_max, less16(a, b, true))
HALF(h_neg, a ^ 0x8000)
HALF(h_abs, a & 0x7fff)
HALF(h_sat, clamp16(sum16(a, b)))
HALF(h_lt, double_of_half(a) < double_of_half(b))
HALF(h_geu, !(double_of_half(a) < double_of_half(b)))
HALF(h_set16, double_of_half(a) == double_of_half(b) ? 0x3c00 : 0)
HALF(h_set, double_of_half(a) == double_of_half(b) ? 0x3f800000 : 0)

static uint64_t both(uint64_t (*model)(uint32_t, uint32_t, uint32_t), uint32_t a, uint32_t b, uint32_t c)
{
	return model(a, b, c) | model(a >> 16, b >> 16, c >> 16) << 16;
}
#define BOTH(name, of) static uint64_t name(uint32_t a, uint32_t b, uint32_t c) { return both(of, a, b, c); }
BOTH(p_add, h_add)
BOTH(p_sub, h_sub)
BOTH(p_mul, h_mul)
BOTH(p_fma, h_fma)
BOTH(p_min, h_min)
BOTH(p_neg, h_neg)
BOTH(p_abs, h_abs)

/* ---- bf16 ---- */

enum { BF16_INF = 0x7f80 };

static bool is_nan_b(uint32_t h) { return (h & 0x7fff) > BF16_INF; }

/* A denormal is a zero. */
static double double_of_b(uint32_t h)
{
	uint32_t word = (h & BF16_INF ? h : h & 0x8000) << 16;
	float f;

	memcpy(&f, &word, sizeof f);
	return f;
}

/* The number v, and a little more or less by the sign of `more`, as a bf16. */
static uint32_t bfloat_of(double v, double more, enum direction d)
{
	uint32_t sign = signbit(v) ? 0x8000 : 0;
	int exponent;

	if (isnan(v))
		return F16_NAN;
	if (isinf(v) || v == 0)
		return sign | (v == 0 ? 0 : BF16_INF);
	double size = frexp(fabs(v), &exponent) * 256, rest = size - floor(size); /* 8 bits before the point */
	double away = signbit(v) ? -more : more;
	uint32_t kept = (uint32_t)size;
	kept += d == NEAREST && (rest > 0.5 || (rest == 0.5 && (away > 0 || (away == 0 && kept & 1))));
	if (kept == 256) {
		kept = 128;
		exponent++;
	}
	if (exponent + 126 < 1)
		return sign;
	return exponent + 126 > 254 ? sign | BF16_INF : sign | (uint32_t)(exponent + 126) << 7 | (kept & 0x7f);
}

/* x + y in one rounding: the error of the sum of two is exact (Knuth). */
static uint32_t bfloat_sum(double x, double y, bool relu)
{
	double s = x + y, part = s - x, more = isfinite(s) ? (x - (s - part)) + (y - part) : 0;

	if (relu && (s < 0 || s == 0))
		return 0;
	return bfloat_of(s, more, NEAREST);
}

static uint32_t bfloat_less(uint32_t a, uint32_t b, bool most, bool nan)
{
	double x = double_of_b(a), y = double_of_b(b);

	if (is_nan_b(a) || is_nan_b(b))
		return nan || (is_nan_b(a) && is_nan_b(b)) ? F16_NAN : bfloat_of(is_nan_b(a) ? y : x, 0, NEAREST);
	if (x == y)
		return bfloat_of(signbit(x) && (!most || signbit(y)) ? x : signbit(y) && !most ? y : y, 0, NEAREST);
	return bfloat_of((x < y) != most ? x : y, 0, NEAREST);
}

#define BHALF(name, expression) \
	static uint64_t name(uint32_t a, uint32_t b, uint32_t c) \
	{ \
		double x = double_of_b(a & 0xffff), y = double_of_b(b & 0xffff), z = double_of_b(c & 0xffff); \
		(void)z; \
		return (expression); \
	}
BHALF(b_add, bfloat_sum(x, y, false))
BHALF(b_sub, bfloat_sum(x, -y, false))
BHALF(b_mul, bfloat_of(x * y, 0, NEAREST))
BHALF(b_fma, bfloat_sum(x * y, z, false))
BHALF(b_fma_relu, bfloat_sum(x * y, z, true))
BHALF(b_max, ((void)(x + y), bfloat_less(a & 0xffff, b & 0xffff, true, false)))
BHALF(b_min_nan, ((void)(x + y), bfloat_less(a & 0xffff, b & 0xffff, false, true)))
BHALF(b_lt, x < y)
BHALF(b_neg, ((void)(x + y), (a ^ 0x8000) & 0xffff))
BOTH(bp_add, b_add)
BOTH(bp_fma, b_fma)

/* fma with a product that f32 takes for 0 is left to the next bits. */
static bool is_tiny(uint32_t a, uint32_t b, uint32_t c)
{
	double x = double_of_b(a & 0xffff), y = double_of_b(b & 0xffff), z = double_of_b(c & 0xffff), s = x * y + z;

	return fabs(s) < 0x1p-124 || (x * y != 0 && fabs(x * y) < 0x1p-124) || fabs(x + y) < 0x1p-124 ||
	       fabs(x - y) < 0x1p-124;
}

static bool near_denormals(const char *body, uint32_t a, uint32_t b, uint32_t c)
{
	bool computes = strstr(body, "bf16") && !strstr(body, "cvt.r") && !strstr(body, "cvt.f32");

	return computes && (is_tiny(a, b, c) || is_tiny(a >> 16, b >> 16, c >> 16));
}

/* ---- more of f16 ---- */

static uint32_t rectified16(uint32_t h) { return is_nan16(h) ? F16_NAN : h & 0x8000 ? 0 : h; }
static uint32_t flushed16(uint32_t h) { return h & 0x7c00 ? h : h & 0x8000; }
HALF(h_fma_relu, rectified16(fma16(a, b, c, true)))
HALF(h_add_ftz, flushed16(sum16(flushed16(a), flushed16(b))))
HALF(h_xorsign, is_nan16(a) || is_nan16(b) ? less16(a & 0x7fff, b & 0x7fff, true) | ((a ^ b) & 0x8000)
	       : less16(a & 0x7fff, b & 0x7fff, true) | ((a ^ b) & 0x8000))
static uint64_t p_setp(uint32_t a, uint32_t b, uint32_t c)
{
	(void)c;
	return (double_of_half(a & 0xffff) < double_of_half(b & 0xffff)) +
	       2u * (double_of_half(a >> 16) < double_of_half(b >> 16));
}
static uint64_t p_set(uint32_t a, uint32_t b, uint32_t c)
{
	return (p_setp(a, b, c) & 1 ? 0x3c00 : 0) | (p_setp(a, b, c) & 2 ? 0x3c000000 : 0);
}
static uint64_t p_set_words(uint32_t a, uint32_t b, uint32_t c)
{
	return (p_setp(a, b, c) & 1 ? 0xffff : 0) | (p_setp(a, b, c) & 2 ? 0xffff0000 : 0);
}

/* ---- conversions ---- */

static double float_of(uint32_t a)
{
	float f;

	memcpy(&f, &a, sizeof f);
	return fpclassify(f) == FP_SUBNORMAL ? copysign(0, f) : f;
}

static double double_of(uint32_t low, uint32_t high)
{
	uint64_t bits = (uint64_t)high << 32 | low;
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

/* A number of up to 64 bits as a double is not exact, but f16 ends long before. */
static uint32_t half_of_int(int64_t v, bool is_unsigned, enum direction d)
{
	double x = is_unsigned ? (double)(uint64_t)v : (double)v;

	return half_of_double(x, d);
}

#define WORD(name, expression) \
	static uint64_t name(uint32_t a, uint32_t b, uint32_t c) \
	{ \
		(void)b; (void)c; \
		return (uint64_t)(expression); \
	}
#define EACH_WAY(name, of, ...) \
	WORD(name##_rn, of(__VA_ARGS__, NEAREST)) WORD(name##_rz, of(__VA_ARGS__, ZERO)) \
	WORD(name##_rm, of(__VA_ARGS__, DOWN)) WORD(name##_rp, of(__VA_ARGS__, UP))
EACH_WAY(c_f32, half_of_double, float_of(a))
EACH_WAY(c_f64, half_of_double, double_of(a, b))
EACH_WAY(c_s32, half_of_int, (int32_t)a, false)
EACH_WAY(c_u32, half_of_int, a, true)
EACH_WAY(c_s16, half_of_int, (int16_t)a, false)
EACH_WAY(c_u8, half_of_int, (uint8_t)a, true)
EACH_WAY(c_s64, half_of_int, (int64_t)((uint64_t)b << 32 | a), false)
EACH_WAY(c_u64, half_of_int, (int64_t)((uint64_t)b << 32 | a), true)

WORD(c_f32_sat, clamp16(half_of_double(float_of(a), NEAREST)))
WORD(c_s32_sat, (int32_t)a <= 0 ? 0 : 0x3c00)
WORD(c_f64_sat, clamp16(half_of_double(double_of(a, b), NEAREST)))
WORD(c_16_sat, clamp16(a & 0xffff))
WORD(c_16_floor, is_nan16(a & 0xffff) ? F16_NAN : half_of_double(floor(double_of_half(a & 0xffff)), NEAREST))

static uint64_t bits64(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof bits);
	return bits;
}
WORD(c_to_f64, is_nan16(a & 0xffff) ? 0x7fffffffe0000000u : bits64(double_of_half(a & 0xffff)))

static uint64_t whole_of(uint32_t h, bool is_unsigned)
{
	double d = double_of_half(h & 0xffff);

	if (isnan(d)) /* of 64 bits, as ISA says */
		return 1ull << 63;
	if (is_unsigned && d < 0)
		return 0;
	if (isinf(d))
		return d < 0 ? (uint64_t)INT64_MIN : is_unsigned ? UINT64_MAX : INT64_MAX;
	return d < 0 ? (uint64_t)(int64_t)d : (uint64_t)d;
}
WORD(c_to_s64, whole_of(a, false))
WORD(c_to_u64, whole_of(a, true))

WORD(c_pair_rn, half_of_double(float_of(b), NEAREST) | half_of_double(float_of(a), NEAREST) << 16)
WORD(c_pair_rz, half_of_double(float_of(b), ZERO) | half_of_double(float_of(a), ZERO) << 16)

static double exact_float(uint32_t a)
{
	float f;

	memcpy(&f, &a, sizeof f);
	return f;
}
static uint32_t bfloat_of_word(uint32_t a, bool cut)
{
	uint32_t bits = a + (cut ? 0 : 0x7fff + (a >> 16 & 1));

	return isnan(exact_float(a)) ? F16_NAN : bits >> 16;
}
WORD(c_bf16, bfloat_of_word(a, false))
WORD(c_bf16_rz, bfloat_of_word(a, true))
WORD(c_bf16_relu, exact_float(a) <= 0 || float_of(a) == 0 ? 0 : bfloat_of_word(a, false))
WORD(c_bpair, bfloat_of_word(b, false) | bfloat_of_word(a, false) << 16)
WORD(c_of_bf16, (a & 0xffff) << 16)
static uint32_t int_of_b(double d)
{
	return isnan(d) ? 0 : (uint32_t)(int32_t)fmax(fmin(d, 0x7fffffff), -0x80000000ll);
}
WORD(c_bf16_s32, int_of_b(double_of_b(a & 0xffff)))
WORD(c_tf32, isnan(exact_float(a)) ? a & ~0x1fffu : (a + 0x1000) & ~0x1fffu)
WORD(c_tf32_rn, isnan(exact_float(a)) ? 0x7fffffff : (a + 0xfff + (a >> 13 & 1)) & ~0x1fffu)

/* ---- directed rounding of f32 ---- */

static uint32_t directed(int mode, uint32_t a, uint32_t b, uint32_t c, char op)
{
	fesetround(mode);
	volatile double x = float_of(a), y = float_of(b), z = float_of(c);
	volatile double d = op == 'f' ? fma(x, y, z) : op == '+' ? x + y : op == '-' ? x - y : x * y;
	volatile float f = (float)d;
	fesetround(FE_TONEAREST);
	float flushed = fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
	uint32_t bits;
	memcpy(&bits, &flushed, sizeof bits);
	return isnan(f) ? 0x7fffffff : bits;
}
WORD(f_fma_rm, directed(FE_DOWNWARD, a, b, c, 'f'))
WORD(f_fma_rz, directed(FE_TOWARDZERO, a, b, c, 'f'))
WORD(f_add_rp, directed(FE_UPWARD, a, b, c, '+'))
WORD(f_sub_rm, directed(FE_DOWNWARD, a, b, c, '-'))
WORD(f_mul_rp, directed(FE_UPWARD, a, b, c, '*'))

/* ---- .sat and testp ---- */

static uint32_t clamp32(float f)
{
	f = isnan(f) || f < 0 ? 0 : f > 1 ? 1 : f;
	f = fpclassify(f) == FP_SUBNORMAL ? 0 : f;
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits & ~0x80000000u;
}
#define FA ((float)float_of(a))
#define FB ((float)float_of(b))
WORD(s_add, clamp32(FA + FB))
WORD(s_mul, clamp32(FA * FB))
WORD(s_cvt, clamp32(FA))
WORD(s_cvt64, clamp32((float)double_of(a, b)))

static unsigned kinds(uint64_t m, uint64_t least, uint64_t infinite)
{
	return (m < infinite) | (m == infinite) << 1 | (m <= infinite) << 2 | (m > infinite) << 3 |
	       (!m || (m >= least && m < infinite)) << 4 | (m && m < least) << 5;
}
WORD(t_f32, kinds(a & 0x7fffffff, 0x800000, 0x7f800000))
WORD(t_f64, kinds(((uint64_t)b << 32 | a) & ~(1ull << 63), 1ull << 52, 0x7ffull << 52))

#define TESTS(type, reg) \
	"mov.u32 %r8, 0;" \
	"testp.finite." type " %p1, " reg "; @%p1 or.b32 %r8, %r8, 1;" \
	"testp.infinite." type " %p1, " reg "; @%p1 or.b32 %r8, %r8, 2;" \
	"testp.number." type " %p1, " reg "; @%p1 or.b32 %r8, %r8, 4;" \
	"testp.notanumber." type " %p1, " reg "; @%p1 or.b32 %r8, %r8, 8;" \
	"testp.normal." type " %p1, " reg "; @%p1 or.b32 %r8, %r8, 16;" \
	"testp.subnormal." type " %p1, " reg "; @%p1 or.b32 %r8, %r8, 32;"

static const struct row {
	const char *body;
	uint64_t (*model)(uint32_t a, uint32_t b, uint32_t c);
	unsigned sm;
} rows[] = {
#define H3(text) text " cvt.u32.u16 %r8, %h3;"
	{ H3("add.f16 %h3, %h1, %h2;"), h_add, 10 },
	{ H3("add.rn.sat.f16 %h3, %h1, %h2;"), h_sat, 10 },
	{ H3("sub.f16 %h3, %h1, %h2;"), h_sub, 10 },
	{ H3("mul.f16 %h3, %h1, %h2;"), h_mul, 10 },
	{ H3("cvt.u16.u32 %h4, %r3; fma.rn.f16 %h3, %h1, %h2, %h4;"), h_fma, 10 },
	{ H3("min.f16 %h3, %h1, %h2;"), h_min, 10 },
	{ H3("max.f16 %h3, %h1, %h2;"), h_max, 10 },
	{ H3("neg.f16 %h3, %h1;"), h_neg, 10 },
	{ H3("abs.f16 %h3, %h1;"), h_abs, 10 },
	{ "add.f16x2 %r8, %r1, %r2;", p_add, 10 },
	{ "sub.f16x2 %r8, %r1, %r2;", p_sub, 10 },
	{ "mul.f16x2 %r8, %r1, %r2;", p_mul, 10 },
	{ "fma.rn.f16x2 %r8, %r1, %r2, %r3;", p_fma, 10 },
	{ "min.f16x2 %r8, %r1, %r2;", p_min, 10 },
	{ "neg.f16x2 %r8, %r1;", p_neg, 10 },
	{ "abs.f16x2 %r8, %r1;", p_abs, 10 },
	{ H3("cvt.u16.u32 %h4, %r3; fma.rn.relu.f16 %h3, %h1, %h2, %h4;"), h_fma_relu, 10 },
	{ H3("add.ftz.f16 %h3, %h1, %h2;"), h_add_ftz, 10 },
	{ H3("max.xorsign.abs.f16 %h3, %h1, %h2;"), h_xorsign, 10 },
	{ "setp.lt.f16x2 %p1|%p2, %r1, %r2; selp.u32 %r8, 1, 0, %p1; @%p2 add.u32 %r8, %r8, 2;", p_setp, 10 },
	{ "set.lt.f16x2.f16x2 %r8, %r1, %r2;", p_set, 10 },
	{ "set.lt.u32.f16x2 %r8, %r1, %r2;", p_set_words, 10 },
#define B3(text) text " cvt.u32.u16 %r8, %h3; // bf16"
	{ B3("add.bf16 %h3, %h1, %h2;"), b_add, 10 },
	{ B3("sub.rn.bf16 %h3, %h1, %h2;"), b_sub, 10 },
	{ B3("mul.bf16 %h3, %h1, %h2;"), b_mul, 10 },
	{ B3("cvt.u16.u32 %h4, %r3; fma.rn.bf16 %h3, %h1, %h2, %h4;"), b_fma, 10 },
	{ B3("cvt.u16.u32 %h4, %r3; fma.rn.relu.bf16 %h3, %h1, %h2, %h4;"), b_fma_relu, 10 },
	{ B3("max.bf16 %h3, %h1, %h2;"), b_max, 10 },
	{ B3("min.NaN.bf16 %h3, %h1, %h2;"), b_min_nan, 10 },
	{ B3("neg.bf16 %h3, %h1;"), b_neg, 10 },
	{ "setp.lt.bf16 %p1, %h1, %h2; selp.u32 %r8, 1, 0, %p1;", b_lt, 10 },
	{ "add.bf16x2 %r8, %r1, %r2;", bp_add, 10 },
	{ "fma.rn.bf16x2 %r8, %r1, %r2, %r3;", bp_fma, 10 },
	{ B3("mov.b32 %f1, %r1; cvt.rn.bf16.f32 %h3, %f1;"), c_bf16, 10 },
	{ B3("mov.b32 %f1, %r1; cvt.rz.bf16.f32 %h3, %f1;"), c_bf16_rz, 10 },
	{ B3("mov.b32 %f1, %r1; cvt.rn.relu.bf16.f32 %h3, %f1;"), c_bf16_relu, 10 },
	{ "mov.b32 %f1, %r1; mov.b32 %f2, %r2; cvt.rn.bf16x2.f32 %r8, %f1, %f2;", c_bpair, 10 },
	{ "cvt.f32.bf16 %f1, %h1; mov.b32 %r8, %f1;", c_of_bf16, 10 },
	{ "cvt.rzi.s32.bf16 %r8, %h1;", c_bf16_s32, 10 },
	{ "mov.b32 %f1, %r1; cvt.rna.tf32.f32 %r8, %f1;", c_tf32, 10 },
	{ "mov.b32 %f1, %r1; cvt.rn.tf32.f32 %r8, %f1;", c_tf32_rn, 10 },
	{ "setp.lt.f16 %p1, %h1, %h2; selp.u32 %r8, 1, 0, %p1;", h_lt, 10 },
	{ "setp.geu.f16 %p1, %h1, %h2; selp.u32 %r8, 1, 0, %p1;", h_geu, 10 },
	{ H3("set.eq.f16.f16 %h3, %h1, %h2;"), h_set16, 10 },
	{ "set.eq.f32.f16 %f1, %h1, %h2; mov.b32 %r8, %f1;", h_set, 10 },
#define WAYS(type, prepare, source, model, sm) \
	{ H3(prepare "cvt.rn.f16." type " %h3, " source ";"), model##_rn, sm }, \
	{ H3(prepare "cvt.rz.f16." type " %h3, " source ";"), model##_rz, sm }, \
	{ H3(prepare "cvt.rm.f16." type " %h3, " source ";"), model##_rm, sm }, \
	{ H3(prepare "cvt.rp.f16." type " %h3, " source ";"), model##_rp, sm }
	WAYS("f32", "mov.b32 %f1, %r1;", "%f1", c_f32, 10),
	WAYS("f64", "mov.b64 %e1, %d1;", "%e1", c_f64, 13),
	WAYS("s32", "", "%r1", c_s32, 10),
	WAYS("u32", "", "%r1", c_u32, 10),
	WAYS("s16", "", "%h1", c_s16, 10),
	WAYS("u8", "", "%h1", c_u8, 10),
	WAYS("s64", "", "%d1", c_s64, 10),
	WAYS("u64", "", "%d1", c_u64, 10),
	{ H3("mov.b32 %f1, %r1; cvt.rn.sat.f16.f32 %h3, %f1;"), c_f32_sat, 10 },
	{ H3("cvt.rn.sat.f16.s32 %h3, %r1;"), c_s32_sat, 10 },
	{ H3("mov.b64 %e1, %d1; cvt.rn.sat.f16.f64 %h3, %e1;"), c_f64_sat, 13 },
	{ H3("cvt.sat.f16.f16 %h3, %h1;"), c_16_sat, 10 },
	{ H3("cvt.rmi.f16.f16 %h3, %h1;"), c_16_floor, 10 },
	{ "cvt.f64.f16 %e1, %h1; mov.b64 %d8, %e1;", c_to_f64, 13 },
	{ "cvt.rzi.s64.f16 %d8, %h1;", c_to_s64, 10 },
	{ "cvt.rzi.u64.f16 %d8, %h1;", c_to_u64, 10 },
#define F2 "mov.b32 %f1, %r1; mov.b32 %f2, %r2;"
#define F8 "mov.b32 %r8, %f3;"
	{ F2 "add.sat.f32 %f3, %f1, %f2;" F8, s_add, 10 },
	{ F2 "mul.sat.f32 %f3, %f1, %f2;" F8, s_mul, 10 },
	{ F2 "cvt.sat.f32.f32 %f3, %f1;" F8, s_cvt, 10 },
	{ "mov.b64 %e1, %d1; cvt.rn.sat.f32.f64 %f3, %e1;" F8, s_cvt64, 13 },
	{ F2 "cvt.rn.f16x2.f32 %r8, %f1, %f2;", c_pair_rn, 10 },
	{ F2 "cvt.rz.f16x2.f32 %r8, %f1, %f2;", c_pair_rz, 10 },
	{ F2 "mov.b32 %f4, %r3; fma.rm.f32 %f3, %f1, %f2, %f4;" F8, f_fma_rm, 13 },
	{ F2 "mov.b32 %f4, %r3; fma.rz.f32 %f3, %f1, %f2, %f4;" F8, f_fma_rz, 13 },
	{ F2 "add.rp.f32 %f3, %f1, %f2;" F8, f_add_rp, 13 },
	{ F2 "sub.rm.f32 %f3, %f1, %f2;" F8, f_sub_rm, 13 },
	{ F2 "mul.rp.f32 %f3, %f1, %f2;" F8, f_mul_rp, 13 },
	{ F2 TESTS("f32", "%f1"), t_f32, 10 },
	{ "mov.b64 %e1, %d1;" TESTS("f64", "%e1"), t_f64, 13 },
};

/* Words whose halves, and words that as floats, are at the ends of f16 and f32. */
static uint32_t edge(unsigned i)
{
	static const uint32_t edges[] = {
		0, 0x80000000, 0x00000001, 0x80008001, 0x03ff0400, 0x7bff7c00, 0xfbfffc00, 0x7c017e00,
		0x3c003c01, 0x3bff3c00, 0x04008400, 0x00018000, 0x7bff7bff, 0x14001000, 0x68007bff, 0x477fefff,
		0x477ff000, 0x477fffff, 0x47800000, 0xc77ff000, 0x33000000, 0x33000001, 0x32ffffff, 0x33800000,
		0x38800000, 0x387fe000, 0x387fefff, 0x00800000, 0x00000400, 0x01000000, 0x2e800000, 0xae800000,
		0x3f800000, 0x3f800001, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x807fffff,
		0x7fffffff, 0x0000ffff, 0x00010000, 0x0001ffff, 0xfffe0001, 0x0000ffe0, 0x0000ffef, 0x0000fff0,
		0x40effe00, 0x40efffff, 0x36b00000, 0xb6b00000, 0x36a00000, 0x3e700000, 0x7ff00000, 0xfff00000,
		0x7ff80000, 0x000fffff, 0x00100000, 0x3ff00000, 0x7f7f7f7f, 0xff7f7f7f, 0x7f80ff80, 0x00807f81,
		0x3f803f81, 0x3b803b80, 0xbf80bf80, 0x7e807e81, 0xfe80fe80, 0x40404040, 0x43804381, 0x3f7fff7f,
	};

	return edges[i % (sizeof edges / sizeof *edges)];
}

static bool is_half(const char *body) { return strstr(body, "%h3") != NULL; }

static bool equal_bfloat(uint32_t found, uint32_t want) { return found == want || (is_nan_b(found) && is_nan_b(want)); }

/* All bits of a NaN are alike to a program, as NaNs are. */
static bool equal(const struct row *r, uint64_t found, uint64_t want)
{
	if (strstr(r->body, "neg") || strstr(r->body, ".abs.f16x2") || strstr(r->body, "abs.f16 "))
		return found == want;
	if (strstr(r->body, "// bf16"))
		return equal_bfloat((uint32_t)found, (uint32_t)want);
	if (strstr(r->body, "bf16x2"))
		return equal_bfloat(found & 0xffff, want & 0xffff) && equal_bfloat(found >> 16 & 0xffff, want >> 16);
	if (is_half(r->body))
		return found == want || (is_nan16((uint32_t)found) && is_nan16((uint32_t)want));
	if (strstr(r->body, "f16x2")) {
		bool low = (found & 0xffff) == (want & 0xffff) ||
			   (is_nan16(found & 0xffff) && is_nan16(want & 0xffff));
		return low && (found >> 16 == want >> 16 ||
			       (is_nan16((uint32_t)found >> 16) && is_nan16((uint32_t)want >> 16)));
	}
	return found == want;
}

static void halves_are_rounded_once(void **state)
{
	static const uint32_t far[][3] = {
		{ 0x7f7f7f7f, 0x7f7f7f7f, 0xff80ff80 }, { 0x7f7f7f7f, 0xff7fff7f, 0x7f7f7f7f },
		{ 0x7f807f80, 0x17801780, 0x00000000 }, { 0x00800080, 0x7f807f80, 0xff7fff7f },
	};
	static uint32_t in[3][WORDS];
	uint64_t seed = 1, out[WORDS];
	unsigned nwrong = 0;

	for (unsigned i = 0; i < WORDS; i++)
		for (unsigned k = 0; k < 3; k++)
			in[k][i] = i % 2 ? next_word(&seed) ^ next_word(&seed) << 16
					 : edge(k ? i * (k + 2) / 7 + k : i / 2);
	/* products of bf16 beyond f32, and an infinity or a number that the product does not reach */
	for (unsigned i = 0; i < sizeof far / sizeof *far; i++)
		for (unsigned k = 0; k < 3; k++)
			in[k][i] = far[i][k];
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		for (unsigned c = rows[r].sm == 13 ? 3 : 0; c < 4; c += 3) {
			bool wide = strstr(rows[r].body, "%d8");
			run_body(rows[r].body, wide, chips[c], in, out);
			for (unsigned i = 0; i < WORDS; i++) {
				uint64_t want = rows[r].model(in[0][i], in[1][i], in[2][i]);
				if (equal(&rows[r], out[i], want) ||
				    near_denormals(rows[r].body, in[0][i], in[1][i], in[2][i]))
					continue;
				print_error("%s on %s: of 0x%x, 0x%x, 0x%x found 0x%" PRIx64 ", expected 0x%" PRIx64
					    "\n", rows[r].body, chips[c], in[0][i], in[1][i], in[2][i], out[i], want);
				nwrong++;
				break;
			}
		}
	}
	assert_int_equal(nwrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(halves_are_rounded_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
