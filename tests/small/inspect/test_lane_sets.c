/* Executors record touched words (mem/warp_sets.h): two warps, each with an access of some shape, by some instruction,
 * and some lanes. The addresses decide whether the warps conflict; each SIMD level finds the same, in a run and with an
 * observer. */
#include "inspect/launch.h"
#include "mem/warp_sets.h"
#include "tests/kit/launches.h"

enum { ROUNDS = 3, ADDR_WORDS = 480, FIXED = 0x3c, FIRST = 0x20 };

/* Addresses are in $a1 with FIRST to come, for s[], and in $r5, for g[]; `fixed`: at FIXED for all lanes. */
static const struct op {
	const char *text;
	bool global, fixed;
	enum rw_set kind;
	unsigned width;
} ops[] = {
	{ "ld $r7 b32 s[$a1+0x20]", false, false, READ_SET, 4 },
	{ "add b32 $r7 b32 s[$a1+0x20] $r4", false, false, READ_SET, 4 },
	{ "mov b32 $r7 u16 s[$a1+0x20]", false, false, READ_SET, 2 },
	{ "ld $r7 b32 s[0x3c]", false, true, READ_SET, 4 },
	{ "add b32 $r7 b32 s[0x3c] $r4", false, true, READ_SET, 4 },
	{ "mov b32 $r7 u16 s[0x3c]", false, true, READ_SET, 2 },
	{ "st b32 s[$a1+0x20] $r8", false, false, WRITE_SET, 4 },
	{ "st b32 s[0x3c] $r8", false, true, WRITE_SET, 4 },
	{ "st b16 s[$a1+0x20] $r4l", false, false, WRITE_SET, 2 },
	{ "st b8 s[$a1+0x20] $r4l", false, false, WRITE_SET, 1 },
	{ "ld b32 $r7 g14[$r5]", true, false, READ_SET, 4 },
	{ "ld u8 $r7 g14[$r5]", true, false, READ_SET, 1 },
	{ "ld b128 $r8q g14[$r5]", true, false, READ_SET, 16 },
	{ "st b32 g14[$r5] $r8", true, false, WRITE_SET, 4 },
	{ "st b64 g14[$r5] $r8d", true, false, WRITE_SET, 8 },
	{ "red add u32 g14[$r5] $r8", true, false, REDUCE_SET, 4 },
};
enum { OPS = sizeof ops / sizeof *ops };

/* A warp's access in a round: an op with or without a guard, and addresses. */
struct side {
	const struct op *op;
	bool guarded;
	uint32_t addr[LANES], on[LANES];
};

static uint32_t rnd(uint64_t *s, uint32_t below)
{
	*s = *s * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*s >> 33) % below);
}

/* Elements of an op's width, in a shape with an executor path of its own. */
static void draw(struct side *side, uint64_t *s)
{
	unsigned width = side->op->width, units = ADDR_WORDS * 4 / width, shape = rnd(s, 7);
	uint32_t base = rnd(s, 6) * 32 * 4 / width + rnd(s, 4), other = rnd(s, units / 4);

	FOR_LANES(l) {
		uint32_t i = (uint32_t)l, at;
		switch (shape) {
		case 0: at = base + i; break;
		case 1: at = base; break;
		case 2: at = base + 2 * i; break;
		case 3: at = base + 2 * i - (i & 3); break;
		case 4: at = base + i % 16 + (i < 16 ? 0 : other); break;
		case 5: at = base + 17 * i; break;
		default: at = rnd(s, units);
		}
		side->addr[l] = at % units * width;
		side->on[l] = side->guarded && rnd(s, 2);
	}
	if (!rnd(s, 4))
		memset(side->on, 0, sizeof side->on);
}

/* Touched words, from FIRST on. */
static void words_of(const struct side *side, bool touched[])
{
	memset(touched, 0, ADDR_WORDS * sizeof *touched);
	FOR_LANES(l)
		if (!side->guarded || side->on[l])
			for (unsigned k = 0; k < (side->op->width + 3) / 4; k++)
				touched[(side->op->fixed ? FIXED - FIRST : side->addr[l]) / 4 + k] = true;
}

