/* Sums, products and multiply-adds of handlers (core/isa/tesla/fast_float.h) at each SIMD level of the host, and of
 * native loops (fast_lane.h), against the meaning of a lane (arith_f32.h), which the chips' vectors prove. Whole rows
 * are of a kind, to take the fast path up to the borders: products from below the normal range to above the largest
 * number, products with a difference between rounding and cutting, near a power of 2 or the end of a step, tiny
 * products beside large addends, sums that cancel, addends and factors of 0. */
#define F32_HOST_HAS_NO_DENORMALS true
#include "tests/kit/launches.h"

#include "core/base/rng.h"
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/fast_lane.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/native_lanes.h"
#include "core/isa/tesla/simd.h"

enum { WARPS = 512, ROW = 32, NUMBERS = WARPS * ROW, RESULTS = 8 };

/* A thread's numbers a, b and c, then eight results. $c0: odd threads. */
static const char text[] = HEAD
	".grid 64\n.block 256\n.const 1 0x0: 1\n"
	"mov b16 $r1l u16 s[0x2]\nadd $r0 (mul u16 u16 s[0xc] $r1l) $r0\nmov b32 $r5 0xc\nmul $r1 u24 $r0 $r5\n"
	"add b32 $r1 b32 s[0x10] $r1\nld b32 $r2 g14[$r1]\nmov b32 $r5 0x4\nadd b32 $r1 $r1 $r5\nld b32 $r3 g14[$r1]\n"
	"add b32 $r1 $r1 $r5\nld b32 $r4 g14[$r1]\nand b32 $c0 # $r0 c1[0x0]\n"
	"shl b32 $r1 $r0 0x5\nadd b32 $r1 b32 s[0x14] $r1\n"
	"add f32 $r6 $r2 $r4\nst b32 g14[$r1] $r6\nadd b32 $r1 $r1 $r5\n"
	"add f32 $r6 $r2 neg $r4\nst b32 g14[$r1] $r6\nadd b32 $r1 $r1 $r5\n"
	"mul rn f32 $r6 $r2 $r3\nst b32 g14[$r1] $r6\nadd b32 $r1 $r1 $r5\n"
	"mul rn f32 $r6 neg $r2 $r3\nst b32 g14[$r1] $r6\nadd b32 $r1 $r1 $r5\n"
	"add f32 $r6 (mul $r2 $r3) $r4\nst b32 g14[$r1] $r6\nadd b32 $r1 $r1 $r5\n"
	"add f32 $r6 (mul $r2 $r3) neg $r4\nst b32 g14[$r1] $r6\nadd b32 $r1 $r1 $r5\n"
	"mov b32 $r6 $r4\n(lg $c0) add f32 $r6 (mul $r2 $r3) $r6\nst b32 g14[$r1] $r6\nadd b32 $r1 $r1 $r5\n"
	"mov b32 $r6 $r4\n(e $c0) mul rn f32 $r6 $r2 $r6\nexit st b32 g14[$r1] $r6\n";

static void expect(const uint32_t v[3], unsigned thread, uint32_t out[RESULTS])
{
	uint32_t a = v[0], b = v[1], c = v[2], cc;

	out[0] = f32_add(a, c, false, &cc);
	out[1] = f32_add(a, c ^ F32_SIGN, false, &cc);
	out[2] = f32_mul(a, b, false, &cc);
	out[3] = f32_mul(a ^ F32_SIGN, b, false, &cc);
	out[4] = f32_mad(a, b, c, false, &cc);
	out[5] = f32_mad(a, b, c ^ F32_SIGN, false, &cc);
	out[6] = thread & 1 ? out[4] : c;
	out[7] = thread & 1 ? c : f32_mul(a, c, false, &cc);
}

static uint32_t number(uint64_t *random, int exponent)
{
	uint32_t r = (uint32_t)rng_next(random), fraction = r & 0x7fffff;
	static const uint32_t edge[] = { 0, 1, 2, 0x400000, 0x7fffff, 0x7ffffe, 0x3fffff, 0x7ff000 };

	exponent = exponent < 0 ? 0 : exponent > 254 ? 254 : exponent;
	return (r & F32_SIGN) | (uint32_t)exponent << 23 | (r >> 24 & 3 ? fraction : edge[r >> 26 & 7]);
}

enum kind { USUAL, LOW, HIGH, CANCEL, NO_ADDEND, NO_FACTOR, TINY, ANYTHING, POWER, POWER_LOW, FAR, ENDS, KINDS };

/* The word whose product with an odd v ends in 1 (modulo 2^32; each round doubles the number of right bits). */
static uint32_t times_to_one(uint32_t v)
{
	uint32_t inverse = v;

	for (int i = 0; i < 4; i++)
		inverse *= 2 - v * inverse;
	return inverse;
}

