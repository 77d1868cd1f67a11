/* Registers, condition registers and places in l[] of compiled PTX: kernels with more values alive than the machine has
 * registers give the results of a plain model, on every chip, with few registers and with many. */
#include <stdarg.h>

#include "tests/unit/launches.h"

enum { LANES = 32, WORDS_MAX = 512, TEXT_BYTES = 1 << 16 };

static const char *const chips[] = { "g80", "g84", "mcp77", "g200" };

static const char head[] = ".version 1.4\n.target sm_10\n.entry k (.param .u32 a, .param .u32 o, .param .u32 n) {\n"
			   ".reg .u32 %r<512>, A, O, T, %i; .reg .pred %p<64>;\n"
			   "ld.param.u32 A, [a]; ld.param.u32 O, [o];\n"
			   "cvt.u32.u16 T, %tid.x; shl.b32 T, T, 2; add.u32 A, A, T; add.u32 O, O, T;\n";

struct text {
	char bytes[TEXT_BYTES];
	size_t n;
};

static void say(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct text *t, const char *format, ...)
{
	va_list v;

	va_start(v, format);
	t->n += (size_t)vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, format, v);
	va_end(v);
	assert_true(t->n < sizeof t->bytes);
}

/* One kernel, compiled for a chip with a number of registers, and run by a warp: word k of lane l is at 32 * k + l. */
struct attempt {
	const char *text, *chip;
	unsigned regs, words, n;
	uint32_t in[LANES * WORDS_MAX], out[LANES * WORDS_MAX];
};

static struct wb_program *compiled(const struct attempt *a, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	char regs[16];

	snprintf(regs, sizeof regs, "%u", a->regs);
	assert_int_equal(wb_config_set(c, "chip", a->chip, d), WB_OK);
	if (a->regs)
		assert_int_equal(wb_config_set(c, "max-regs", regs, d), WB_OK);
	if (wb_program_load(a->text, strlen(a->text), "test.ptx", c, &p, d) != WB_OK)
		p = NULL;
	wb_config_free(c);
	return p;
}

static void run(struct attempt *a)
{
	static const struct setting setup[] = { { "block", "32" }, { "timing", "off" }, { 0 } };
	struct wb_diag d = { 0 };
	char zero[32], number[32];

	snprintf(zero, sizeof zero, "zero=%u", 4 * LANES * a->words);
	snprintf(number, sizeof number, "u32=%u", a->n);
	for (unsigned i = 0; i < LANES * a->words; i++)
		a->in[i] = i * 2654435761u ^ i >> 3;
	struct wb_program *p = compiled(a, &d);
	if (!p)
		fail_msg("%s, %u registers: line %d: %s\n%s", a->chip, a->regs, d.line, d.text, a->text);
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, zero, &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, zero, &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, number, &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, a->in, 4 * LANES * a->words, &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s, %u registers: %s\n%s", a->chip, a->regs, d.text, a->text);
	assert_int_equal(wb_launch_read_arg(l, 1, 0, a->out, 4 * LANES * a->words, &d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
}

static void expect(const struct attempt *a, unsigned word, unsigned lane, uint32_t want)
{
	uint32_t found = a->out[LANES * word + lane];

	if (found != want)
		fail_msg("%s, %u registers: word %u of lane %u: found 0x%x, expected 0x%x\n%s", a->chip, a->regs, word,
			 lane, found, want, a->text);
}

/* ---- words ---- */

static void long_blocks_keep_their_values(void **state)
{
	static const unsigned lengths[] = { 14, 20, 63, 130, 150, 300 }, counts[] = { 0, 8, 9, 11, 16, 20 };
	static struct attempt a;
	static struct text t;

	for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
		t.n = 0;
		say(&t, "%s", head);
		for (unsigned i = 0; i < lengths[k]; i++)
			say(&t, "ld.global.u32 %%r%u, [A+%u];\n", i, 4 * LANES * i);
		for (unsigned i = lengths[k]; i--;)
			say(&t, "st.global.u32 [O+%u], %%r%u;\n", 4 * LANES * i, i);
		say(&t, "exit; }\n");
		for (size_t r = 0; r < sizeof counts / sizeof *counts; r++) {
			a.text = t.bytes;
			a.chip = chips[(k + r) % 4];
			a.regs = counts[r];
			a.words = lengths[k];
			run(&a);
			for (unsigned i = 0; i < LANES * a.words; i++)
				expect(&a, i / LANES, i % LANES, a.in[i]);
		}
	}
}

/* The block behind the loop's exit has its place among the loop's blocks, and reads values from before the loop; values
 * of the rest of the loop want places as well. */
static void values_of_an_exit_outlive_the_loop(void **state)
{
	enum { KEPT = 12, TURNS = 5 };
	static struct attempt a;
	static struct text t;

	t.n = 0;
	say(&t, "%sld.param.u32 %%i, [n];\n", head);
	for (unsigned i = 0; i < KEPT; i++)
		say(&t, "ld.global.u32 %%r%u, [A+%u];\n", i, 4 * LANES * i);
	say(&t, "turn: st.global.u32 [O+%u], %%i; setp.ne.u32 %%p1, %%i, 0; @%%p1 bra rest;\n", 4 * LANES * 2 * KEPT);
	for (unsigned i = 0; i < KEPT; i++)
		say(&t, "st.global.u32 [O+%u], %%r%u;\n", 4 * LANES * i, i);
	say(&t, "exit;\nrest:\n");
	for (unsigned i = 0; i < KEPT; i++)
		say(&t, "ld.global.u32 %%r%u, [A+%u];\n", 100 + i, 4 * LANES * (KEPT + i));
	for (unsigned i = KEPT; i--;)
		say(&t, "st.global.u32 [O+%u], %%r%u;\n", 4 * LANES * (KEPT + i), 100 + i);
	say(&t, "sub.u32 %%i, %%i, 1; bra turn; }\n");
	a.text = t.bytes;
	a.words = 2 * KEPT + 1;
	a.n = TURNS;
	for (unsigned r = 8; r < 20; r++) {
		a.chip = chips[r % 4];
		a.regs = r;
		run(&a);
		for (unsigned i = 0; i < LANES * a.words; i++)
			expect(&a, i / LANES, i % LANES, i / LANES < 2 * KEPT ? a.in[i] : 0);
	}
}

/* Sums in l[] begin as a parameter, a special register, a word of c[], a number. */
static void sums_begin_anywhere(void **state)
{
	enum { SUMS = 10, TURNS = 3 };
	static const char *const begins[] = { "ld.param.u32 %r0, [n];", "cvt.u32.u16 %r0, %ntid.x;",
					      "ld.const.u32 %r0, [c];", "mov.u32 %r0, 77;", "mov.u32 %r0, 0;" };
	static const uint32_t values[] = { 1000, LANES, 99, 77, 0 };
	static struct attempt a;
	static struct text t;

	for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
		t.n = 0;
		say(&t, ".version 1.4\n.target sm_10\n.const .u32 c = 99;\n%s", strstr(head, ".entry"));
		say(&t, "%s mov.u32 %%i, 0;\n", begins[k]);
		for (unsigned i = 1; i < SUMS; i++)
			say(&t, "mov.u32 %%r%u, %%r0;\n", i);
		say(&t, "turn:\n");
		for (unsigned i = 0; i < SUMS; i++)
			say(&t, "add.u32 %%r%u, %%r%u, %u;\n", i, i, i + 1);
		say(&t, "add.u32 %%i, %%i, 1; setp.lt.u32 %%p1, %%i, %d; @%%p1 bra turn;\n", TURNS);
		for (unsigned i = 0; i < SUMS; i++)
			say(&t, "st.global.u32 [O+%u], %%r%u;\n", 4 * LANES * i, i);
		say(&t, "exit; }\n");
		for (unsigned r = 8; r < 20; r++) {
			a = (struct attempt){ .text = t.bytes, .chip = chips[r % 4], .regs = r, .words = SUMS,
					      .n = 1000 };
			run(&a);
			for (unsigned i = 0; i < LANES * SUMS; i++)
				expect(&a, i / LANES, i % LANES, values[k] + TURNS * (i / LANES + 1));
		}
	}
}

