/* Lanes of a compiled kernel meet where a reader of PTX expects them: at the post-dominator of each branch, before any
 * barrier, vote or lock behind. Each kernel is one shape of control flow with a plain model beside it, and gives the
 * model's words whichever side runs first and however lanes reconverge. */
#include "tests/kit/launches.h"

enum { THREADS = 96, OUT = 256 };

#define PTX(body) \
	".version 2.3\n.target sm_20\n.shared .u32 h[128];\n.entry k (.param .u32 out, .param .u32 in)\n{\n" \
	".reg .u32 %o, %in, %l, %a, %b, %c, %i, %s, %x, %y, %m; .reg .pred %p, %q, %r;\n" \
	"ld.param.u32 %o, [out]; ld.param.u32 %in, [in]; mov.u32 %l, %tid.x;\n" \
	"shl.b32 %c, %l, 2; add.u32 %in, %in, %c; add.u32 %o, %o, %c; mov.u32 %m, h; add.u32 %m, %m, %c;\n" body "\n}\n"

/* %a = base + 4 * index, where the base has 4 * %l in it */
#define OTHER(base, index) \
	"sub.s32 %a, " index ", %l; shl.b32 %a, %a, 2; add.u32 %a, %a, " base ";\n"

static uint32_t in_word(unsigned i) { return i * 37 % 61; }

/* ---- loops that start at an id ---- */

static const char strided[] = PTX(
	"mov.u32 %i, %l; setp.gt.u32 %p, %l, 127; @%p bra MET;\n"
	"LOOP:\n" OTHER("%in", "%i") "ld.global.u32 %x, [%a];\n" OTHER("%m", "%i") "st.shared.u32 [%a], %x;\n"
	"add.u32 %i, %i, 96; setp.lt.u32 %q, %i, 128; @%q bra LOOP;\n"
	"MET: bar.sync 0; @%p bra END; mov.u32 %i, %l;\n"
	"AGAIN: sub.u32 %y, 127, %i;\n" OTHER("%m", "%y") "ld.shared.u32 %x, [%a];\n" OTHER("%o", "%i")
	"st.global.u32 [%a], %x; add.u32 %i, %i, 96; setp.lt.u32 %q, %i, 128; @%q bra AGAIN;\n"
	"END: exit;");

static void strided_model(uint32_t *out)
{
	for (unsigned i = 0; i < 128; i++)
		out[i] = in_word(127 - i);
}

/* In each of four rounds a loop of lane-dependent length, a barrier, a word from a lane that leaves the loop earlier or
 * later, a barrier. */
static const char rounds[] = PTX(
	"mov.u32 %y, 0; ld.global.u32 %x, [%in];\n"
	"ROUND: mov.u32 %i, %l; setp.ge.u32 %p, %i, 70; @%p bra MET;\n"
	"LOOP: mad.lo.u32 %x, %x, 3, %i; add.u32 %i, %i, 13; setp.lt.u32 %q, %i, 70; @%q bra LOOP;\n"
	"MET: st.shared.u32 [%m], %x; bar.sync 0; xor.b32 %b, %l, 31;\n" OTHER("%m", "%b") "ld.shared.u32 %b, [%a];\n"
	"bar.sync 0; add.u32 %x, %x, %b; add.u32 %y, %y, 1; setp.lt.u32 %q, %y, 4; @%q bra ROUND;\n"
	"st.global.u32 [%o], %x; exit;");

static void rounds_model(uint32_t *out)
{
	uint32_t x[THREADS], h[THREADS];

	for (unsigned l = 0; l < THREADS; l++)
		x[l] = in_word(l);
	for (unsigned y = 0; y < 4; y++) {
		for (unsigned l = 0; l < THREADS; l++) {
			for (unsigned i = l; i < 70; i += 13)
				x[l] = x[l] * 3 + i;
			h[l] = x[l];
		}
		for (unsigned l = 0; l < THREADS; l++)
			x[l] += h[l ^ 31];
	}
	memcpy(out, x, sizeof x);
}

/* ---- turns of several loops that begin at one head: `continue` ---- */

/* As rounds, where a round begins with the first block of the inner loop. */
static const char one_head[] = PTX(
	"mov.u32 %y, 0; mov.u32 %i, %l; ld.global.u32 %x, [%in];\n"
	"LOOP: mad.lo.u32 %x, %x, 3, %i; add.u32 %i, %i, 13; setp.lt.u32 %q, %i, 70; @%q bra LOOP;\n"
	"st.shared.u32 [%m], %x; bar.sync 0; xor.b32 %b, %l, 31;\n" OTHER("%m", "%b") "ld.shared.u32 %b, [%a];\n"
	"bar.sync 0; add.u32 %x, %x, %b; mov.u32 %i, %l; add.u32 %y, %y, 1; setp.lt.u32 %q, %y, 4; @%q bra LOOP;\n"
	"st.global.u32 [%o], %x; exit;");