static bool meet(const struct side side[2])
{
	enum rw_set a = side[0].op->kind, b = side[1].op->kind;
	bool touched[2][ADDR_WORDS], same = false;

	words_of(&side[0], touched[0]);
	words_of(&side[1], touched[1]);
	for (unsigned i = 0; i < ADDR_WORDS; i++)
		same |= touched[0][i] && touched[1][i];
	return same && side[0].op->global == side[1].op->global && (a != b || a == WRITE_SET);
}

static struct wb_program *program(const struct side side[2], bool barrier)
{
	char text[2048];
	const char *guard[2] = { side[0].guarded ? "(lg $c0) " : "", side[1].guarded ? "(lg $c0) " : "" };

	snprintf(text, sizeof text, HEAD ".grid 1\n.block 64\n.smem 0x1000\n.arg zero=512\n.arg zero=4096\n"
		 "shl b32 $r1 $r0 0x2\nadd b32 $r1 b32 s[0x10] $r1\nld b32 $r2 g14[$r1]\n"
		 "mov b32 $r3 0x100\nadd b32 $r1 $r1 $r3\nld b32 $r4 g14[$r1]\n"
		 "shl $a1 $r2 0x0\nadd b32 $r5 b32 s[0x14] $r2\nand b32 $c0 # $r4 $r4\n"
		 "mov b32 $r6 0x20\nmov b32 $r8 0x1\nmov b32 $r9 0x1\nmov b32 $r10 0x1\nmov b32 $r11 0x1\n"
		 "and b32 $c1 # $r0 $r6\n(lg $c1) bra #second\n%s%s\nbra #end\n"
		 "second:\n%s%s%s\nbra #end\nend:\n%sexit nop\n", guard[0], side[0].op->text,
		 barrier ? "bar inc wait 0x0 all\n" : "", guard[1], side[1].op->text,
		 barrier ? "bar inc wait 0x0 all\n" : "");
	return load(text);
}

/* Run each warp to the next barrier, from the last warp on: the last to arrive goes on without a stop, here the first
 * warp, which has nothing to do afterwards. Returns the last outcome. */
static int run_block(struct wb_launch *l, struct block *b, bool observed)
{
	struct exec *x = &l->machine.mp[0].x;
	int r = STEP_OK;

	x->block = b;
	for (unsigned i = b->nwarps - 1; b->unfinished; i = (i ? i : b->nwarps) - 1) {
		struct warp *w = &b->warp[i];
		if (w->status != WARP_READY)
			continue;
		x->warp = w;
		warp_sets_select(x->warp_sets, i);
		do
			r = (observed ? l->plan.code.run_observed : l->plan.code.run)(x, 1 << 20);
		while (r == STEP_OK);
		if (r == STEP_DONE)
			block_warp_done(b, w);
		else if (r != STEP_BARRIER)
			break;
		if (b->woken)
			warp_sets_begin(x->warp_sets);
		b->woken = 0;
	}
	return r;
}

/* Run a prepared launch's only block with read and write sets; returns the reason for another run, or NULL. */
static const char *run_with_sets(struct wb_launch *l, bool observed)
{
	struct conflicts sets;
	struct warp_sets c;
	const char *refused;
	unsigned host;
	int r;

	assert_true(warp_sets_init(&c, l->plan.shared_bytes) && conflicts_begin(&sets, l->machine.global, 1));
	l->machine.mp[0].x.warp_sets = &c;
	l->machine.mp[0].x.pages.sets = &sets.of[0];
	host = program_enter(&l->plan.code);
	r = run_block(l, &l->machine.mp[0].resident[0].block, observed);
	program_leave(&l->plan.code, host);
	refused = r == STEP_FAULT ? sets.of[0].refused : c.refused;
	assert_true(r == STEP_DONE || (r == STEP_FAULT && refused));
	conflicts_end(&sets);
	warp_sets_free(&c);
	return refused;
}

