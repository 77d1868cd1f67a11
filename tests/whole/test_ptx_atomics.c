/* Atomics of PTX, the machine's own and loops, in g[], in s[] and by generic addresses. The 24 threads of each cell
 * have an order: the old word of a thread is the word left by the thread before, and the last thread leaves the final
 * word of the cell. Neighbours of the cell stay as before. */
#include "tests/kit/launches.h"
#include "tests/kit/ptx_body.h"

enum { THREADS = 96, CELLS = 4, CELL = 16 };

/* Registers: %rd1, %r1, %h1 and %f1 the thread's number v, 1 to 96; %rd20 the old word. A stands for the address. */
static const char head[] =
	".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 pool[64];\n"
	".entry k(.param .u64 cells, .param .u64 o)\n{\n"
	".reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .pred %p<9>;\n"
	"mov.u32 %r30, %tid.x; add.u32 %r1, %r30, 1; cvt.u64.u32 %rd1, %r1; cvt.u16.u32 %h1, %r1;\n"
	"and.b32 %r31, %r30, 3; shl.b32 %r31, %r31, 4; cvt.u64.u32 %rd31, %r31;\n"
	"ld.param.u64 %rd30, [cells]; add.u64 %rd30, %rd30, %rd31; mov.u64 %rd32, pool; add.u64 %rd32, %rd32, %rd31;\n"
	"cvta.shared.u64 %rd33, %rd32; cvt.rn.f32.u32 %f1, %r1;\n"
	"ld.global.v2.u64 {%rd34, %rd35}, [%rd30]; st.shared.v2.u64 [%rd32], {%rd34, %rd35}; bar.sync 0;\n";
static const char tail[] =
	"\nbar.sync 0; mul.wide.u32 %rd36, %r30, 8; ld.param.u64 %rd37, [o]; add.u64 %rd37, %rd37, %rd36;\n"
	"st.global.u64 [%rd37], %rd20;\n";
/* The cells of s[] go to g[]. */
static const char shared_tail[] =
	"ld.shared.v2.u64 {%rd34, %rd35}, [%rd32]; bar.sync 0; st.global.v2.u64 [%rd30], {%rd34, %rd35};\n";

static double double_of(uint64_t x)
{
	double d;

	memcpy(&d, &x, sizeof d);
	return d;
}

static uint64_t bits_of(double d)
{
	uint64_t x;

	memcpy(&x, &d, sizeof x);
	return x;
}

/* Whole numbers up to 2048, as f16. */
static double half_value(uint64_t h)
{
	unsigned exponent = h >> 10 & 31;

	return exponent ? (double)((h & 0x3ff) | 0x400) * (double)(1u << exponent) / (1u << 25) : 0;
}

static uint64_t half_bits(double d)
{
	unsigned exponent = 15;

	if (d == 0)
		return 0;
	while (d >= 2) {
		d /= 2;
		exponent++;
	}
	return exponent << 10 | (unsigned)((d - 1) * 1024);
}

static float float_of(uint64_t x)
{
	uint32_t w = (uint32_t)x;
	float f;

	memcpy(&f, &w, sizeof f);
	return f;
}

static uint64_t float_bits(float f)
{
	uint32_t w;

	memcpy(&w, &f, sizeof w);
	return w;
}

#define RULE(name, expression) \
	static uint64_t name(uint64_t x, uint64_t v) { (void)v; return (uint64_t)(expression); }
RULE(sum32, (uint32_t)(x + v))
RULE(sum64, x + v * 0x100000003u)
RULE(sum_f32, float_bits(float_of(x) + (float)v))
RULE(sum_f64, bits_of(double_of(x) + (double)v))
RULE(sum_f16, half_bits(half_value(x) + (double)(v & 7)))
RULE(sum_f16x2, half_bits(half_value(x & 0xffff) + (double)(v & 7)) |
	       half_bits(half_value(x >> 16) + (double)(v & 7)) << 16)
RULE(sum_bf16x2, (float_bits(float_of(x << 16) + (float)(v & 3)) >> 16) |
	       (float_bits(float_of(x & 0xffff0000) + (float)(v & 3)) & 0xffff0000))