static void one_head_model(uint32_t *out)
{
	uint32_t x[THREADS], h[THREADS];

	for (unsigned l = 0; l < THREADS; l++)
		x[l] = in_word(l);
	for (unsigned y = 0; y < 4; y++) {
		for (unsigned l = 0; l < THREADS; l++) {
			unsigned i = l;
			do
				x[l] = x[l] * 3 + i;
			while ((i += 13) < 70);
			h[l] = x[l];
		}
		for (unsigned l = 0; l < THREADS; l++)
			x[l] += h[l ^ 31];
	}
	memcpy(out, x, sizeof x);
}

#define FROM_LANE(index) \
	"st.shared.u32 [%m], %x; bar.sync 0; " index OTHER("%m", "%b") "ld.shared.u32 %b, [%a]; bar.sync 0;\n"

/* Three loops of barriers with a single head. All lanes branch alike, unknown to a compiler: by (96 i + l) / 96. */
static const char three_levels[] = PTX(
	"mov.u32 %i, 0; ld.global.u32 %x, [%in];\n"
	"LOOP:" FROM_LANE("xor.b32 %b, %l, 31;") "mad.lo.u32 %x, %x, 3, %b; add.u32 %i, %i, 1;\n"
	"mad.lo.u32 %y, %i, 96, %l; div.u32 %y, %y, 96; and.b32 %b, %y, 1; setp.eq.u32 %p, %b, 1; @%p bra LOOP;\n"
	FROM_LANE("xor.b32 %b, %l, 1;") "add.u32 %b, %b, 5; xor.b32 %x, %x, %b;\n"
	"and.b32 %b, %y, 2; setp.eq.u32 %p, %b, 2; @%p bra LOOP;\n"
	FROM_LANE("sub.u32 %b, 95, %l;") "mad.lo.u32 %x, %b, 7, %x; setp.lt.u32 %q, %y, 12; @%q bra LOOP;\n"
	"st.global.u32 [%o], %x; exit;");

static void three_levels_model(uint32_t *out)
{
	uint32_t x[THREADS], h[THREADS];

	for (unsigned l = 0; l < THREADS; l++)
		x[l] = in_word(l);
	for (unsigned i = 1; i <= 12; i++) {
		memcpy(h, x, sizeof h);
		for (unsigned l = 0; l < THREADS; l++)
			x[l] = x[l] * 3 + h[l ^ 31];
		memcpy(h, x, sizeof h);
		for (unsigned l = 0; l < THREADS && !(i & 1); l++)
			x[l] ^= h[l ^ 1] + 5;
		memcpy(h, x, sizeof h);
		for (unsigned l = 0; l < THREADS && !(i & 3); l++)
			x[l] += h[95 - l] * 7;
	}
	memcpy(out, x, sizeof x);
}

/* Turns of both loops end in one block as well, which has a phi, a test that lanes answer apart, and the counter. */
static const char one_last[] = PTX(
	"mov.u32 %i, 1; ld.global.u32 %x, [%in]; bra LOOP;\n"
	"LAST: and.b32 %b, %x, 3; setp.eq.u32 %r, %b, 1; selp.u32 %b, 11, 2, %r; mad.lo.u32 %x, %x, 5, %b;\n"
	"add.u32 %i, %i, 1;\n"
	"LOOP:" FROM_LANE("xor.b32 %b, %l, 31;") "mad.lo.u32 %x, %x, 3, %b; mad.lo.u32 %y, %i, 96, %l;\n"
	"div.u32 %y, %y, 96; and.b32 %b, %y, 1; setp.eq.u32 %p, %b, 1; @%p bra LAST;\n"
	FROM_LANE("xor.b32 %b, %l, 1;") "add.u32 %b, %b, 5; xor.b32 %x, %x, %b;\n"
	"setp.lt.u32 %q, %y, 12; @%q bra LAST; st.global.u32 [%o], %x; exit;");

