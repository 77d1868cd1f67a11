/* What warps of a block touch between barriers, and whether it matters which is first. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "mem/claims.h"

enum { SHARED_BYTES = 16384, G = 0x00100000, ADD = 6, MAX = 0x66 };

static bool meet(struct claims *c)
{
	bool met = c->refused;

	c->refused = NULL;
	return met;
}

/* Two warps, one after the other, at words of s[] or g[] from an address on. Does it matter which is first? */
struct pair { uint32_t addr[2], words[2]; enum mark kind[2]; };

static bool pair_meets(struct claims *c, const struct pair *p, bool global)
{
	claims_begin(c);
	for (unsigned i = 0; i < 2; i++) {
		claims_warp(c, i);
		if (global)
			claims_global(c, G + p->addr[i], p->words[i], p->kind[i]);
		else
			claims_shared(c, p->addr[i], p->words[i], p->kind[i]);
	}
	return meet(c);
}

static void pairs(void **state)
{
	static const struct { struct pair pair; bool meet; } rows[] = {
		{ { { 16, 16 }, { 1, 1 }, { MARK_LOAD, MARK_LOAD } }, false },
		{ { { 16, 16 }, { 1, 1 }, { MARK_LOAD, MARK_STORE } }, true },
		{ { { 16, 16 }, { 1, 1 }, { MARK_STORE, MARK_LOAD } }, true },
		{ { { 16, 16 }, { 1, 1 }, { MARK_STORE, MARK_STORE } }, true },
		/* neighbours, and bytes of one word */
		{ { { 16, 20 }, { 1, 1 }, { MARK_STORE, MARK_STORE } }, false },
		{ { { 16, 19 }, { 1, 1 }, { MARK_STORE, MARK_STORE } }, true },
		{ { { 0, 128 }, { ~0u, ~0u }, { MARK_STORE, MARK_STORE } }, false },
		{ { { 0, 124 }, { ~0u, ~0u }, { MARK_STORE, MARK_LOAD } }, true },
		{ { { 16, 20 }, { 0x55555555, 0x55555555 }, { MARK_STORE, MARK_LOAD } }, false },
		/* across rows */
		{ { { 200, 324 }, { ~0u, 1 }, { MARK_STORE, MARK_LOAD } }, true },
		{ { { 200, 328 }, { ~0u, 1 }, { MARK_STORE, MARK_LOAD } }, false },
		{ { { 252, 256 }, { 3, 1 }, { MARK_LOAD, MARK_STORE } }, true },
		{ { { 252, 256 }, { 1, 1 }, { MARK_LOAD, MARK_STORE } }, false },
		{ { { 128, 256 }, { ~0u, ~0u }, { MARK_STORE, MARK_STORE } }, false },
		{ { { 0, SHARED_BYTES - 128 }, { ~0u, ~0u }, { MARK_STORE, MARK_STORE } }, false },
		{ { { SHARED_BYTES - 4, SHARED_BYTES - 128 }, { 1, ~0u }, { MARK_STORE, MARK_STORE } }, true },
	};
	struct claims c;

	(void)state;
	assert_true(claims_init(&c, SHARED_BYTES));
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int global = 0; global < 2; global++)
			if (pair_meets(&c, &rows[i].pair, global) != rows[i].meet)
				fail_msg("row %u of %c[]", i, global ? 'g' : 's');
	claims_free(&c);
}

static void intervals(void **state)
{
	struct claims c;

	(void)state;
	assert_true(claims_init(&c, SHARED_BYTES));
	claims_warp(&c, 0);
	claims_shared(&c, 64, 1, MARK_STORE);
	claims_shared(&c, 64, 1, MARK_STORE);
	claims_shared(&c, 64, 1, MARK_LOAD);
	claims_begin(&c);
	claims_warp(&c, 1);
	claims_shared(&c, 64, 1, MARK_STORE);
	assert_false(meet(&c));
	/* s[] is not g[]. */
	claims_warp(&c, 2);
	claims_global(&c, 64, 1, MARK_STORE);
	assert_false(meet(&c));
	/* One that comes back is still itself, and what others did meanwhile is still theirs. */
	claims_warp(&c, 1);
	claims_shared(&c, 64, 3, MARK_STORE);
	claims_warp(&c, 2);
	claims_shared(&c, 72, 1, MARK_STORE);
	claims_warp(&c, 1);
	claims_shared(&c, 64, 3, MARK_STORE);
	assert_false(meet(&c));
	claims_shared(&c, 72, 1, MARK_LOAD);
	assert_true(meet(&c));
	claims_free(&c);
}

/* 64 words at once, from any word on. */
static void many_words(void **state)
{
	struct claims c;

	(void)state;
	assert_true(claims_init(&c, SHARED_BYTES));
	for (uint32_t first = 0; first < 2 * CLAIM_WORDS; first++)
		for (uint32_t word = 0; word < 64; word++) {
			claims_begin(&c);
			claims_warp(&c, 0);
			claims_shared(&c, 4 * first, 1ull << word, MARK_STORE);
			claims_warp(&c, 1);
			claims_shared(&c, 4 * first, ~(1ull << word), MARK_STORE);
			assert_false(meet(&c));
			claims_shared(&c, 4 * (first + word), 1, MARK_LOAD);
			assert_true(meet(&c));
		}
	claims_free(&c);
}