RULE(least_u64, x < v << 40 ? x : v << 40)
RULE(least_s64, (int64_t)x < -(int64_t)v ? x : -v)
RULE(most_u64, x > v << 33 ? x : v << 33)
RULE(most_s32, (int32_t)x > (int32_t)(v * 7) ? x : (uint32_t)(v * 7))
RULE(and64, x & ~(v << 30))
RULE(or64, x | v << 30)
RULE(xor64, x ^ v << 30)
RULE(exch64, v << 31 | v)
RULE(exch32, v)
RULE(cas64, x == 0 ? v << 32 : x)
RULE(cas32, x == 0 ? v : x)
RULE(cas16, x == 0 ? v : x)
RULE(inc32, x >= 50 ? 0 : x + 1)
RULE(dec32, !x || x > 70 ? 70 : x - 1)

#define R "cvt.u64.u32 %rd20, %r20;"
static const struct row {
	const char *text;        /* S: the space's word */
	uint64_t (*rule)(uint64_t x, uint64_t v);
	uint8_t bytes, offset;   /* of the place in the cell */
	uint8_t sm;
	uint64_t begin;
} rows[] = {
	{ "atomS.add.u32 %r20, [A], %r1;" R, sum32, 4, 0, 12, 5 },
	{ "atom.acq_rel.gpuS.add.u32 %r20, [A+4], %r1;" R, sum32, 4, 4, 12, 5 },
	{ "mul.lo.u64 %rd2, %rd1, 0x100000003; atom.relaxed.sysS.add.u64 %rd20, [A], %rd2;", sum64, 8, 0, 12,
	  0xfffffffff0000000 },
	{ "atomS.add.f32 %f2, [A+8], %f1; mov.b32 %r20, %f2;" R, sum_f32, 4, 8, 12, 0 },
	{ "cvt.rn.f64.u32 %d1, %r1; atomS.add.f64 %d2, [A+8], %d1; mov.b64 %rd20, %d2;", sum_f64, 8, 8, 13, 0 },
	{ "and.b32 %r3, %r1, 7; cvt.rn.f16.u32 %h2, %r3; atomS.add.noftz.f16 %h3, [A+2], %h2; cvt.u64.u16 %rd20, %h3;",
	  sum_f16, 2, 2, 12, 0 },
	{ "and.b32 %r3, %r1, 7; cvt.rn.f16.u32 %h2, %r3; atomS.add.noftz.f16 %h3, [A+4], %h2; cvt.u64.u16 %rd20, %h3;",
	  sum_f16, 2, 4, 12, 0 },
	{ "and.b32 %r3, %r1, 7; cvt.rn.f16.u32 %h2, %r3; mov.b32 %r3, {%h2,%h2};"
	  "atomS.add.noftz.f16x2 %r20, [A], %r3;" R, sum_f16x2, 4, 0, 12, 0 },
	{ "and.b32 %r3, %r1, 3; cvt.rn.f32.u32 %f2, %r3; cvt.rn.bf16x2.f32 %r3, %f2, %f2;"
	  "atomS.add.noftz.bf16x2 %r20, [A+8], %r3;" R, sum_bf16x2, 4, 8, 12, 0 },
	{ "shl.b64 %rd2, %rd1, 40; atomS.min.u64 %rd20, [A], %rd2;", least_u64, 8, 0, 12, 1ull << 46 },
	{ "neg.s64 %rd2, %rd1; atomS.min.s64 %rd20, [A+8], %rd2;", least_s64, 8, 8, 12, (uint64_t)-9 },
	{ "shl.b64 %rd2, %rd1, 33; atomS.max.u64 %rd20, [A], %rd2;", most_u64, 8, 0, 12, 3ull << 35 },
	{ "mul.lo.u32 %r2, %r1, 7; atomS.max.s32 %r20, [A+12], %r2;" R, most_s32, 4, 12, 12, 100 },
	{ "shl.b64 %rd2, %rd1, 30; not.b64 %rd2, %rd2; atomS.and.b64 %rd20, [A], %rd2;", and64, 8, 0, 12, ~0ull },
	{ "shl.b64 %rd2, %rd1, 30; atomS.or.b64 %rd20, [A], %rd2;", or64, 8, 0, 12, 1 },
	{ "shl.b64 %rd2, %rd1, 30; atomS.xor.b64 %rd20, [A+8], %rd2;", xor64, 8, 8, 12, 1 },
	{ "shl.b64 %rd2, %rd1, 31; or.b64 %rd2, %rd2, %rd1; atomS.exch.b64 %rd20, [A], %rd2;", exch64, 8, 0, 12, 7 },
	{ "atomS.exch.b32 %r20, [A], %r1;" R, exch32, 4, 0, 12, 700 },
	{ "shl.b64 %rd2, %rd1, 32; atomS.cas.b64 %rd20, [A], 0, %rd2;", cas64, 8, 0, 12, 0 },
	{ "atomS.cas.b32 %r20, [A+4], 0, %r1;" R, cas32, 4, 4, 12, 0 },
	{ "mov.u16 %h4, 0; atomS.cas.b16 %h3, [A+6], %h4, %h1; cvt.u64.u16 %rd20, %h3;", cas16, 2, 6, 12, 0 },
	{ "atomS.inc.u32 %r20, [A], 50;" R, inc32, 4, 0, 12, 45 },
	{ "atom.acquire.ctaS.dec.u32 %r20, [A], 70;" R, dec32, 4, 0, 12, 2 },
};

