/* Arithmetic in double precision: the product of two f32 is exact in it. significant() cuts or rounds to 24 bits, as
 * the hardware does, and finish() flushes what is below the normal numbers. Special functions interpolate in the table
 * that was read off the hardware. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/corpus/reference.h"

#define NAN_BITS 0x7fffffffu
#define INF_BITS 0x7f800000u
#define SIGN_BIT 0x80000000u

uint32_t ref_bits(float f)
{
	uint32_t v;

	memcpy(&v, &f, 4);
	return v;
}

float ref_float(uint32_t v)
{
	float f;

	memcpy(&f, &v, 4);
	return f;
}

/* ---- f32 ---- */

/* Denormals count as zero of their sign; a NaN is one value. */
uint32_t ref_copy(uint32_t a)
{
	if (isnan(ref_float(a)))
		return NAN_BITS;
	return a & INF_BITS ? a : a & SIGN_BIT;
}

static double value(uint32_t a)
{
	return (double)ref_float(ref_copy(a));
}

/* The double d cut or rounded to 24 significant bits whatever its exponent. */
static double significant(double d, enum rounding mode)
{
	int e;
	double m;

	if (!isfinite(d) || d == 0)
		return d;
	m = ldexp(frexp(d, &e), 24);
	return ldexp(mode == ZERO ? trunc(m) : nearbyint(m), e - 24);
}

/* To f32: rounded with no lower end of the exponent, then what is below the normal numbers is zero. */
static uint32_t finish(double d, enum rounding mode)
{
	double r = significant(d, mode);

	if (isnan(r))
		return NAN_BITS;
	if (isfinite(d) && fabs(r) > 0x1.fffffep127)
		return (signbit(d) ? SIGN_BIT : 0) | (mode == ZERO ? 0x7f7fffff : INF_BITS);
	if (fabs(r) < 0x1p-126)
		return signbit(d) ? SIGN_BIT : 0;
	return ref_bits((float)r);
}

/* a + b toward zero in double: the rounded sum, one step back if it went past the exact one. */
static double sum_toward_zero(double a, double b)
{
	double s = a + b, part = s - a, rest = (a - (s - part)) + (b - part);

	return isfinite(s) && rest != 0 && signbit(rest) != signbit(s) ? nextafter(s, 0) : s;
}

uint32_t ref_add(uint32_t a, uint32_t b, enum rounding mode)
{
	double x = value(a), y = value(b);

	return finish(mode == ZERO ? sum_toward_zero(x, y) : x + y, mode);
}

uint32_t ref_mul(uint32_t a, uint32_t b, enum rounding mode)
{
	return finish(value(a) * value(b), mode);
}

uint32_t ref_mad(uint32_t a, uint32_t b, uint32_t c)
{
	double x = value(a), y = value(b), z = value(c);

	if (x == 0 || y == 0 || z == 0)
		return ref_add(ref_mul(a, b, NEAREST), c, NEAREST);
	return ref_copy(ref_bits((float)(significant(x * y, ZERO) + z)));
}

/* -1, 0 or 1 as a comes before, with or after b; zeros in the order of their signs. */
static int order(uint32_t a, uint32_t b)
{
	double x = value(a), y = value(b);

	if (x == 0 && y == 0)
		return (int)(b >> 31) - (int)(a >> 31);
	return (x > y) - (x < y);
}

uint32_t ref_min(uint32_t a, uint32_t b)
{
	if (isnan(value(a)) || isnan(value(b)))
		return ref_copy(isnan(value(a)) ? b : a);
	return ref_copy(order(a, b) <= 0 ? a : b);
}

uint32_t ref_max(uint32_t a, uint32_t b)
{
	if (isnan(value(a)) || isnan(value(b)))
		return ref_copy(isnan(value(a)) ? b : a);
	return ref_copy(order(a, b) >= 0 ? a : b);
}