static const char *run_sides(const struct wb_program *p, const struct side side[2], const char *level, bool observed)
{
	struct wb_launch *l = launch(p, (const struct setting[]){ { "simd", level }, { NULL, NULL } });
	const char *refused;

	assert_int_equal(wb_launch_prepare(l, NULL), WB_OK);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(wb_launch_write_arg(l, 0, i * 128, side[i].addr, 128, NULL), WB_OK);
		assert_int_equal(wb_launch_write_arg(l, 0, 256 + i * 128, side[i].on, 128, NULL), WB_OK);
	}
	refused = run_with_sets(l, observed);
	wb_launch_free(l);
	return refused;
}

static bool host_has(const char *level)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = load(HEAD "exit nop\n");
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };
	bool has = wb_config_set(c, "simd", level, &d) == WB_OK && wb_launch_new(p, NULL, c, &l, &d) == WB_OK;

	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	return has;
}

static void shapes(void **state)
{
	static const char *const levels[] = { "base", "avx2", "avx512" };
	unsigned found[2] = { 0 };
	uint64_t s = 1;
	bool has[3];

	(void)state;
	for (unsigned k = 0; k < 3; k++)
		has[k] = host_has(levels[k]);
	for (unsigned i = 0; i < OPS * OPS * 4; i++) {
		struct side side[2] = { { .op = &ops[i / OPS % OPS], .guarded = i / OPS / OPS & 1 },
					{ .op = &ops[i % OPS], .guarded = i / OPS / OPS >> 1 } };
		struct wb_program *p = program(side, false), *ordered = program(side, true);
		for (unsigned round = 0; round < ROUNDS; round++) {
			draw(&side[0], &s);
			draw(&side[1], &s);
			found[meet(side)]++;
			for (unsigned k = 0; k < 6; k++)
				if (has[k / 2] && !!run_sides(p, side, levels[k / 2], k & 1) != meet(side))
					fail_msg("%s%s, %s%s, %s: %s",
						 side[0].op->text, side[0].guarded ? " (some)" : "",
						 side[1].op->text, side[1].guarded ? " (some)" : "",
						 levels[k / 2], meet(side) ? "missed" : "false alarm");
			assert_null(run_sides(ordered, side, levels[0], false));
		}
		wb_program_free(p);
		wb_program_free(ordered);
	}
	assert_true(found[0] > 200 && found[1] > 200);
}

static void refused(void **state)
{
	static const struct { const char *text; struct setting setting; } rows[] = {
		{ "mov $r7 $clock\n", { "timing", "on" } },
		{ "mov $r7 $pm0\n", { "timing", "on" } },
		{ "ld lock $c0 $r4 b32 s[0x3c]\n", { "timing", "on" } },
		{ "st unlock b32 s[0x3c] $r0\n", { "timing", "on" } },
		{ "mov b32 $r1 0x100000\nld add u32 $r2 g14[$r1] $r0\n", { "timing", "on" } },
		{ "mov b32 $r1 0x100000\nst b32 g14[$r1] $r0\n", { "store-winner", "random" } },
		{ "st b32 s[0x3c] $r0\n", { "store-winner", "random" } },
		{ "and b32 $c0 # $r0 $r0\n(e $c0) bra #on\nnop\non:\nnop\n", { "diverge", "random" } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[512];
		snprintf(text, sizeof text, HEAD ".block 32\n.smem 0x100\n.arg zero=256\n%sexit nop\n", rows[i].text);
		struct wb_program *p = load(text);
		struct wb_launch *l = launch(p, (const struct setting[]){ rows[i].setting, { NULL, NULL } });
		assert_int_equal(wb_launch_prepare(l, NULL), WB_OK);
		if (!run_with_sets(l, false))
			fail_msg("row %u: %s", i, rows[i].text);
		wb_launch_free(l);
		wb_program_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(shapes), cmocka_unit_test(refused) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