/* The row's text with an address and a space. A `red` is the atomic without the first operand. */
static void put_body(const struct row *r, const char *space, const char *address, bool red, char *out)
{
	const char *atom = strstr(r->text, "atom"), *result = strchr(atom, ' '), *end = strchr(atom, ';') + 1;

	for (const char *p = r->text; *p && !(red && p == end); p++) {
		if (red && p == atom) {
			out += sprintf(out, "red");
			p += strlen("atom");
		}
		if (red && p == result)
			p = strchr(p, '[');
		if (*p == 'A' && p[-1] == '[')
			out += sprintf(out, "%s", address);
		else if (*p == 'S')
			out += sprintf(out, "%s", space);
		else
			*out++ = *p;
	}
	*out = '\0';
}

static uint64_t place_of(const uint8_t *cell, const struct row *r)
{
	uint64_t x = 0;

	memcpy(&x, cell + r->offset, r->bytes);
	return x;
}

/* Threads of a cell with an old word, less those with the word as their new one. */
static int balance(const struct row *r, unsigned cell, const uint64_t old[THREADS], uint64_t word)
{
	int n = 0;

	for (unsigned t = cell; t < THREADS; t += CELLS)
		n += (old[t] == word) - (r->rule(old[t], t + 1) == word);
	return n;
}

/* The threads of a cell as a walk from word to word, from the first to the last, each thread once: such a walk exists
 * where every word is left as often as reached, but for the two ends, and all threads are reached from the first. */
static bool has_order(const struct row *r, unsigned cell, const uint64_t old[THREADS], uint64_t last)
{
	bool reached[THREADS] = { false }, more = true, all = true;

	for (unsigned t = cell; t < THREADS; t += CELLS) {
		uint64_t words[] = { old[t], r->rule(old[t], t + 1) };
		for (unsigned i = 0; i < 2; i++)
			all &= balance(r, cell, old, words[i]) == (words[i] == r->begin) - (words[i] == last);
	}
	while (more) {
		more = false;
		for (unsigned t = cell; t < THREADS; t += CELLS) {
			bool here = old[t] == r->begin;
			for (unsigned k = cell; k < THREADS; k += CELLS)
				here |= reached[k] && r->rule(old[k], k + 1) == old[t];
			more |= here && !reached[t];
			reached[t] |= here;
		}
	}
	for (unsigned t = cell; t < THREADS; t += CELLS)
		all &= reached[t];
	return all;
}

/* Exclusive or comes back to earlier words, so that several threads fit: each order is found, and no order where an
 * update was lost. */
