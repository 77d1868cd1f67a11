/* PTX of later machines as sequences of integer instructions, against plain models: lop3 with each of its 256 tables,
 * bit fields, the n-th one of a mask, video instructions; quotients of constants. */
#include "tests/kit/ptx_body.h"

static uint32_t in[3][WORDS];

static int make_words(void **state)
{
	uint64_t x = 45;

	(void)state;
	for (unsigned t = 0; t < WORDS; t++)
		for (unsigned k = 0; k < 3; k++)
			in[k][t] = (t + k) % 3 ? next_word(&x) : corner((unsigned)next_word(&x));
	return 0;
}

typedef uint32_t model_fn(uint32_t a, uint32_t b, uint32_t c, unsigned number);

static void compare(const char *body, const char *chip, model_fn *model, unsigned number)
{
	uint64_t out[WORDS];

	run_body(body, false, chip, in, out);
	for (unsigned t = 0; t < WORDS; t++)
		if (out[t] != model(in[0][t], in[1][t], in[2][t], number))
			fail_msg("%s on %s, of %x, %x, %x: found %x, expected %x", body, chip, in[0][t], in[1][t],
				 in[2][t], (unsigned)out[t], model(in[0][t], in[1][t], in[2][t], number));
}

/* ---- lop3 ---- */

static uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	uint32_t d = 0;

	for (unsigned i = 0; i < 32; i++)
		d |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
	return d;
}

static uint32_t lop3_and(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	return lop3(a, b, c, table) && (int32_t)a < (int32_t)b;
}

static void each_table_of_logic_is_right(void **state)
{
	char body[160];

	(void)state;
	for (unsigned table = 0; table < 256; table++) {
		snprintf(body, sizeof body, "lop3.b32 %%r8, %%r1, %%r2, %%r3, 0x%x;", table);
		compare(body, "g200", lop3, table);
	}
	compare("setp.lt.s32 %p2, %r1, %r2; lop3.and.b32 %r4|%p1, %r1, %r2, %r3, 0x80, %p2; selp.u32 %r8, 1, 0, %p1;",
		"g80", lop3_and, 0x80);
}

/* ---- fields ---- */

static uint32_t low_ones(uint32_t n) { return n > 31 ? ~0u : (1u << n) - 1; }

static uint32_t bmsk(uint32_t a, uint32_t b, uint32_t c, unsigned wraps)
{
	(void)c;
	a = wraps ? a & 31 : a;
	b = wraps ? b & 31 : b;
	return a > 31 ? 0 : low_ones(b) << a;
}

static uint32_t szext_u32(uint32_t a, uint32_t b, uint32_t c, unsigned wraps)
{
	(void)c;
	return a & low_ones(wraps ? b & 31 : b);
}

static uint32_t szext_s32(uint32_t a, uint32_t b, uint32_t c, unsigned wraps)
{
	b = wraps ? b & 31 : b;
	return b && b < 32 && a >> (b - 1) & 1 ? a | ~low_ones(b) : szext_u32(a, b, c, false);
}

/* The manual's loop. */
static uint32_t fns(uint32_t mask, uint32_t base, int32_t offset)
{
	if (!offset)
		return mask >> base & 1 ? base : ~0u;
	for (int32_t at = (int32_t)base, left = abs(offset); at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
		if (mask >> at & 1 && !--left)
			return (uint32_t)at;
	return ~0u;
}

static uint32_t fns_of(uint32_t a, uint32_t b, uint32_t c, unsigned number)
{
	(void)number;
	return fns(a, b & 31, (int32_t)(c & 63) - 32);
}

static void fields_and_ones_are_found(void **state)
{
	(void)state;
	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		compare("bmsk.clamp.b32 %r8, %r1, %r2;", chips[c], bmsk, false);
		compare("bmsk.wrap.b32 %r8, %r1, %r2;", chips[c], bmsk, true);
		compare("szext.clamp.u32 %r8, %r1, %r2;", chips[c], szext_u32, false);
		compare("szext.wrap.u32 %r8, %r1, %r2;", chips[c], szext_u32, true);
		compare("szext.clamp.s32 %r8, %r1, %r2;", chips[c], szext_s32, false);
		compare("szext.wrap.s32 %r8, %r1, %r2;", chips[c], szext_s32, true);
		compare("and.b32 %r4, %r2, 31; and.b32 %r5, %r3, 63; sub.s32 %r5, %r5, 32; fns.b32 %r8, %r1, %r4, %r5;",
			chips[c], fns_of, 0);
	}
}

/* ---- video ---- */

static uint32_t average4(uint32_t a, uint32_t b, uint32_t c, unsigned number)
{
	uint32_t d = 0;

	(void)c, (void)number;
	for (unsigned i = 0; i < 32; i += 8) {
		int sum = (int8_t)(a >> i) + (int8_t)(b >> i);
		d |= (uint32_t)((sum + (sum >= 0)) >> 1 & 255) << i;
	}
	return d;
}

/* The upper half of b, cut to a byte of s8, in byte 2 of c. */
static uint32_t merged(uint32_t a, uint32_t b, uint32_t c, unsigned number)
{
	int64_t sum = (int64_t)(int32_t)a + (int16_t)(b >> 16);

	(void)number;
	sum = sum > 127 ? 127 : sum < -128 ? -128 : sum;
	return (c & ~0xff0000u) | (uint32_t)(sum & 255) << 16;
}

static uint32_t scaled(uint32_t a, uint32_t b, uint32_t c, unsigned number)
{
	(void)number;
	return (uint32_t)(((int64_t)(int16_t)a * (int8_t)(b >> 8) + (int32_t)c + 1) >> 7);
}