/* ---- flags ---- */

/* Four condition registers hold four flags; the rest go through words to l[]. */
static void many_flags_are_alive(void **state)
{
	static const unsigned lengths[] = { 5, 18, 24, 60 }, counts[] = { 0, 8, 16 };
	static struct attempt a;
	static struct text t;

	for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
		unsigned n = lengths[k];
		t.n = 0;
		say(&t, "%s", head);
		for (unsigned i = 0; i < n; i++)
			say(&t, "ld.global.u32 %%r%u, [A+%u];\nsetp.lt.s32 %%p%u, %%r%u, %u;\n", i, 4 * LANES * i, i, i,
			    1000 * i);
		for (unsigned i = n; i--;)
			say(&t, "selp.u32 %%r400, %u, %%r%u, %%p%u;\nst.global.u32 [O+%u], %%r400;\n", i + 1, i, i,
			    4 * LANES * i);
		say(&t, "exit; }\n");
		for (size_t r = 0; r < sizeof counts / sizeof *counts; r++) {
			a.text = t.bytes;
			a.chip = chips[(k + r) % 4];
			a.regs = counts[r];
			a.words = n;
			run(&a);
			for (unsigned i = 0; i < LANES * n; i++)
				expect(&a, i / LANES, i % LANES,
				       (int32_t)a.in[i] < (int32_t)(1000 * (i / LANES)) ? i / LANES + 1 : a.in[i]);
		}
	}
}

/* The block of an edge holds an exclusive or of flags, which is no copy of a phi. */
static void logic_of_flags_stands_on_an_edge(void **state)
{
	static struct attempt a;
	static struct text t;

	t.n = 0;
	say(&t, "%sld.global.u32 %%r0, [A]; mov.u32 %%r1, 5; setp.lt.s32 %%p1, %%r0, 0; setp.lt.u32 %%p2, %%r0, 100;\n"
		"@%%p1 bra L; xor.pred %%p2, %%p1, %%p2; @%%p2 ld.global.u32 %%r1, [A]; L: st.global.u32 [O], %%r1; "
		"exit; }\n", head);
	for (unsigned c = 0; c < 4; c++) {
		a = (struct attempt){ .text = t.bytes, .chip = chips[c], .words = 1 };
		run(&a);
		for (unsigned lane = 0; lane < LANES; lane++)
			expect(&a, 0, lane, a.in[lane] < 100 ? a.in[lane] : 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_blocks_keep_their_values),
		cmocka_unit_test(values_of_an_exit_outlive_the_loop),
		cmocka_unit_test(sums_begin_anywhere),
		cmocka_unit_test(many_flags_are_alive),
		cmocka_unit_test(logic_of_flags_stands_on_an_edge),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
