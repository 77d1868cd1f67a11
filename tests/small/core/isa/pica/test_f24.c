/* The 24-bit float arithmetic against seed 003's table and against a slow exact model. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "core/base/rng.h"
#include "core/isa/pica/f24.h"

#define NINF (F24_INF | F24_SIGN)
#define QNAN 0x7fc00000u
#define BIGGEST_SUBNORMAL 0x207fff00u

static bool is_nan(uint32_t x)
{
	return f24_mag(x) > (int32_t)F24_INF;
}

static void conversions(void **state)
{
	static const uint32_t pair[][2] = {   /* azahar pica_types tests */
		{ 0x3f0000, 0x3f800000 }, { 0xbf0000, 0xbf800000 }, { 0x3e0000, 0x3f000000 }, { 0x408000, 0x40400000 },
		{ 0x010000, 0x20800000 }, { 0x7effff, 0x5f7fff80 }, { 0x800000, 0x80000000 }, { 0x7f0000, 0x7f800000 },
		{ 0xff0000, 0xff800000 }, { 0x000001, 0x18800000 }, { 0x00ffff, 0x207fff00 }, { 0x7f8000, 0x7fc00000 },
		{ 0xff8000, 0xffc00000 },
	};

	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
		assert_int_equal(f24_from_raw(pair[i][0]), pair[i][1]);
		assert_int_equal(f24_to_raw(pair[i][1]), pair[i][0]);
	}
	for (uint32_t raw = 0; raw < 1u << 24; raw += 7)
		if (!is_nan(f24_from_raw(raw)))
			assert_int_equal(f24_to_raw(f24_from_raw(raw)), raw);
	assert_int_equal(f24_to_raw(f32_bits(0.1f)), 0x3b9999);     /* towards zero */
	assert_int_equal(f24_to_raw(f32_bits(1e30f)), 0x7f0000);
}

static void special_cases(void **state)
{
	unsigned before = f24_enter(F24_TRUNC);
	/* Volatile, or the compiler computes with its own rounding. */
	volatile uint32_t half = f32_bits(0.5f), two = f32_bits(2.0f), one = F24_ONE, speck = f32_bits(-0x1p-60f);
	uint32_t x = F24_ONE;
	int halvings = 0;

	assert_int_equal(f24_mul(F24_INF, 0, F24_TRUNC), 0);
	assert_int_equal(f24_mul(F24_SIGN, NINF, F24_TRUNC), 0);
	assert_true(is_nan(f24_mul(QNAN, 0, F24_TRUNC)));
	assert_true(is_nan(f24_add(F24_INF, NINF, F24_TRUNC)));
	assert_int_equal(f24_mul(BIGGEST_SUBNORMAL, two, F24_TRUNC), 0);
	assert_int_equal(f24_mul(F24_MIN_NORMAL, half, F24_TRUNC), 0);
	assert_int_equal(f24_add(one, speck, F24_TRUNC), f24_from_raw(0x3effff));
	assert_int_equal(f24_mul(f24_from_raw(0x7effff), two, F24_TRUNC), F24_INF);
	for (; f24_mag(x) != 0; halvings++)
		x = f24_mul(x, half, F24_TRUNC);
	assert_int_equal(halvings, 63);
	f24_leave(before);

	assert_int_equal(f24_rcp(F24_SIGN, F24_TRUNC), F24_INF);
	assert_int_equal(f24_rcp(F24_SIGN, F24_OFF), NINF);
	assert_int_equal(f24_rcp(F24_INF, F24_TRUNC), 0);
	assert_int_equal(f24_rsq(F24_SIGN, F24_TRUNC), F24_INF);
	assert_int_equal(f24_rsq(f24_rcp(NINF, F24_TRUNC), F24_TRUNC), F24_INF);
	assert_true(is_nan(f24_rsq(f32_bits(-2.0f), F24_TRUNC)));
	assert_true(is_nan(f24_rsq(NINF, F24_TRUNC)));
	assert_int_equal(f24_max(0, NINF), 0);
	assert_int_equal(f24_max(QNAN, 0), 0);
	assert_true(is_nan(f24_max(0, QNAN)) && is_nan(f24_min(0, QNAN)));
	assert_int_equal(f24_max(BIGGEST_SUBNORMAL, 0), BIGGEST_SUBNORMAL);
	assert_false(f24_cmp(BIGGEST_SUBNORMAL, 0, 0));
	assert_true(f24_cmp(QNAN, QNAN, 6) && f24_cmp(0, 1, 7));
	assert_int_equal(f24_neg(0, F24_TRUNC), 0);
	assert_int_equal(f24_neg(0, F24_OFF), F24_SIGN);
	assert_int_equal(f24_flr(f32_bits(-0.1f), F24_TRUNC), f32_bits(-1.0f));
	assert_int_equal(f24_to_int(f32_bits(-1.75f)), -1);
	assert_int_equal(f24_to_int(f32_bits(3e9f)), 0);
	assert_int_equal(f24_to_int(QNAN), 0);
}

/* sign · mant · 2^exp, mant exact but for a sticky lowest bit. */
struct exact { bool negative; unsigned __int128 mant; int exp; };

static struct exact unpack(uint32_t x)
{
	uint32_t m = x & ~F24_SIGN;

	if (m < F24_MIN_NORMAL)
		return (struct exact){ 0 };
	return (struct exact){ x >> 31, (m & 0x7fffff) | 0x800000, (int)(m >> 23) - 127 - 23 };
}

