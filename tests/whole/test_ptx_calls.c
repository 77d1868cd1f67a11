/* Calls through registers, jumps through lists of labels, and what else today's tools write around instructions: the
 * same words under every policy of reconvergence. Each kernel runs 64 threads; %r1 is the thread, %r20 the result. */
#include "tests/kit/launches.h"
#include "tests/kit/ptx_body.h"

enum { THREADS = 64 };

static const char functions[] =
	".version 8.8\n.target sm_75\n.address_size 64\n"
	".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %r<3>; ld.param.b32 %r1, [a];\n"
	"shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret;\n}\n"
	".func (.param .b32 r) plus(.param .b32 a)\n{\n.reg .b32 %r<3>; ld.param.b32 %r1, [a];\n"
	"add.u32 %r2, %r1, 100; st.param.b32 [r], %r2; ret;\n}\n"
	/* parts the warp, and calls; the address is taken before the body */
	".func (.param .b32 r) odd(.param .b32 a);\n.global .u64 early = odd;\n"
	".func (.param .b32 r) odd(.param .b32 a)\n{\n.reg .b32 %r<4>; .reg .pred %p<2>;\n"
	".param .b32 x; .param .b32 y;\n"
	"ld.param.b32 %r1, [a]; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra E;\n"
	"st.param.b32 [x], %r1; call (y), plus, (x); ld.param.b32 %r3, [y]; st.param.b32 [r], %r3; ret;\n"
	"E: st.param.b32 [r], 3; ret;\n}\n"
	/* another kind of argument: never met */
	".func (.param .b32 r) other(.param .b64 a)\n{\n st.param.b32 [r], 9999; ret;\n}\n"
	".func (.reg .b32 %q) by_register(.reg .b32 %a)\n{\n add.u32 %q, %a, 5000; ret;\n}\n"
	".shared .align 4 .b8 pool[256];\n"
	".global .align 8 .u64 table[4] = {twice, plus, odd, other};\n"
	".const .align 4 .u32 narrow[2] = {plus, twice};\n";
static const char head[] =
	".visible .entry k(.param .u64 o)\n{\n.reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .pred %p<9>;\n"
	"mov.u32 %r1, %tid.x; mov.u32 %r20, 0;\n";
static const char tail[] =
	"\nld.param.u64 %rd10, [o]; mul.wide.u32 %rd11, %r1, 4; add.u64 %rd10, %rd10, %rd11;\n"
	"st.global.u32 [%rd10], %r20; ret;\n}\n";

#define CALL "{ .param .b32 i; st.param.b32 [i+0], %r1; .param .b32 q;\n" \
	"proto : .callprototype (.param .b32 _) _ (.param .b32 _);\n" \
	"call (q), %rd4, (i), proto; ld.param.b32 %r20, [q+0]; }\n"

static uint32_t odd(uint32_t t) { return t & 1 ? t + 100 : 3; }
static uint32_t of_table(uint32_t t) { return t % 3 == 0 ? 2 * t : t % 3 == 1 ? t + 100 : odd(t); }
static uint32_t of_choice(uint32_t t) { return t < 9 ? t + 100 : 2 * t; }
static uint32_t of_narrow(uint32_t t) { return t & 1 ? 2 * t : t + 100; }
static uint32_t of_register(uint32_t t) { return t + 5000; }
static uint32_t guarded(uint32_t t) { return t < 40 ? odd(t) : 0; }
static uint32_t of_labels(uint32_t t)
{
	static const uint32_t answers[8] = { 10, 20, 30, 30, 30, 20, 10, 70 };

	return answers[t & 7];
}
static uint32_t looping(uint32_t t) { return 3 * (t & 3) + (t & 3 ? 1 : 0); }
static uint32_t plain(uint32_t t) { return t + 1; }