static void draw(enum kind kind, uint64_t *random, uint32_t v[3])
{
	static const int low[KINDS] = { 90, -25, 250, 110, 100, 100, 0, 0, 60, 23, 10, 60 };
	static const int span[KINDS] = { 70, 80, 10, 40, 60, 60, 3, 1, 130, 6, 18, 130 };
	int ea = 60 + (int)(rng_next(random) % 130), ep = low[kind] + (int)(rng_next(random) % (unsigned)span[kind]);
	uint32_t r = (uint32_t)rng_next(random), p;

	v[0] = number(random, ea);
	v[1] = number(random, ep + 127 - ea);
	if (kind == POWER || kind == POWER_LOW) /* the number nearest to a quotient of the power, or beside */
		v[1] = f32_bits(f32_value((uint32_t)ep << 23) / f32_value(v[0])) + (r >> 28 & 3) - 1;
	if (kind == ENDS)       /* the last 23 bits of the exact product are ones, or a number from 0 to 3 */
		v[1] = (v[1] & F32_INF) | (times_to_one(v[0] |= 1) * (r >> 30 ? ~0u : r >> 28 & 3) & 0x7fffff);
	p = f32_bits(f32_value(v[0]) * f32_value(v[1]));
	v[2] = number(random, (int)(p >> 23 & 0xff) + (int)(r % 60) - 30);
	if (kind == FAR)
		v[2] = number(random, 254 - (int)(r % 40));
	if (kind == CANCEL)     /* the product rounded or cut, a step beside, or further away */
		v[2] = (p ^ F32_SIGN) + (r & 3) - 1 + (r & 0x700 ? 0 : r >> 16);
	if (kind == LOW && r & 1)
		v[2] = (p & F32_INF) ? (p ^ F32_SIGN) + (r >> 1 & 3) - 1 : number(random, 1 + (int)(r >> 4 & 3));
	if (kind == NO_ADDEND)
		v[2] = r & 2 ? r & F32_SIGN : r & (F32_SIGN | 0x7fffff);
	if (kind == NO_FACTOR)
		v[r & 1] &= r & 2 ? F32_SIGN : F32_SIGN | 0x7fffff;
	for (int i = 0; kind == ANYTHING && i < 3; i++)
		v[i] = (uint32_t)rng_next(random) | (r >> i & 0x10 ? F32_INF : 0);
}

/* Half of all rows are of a single kind; other rows have a lane of another kind. */
static void draw_all(uint32_t *numbers)
{
	uint64_t random = 35;

	for (unsigned i = 0; i < NUMBERS; i++) {
		unsigned warp = i / ROW, kind = warp % KINDS;
		bool other = warp & 64 && i % ROW == warp % 31;
		draw((enum kind)(other ? rng_next(&random) % KINDS : kind), &random, numbers + 3 * (size_t)i);
	}
}