static uint32_t pack(struct exact v, bool nearest)
{
	int top = -1;

	for (unsigned __int128 m = v.mant; m; m >>= 1)
		top++;
	if (top < 0 || top + v.exp < -62)
		return 0;
	for (; top < 40; top++, v.exp--)
		v.mant <<= 1;
	unsigned __int128 unit = (unsigned __int128)1 << (top - 16), rest = v.mant % unit;
	v.mant -= rest;
	if (nearest && (rest > unit / 2 || (rest == unit / 2 && (v.mant / unit & 1))))
		v.mant += unit;
	float f = ldexpf((float)(uint32_t)(v.mant / unit), v.exp + top - 16);
	return f32_bits(f >= 0x1p64f ? INFINITY : f) | (v.negative ? F24_SIGN : 0);
}

static uint32_t exact_mul(uint32_t a, uint32_t b, bool nearest)
{
	struct exact x = unpack(a), y = unpack(b);

	return pack((struct exact){ x.negative ^ y.negative, x.mant * y.mant, x.exp + y.exp }, nearest);
}

static uint32_t exact_add(uint32_t a, uint32_t b, bool nearest)
{
	struct exact big = unpack(a), small = unpack(b);

	if (big.mant == 0 || (small.mant != 0 && small.exp > big.exp)) {
		struct exact t = big;
		big = small;
		small = t;
	}
	big.mant <<= 64;
	big.exp -= 64;
	int shift = big.exp - small.exp;
	if (small.mant && shift > 0)
		small.mant = (small.mant >> (shift > 60 ? 60 : shift)) | 1;   /* sticky */
	else if (small.mant)
		small.mant <<= -shift;
	bool together = big.negative == small.negative;
	__int128 sum = (__int128)big.mant + (together ? (__int128)small.mant : -(__int128)small.mant);
	return pack((struct exact){ sum < 0 ? !big.negative : big.negative, sum < 0 ? -sum : sum, big.exp }, nearest);
}

static uint32_t draw(uint64_t *seed)
{
	uint64_t r = rng_next(seed);
	uint32_t exp = r & 1 ? (uint32_t)(r >> 8) % 127 : 60 + (uint32_t)(r >> 8) % 8;

	return f24_from_raw((uint32_t)(r >> 40 & 0x80ffff) | exp << 16);
}

static void against_the_exact_model(void **state)
{
	uint64_t seed = 24;

	for (int i = 0; i < 200000; i++) {
		uint32_t a = draw(&seed), b = draw(&seed);
		unsigned before = f24_enter(F24_TRUNC);
		uint32_t product = f24_mul(a, b, F24_TRUNC), sum = f24_add(a, b, F24_TRUNC);
		f24_leave(before);
		assert_int_equal(product, exact_mul(a, b, false));
		assert_int_equal(sum, exact_add(a, b, false));
		assert_int_equal(f24_mul(a, b, F24_RNE), exact_mul(a, b, true));
		assert_int_equal(f24_add(a, b, F24_RNE), exact_add(a, b, true));
	}
}

/* Any value but a subnormal one. */
static uint32_t draw_usual(uint64_t *seed)
{
	static const uint32_t some[] = {
		0, F24_SIGN, F24_ONE, F24_INF, NINF, QNAN, F24_MIN_NORMAL, F24_TOO_BIG - 0x80,
	};
	uint64_t r = rng_next(seed);
	uint32_t x = draw(seed);

	return r % 8 == 0 || !f24_ordinary(x) ? some[r / 8 % 8] : x;
}

static uint32_t exact_dot(uint32_t a, uint32_t b, const uint32_t terms[4])
{
	uint32_t dot = f24_mul(a, b, F24_TRUNC);

	for (int k = 1; k < 4; k++)
		dot = f24_dot(dot, terms[k], terms[k - 1], F24_TRUNC);
	return dot;
}

/* The shortcuts are right, or say that they do not apply; and for most they do. */
static void shortcuts(void **state)
{
	uint64_t seed = 7;
	unsigned applied = 0;
	unsigned before = f24_enter(F24_TRUNC);

	for (int i = 0; i < 200000; i++) {
		uint32_t a = draw_usual(&seed), b = draw_usual(&seed), odd = 0, odd_sum = 0;
		uint32_t terms[4] = { draw_usual(&seed), draw_usual(&seed), draw_usual(&seed), draw_usual(&seed) };
		uint32_t product = f24_mul_fast(a, b, &odd), sum = f24_add_fast(a, b, &odd_sum);
		uint32_t odd_dot = 0, dot = f24_term_fast(a, b, &odd_dot);
		if (!(odd >> 31))
			assert_int_equal(product, f24_mul(a, b, F24_TRUNC));
		if (!(odd_sum >> 31))
			assert_int_equal(sum, f24_add(a, b, F24_TRUNC));
		for (int k = 1; k < 4; k++)
			dot = f24_dot_fast(dot, f24_term_fast(terms[k], terms[k - 1], &odd_dot));
		if (!(odd_dot >> 31))
			assert_int_equal(dot, exact_dot(a, b, terms));
		applied += !(odd >> 31) + !(odd_sum >> 31);
	}
	f24_leave(before);
	assert_true(applied > 200000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conversions),
		cmocka_unit_test(special_cases),
		cmocka_unit_test(against_the_exact_model),
		cmocka_unit_test(shortcuts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