static void one_last_model(uint32_t *out)
{
	uint32_t x[THREADS], h[THREADS];

	for (unsigned l = 0; l < THREADS; l++)
		x[l] = in_word(l);
	for (unsigned i = 1; i <= 12; i++) {
		memcpy(h, x, sizeof h);
		for (unsigned l = 0; l < THREADS; l++)
			x[l] = x[l] * 3 + h[l ^ 31];
		memcpy(h, x, sizeof h);
		for (unsigned l = 0; l < THREADS && !(i & 1); l++)
			x[l] ^= h[l ^ 1] + 5;
		for (unsigned l = 0; l < THREADS && i < 12; l++)
			x[l] = x[l] * 5 + ((x[l] & 3) == 1 ? 11 : 2);
	}
	memcpy(out, x, sizeof x);
}

static const char votes[] = PTX(
	"mov.u32 %i, %l; mov.u32 %s, 0;\n"
	"LOOP: add.u32 %s, %s, %i; add.u32 %i, %i, 17; setp.lt.u32 %q, %i, 90; @%q bra LOOP;\n"
	"setp.eq.u32 %p, %l, 35; vote.any.pred %r, %p; selp.u32 %x, 1000, 0, %r; add.u32 %s, %s, %x;\n"
	"st.global.u32 [%o], %s; exit;");

static void votes_model(uint32_t *out)
{
	for (unsigned l = 0; l < THREADS; l++) {
		unsigned i = l;
		do
			out[l] += i;
		while ((i += 17) < 90);
		out[l] += l / 32 == 1 ? 1000 : 0;
	}
}

/* ---- ends before a barrier ---- */

#define NEIGHBOUR \
	"st.shared.u32 [%m], %x; bar.sync 0; xor.b32 %b, %l, 1;\n" OTHER("%m", "%b") "ld.shared.u32 %b, [%a];\n" \
	"add.u32 %x, %x, %b;\n"
#define NESTED_END(to) \
	"mov.u32 %x, 0; st.shared.u32 [%m], %x; bar.sync 0; ld.global.u32 %x, [%in];\n" \
	"and.b32 %b, %l, 1; setp.eq.u32 %p, %b, 0; @%p bra MET;\n" \
	"setp.gt.u32 %q, %x, 50; @%q bra " to ";\n" \
	"mul.lo.u32 %x, %x, 3; st.global.u32 [%o+512], %x; add.u32 %x, %x, 1; st.global.u32 [%o+512], %x;\n"

/* The early end has its own store, in the text's last place. */
static const char error_last[] = PTX(
	NESTED_END("FAILED") "MET:\n" NEIGHBOUR "st.global.u32 [%o], %x; exit;\n"
	"FAILED: mov.u32 %x, 7; st.global.u32 [%o], %x; exit;");

/* The early end shares the store with the other end: compilers sink equal stores. */
static const char shared_store[] = PTX(
	NESTED_END("EARLY") "MET:\n" NEIGHBOUR "bra LAST;\n"
	"EARLY: mov.u32 %x, 7;\n"
	"LAST: st.global.u32 [%o], %x; exit;");

static bool ends_early(unsigned l) { return (l & 1) && in_word(l) > 50; }

static uint32_t nested_word(unsigned l)
{
	return ends_early(l) ? 0 : l & 1 ? in_word(l) * 3 + 1 : in_word(l);
}

static void nested_model(uint32_t *out)
{
	for (unsigned l = 0; l < THREADS; l++) {
		out[l] = ends_early(l) ? 7 : nested_word(l) + nested_word(l ^ 1);
		if (l & 1 && !ends_early(l))
			out[128 + l] = nested_word(l);
	}
}

/* The same beside another end, which has a barrier itself and is a place to meet. */
static const char barrier_last[] = PTX(
	"mov.u32 %x, %ctaid.x; setp.ne.u32 %p, %x, 0; @%p bra OTHER;\n"
	NESTED_END("EARLY") "MET:\n" NEIGHBOUR "bra LAST;\n"
	"EARLY: mov.u32 %x, 7;\n"
	"LAST: st.global.u32 [%o], %x; exit;\n"
	"OTHER: ld.global.u32 %x, [%in]; and.b32 %y, %x, 2; setp.eq.u32 %p, %y, 0; @%p bra EVEN;\n"
	"mul.lo.u32 %x, %x, 7; st.global.u32 [%o+512], %x; add.u32 %x, %x, 3; st.global.u32 [%o+512], %x;\n"
	"setp.gt.u32 %q, %l, 50; @%q st.global.u32 [%o+512], %x; @%q st.global.u32 [%o+512], %x; bra BAR;\n"
	"EVEN: mul.lo.u32 %x, %x, 5; st.global.u32 [%o+512], %x; add.u32 %x, %x, 4; st.global.u32 [%o+512], %x;\n"
	"BAR:" NEIGHBOUR "st.global.u32 [%o], %x; exit;");