static const struct row { const char *body; uint32_t (*model)(uint32_t t); } rows[] = {
	{ "rem.u32 %r2, %r1, 3; mul.wide.u32 %rd2, %r2, 8; mov.u64 %rd3, table; add.u64 %rd3, %rd3, %rd2;\n"
	  "ld.global.u64 %rd4, [%rd3];" CALL, of_table },
	{ "mov.u64 %rd4, plus; mov.u64 %rd5, twice; setp.lt.u32 %p1, %r1, 9; selp.b64 %rd4, %rd4, %rd5, %p1;" CALL,
	  of_choice },
	{ "and.b32 %r2, %r1, 1; shl.b32 %r2, %r2, 2; mov.u32 %r3, narrow; add.u32 %r3, %r3, %r2;\n"
	  "ld.const.u32 %r4, [%r3]; cvt.u64.u32 %rd4, %r4;" CALL, of_narrow },
	{ "mov.u64 %rd4, odd; setp.lt.u32 %p1, %r1, 40; { .param .b32 i; st.param.b32 [i+0], %r1; .param .b32 q;\n"
	  "st.param.b32 [q], 0; proto : .callprototype (.param .b32 _) _ (.param .b32 _);\n"
	  "@%p1 call (q), %rd4, (i), proto; ld.param.b32 %r20, [q+0]; }", guarded },
	{ "mov.u64 %rd4, by_register; proto : .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
	  "list: .calltargets by_register; call (%r20), %rd4, (%r1), list;", of_register },
	{ "and.b32 %r2, %r1, 7; list: .branchtargets A, B, C, C, C, B, A, D; brx.idx %r2, list;\n"
	  "A: mov.u32 %r20, 10; bra.uni E; B: mov.u32 %r20, 20; bra.uni E; C: mov.u32 %r20, 30; bra.uni E;\n"
	  "D: mov.u32 %r20, 70; E:", of_labels },
	/* a jump back, under a guard */
	{ "and.b32 %r2, %r1, 3; mov.u32 %r3, 0; list: .branchtargets E, A; A: setp.lt.u32 %p1, %r3, %r2;\n"
	  "add.u32 %r20, %r20, 3; add.u32 %r3, %r3, 1; selp.u32 %r4, 1, 0, %p1; @%p1 brx.idx.uni %r4, list;\n"
	  "sub.u32 %r20, %r20, 3; bra F; E: add.u32 %r20, %r20, 1000; F: setp.ne.u32 %p2, %r2, 0;\n"
	  "@%p2 add.u32 %r20, %r20, 1;", looping },
	{ "add.u32 { %r20 }, { %r1 }, 1;", plain },
	/* hints to caches */
	{ "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0; ld.param.u64 %rd2, [o]; mul.wide.u32 %rd3, %r1, 4;\n"
	  "add.u64 %rd2, %rd2, %rd3; add.u32 %r2, %r1, 1;\n"
	  "st.global.L1::evict_last.L2::cache_hint.b32 [%rd2], {%r2}, %rd1;\n"
	  "ld.global.L1::evict_last.L2::cache_hint.b32 {%r20}, [%rd2 + 0], %rd1;", plain },
	/* the reserved bytes are no variable's */
	{ "mov.u32 %r2, %reserved_smem_offset_1; mov.u32 %r4, pool; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3;\n"
	  "add.u32 %r4, %r4, %r3; st.shared.u32 [%r2], %r1; st.shared.u32 [%r4], 1; bar.sync 0;\n"
	  "ld.shared.u32 %r20, [%r2]; ld.shared.u32 %r5, [%r4]; add.u32 %r20, %r20, %r5;", plain },
	{ ".pragma \"nounroll\";\n{ // begin inline asm\n mov.u32 %r20, 0x1;\n}\nadd.u32 %r20, %r20, %r1;", plain },
};

static struct wb_program *loaded(const char *text, const char *chip)
{
	struct wb_diag d = { 0 };
	struct wb_program *p = load_ptx(text, chip, &d);

	if (!p)
		fail_msg("%s: line %d: %s", text, d.line, d.text);
	return p;
}

