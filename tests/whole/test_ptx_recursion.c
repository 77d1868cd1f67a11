/* Functions that call themselves, and alloca: the answers of C functions, under every policy of reconvergence, with all
 * and with few registers. Each kernel runs 32 threads; %r1 is the thread, %r20 the result. */
#include "tests/kit/launches.h"
#include "tests/kit/ptx_body.h"

enum { THREADS = 32 };

static const char functions[] =
	".version 8.0\n.target sm_75\n.address_size 64\n"
	".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .pred %p<3>; ld.param.b32 %r1, [n];\n"
	"setp.lt.u32 %p1, %r1, 2; @%p1 bra BASE; sub.u32 %r2, %r1, 1;\n"
	"{ .param .b32 a; .param .b32 q; st.param.b32 [a], %r2; call (q), fib, (a); ld.param.b32 %r3, [q]; }\n"
	"sub.u32 %r4, %r1, 2;\n"
	"{ .param .b32 a; .param .b32 q; st.param.b32 [a], %r4; call (q), fib, (a); ld.param.b32 %r5, [q]; }\n"
	"add.u32 %r6, %r3, %r5; st.param.b32 [r], %r6; ret;\nBASE: st.param.b32 [r], %r1; ret;\n}\n"
	/* two that call each other; a predicate, a pair and a counter of a loop live across the call */
	".func (.reg .b32 %q) odd(.reg .b32 %n, .reg .b32 %m);\n"
	".func (.reg .b32 %q) even(.reg .b32 %n, .reg .b32 %m)\n{\n"
	".reg .b32 %i<9>; .reg .b64 %d<4>; .reg .pred %p<4>;\n"
	"setp.eq.u32 %p1, %n, 0; @%p1 mov.u32 %q, 7; @%p1 ret; and.b32 %i1, %n, 2; setp.ne.u32 %p2, %i1, 0;\n"
	"mul.wide.u32 %d1, %n, 0x40000001; mov.u32 %i2, 0; mov.u32 %q, 0; sub.u32 %i5, %n, 1;\n"
	"LOOP: call (%i3), odd, (%m, %i5); add.u32 %q, %q, %i3; @%p2 add.u32 %q, %q, 100;\n"
	"add.u32 %i2, %i2, 1; setp.lt.u32 %p3, %i2, 2; @%p3 bra LOOP; shr.u64 %d2, %d1, 30; cvt.u32.u64 %i4, %d2;\n"
	"add.u32 %q, %q, %i4; ret;\n}\n"
	/* the arguments change places on the way */
	".func (.reg .b32 %q) odd(.reg .b32 %n, .reg .b32 %m)\n{\n.reg .pred %p<2>; setp.gt.u32 %p1, %n, 3;\n"
	"@!%p1 call (%q), even, (%m, %n); @%p1 add.u32 %q, %n, %m; ret;\n}\n"
	/* an array of each activation's own, whose address goes down */
	".func (.param .b32 r) sum(.param .b32 n, .param .b64 p)\n"
	"{\n.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<3>;\n"
	".local .align 8 .b8 mine[24]; ld.param.b32 %r1, [n]; ld.param.b64 %d1, [p]; mov.u64 %d2, mine;\n"
	"st.local.u32 [%d2+8], %r1; setp.eq.u32 %p1, %r1, 0; mov.u32 %r4, 1000; @%p1 bra DONE; sub.u32 %r2, %r1, 1;\n"
	"{ .param .b32 a; .param .b64 b; .param .b32 q; st.param.b32 [a], %r2; st.param.b64 [b], %d2;\n"
	"call (q), sum, (a, b); ld.param.b32 %r3, [q]; }\n"
	"ld.local.u32 %r4, [mine+8]; add.u32 %r4, %r4, %r3;\n"
	"DONE: ld.local.u32 %r5, [%d1+8]; add.u32 %r5, %r5, 10; "
	"st.local.u32 [%d1+8], %r5; st.param.b32 [r], %r4; ret;\n}\n"
	/* by its address */
	".func (.param .b32 r) down(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p<3>;\n"
	"ld.param.b32 %r1, [n]; mov.u32 %r3, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra DONE; mov.u64 %d1, down;\n"
	"sub.u32 %r2, %r1, 1; { .param .b32 a; .param .b32 q; st.param.b32 [a], %r2;\n"
	"proto : .callprototype (.param .b32 _) _ (.param .b32 _); "
	"call (q), %d1, (a), proto; ld.param.b32 %r3, [q]; }\n"
	"mad.lo.u32 %r3, %r3, 3, %r1;\nDONE: st.param.b32 [r], %r3; ret;\n}\n"
	/* memory of a size that depends on the thread, given back at the end */
	".func (.param .b32 r) heap(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .b64 %d<5>; .reg .pred %p<3>;\n"
	"ld.param.b32 %r1, [n]; add.u32 %r2, %r1, 1; shl.b32 %r2, %r2, 2; "
	"cvt.u64.u32 %d1, %r2; alloca.u64 %d2, %d1, 8;\n"
	"mov.u32 %r3, 0; FILL: mul.wide.u32 %d3, %r3, 4; add.u64 %d3, %d2, %d3; st.local.u32 [%d3], %r3;\n"
	"add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r1; @%p1 bra FILL; "
	"mul.wide.u32 %d3, %r1, 4; add.u64 %d3, %d2, %d3;\n"
	"ld.local.u32 %r4, [%d3]; st.param.b32 [r], %r4; ret;\n}\n";