static void compare(const struct wb_program *p, const char *level, const uint32_t *numbers)
{
	static uint32_t got[NUMBERS * RESULTS];
	struct wb_launch *l = launch(p, (struct setting[]){ { "simd", level }, { "timing", "off" }, { NULL, NULL } });
	struct wb_diag d = { 0 };

	assert_int_equal(wb_launch_arg(l, "zero=196608", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=524288", &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, numbers, NUMBERS * 12, &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	assert_int_equal(wb_launch_read_arg(l, 1, 0, got, sizeof got, &d), WB_OK);
	for (unsigned i = 0; i < NUMBERS; i++) {
		const uint32_t *v = numbers + 3 * (size_t)i;
		uint32_t want[RESULTS];
		expect(v, i, want);
		for (unsigned k = 0; k < RESULTS; k++)
			if (want[k] != got[i * RESULTS + k])
				fail_msg("%s: result %u of %08x %08x %08x: found %08x, expected %08x", level, k, v[0],
					 v[1], v[2], got[i * RESULTS + k], want[k]);
	}
	wb_launch_free(l);
}

/* ---- one lane ---- */

struct lane_result {
	uint32_t sum, product, mad;
	uint32_t odd[3];                /* of each result */
};

/* In the host's mode without denormals; from memory to memory. */
static __attribute__((noinline)) void lanes(const uint32_t *numbers, struct lane_result *out)
{
	for (unsigned i = 0; i < NUMBERS; i++) {
		const uint32_t *v = numbers + 3 * (size_t)i;
		struct lane_result *r = &out[i];
		uint32_t least;
		*r = (struct lane_result){ 0 };
		r->sum = fast_lane_fadd(v[0], v[2], 0, &r->odd[0]);
		r->product = fast_lane_fmul(v[0], v[1], 0, &r->odd[1]);
		r->mad = fast_lane_fmad(v[0], v[1], v[2], &r->odd[2], &least);
		r->odd[2] |= native_small(least);
	}
}

/* A result is right or odd, and usual numbers are not odd. */
static void one_lane(void **state)
{
	static uint32_t numbers[NUMBERS * 3];
	static struct lane_result got[NUMBERS];
	unsigned odd_usual = 0, usual = 0, mode;

	if (!HOST_FLUSHES || !HOST_ROUNDS_FIRST)
		skip();
	draw_all(numbers);
	mode = denormals_off();
	lanes(numbers, got);
	denormals_restore(mode);
	for (unsigned i = 0; i < NUMBERS; i++) {
		const uint32_t *v = numbers + 3 * (size_t)i;
		const struct lane_result *r = &got[i];
		bool is_usual = i / ROW % KINDS == USUAL && !(i / ROW & 64);
		uint32_t cc;
		if (!r->odd[0])
			assert_int_equal(r->sum, f32_add(v[0], v[2], false, &cc));
		if (!r->odd[1])
			assert_int_equal(r->product, f32_mul(v[0], v[1], false, &cc));
		if (!r->odd[2])
			assert_int_equal(r->mad, f32_mad(v[0], v[1], v[2], false, &cc));
		usual += is_usual;
		odd_usual += is_usual && (r->odd[0] || r->odd[1] || r->odd[2]);
	}
	assert_true(usual > NUMBERS / (4 * KINDS));
	assert_true(odd_usual < usual / 8);
}

/* Relations of a to b, 1 less, 2 equal, 4 greater, 8 unordered, where denormals are zeros. */
static uint32_t relation(uint32_t a, uint32_t b)
{
	float x = f32_value(f32_flush(a)), y = f32_value(f32_flush(b));

	return x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
}

/* In the host's mode without denormals; from memory to memory. Result 1 is of constants. */
static __attribute__((noinline)) void relations(const uint32_t v[], unsigned n, uint32_t out[][3])
{
	uint32_t flags, odd, least;

	for (unsigned i = 0; i < n * n; i++) {
		out[i][0] = out[i][1] = 0;
		for (uint32_t cond = 1; cond < 16; cond *= 2) {
			out[i][0] |= cond & lane_fset(v[i / n], v[i % n], 0, 0, 0, 0, cond, &flags, &odd, &least);
			out[i][1] |= cond & lane_fset(1, 0, 0, 0, 0, 0, cond, &flags, &odd, &least);
		}
		out[i][2] = lane_slct(1, 2, v[i / n], 0, 0, 0, 0, &flags, &odd, &least);
	}
}

static void comparisons(void **state)
{
	static const uint32_t v[] = {
		0, F32_SIGN, 1, F32_SIGN + 1, 0x7fffff, 0x807fffff, 0x800000, 0x80800000, F32_ONE, F32_INF,
		F32_SIGN | F32_INF, F32_NAN, 0xffffffff,
	};
	enum { N = sizeof v / sizeof *v };
	uint32_t got[N * N][3];
	unsigned mode = denormals_off();

	(void)state;
	relations(v, N, got);
	denormals_restore(mode);
	if (!HOST_FLUSHES)
		skip();
	for (unsigned i = 0; i < N * N; i++) {
		uint32_t a = v[i / N];
		assert_int_equal(got[i][0], relation(a, v[i % N]));
		assert_int_equal(got[i][1], relation(1, 0));
		assert_int_equal(got[i][2], relation(a, 0) & 6 ? 1 : 2);
	}
}

/* By row of handlers.def. Floats of native loops have no flags. */
typedef uint32_t lane_fn(uint32_t a, uint32_t b, uint32_t c, uint32_t flip_a, uint32_t flip_b, uint32_t flip_c,
			 uint32_t cond, uint32_t *flags, uint32_t *odd, uint32_t *least);
static lane_fn *const operations[HANDLERS] = {
#define HANDLER(name, executor, sources, when, value) [HANDLER_##name] = lane_##name,
#define FAST_FLOAT(name, executor, sources, when, first, second, value)
#include "core/isa/tesla/handlers.def"
};

/* Guards of native loops test a bit where flags exclude each other. */
static void flags_are_possible(void **state)
{
	static const uint32_t edges[] = { 0, F32_SIGN, F32_NAN, 0x7f800000, 0xff800000, 1, 0xffffffff, 0x7fff8000 };
	uint64_t random = 1;

	for (unsigned i = 0; i < 1 << 20; i++) {
		uint64_t draw = rng_next(&random);
		uint32_t v[3], flags = 0, odd, least;
		unsigned id = (unsigned)(draw % HANDLERS);
		for (unsigned k = 0; k < 3; k++) {
			uint64_t word = rng_next(&random);
			v[k] = word >> 62 ? (uint32_t)word : edges[word >> 32 & 7];
		}
		if (operations[id])
			operations[id](v[0], v[1], v[2], 0, draw >> 32 & F32_SIGN, 0, draw >> 40 & 7, &flags, &odd,
				       &least);
		if (!(handler_flags(id) >> flags & 1))
			fail_msg("row %u of handlers.def: flags %#x", id, flags);
	}
}

static void every_level(void **state)
{
	static uint32_t numbers[NUMBERS * 3];
	struct wb_program *p = load(text);

	(void)state;
	draw_all(numbers);
	for (unsigned i = 0; wb_simd_level(i); i++)
		compare(p, wb_simd_level(i), numbers);
	wb_program_free(p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_lane), cmocka_unit_test(comparisons), cmocka_unit_test(flags_are_possible),
		cmocka_unit_test(every_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