static void reductions(void **state)
{
	struct claims c;

	(void)state;
	assert_true(claims_init(&c, SHARED_BYTES));
	claims_warp(&c, 0);
	claims_reduce(&c, G, 4, ADD);
	claims_reduce(&c, G + 8, 8, MAX);       /* as a store */
	claims_warp(&c, 1);
	claims_reduce(&c, G, 4, ADD);
	assert_false(meet(&c));
	claims_reduce(&c, G + 12, 4, MAX);
	assert_true(meet(&c));
	claims_global(&c, G, 1, MARK_LOAD);
	assert_true(meet(&c));
	claims_begin(&c);
	claims_reduce(&c, G, 4, MAX);
	claims_warp(&c, 2);
	claims_reduce(&c, G, 4, MAX);
	assert_false(meet(&c));
	claims_reduce(&c, G, 4, ADD);
	assert_true(meet(&c));
	claims_begin(&c);
	claims_global(&c, G, 1, MARK_LOAD);
	claims_reduce(&c, G, 4, ADD);
	claims_reduce(&c, G + 4, 4, ADD);
	claims_global(&c, G + 4, 1, MARK_LOAD);
	claims_warp(&c, 3);
	assert_false(meet(&c));
	claims_reduce(&c, G, 4, ADD);
	assert_true(meet(&c));
	claims_reduce(&c, G + 4, 4, ADD);
	assert_true(meet(&c));
	claims_free(&c);
}

/* A block that touches far more than there is room for in the beginning. */
static void many_rows(void **state)
{
	enum { ROWS = 5000 };
	struct claims c;

	(void)state;
	assert_true(claims_init(&c, SHARED_BYTES));
	for (unsigned warp = 0; warp < 4; warp++) {
		claims_warp(&c, warp);
		for (uint32_t i = 0; i < ROWS; i++)
			claims_global(&c, G + i * 4096 + warp * 16, 15, MARK_STORE);
	}
	assert_null(c.refused);
	for (uint32_t i = 0; i < ROWS; i += 499) {
		claims_global(&c, G + i * 4096 + 3, 1, MARK_LOAD);
		assert_true(meet(&c));
	}
	/* More than it wants to remember. */
	for (uint32_t i = 0; i < 1 << 17; i++)
		claims_global(&c, i << CLAIM_ROW_BITS, 1, MARK_LOAD);
	assert_true(meet(&c));
	claims_begin(&c);
	claims_global(&c, G, ~0u, MARK_STORE);
	assert_null(c.refused);
	claims_free(&c);
}

/* ---- against sets of warps for every word ---- */

enum { WORDS = 192, WARPS = 5, ROUNDS = 20000, TOUCHES = 12 };

static uint32_t rnd(uint64_t *s, uint32_t below)
{
	*s = *s * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*s >> 33) % below);
}

static uint32_t by[MARKS][WORDS];       /* warps, one bit each */

static bool reference(uint32_t word, unsigned n, unsigned warp, enum mark kind)
{
	bool race = false;

	for (; n--; word++) {
		uint32_t changed = by[MARK_STORE][word] | (kind == MARK_REDUCE ? 0 : by[MARK_REDUCE][word]);
		uint32_t before = changed | (kind == MARK_LOAD ? 0 : by[MARK_LOAD][word]);
		race |= (before & ~(1u << warp)) != 0;
		by[kind][word] |= 1u << warp;
	}
	return race;
}

enum way { SIDE_BY_SIDE, EACH, REDUCTION, WAYS };

/* One touch of a warp. True: it meets another's. */
static bool touch(struct claims *c, uint64_t *s, bool global, unsigned warp)
{
	uint32_t base = global ? G : 0, addr[LANES], first, n = 1 + rnd(s, 8);
	unsigned width = 1u << rnd(s, 5);
	enum mark kind = rnd(s, 3) ? MARK_LOAD : MARK_STORE;
	lane_mask lanes = rnd(s, 1u << 30);
	bool race = false;

	lanes &= rnd(s, 1u << 30);
	lanes &= rnd(s, 1u << 30);      /* few of them */
	switch (rnd(s, global ? WAYS : REDUCTION)) {
	case SIDE_BY_SIDE:
		first = rnd(s, WORDS - n);
		(global ? claims_global : claims_shared)(c, base + first * 4 + rnd(s, 4), (1u << n) - 1, kind);
		return reference(first, n, warp, kind);
	case REDUCTION:
		first = rnd(s, WORDS / 2) * 2;
		claims_reduce(c, base + first * 4, 8, ADD);
		return reference(first, 2, warp, MARK_REDUCE);
	default:
		FOR_LANES(l)
			addr[l] = base + rnd(s, WORDS * 4 / width) * width;
		(global ? claims_global_lanes : claims_shared_lanes)(c, addr, lanes, width, kind);
		FOR_SET_LANES(l, lanes)
			race |= reference((addr[l] - base) / 4, claims_element(width) > 1 ? width / 4 : 1, warp, kind);
		return race;
	}
}

/* Warps come and go within an interval, which ends when they meet or after a while. */
static void as_sets(void **state)
{
	unsigned met[2] = { 0 };
	uint64_t s = 1;
	struct claims c;

	(void)state;
	assert_true(claims_init(&c, WORDS * 4));
	for (unsigned round = 0; round < ROUNDS; round++) {
		bool race = false;
		memset(by, 0, sizeof by);
		claims_begin(&c);
		for (unsigned i = 0; i < TOUCHES && !race; i++) {
			unsigned warp = rnd(&s, WARPS);
			claims_warp(&c, warp);
			race = touch(&c, &s, round % 2, warp);
			if (race != meet(&c))
				fail_msg("round %u, touch %u: %s", round, i, race ? "missed" : "false alarm");
		}
		met[race]++;
	}
	assert_true(met[false] > ROUNDS / 20 && met[true] > ROUNDS / 20);
	claims_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs),
		cmocka_unit_test(intervals),
		cmocka_unit_test(many_words),
		cmocka_unit_test(reductions),
		cmocka_unit_test(many_rows),
		cmocka_unit_test(as_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
