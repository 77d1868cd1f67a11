/* 32 lanes equal one lane at a time: random programs with every kind of scope, at every SIMD level of the host; and the
 * bill of a divergent program. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "core/base/rng.h"
#include "core/isa/pica/ops.h"
#include "tests/kit/pica_unit.h"

enum { PROGRAMS = 60, WORDS = 1024, DESCS = 16, STEPS = 20000 };
enum { NOP = 0x84000000u, END = 0x88000000u };

struct gen {
	uint64_t seed;
	uint32_t code[WORDS], n;
	uint32_t calls[16], ncalls;     /* words to be patched with the subroutine's address */
};

static uint32_t pick(struct gen *g, uint32_t n)
{
	return rng_below(&g->seed, n);
}

static void emit(struct gen *g, uint32_t word)
{
	g->code[g->n++] = word;
}

/* An arithmetic word on r0 … r3, v0 … v3, c0 … c15, or a MOVA or CMP. */
static void arithmetic(struct gen *g)
{
	static const uint8_t ops[] = { 0, 1, 2, 3, 4, 7, 8, 9, 0xa, 0xb, 0xc, 0xd, 0xe, 0x13 };
	uint32_t narrow = pick(g, 2) ? pick(g, 4) : 16 + pick(g, 4);
	uint32_t wide = pick(g, 2) ? 32 + pick(g, 16) : narrow, index = wide >= 32 ? pick(g, 4) : 0;
	uint32_t sources = narrow << 7 | wide << 12 | index << 19, desc = pick(g, DESCS);

	switch (pick(g, 8)) {
	case 0:
		emit(g, 0x12u << 26 | wide << 12 | desc);
		return;
	case 1: case 2:
		emit(g, 0x17u << 27 | pick(g, 8) << 24 | pick(g, 8) << 21 | sources | desc);
		return;
	default:
		emit(g, (uint32_t)ops[pick(g, sizeof ops)] << 26 | (16 + pick(g, 4)) << 21 | sources | desc);
	}
}

static uint32_t condition(struct gen *g)
{
	return pick(g, 16) << 22;
}

static void block(struct gen *g, int depth, bool in_loop);

static void conditional(struct gen *g, int depth, bool in_loop)
{
	uint32_t at = g->n, other;

	emit(g, 0x28u << 26 | condition(g));
	block(g, depth - 1, in_loop);
	emit(g, NOP);
	other = g->n;
	if (pick(g, 2))
		block(g, depth - 1, in_loop);
	emit(g, NOP);
	g->code[at] |= other << 10 | (g->n - other);
}

static void loop(struct gen *g, int depth)
{
	uint32_t at = g->n;

	emit(g, 0x29u << 26 | pick(g, 4) << 22);
	block(g, depth - 1, true);
	if (pick(g, 2))
		emit(g, 0x23u << 26 | condition(g));
	emit(g, NOP);
	g->code[at] |= (g->n - 1) << 10;
}

static void skip_some(struct gen *g, int depth, bool in_loop)
{
	uint32_t at = g->n;

	emit(g, 0x2cu << 26 | condition(g));
	block(g, depth - 1, in_loop);
	g->code[at] |= g->n << 10;
	emit(g, NOP);
}

static void block(struct gen *g, int depth, bool in_loop)
{
	for (uint32_t n = 1 + pick(g, 3); n && g->n < WORDS / 4; n--) {
		uint32_t what = depth ? pick(g, 8) : 7;
		if (what == 0) {
			conditional(g, depth, in_loop);
		} else if (what == 1) {
			loop(g, depth);
		} else if (what == 2) {
			skip_some(g, depth, in_loop);
		} else if (what == 3 && g->ncalls < 16) {
			g->calls[g->ncalls++] = g->n;
			emit(g, 0x25u << 26 | condition(g));
		} else if (what == 4 && in_loop) {
			emit(g, 0x23u << 26 | condition(g));
		} else {
			arithmetic(g);
		}
	}
}

static void generate(struct gen *g)
{
	for (int i = 0; i < 4; i++)
		block(g, 3, false);
	emit(g, NOP);
	emit(g, END);
	uint32_t start = g->n, length;
	for (int i = 0; i < 4; i++)
		arithmetic(g);
	length = g->n - start;
	emit(g, END);
	for (uint32_t i = 0; i < g->ncalls; i++)
		g->code[g->calls[i]] |= start << 10 | length;
}