/* Lanes leave a loop of barriers by an end in the text's last place, and others go on. */
static const char failing_loop[] = PTX(
	"mov.u32 %s, 0; mov.u32 %i, 0; st.shared.u32 [%m], %s; bar.sync 0;\n"
	"LOOP: shl.b32 %a, %i, 2; add.u32 %a, %a, %in; ld.global.u32 %x, [%a];\n"
	"and.b32 %y, %x, 1; setp.eq.u32 %p, %y, 0; @%p bra MET;\n"
	"setp.gt.u32 %q, %x, 54; @%q bra FAILED; add.u32 %s, %s, %x; st.global.u32 [%o+512], %s;\n"
	"mul.lo.u32 %s, %s, 5; st.global.u32 [%o+512], %s;\n"
	"MET: setp.eq.u32 %q, %x, 40; @%q bra FAILED; st.shared.u32 [%m], %s; bar.sync 0; xor.b32 %b, %l, 1;\n"
	OTHER("%m", "%b") "ld.shared.u32 %b, [%a]; bar.sync 0; add.u32 %s, %s, %b; add.u32 %i, %i, 1;\n"
	"setp.lt.u32 %q, %i, 8; @%q bra LOOP; st.global.u32 [%o], %s; exit;\n"
	"FAILED: st.global.u32 [%o], %i; exit;");

static void failing_loop_model(uint32_t *out)
{
	uint32_t s[THREADS] = { 0 }, h[THREADS] = { 0 };
	bool ended[THREADS] = { false };

	for (unsigned i = 0; i < 8; i++) {
		for (unsigned l = 0; l < THREADS; l++) {
			uint32_t x = in_word(l + i);
			if (ended[l])
				continue;
			ended[l] = x == 40 || (x & 1 && x > 54);
			if (ended[l])
				out[l] = i;
			if (x & 1 && x <= 54)
				out[128 + l] = s[l] = (s[l] + x) * 5;
			if (!ended[l])
				h[l] = s[l];
		}
		for (unsigned l = 0; l < THREADS; l++)
			s[l] += ended[l] ? 0 : h[l ^ 1];
	}
	for (unsigned l = 0; l < THREADS; l++)
		if (!ended[l])
			out[l] = s[l];
}

/* ---- locks ---- */

/* A lane that has missed the lock waits for the winner at MISSED, though the test there is decided. */
static const char lock[] = PTX(
	"sub.u32 %o, %o, %c; mov.u32 %s, 0;\n"
	"TRY: atom.global.cas.b32 %x, [%o], 0, 1; setp.ne.u32 %p, %x, 0; @%p bra MISSED;\n"
	"ld.volatile.global.u32 %y, [%o+4]; add.u32 %y, %y, 1; st.volatile.global.u32 [%o+4], %y; mov.u32 %s, 1;\n"
	"atom.global.exch.b32 %x, [%o], 0;\n"
	"MISSED: setp.eq.u32 %q, %s, 0; @%q bra TRY; exit;");

static void lock_model(uint32_t *out) { out[1] = THREADS; }

/* ---- blocks that become one ---- */

/* A guarded store in the first block, and more behind than a guard takes: nothing behind goes missing. */
static const char guarded[] =
	".version 2.3\n.target sm_20\n.shared .u32 h;\n.entry k (.param .u32 out, .param .u32 in)\n{\n"
	".reg .u32 %o, %in, %l, %c, %s, %x, %y; .reg .pred %p;\n"
	"mov.u32 %l, %tid.x; setp.ne.u32 %p, %l, 0; @%p bra MET; mov.u32 %x, 11; st.shared.u32 [h], %x;\n"
	"MET: ld.param.u32 %o, [out]; ld.param.u32 %in, [in]; shl.b32 %c, %l, 2; add.u32 %in, %in, %c;\n"
	"add.u32 %o, %o, %c; bar.sync 0; ld.shared.u32 %x, [h]; ld.global.u32 %y, [%in]; mad.lo.u32 %x, %x, 3, %y;\n"
	"add.u32 %s, %x, %l; xor.b32 %y, %y, %s; mul.lo.u32 %s, %s, %y; st.global.u32 [%o], %s; exit;\n}\n";

static void guarded_model(uint32_t *out)
{
	for (unsigned l = 0; l < THREADS; l++) {
		uint32_t s = 33 + in_word(l) + l;
		out[l] = s * (in_word(l) ^ s);
	}
}