uint32_t ref_saturate(uint32_t a)
{
	double x = value(a);

	if (isnan(x))
		return NAN_BITS;
	return x <= 0 ? 0 : x >= 1 ? ref_bits(1) : ref_copy(a);
}

uint32_t ref_floor(uint32_t a)
{
	return isnan(value(a)) ? NAN_BITS : ref_bits((float)floor(value(a)));
}

uint32_t ref_from_int(int32_t v)
{
	return finish(v, ZERO);
}

uint32_t ref_to_int(uint32_t a)
{
	double x = trunc(value(a));

	if (isnan(x))
		return 0;
	return (uint32_t)(x >= 0x1p31 ? INT32_MAX : x < -0x1p31 ? INT32_MIN : (int32_t)x);
}

/* ---- integers ---- */

static int64_t operand24(uint32_t v, bool is_signed)
{
	v &= 0xffffff;
	return is_signed && v & 0x800000 ? (int64_t)v - 0x1000000 : v;
}

uint32_t ref_mul24(uint32_t a, uint32_t b, bool is_signed, bool high)
{
	int64_t product = operand24(a, is_signed) * operand24(b, is_signed);

	return (uint32_t)((uint64_t)product >> (high ? 16 : 0));
}

/* ---- special functions ---- */

struct slice { int64_t a, b, c; };
enum sfu_table { RCP, RSQRT, SIN, EX2, LG2, SFU_TABLES };
static struct slice rom[SFU_TABLES][128];

bool ref_sfu_load(const char *path)
{
	static const char *const names[SFU_TABLES] = { "rcp", "rsqrt", "sin", "ex2", "lg2" };
	FILE *f = fopen(path, "r");
	char line[128], name[16];
	unsigned i;
	long a, b, c;

	if (!f)
		return false;
	while (fgets(line, sizeof line, f)) {
		if (line[0] == '#' || sscanf(line, "%15s %u %ld %ld %ld", name, &i, &a, &b, &c) != 5 || i >= 128)
			continue;
		for (int t = 0; t < SFU_TABLES; t++)
			if (!strcmp(names[t], name))
				rom[t][i] = (struct slice){ a, b, c };
	}
	fclose(f);
	return rom[LG2][63].a != 0;
}

/* The squarer drops the low bits of each partial product. */
static int64_t square(uint32_t r)
{
	int64_t sum = 0;

	for (int bit = 0; bit < 17; bit++)
		if (r >> bit & 1)
			sum += r >> (18 - bit);
	return sum >> 1;
}

static int64_t interpolate(enum sfu_table t, uint32_t index, uint32_t r, int64_t sq, int a_up, int c_up, int64_t bias)
{
	const struct slice *s = &rom[t][index];

	return s->a * (1ll << a_up) + s->b * r + s->c * sq * (1ll << c_up) + bias;
}

/* significand / 2^23 * 2^(exponent - 127). */
static uint32_t compose(int64_t significand, int exponent)
{
	double d = ldexp((double)significand, exponent - 127 - 23);

	return d >= 0x1p128 ? INF_BITS : d < 0x1p-126 ? 0 : ref_bits((float)d);
}

/* v / 2^point, cut to 24 bits. */
static uint32_t cut(int64_t v, int point)
{
	return v ? ref_bits((float)ldexp(significant((double)v, ZERO), -point)) : 0;
}

static int exponent_of(uint32_t a)
{
	return (int)(a >> 23 & 0xff);
}

uint32_t ref_rcp(uint32_t a)
{
	uint32_t x = ref_copy(a), sign = x & SIGN_BIT, frac = x & 0x7fffff;

	if (isnan(ref_float(x)))
		return NAN_BITS;
	if (x << 1 == 0 || isinf(ref_float(x)))
		return sign | (x << 1 ? 0 : INF_BITS);
	int64_t v = interpolate(RCP, frac >> 16, frac & 0xffff, square((frac & 0xffff) << 1), 13, 0, 0x47e7);
	return sign | compose(v >> 15, 253 - exponent_of(x));
}