/* Every other program meets ordinary numbers alone, in the beginning. */
static uint32_t value(uint64_t *seed, unsigned program)
{
	static const float some[] = { 0, 1, -1, 2, 0.5f, -3.25f, 100, 0x1p-62f, 7 };
	uint64_t r = rng_next(seed);
	uint32_t any = f24_from_raw((uint32_t)(r >> 8) & 0xffffff);

	if (r & 3 || (program % 2 && !f24_ordinary(any)))
		return f32_bits(some[r % 9]);
	return any;
}

static void set_up(struct unit *u, unsigned program)
{
	uint64_t seed = program;

	for (unsigned c = 0; c < SHADER_FLOATS; c++)
		for (unsigned k = 0; k < 4; k++)
			pica_uniform_float(u->uniforms, c, k, value(&seed, program));
	for (unsigned i = 0; i < SHADER_INTS; i++)
		for (unsigned k = 0; k < 3; k++)
			u->uniforms->i[i][k] = (uint8_t)rng_below(&seed, 4);
}

/* Inputs of vertex number `vertex` of a run, put into a lane. */
static void set_inputs(struct unit *u, unsigned program, unsigned vertex, unsigned lane)
{
	uint64_t seed = program + vertex * 1000003ull;

	for (unsigned v = 0; v < 4; v++)
		for (unsigned k = 0; k < 4; k++)
			*unit_reg(u, "v", v, k, lane) = value(&seed, program);
}

static bool flag(const struct unit *u, int i, unsigned lane)
{
	return pica_state(&u->warp)->flag[i] >> lane & 1;
}

/* Which of two NaNs a sum keeps is up to the compiler's order of operands. */
static bool same(uint32_t a, uint32_t b)
{
	return a == b || (f24_mag(a) > (int32_t)F24_INF && f24_mag(b) > (int32_t)F24_INF);
}

static void same_state(struct unit *all, unsigned lane, struct unit *one, unsigned program)
{
	for (unsigned i = 0; i < SHADER_ROWS; i++)
		if (!same(all->warp.reg[i].lane[lane], one->warp.reg[i].lane[0]))
			fail_msg("program %u lane %u row %u: %08x, alone %08x", program, lane, i,
				 all->warp.reg[i].lane[lane], one->warp.reg[i].lane[0]);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pica_state(&all->warp)->address[i].lane[lane],
				 pica_state(&one->warp)->address[i].lane[0]);
	for (int i = 0; i < 2; i++)
		assert_int_equal(flag(all, i, lane), flag(one, i, 0));
}

static unsigned compare_program(unsigned number, unsigned simd, const struct reconverge *policy)
{
	enum f24_mode rounding = (enum f24_mode)(number % F24_MODES);
	struct gen g = { .seed = number };
	uint32_t desc[DESCS + 1];
	struct unit all, one;

	generate(&g);
	for (int i = 0; i < DESCS; i++)
		desc[i] = (uint32_t)rng_next(&g.seed) & 0x7fffffff;
	unit_policy = policy;
	unit_open(&all, g.code, g.n, desc, DESCS, PICA_VS, rounding, simd);
	unit_policy = NULL;
	unit_open(&one, g.code, g.n, desc, DESCS, PICA_VS, rounding, SIMD_BASE);
	set_up(&all, number);
	set_up(&one, number);
	one.rules.preset = true;        /* no shortcuts there */
	unit_start(&all, LANES, 0);
	for (unsigned l = 0; l < LANES; l++)
		set_inputs(&all, number, l, l);
	assert_int_equal(unit_run(&all, LANES * STEPS), STEP_DONE);
	for (unsigned l = 0; l < LANES; l++) {
		unit_start(&one, 1, 0);
		set_inputs(&one, number, l, 0);
		assert_int_equal(unit_run(&one, STEPS), STEP_DONE);
		same_state(&all, l, &one, number);
	}
	unsigned diverged = all.bill.divergent > 0;
	unit_close(&all);
	unit_close(&one);
	return diverged;
}

static void lanes_equal_vertices(void **state)
{
	unsigned diverged = 0;

	for (unsigned simd = SIMD_BASE; simd < SIMD_LEVELS; simd++)
		for (unsigned i = 0; host_has(simd) && i < PROGRAMS; i++)
			diverged += compare_program(i, simd, NULL);
	assert_true(diverged > PROGRAMS / 2);   /* the programs are worth something */
}