static const struct {
	const char *name, *text;
	void (*model)(uint32_t *out);
	bool sm12, ipdom;               /* needs the chips from 1.2 on; strict post-dominators do as well */
} kernels[] = {
	{ "strided", strided, strided_model, false, true },
	{ "rounds", rounds, rounds_model, false, true },
	{ "one head", one_head, one_head_model, false, true },
	{ "three levels", three_levels, three_levels_model, false, true },
	{ "one last", one_last, one_last_model, false, true },
	{ "votes", votes, votes_model, true, true },
	{ "error last", error_last, nested_model, false, false },
	{ "shared store", shared_store, nested_model, false, false },
	{ "barrier last", barrier_last, nested_model, false, false },
	{ "failing loop", failing_loop, failing_loop_model, false, false },
	{ "lock", lock, lock_model, false, true },
	{ "guarded", guarded, guarded_model, false, true },
};

/* ---- runs ---- */

static struct wb_program *load_text(const char *text, const char *chip, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	assert_int_equal(wb_config_set(c, "format", "ptx", d), WB_OK);
	assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	wb_program_load(text, strlen(text), "test", c, &p, d);
	wb_config_free(c);
	return p;
}

static void run_kernel(size_t k, const char *chip, const struct setting *way)
{
	struct setting s[] = { { "block", "96" }, *way, { NULL, NULL } };
	uint32_t in[OUT], expected[OUT] = { 0 }, found[OUT];
	struct wb_diag d = { 0 };
	struct wb_program *p = load_text(kernels[k].text, chip, &d);

	if (!p)
		fail_msg("%s: line %d: %s", kernels[k].name, d.line, d.text);
	struct wb_launch *l = launch(p, s);
	for (unsigned i = 0; i < OUT; i++)
		in[i] = in_word(i);
	kernels[k].model(expected);
	assert_int_equal(wb_launch_arg(l, "zero=1024", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=1024", &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 1, 0, in, sizeof in, &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s on %s, %s %s: %s", kernels[k].name, chip, way->option, way->value, d.text);
	if (!strcmp(way->option, "check") && wb_launch_report(l)->nwarnings) /* lanes that end early run first */
		fail_msg("%s on %s: %s", kernels[k].name, chip, wb_launch_report(l)->warnings[0]);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, found, sizeof found, &d), WB_OK);
	for (unsigned i = 0; i < OUT; i++)
		if (found[i] != expected[i])
			fail_msg("%s on %s, %s %s: word %u is %u, expected %u", kernels[k].name, chip, way->option,
				 way->value, i, found[i], expected[i]);
	wb_launch_free(l);
	wb_program_free(p);
}

static void lanes_meet_before_what_notices(void **state)
{
	static const struct setting ways[] = {
		{ "diverge", "taken" }, { "diverge", "fall" },    { "diverge", "larger" },     { "diverge", "random" },
		{ "timing", "off" },    { "join", "per-path" },   { "threaded-code", "off" },  { "policy", "random" },
		{ "max-regs", "8" },    { "reconverge", "minpc" }, { "reconverge", "ipdom" }, { "check", "barrier" },
	};
	static const char *const chips[] = { "g84", "mcp77", "g200" };

	(void)state;
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
		for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
			for (size_t c = kernels[k].sm12; c < 3; c++)
				if (strcmp(ways[w].value, "ipdom") || kernels[k].ipdom)
					run_kernel(k, chips[c], &ways[w]);
}

/* A barrier in a circle with two entries: lanes come to the circle again past every joinat. */
static void what_cannot_meet_is_refused(void **state)
{
	static const char text[] = PTX(
		"mov.u32 %i, 0; setp.lt.u32 %p, %l, 20; @%p bra SECOND;\n"
		"FIRST: add.u32 %i, %i, 3; st.global.u32 [%o], %i; st.global.u32 [%o+8], %l; ld.global.u32 %y, [%in];\n"
		"st.global.u32 [%o+16], %y;\n"
		"SECOND: bar.sync 0; add.u32 %i, %i, 5; st.global.u32 [%o+4], %i; add.u32 %x, %i, %l;\n"
		"setp.lt.u32 %q, %x, 100; @%q bra FIRST; st.global.u32 [%o], %i; exit;");
	struct wb_diag d = { 0 };

	(void)state;
	assert_null(load_text(text, "g200", &d));
	if (!strstr(d.text, "found a barrier that lanes reach apart after they part on line 9"))
		fail_msg("line %d: %s", d.line, d.text);
	assert_int_equal(d.line, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_meet_before_what_notices),
		cmocka_unit_test(what_cannot_meet_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