static void run_row(const struct row *r, const char *chip, const char *reconverge)
{
	struct setting setup[] = { { "grid", "1" }, { "block", "64" }, { "timing", "off" },
				   { "reconverge", reconverge }, { 0 } };
	char text[8192];
	uint32_t out[THREADS];
	struct wb_diag d = { 0 };

	snprintf(text, sizeof text, "%s%s%s%s", functions, head, r->body, tail);
	struct wb_program *p = loaded(text, chip);
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s: %s", r->body, d.text);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, out, sizeof out, &d), WB_OK);
	for (uint32_t t = 0; t < THREADS; t++)
		if (out[t] != r->model(t))
			fail_msg("%s on %s by %s, thread %u: found %u, expected %u", r->body, chip, reconverge, t,
				 out[t], r->model(t));
	wb_launch_free(l);
	wb_program_free(p);
}

static void calls_and_jumps_meet_their_targets(void **state)
{
	static const char *const policies[] = { "stack", "minpc", "ipdom", "barriers" };
	static const char *const those[] = { "g200", "v100", "g80" };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned k = 0; k < 12; k++)
			run_row(&rows[i], those[k / 4], policies[k % 4]);
}

/* A word that is no function's address. */
static void a_wild_call_traps(void **state)
{
	static const struct setting setup[] = { { "grid", "1" }, { "block", "64" }, { 0 } };
	char text[8192];
	struct wb_diag d = { 0 };

	(void)state;
	snprintf(text, sizeof text, "%s%smov.u64 %%rd4, 4;%s%s", functions, head, CALL, tail);
	struct wb_program *p = loaded(text, "v100");
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
	assert_int_not_equal(wb_launch_run(l, &d), WB_OK);
	assert_non_null(strstr(d.text, "trap"));
	wb_launch_free(l);
	wb_program_free(p);
}

/* Variables and directives of numba and Triton. */
static const char *const forms[] = {
	".common .global .align 8 .u64 _ZN08NumbaEnv8__main__;\n.common .global .align 4 .b8 big[12];\n",
	".global .attribute(.managed) .align 4 .u32 managed_word = 7;\n",
	".extern .shared .align 16 .b8 global_smem[];\n.file 1 \"a\\tb/softmax.py\"\n",
};

static void other_words_are_read(void **state)
{
	char text[8192];

	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		snprintf(text, sizeof text, "%s%s%s%s", functions, forms[i], head, tail);
		wb_program_free(loaded(text, "v100"));
	}
	snprintf(text, sizeof text, "%s%s%s", functions, head, tail);
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_diag d = { 0 };
	assert_int_equal(wb_program_load(text, strlen(text) + 1, "nul.ptx", c, &p, &d), WB_OK);
	wb_program_free(p);
	wb_config_free(c);
}

static void refusals(void **state)
{
	static const struct { const char *body, *message; } each[] = {
		{ "call (%r20), %rd4, (%r1, %r1, %r1), proto; proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);",
		  "whose address the file takes" },
		{ "brx.idx %r1, A; A:", "the name of a list of .branchtargets" },
		{ "cp.async.ca.shared.global [%r1], [%rd1], 4;", "cp.async.ca.shared.global is not in sm_1x" },
		{ "wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned is not in sm_1x" },
		{ "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "ldmatrix" },
	};
	char text[8192];

	(void)state;
	for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
		struct wb_diag d = { 0 };
		snprintf(text, sizeof text, "%s%s%s%s", functions, head, each[i].body, tail);
		struct wb_program *p = load_ptx(text, "v100", &d);
		if (p || !strstr(d.text, each[i].message) || !d.line)
			fail_msg("%s: found \"%s\"", each[i].body, p ? "no error" : d.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_and_jumps_meet_their_targets),
		cmocka_unit_test(a_wild_call_traps),
		cmocka_unit_test(other_words_are_read),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