/* Results do not depend on the policy of reconvergence. */
static void lanes_equal_vertices_under_every_policy(void **state)
{
	const struct reconverge *policy;
	unsigned policies = 0, diverged = 0;

	for (unsigned k = 1; (policy = reconverge_at(k)) && !policy->counted; k++, policies++)
		for (unsigned i = 0; i < PROGRAMS / 4; i++)
			diverged += compare_program(i, SIMD_BASE, policy);
	assert_true(policies >= 4);
	assert_true(diverged > policies * PROGRAMS / 24);
}

/* ifc splits 32 lanes in 8 and 24. */
static void run_split(struct unit *u)
{
	const uint32_t code[] = {
		0x17u << 27 | 2u << 24 | 2u << 21 | 1u << 7,    /* cmp v0, v1, <, < */
		0x28u << 26 | 2u << 22 | 1u << 25 | 1u << 24 | 4u << 10 | 3u,   /* ifc cc.x */
		0x02000080u, NOP,                       /* true: 2 instructions */
		0x02000080u, NOP, NOP,                  /* false: 3 */
		NOP, END,
	};
	const uint32_t desc[] = { 0x0d86c36f, 0 };

	unit_open(u, code, 9, desc, 1, PICA_VS, F24_TRUNC, SIMD_BASE);
	unit_start(u, LANES, 0);
	for (unsigned l = 0; l < LANES; l++)
		*unit_reg(u, "v", l < 8 ? 1 : 0, 0, l) = F24_ONE;
	assert_int_equal(unit_run(u, STEPS), STEP_DONE);
	lanes_settle(&u->warp, &u->bill);
	bill_settle(&u->bill, &u->program);
}

/* Each side runs alone, and they go on together behind the else; without reconvergence two instructions are issued once
 * more. */
static void groups_meet_where_the_policy_says(void **state)
{
	for (unsigned k = 1; reconverge_at(k) && !reconverge_at(k)->counted; k++) {
		bool apart = !strcmp(reconverge_at(k)->word, "none");
		struct unit u;
		unit_policy = reconverge_at(k);
		run_split(&u);
		unit_policy = NULL;
		assert_int_equal(u.x.instructions, apart ? 11 : 9);
		assert_int_equal(u.bill.pc[7].issues, apart ? 2 : 1);
		struct bill_sum sum = bill_sum(&u.bill);
		assert_int_equal(sum.lane_slots, sum.useful + sum.branched_off + sum.exited);
		unit_close(&u);
	}
}

/* Each side runs alone, and they go on together behind the else. */
static void paths_merge_where_the_scope_ends(void **state)
{
	struct unit u;

	run_split(&u);
	assert_int_equal(u.x.instructions, 9);
	assert_int_equal(u.bill.divergent, 1);
	assert_int_equal(u.bill.pc[1].lost, 2 * 24 + 3 * 8);
	assert_int_equal(u.bill.pc[7].active, 32);
	struct bill_sum sum = bill_sum(&u.bill);
	assert_int_equal(sum.lane_slots, sum.useful + sum.branched_off);
	unit_close(&u);
}

static void faults(void **state)
{
	static const struct { uint32_t word; enum fault_kind kind; } bad[] = {
		{ 0x40000000, FAULT_ILLEGAL_OPCODE }, { 0x80000000, FAULT_STACK_UNDERFLOW },
		{ 0xa8000000, FAULT_ILLEGAL_OPCODE }, { NOP, FAULT_PC_OUT_OF_RANGE },
	};
	const uint32_t desc[] = { 0, 0 };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct unit u;
		unit_open(&u, &bad[i].word, 1, desc, 0, PICA_VS, F24_TRUNC, SIMD_BASE);
		unit_start(&u, 4, 0);
		assert_int_equal(unit_run(&u, 10), STEP_FAULT);
		assert_int_equal(u.x.fault.kind, bad[i].kind);
		assert_int_equal(u.x.fault.lanes, 15);
		unit_close(&u);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_equal_vertices),
		cmocka_unit_test(lanes_equal_vertices_under_every_policy),
		cmocka_unit_test(groups_meet_where_the_policy_says),
		cmocka_unit_test(paths_merge_where_the_scope_ends),
		cmocka_unit_test(faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