uint32_t ref_rsqrt(uint32_t a)
{
	uint32_t x = ref_copy(a);
	int e = exponent_of(x) - 127;
	uint32_t frac = ((uint32_t)e & 1) << 23 | (x & 0x7fffff);

	if (x << 1 == 0)
		return x | INF_BITS;
	if (isnan(ref_float(x)) || x & SIGN_BIT)
		return NAN_BITS;
	if (x == INF_BITS)
		return 0;
	int half = (e - (e & 1)) / 2;
	if (frac == 0)
		return compose(1 << 23, 127 - half);
	int64_t v = interpolate(RSQRT, frac >> 17, frac & 0x1ffff, square(frac & 0x1ffff), 14, 2, 0x7fff);
	return compose(v >> 16, 126 - half);
}

uint32_t ref_lg2(uint32_t a)
{
	uint32_t x = ref_copy(a), frac = x & 0x7fffff;

	if (x << 1 == 0)
		return SIGN_BIT | INF_BITS;
	if (isnan(ref_float(x)) || x & SIGN_BIT)
		return NAN_BITS;
	if (x == INF_BITS || x == ref_bits(1))
		return x == INF_BITS ? x : 0;
	int64_t v = interpolate(LG2, frac >> 17, frac & 0x1ffff, square(frac & 0x1ffff), 12, 1, 0x3345) >> 2;
	v += (exponent_of(x) - 127) * (1ll << 36);
	return v < 0 ? SIGN_BIT | cut(~v, 36) : cut(v, 36);
}

uint32_t ref_ex2(uint32_t a)
{
	double x = value(a);

	if (isnan(x))
		return NAN_BITS;
	if (fabs(x) >= 128)
		return x > 0 ? INF_BITS : 0;
	uint32_t fixed = (uint32_t)(fabs(x) * 0x1p23), frac = fixed & 0x7fffff;
	int whole = (int)(fixed >> 23);
	if (x < 0) {
		whole = frac ? -whole - 1 : -whole;
		frac = frac ? ~frac & 0x7fffff : 0;
	}
	int64_t v = interpolate(EX2, frac >> 17, frac & 0x1ffff, square(frac & 0x1ffff), 13, 0, 0x77e2);
	return compose(v >> 15, 127 + whole);
}

/* Quarter turns of |x|, 2 bits of quadrant and 23 of fraction: x times 2 / pi (0xa2f983 / 2^24), cut off. */
static uint32_t turns(uint32_t x)
{
	uint64_t product = ((uint64_t)((x & 0x7fffff) | 0x800000) * 0xa2f983) >> 16;
	int up = exponent_of(x) - 127 - 8;

	if (x << 1 == 0 || up >= 32 || up <= -32)
		return 0;
	return (uint32_t)(up >= 0 ? product << up : product >> -up) & 0x1ffffff;
}

static uint32_t wave(uint32_t quarter, uint32_t sign)
{
	uint32_t quadrant = quarter >> 23, frac = quarter & 0x7fffff;

	if (quadrant & 1)
		frac = ~frac & 0x7fffff;
	int64_t v = interpolate(SIN, frac >> 17, frac & 0x1ffff, square(frac & 0x1ffff), 11, 0, 0);
	return (quadrant & 2 ? sign ^ SIGN_BIT : sign) | cut(v, 37);
}

uint32_t ref_sin(uint32_t a)
{
	uint32_t x = ref_copy(a);

	return isfinite(ref_float(x)) ? wave(turns(x), x & SIGN_BIT) : NAN_BITS;
}

uint32_t ref_cos(uint32_t a)
{
	uint32_t x = ref_copy(a);

	return isfinite(ref_float(x)) ? wave((turns(x) + 0x800000) & 0x1ffffff, 0) : NAN_BITS;
}