static void orders_are_told_apart(void **state)
{
	static const struct row either = { .rule = xor64, .begin = 1 };
	(void)state;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		unsigned order[THREADS / CELLS], n = THREADS / CELLS;
		uint64_t old[THREADS], now = either.begin, random = seed;
		for (unsigned i = 0; i < n; i++)
			order[i] = 3 + CELLS * i;
		for (unsigned i = n; i > 1; i--) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			unsigned k = (unsigned)(random >> 33) % i, last = order[i - 1];
			order[i - 1] = order[k];
			order[k] = last;
		}
		for (unsigned i = 0; i < n; i++) {
			old[order[i]] = now;
			now = either.rule(now, order[i] + 1);
		}
		assert_true(has_order(&either, 3, old, now));
		if (old[order[n - 1]] == old[order[n / 2]])
			continue;
		old[order[n - 1]] = old[order[n / 2]];
		assert_false(has_order(&either, 3, old, either.rule(old[order[n - 1]], order[n - 1] + 1)));
	}
}

/* Without old words: the last word is the same in all orders. */
static uint64_t after_all(const struct row *r, unsigned cell)
{
	uint64_t x = r->begin;

	for (unsigned t = cell; t < THREADS; t += CELLS)
		x = r->rule(x, t + 1);
	return x;
}

static const char *const spaces[][2] = { { ".global", "%rd30" }, { ".shared", "%rd32" }, { "", "%rd30" },
					 { "", "%rd33" } };

static void try_row(const struct row *r, unsigned space, const char *chip, const char *reconverge, bool red)
{
	struct setting setup[] = { { "grid", "1" }, { "block", "96" }, { "timing", "off" },
				   { "reconverge", reconverge }, { 0 } };
	bool in_shared = space & 1;
	char text[4096], body[400];
	uint8_t cells[CELLS][CELL], filler[CELL];
	uint64_t old[THREADS];
	struct wb_diag d = { 0 };

	put_body(r, spaces[space][0], spaces[space][1], red, body);
	snprintf(text, sizeof text, "%smov.u64 %%rd20, 0;%s%s%s ret;\n}\n", head, body, tail,
		 in_shared ? shared_tail : "");
	struct wb_program *p = load_ptx(text, chip, &d);
	if (!p)
		fail_msg("%s: line %d: %s", body, d.line, d.text);
	memset(filler, 0xa5, sizeof filler);
	for (unsigned c = 0; c < CELLS; c++) {
		memcpy(cells[c], filler, CELL);
		memcpy(cells[c] + r->offset, &r->begin, r->bytes);
	}
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=64", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=768", &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, cells, sizeof cells, &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s: %s", body, d.text);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, cells, sizeof cells, &d), WB_OK);
	assert_int_equal(wb_launch_read_arg(l, 1, 0, old, sizeof old, &d), WB_OK);
	for (unsigned c = 0; c < CELLS; c++) {
		uint64_t last = place_of(cells[c], r);
		if (red ? last != after_all(r, c) : !has_order(r, c, old, last))
			fail_msg("%s on %s by %s: cell %u with %" PRIx64 " in the end has no order", body, chip,
				 reconverge, c, last);
		memcpy(cells[c] + r->offset, filler, r->bytes);
		assert_memory_equal(cells[c], filler, CELL);
	}
	wb_launch_free(l);
	wb_program_free(p);
}

static void threads_have_an_order(void **state)
{
	static const char *const policies[] = { "stack", "minpc", "ipdom", "barriers" };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned s = 0; s < 4; s++) {
			for (unsigned k = 0; k < 4; k++)
				try_row(&rows[i], s, k == 1 ? "v100" : "g200", policies[k], false);
			if (rows[i].sm < 13)
				try_row(&rows[i], s, "mcp77", "stack", false);
			if (!strstr(rows[i].text, "exch") && !strstr(rows[i].text, "cas"))
				try_row(&rows[i], s, "g200", "stack", true);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_are_told_apart), cmocka_unit_test(threads_have_an_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
