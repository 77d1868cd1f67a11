/* Registers, condition registers and places in l[] of compiled PTX: kernels with more values alive than the machine has
 * registers give the results of a plain model, on every chip, with few registers and with many. */
#include "tests/kit/launches.h"
#include "tests/kit/text.h"

enum { LANES = 32, WORDS_MAX = 512 };

static const char *const chips[] = { "g80", "g84", "mcp77", "g200" };

static const char head[] = ".version 1.4\n.target sm_10\n.entry k (.param .u32 a, .param .u32 o, .param .u32 n) {\n"
			   ".reg .u32 %r<512>, A, O, T, %i; .reg .pred %p<64>;\n"
			   "ld.param.u32 A, [a]; ld.param.u32 O, [o];\n"
			   "cvt.u32.u16 T, %tid.x; shl.b32 T, T, 2; add.u32 A, A, T; add.u32 O, O, T;\n";

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
		put(&t, "%s", head);
		for (unsigned i = 0; i < lengths[k]; i++)
			put(&t, "ld.global.u32 %%r%u, [A+%u];\n", i, 4 * LANES * i);
		for (unsigned i = lengths[k]; i--;)
			put(&t, "st.global.u32 [O+%u], %%r%u;\n", 4 * LANES * i, i);
		put(&t, "exit; }\n");
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
	put(&t, "%sld.param.u32 %%i, [n];\n", head);
	for (unsigned i = 0; i < KEPT; i++)
		put(&t, "ld.global.u32 %%r%u, [A+%u];\n", i, 4 * LANES * i);
	put(&t, "turn: st.global.u32 [O+%u], %%i; setp.ne.u32 %%p1, %%i, 0; @%%p1 bra rest;\n", 4 * LANES * 2 * KEPT);
	for (unsigned i = 0; i < KEPT; i++)
		put(&t, "st.global.u32 [O+%u], %%r%u;\n", 4 * LANES * i, i);
	put(&t, "exit;\nrest:\n");
	for (unsigned i = 0; i < KEPT; i++)
		put(&t, "ld.global.u32 %%r%u, [A+%u];\n", 100 + i, 4 * LANES * (KEPT + i));
	for (unsigned i = KEPT; i--;)
		put(&t, "st.global.u32 [O+%u], %%r%u;\n", 4 * LANES * (KEPT + i), 100 + i);
	put(&t, "sub.u32 %%i, %%i, 1; bra turn; }\n");
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
		put(&t, ".version 1.4\n.target sm_10\n.const .u32 c = 99;\n%s", strstr(head, ".entry"));
		put(&t, "%s mov.u32 %%i, 0;\n", begins[k]);
		for (unsigned i = 1; i < SUMS; i++)
			put(&t, "mov.u32 %%r%u, %%r0;\n", i);
		put(&t, "turn:\n");
		for (unsigned i = 0; i < SUMS; i++)
			put(&t, "add.u32 %%r%u, %%r%u, %u;\n", i, i, i + 1);
		put(&t, "add.u32 %%i, %%i, 1; setp.lt.u32 %%p1, %%i, %d; @%%p1 bra turn;\n", TURNS);
		for (unsigned i = 0; i < SUMS; i++)
			put(&t, "st.global.u32 [O+%u], %%r%u;\n", 4 * LANES * i, i);
		put(&t, "exit; }\n");
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
		put(&t, "%s", head);
		for (unsigned i = 0; i < n; i++)
			put(&t, "ld.global.u32 %%r%u, [A+%u];\nsetp.lt.s32 %%p%u, %%r%u, %u;\n", i, 4 * LANES * i, i, i,
			    1000 * i);
		for (unsigned i = n; i--;)
			put(&t, "selp.u32 %%r400, %u, %%r%u, %%p%u;\nst.global.u32 [O+%u], %%r400;\n", i + 1, i, i,
			    4 * LANES * i);
		put(&t, "exit; }\n");
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
	put(&t, "%sld.global.u32 %%r0, [A]; mov.u32 %%r1, 5; setp.lt.s32 %%p1, %%r0, 0; setp.lt.u32 %%p2, %%r0, 100;\n"
		"@%%p1 bra L; xor.pred %%p2, %%p1, %%p2; @%%p2 ld.global.u32 %%r1, [A]; L: st.global.u32 [O], %%r1; "
		"exit; }\n", head);
	for (unsigned c = 0; c < 4; c++) {
		a = (struct attempt){ .text = t.bytes, .chip = chips[c], .words = 1 };
		run(&a);
		for (unsigned lane = 0; lane < LANES; lane++)
			expect(&a, 0, lane, a.in[lane] < 100 ? a.in[lane] : 5);
	}
}

/* Words of a loaded quad are variables of a loop: the copies at the loop's end want nine registers. */
static void too_few_registers_are_refused_with_the_least_number(void **state)
{
	static const char text[] =
		".version 2.3\n.target sm_13\n.entry k (.param .u32 in, .param .u32 out) {\n"
		".reg .u32 %r<27>, %a, %in, %out; .reg .u64 %d<13>; .reg .pred %p<15>;\n"
		"ld.param.u32 %in, [in]; ld.param.u32 %out, [out]; ld.global.u32 %a, [%in]; mov.u32 %r14, %tid.x;\n"
		"add.u32 %r20, %r14, 3; cvt.u64.u32 %d0, %r20; cvt.u64.u32 %d2, %a; mov.u64 %d7, %d2;\n"
		"setp.lt.u32 %p5, %r14, 4; setp.lt.u32 %p9, %r14, 9; setp.lt.u32 %p6, %r20, 8;\n"
		"setp.lt.u32 %p2, %a, 8; setp.eq.u32 %p14, %a, 5; setp.eq.u32 %p12, %a, 7;\n"
		"L19: @%p5 bra L22; add.u32 %r12, %r20, 6; mul.lo.u64 %d7, %d2, 63;\n"
		"L22: @%p14 bra L19; @%p9 cvt.u64.u32 %d2, %r14; ld.global.v2.u64 {%d5, %d8}, [%in];\n"
		"L46: and.b32 %a, %r12, 3; mul.lo.u64 %d9, %d7, 0; @!%p6 div.u64 %d11, %d5, %d0;\n"
		"@%p2 setp.eq.s64 %p12, %d9, %d2; setp.le.u64 %p2, %d11, %d5; @%p14 bra L46;\n"
		"st.global.u32 [%out], %a; selp.u32 %a, 1, 0, %p12; st.global.u32 [%out+4], %a; exit; }\n";
	struct attempt a = { .text = text, .chip = "g200", .regs = 8 };
	struct wb_diag d = { 0 };
	unsigned least = 0;

	assert_null(compiled(&a, &d));
	assert_int_equal(d.line, 3);
	if (sscanf(d.text, "k does not fit 8 registers: %u is the least number that fits", &least) != 1)
		fail_msg("found \"%s\"", d.text);
	a.regs = least - 1;
	assert_null(compiled(&a, &d));
	a.regs = least;
	struct wb_program *p = compiled(&a, &d);
	assert_non_null(p);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_blocks_keep_their_values),
		cmocka_unit_test(values_of_an_exit_outlive_the_loop),
		cmocka_unit_test(sums_begin_anywhere),
		cmocka_unit_test(many_flags_are_alive),
		cmocka_unit_test(logic_of_flags_stands_on_an_edge),
		cmocka_unit_test(too_few_registers_are_refused_with_the_least_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