static uint32_t least_size(uint32_t a, uint32_t b, uint32_t c, unsigned number)
{
	int64_t size = (int64_t)a - (int32_t)b;
	uint32_t low = (uint32_t)(size < 0 ? -size : size);

	(void)number;
	return low < c ? low : c;
}

static void video_instructions_are_right(void **state)
{
	(void)state;
	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		compare("vavrg4.s32.s32.s32 %r8, %r1, %r2, %r3;", chips[c], average4, 0);
		compare("vadd.s32.s32.s32.sat %r8.b2, %r1, %r2.h1, %r3;", chips[c], merged, 0);
		compare("vmad.s32.s32.s32.po.shr7 %r8, %r1.h0, %r2.b1, %r3;", chips[c], scaled, 0);
		compare("vabsdiff.u32.u32.s32.min %r8, %r1, %r2, %r3;", chips[c], least_size, 0);
	}
}

/* ---- quotients ---- */

/* A constant dividend is a register with the same bits: 0, infinities and no numbers, too. */
static void constant_dividends_are_registers(void **state)
{
	static const char *const dividends[] = { "00000000", "80000000", "7f800000", "ff800000", "7fc00000", "00000001",
						 "3f800000", "c0490fdb", "7f7fffff", "00800000" };
	static const char *const rounds[] = { "rn", "rz", "rm", "rp" };
	char body[2][200];
	uint64_t out[2][WORDS];

	(void)state;
	for (size_t i = 0; i < sizeof dividends / sizeof *dividends; i++)
		for (unsigned r = 0; r < 4; r++) {
			snprintf(body[0], sizeof body[0], "mov.b32 %%f1, %%r1; div.%s.f32 %%f2, 0f%s, %%f1; "
				 "mov.b32 %%r8, %%f2;", rounds[r], dividends[i]);
			snprintf(body[1], sizeof body[1], "mov.b32 %%f1, %%r1; "
				 "ld.param.u32 %%r5, [a]; xor.b32 %%r4, %%r5, 0x%s; xor.b32 %%r4, %%r4, %%r5; "
				 "mov.b32 %%f3, %%r4; div.%s.f32 %%f2, %%f3, %%f1; mov.b32 %%r8, %%f2;", dividends[i],
				 rounds[r]);
			for (unsigned k = 0; k < 2; k++)
				run_body(body[k], false, "g200", in, out[k]);
			for (unsigned t = 0; t < WORDS; t++)
				if (out[0][t] != out[1][t])
					fail_msg("%s of %x: found %x, expected %x", body[0], in[0][t],
						 (unsigned)out[0][t], (unsigned)out[1][t]);
		}
}

/* ---- pairs of halves ---- */

static uint32_t both(uint32_t low, uint32_t high) { return (low & 0xffff) | high << 16; }
static int32_t s16(uint32_t a, unsigned half) { return (int16_t)(a >> 16 * half); }

static uint32_t pair_sum(uint32_t a, uint32_t b, uint32_t c, unsigned n)
{
	(void)c;
	(void)n;
	return both(a + b, (a >> 16) + (b >> 16));
}

/* Bit 0 of `how`: max; bit 1: signed; bit 2: at least 0. */
static uint32_t pair_end(uint32_t a, uint32_t b, uint32_t c, unsigned how)
{
	uint32_t r[2];

	(void)c;
	for (unsigned k = 0; k < 2; k++) {
		int32_t x = how & 2 ? s16(a, k) : (uint16_t)s16(a, k), y = how & 2 ? s16(b, k) : (uint16_t)s16(b, k);
		int32_t end = (how & 1) == (x > y) ? x : y;
		r[k] = (uint32_t)(how & 4 && end < 0 ? 0 : end);
	}
	return both(r[0], r[1]);
}

static uint32_t word_end(uint32_t a, uint32_t b, uint32_t c, unsigned how)
{
	int32_t x = (int32_t)a, y = (int32_t)b, end = (how & 1) == (x > y) ? x : y;

	(void)c;
	return (uint32_t)(end < 0 ? 0 : end);
}

static void pairs_of_halves_are_right(void **state)
{
	static const struct { const char *body; model_fn *model; unsigned how; } each[] = {
		{ "add.u16x2 %r8, %r1, %r2;", pair_sum, 0 },      { "add.s16x2 %r8, %r1, %r2;", pair_sum, 0 },
		{ "min.u16x2 %r8, %r1, %r2;", pair_end, 0 },      { "max.u16x2 %r8, %r1, %r2;", pair_end, 1 },
		{ "min.s16x2 %r8, %r1, %r2;", pair_end, 2 },      { "max.s16x2 %r8, %r1, %r2;", pair_end, 3 },
		{ "min.relu.s16x2 %r8, %r1, %r2;", pair_end, 6 }, { "max.relu.s16x2 %r8, %r1, %r2;", pair_end, 7 },
		{ "min.relu.s32 %r8, %r1, %r2;", word_end, 0 },   { "max.relu.s32 %r8, %r1, %r2;", word_end, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
		compare(each[i].body, "g80", each[i].model, each[i].how);
		compare(each[i].body, "v100", each[i].model, each[i].how);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_of_halves_are_right),
		cmocka_unit_test(each_table_of_logic_is_right),
		cmocka_unit_test(fields_and_ones_are_found),
		cmocka_unit_test(video_instructions_are_right),
		cmocka_unit_test(constant_dividends_are_registers),
	};

	return cmocka_run_group_tests(tests, make_words, NULL);
}