static const char head[] =
	".visible .entry k(.param .u64 o)\n{\n.reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .pred %p<9>;\n"
	".local .align 8 .b8 outer[24];\nmov.u32 %r1, %tid.x; "
	"mov.u32 %r20, 0; and.b32 %r3, %r1, 7; shr.u32 %r4, %r1, 3;\n";
static const char tail[] =
	"\nld.param.u64 %rd10, [o]; mul.wide.u32 %rd11, %r1, 4; add.u64 %rd10, %rd10, %rd11;\n"
	"st.global.u32 [%rd10], %r20; ret;\n}\n";

static uint32_t fib(uint32_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static uint32_t odd(uint32_t n, uint32_t m);
static uint32_t even(uint32_t n, uint32_t m)
{
	uint32_t q = 0;

	if (!n)
		return 7;
	for (unsigned i = 0; i < 2; i++)
		q += odd(m, n - 1) + (n & 2 ? 100 : 0);
	return q + (uint32_t)((uint64_t)n * 0x40000001 >> 30);
}
static uint32_t odd(uint32_t n, uint32_t m) { return n > 3 ? n + m : even(m, n); }
static uint32_t sum(uint32_t n) { return n ? n + 10 + sum(n - 1) : 1000; }
static uint32_t down(uint32_t n) { return n ? down(n - 1) * 3 + n : 0; }

static uint32_t of_fib(uint32_t t) { return fib(t & 7); }
static uint32_t of_even(uint32_t t) { return even(t & 7, t >> 3); }
static uint32_t of_sum(uint32_t t) { return sum(t & 7) + 10; }
static uint32_t of_down(uint32_t t) { return down(t & 7) + fib(t >> 3); }
static uint32_t of_heap(uint32_t t) { return 2 * t; }
static uint32_t of_stack(uint32_t t) { return t + 5; }

static const struct row { const char *body; uint32_t (*model)(uint32_t t); } rows[] = {
	{ "{ .param .b32 a; .param .b32 q; st.param.b32 [a], %r3; call (q), fib, (a); ld.param.b32 %r20, [q]; }",
	  of_fib },
	{ "call (%r20), even, (%r3, %r4);", of_even },
	{ "mov.u64 %rd1, outer; st.local.u32 [outer+8], 0; { .param .b32 a; .param .b64 b; .param .b32 q;\n"
	  "st.param.b32 [a], %r3; st.param.b64 [b], %rd1; call (q), sum, (a, b); ld.param.b32 %r20, [q]; }\n"
	  "ld.local.u32 %r5, [outer+8]; add.u32 %r20, %r20, %r5;", of_sum },
	{ "{ .param .b32 a; .param .b32 q; st.param.b32 [a], %r3; call (q), down, (a); ld.param.b32 %r20, [q]; }\n"
	  "{ .param .b32 a; .param .b32 q; st.param.b32 [a], %r4; call (q), fib, (a); ld.param.b32 %r21, [q]; }\n"
	  "add.u32 %r20, %r20, %r21;", of_down },
	/* more than the stack has, were it not given back */
	{ "mov.u32 %r6, 0; L: { .param .b32 a; .param .b32 q; st.param.b32 [a], %r1; call (q), heap, (a);\n"
	  "ld.param.b32 %r20, [q]; } add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 100; @%p1 bra L;\n"
	  "{ .param .b32 a; .param .b32 q; st.param.b32 [a], %r1; call (q), heap, (a); ld.param.b32 %r21, [q]; }\n"
	  "add.u32 %r20, %r20, %r21;", of_heap },
	{ "mov.u32 %r6, 0; L: stacksave.u64 %rd3; setp.lt.u32 %p2, %r1, 50; @%p2 alloca.u64 %rd1, 32, 8;\n"
	  "alloca.u64 %rd2, 32; st.local.u32 [%rd1+4], %r1; st.local.u32 [%rd2+4], 5; ld.local.u32 %r20, [%rd1+4];\n"
	  "ld.local.u32 %r21, [%rd2+4]; add.u32 %r20, %r20, %r21; stackrestore.u64 %rd3;\n"
	  "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 100; @%p1 bra L;", of_stack },
};

static enum wb_status run_text(const char *body, const char *chip, const char *reconverge, const char *regs,
			       uint32_t out[THREADS], struct wb_diag *d)
{
	struct setting setup[] = { { "grid", "1" }, { "block", "32" }, { "timing", "off" },
				   { "reconverge", reconverge }, { 0 } };
	char text[16384];
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	snprintf(text, sizeof text, "%s%s%s%s", functions, head, body, tail);
	assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	assert_int_equal(wb_config_set(c, "max-regs", regs, d), WB_OK);
	if (wb_program_load(text, strlen(text), "test.ptx", c, &p, d) != WB_OK)
		fail_msg("%s on %s: line %d: %s", body, chip, d->line, d->text);
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=128", d), WB_OK);
	enum wb_status status = wb_launch_run(l, d);
	if (status == WB_OK)
		assert_int_equal(wb_launch_read_arg(l, 0, 0, out, THREADS * sizeof *out, d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	return status;
}

static void functions_call_themselves(void **state)
{
	static const char *const policies[] = { "stack", "minpc", "ipdom", "barriers" };
	static const char *const those[] = { "g200", "v100", "g80" };
	struct wb_diag d = { 0 };
	uint32_t out[THREADS];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned k = 0; k < 12; k++) {
			if (run_text(rows[i].body, those[k / 4], policies[k % 4], k % 3 ? "124" : "16", out, &d) !=
			    WB_OK)
				fail_msg("%s by %s: %s", rows[i].body, policies[k % 4], d.text);
			for (uint32_t t = 0; t < THREADS; t++)
				if (out[t] != rows[i].model(t))
					fail_msg("%s on %s by %s, thread %u: found %u, expected %u", rows[i].body,
						 those[k / 4], policies[k % 4], t, out[t], rows[i].model(t));
		}
}

static void a_stack_has_an_end(void **state)
{
	static const char deep[] = "{ .param .b32 a; .param .b32 q; st.param.b32 [a], 100000; call (q), down, (a); }";
	struct wb_diag d = { 0 };
	uint32_t out[THREADS];

	(void)state;
	assert_int_not_equal(run_text(deep, "v100", "stack", "124", out, &d), WB_OK);
	if (!strstr(d.text, "trap"))
		fail_msg("%s", d.text);
	assert_int_not_equal(run_text("alloca.u64 %rd1, 5000;", "v100", "stack", "124", out, &d), WB_OK);
	if (!strstr(d.text, "trap"))
		fail_msg("%s", d.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_call_themselves),
		cmocka_unit_test(a_stack_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
