/* Read and write sets of the warps of a block between barriers, and conflicts of the sets. */
#include "tests/kit/cmocka_all.h"

#include <string.h>

#include "mem/warp_sets.h"

enum { SHARED_BYTES = 16384, G = 0x00100000, ADD = 6, MAX = 0x66 };

static bool meet(struct warp_sets *c)
{
	bool met = c->refused;

	c->refused = NULL;
	return met;
}

/* Two warps, one after the other, at words of s[] or g[] from an address on. Does the order matter? */
struct pair { uint32_t addr[2], words[2]; enum rw_set kind[2]; };

static bool pair_meets(struct warp_sets *c, const struct pair *p, bool global)
{
	warp_sets_begin(c);
	for (unsigned i = 0; i < 2; i++) {
		warp_sets_select(c, i);
		if (global)
			warp_sets_global(c, G + p->addr[i], p->words[i], p->kind[i]);
		else
			warp_sets_shared(c, p->addr[i], p->words[i], p->kind[i]);
	}
	return meet(c);
}

static void pairs(void **state)
{
	static const struct { struct pair pair; bool meet; } rows[] = {
		{ { { 16, 16 }, { 1, 1 }, { READ_SET, READ_SET } }, false },
		{ { { 16, 16 }, { 1, 1 }, { READ_SET, WRITE_SET } }, true },
		{ { { 16, 16 }, { 1, 1 }, { WRITE_SET, READ_SET } }, true },
		{ { { 16, 16 }, { 1, 1 }, { WRITE_SET, WRITE_SET } }, true },
		/* neighbours, and bytes of a word */
		{ { { 16, 20 }, { 1, 1 }, { WRITE_SET, WRITE_SET } }, false },
		{ { { 16, 19 }, { 1, 1 }, { WRITE_SET, WRITE_SET } }, true },
		{ { { 0, 128 }, { ~0u, ~0u }, { WRITE_SET, WRITE_SET } }, false },
		{ { { 0, 124 }, { ~0u, ~0u }, { WRITE_SET, READ_SET } }, true },
		{ { { 16, 20 }, { 0x55555555, 0x55555555 }, { WRITE_SET, READ_SET } }, false },
		/* across rows */
		{ { { 200, 324 }, { ~0u, 1 }, { WRITE_SET, READ_SET } }, true },
		{ { { 200, 328 }, { ~0u, 1 }, { WRITE_SET, READ_SET } }, false },
		{ { { 252, 256 }, { 3, 1 }, { READ_SET, WRITE_SET } }, true },
		{ { { 252, 256 }, { 1, 1 }, { READ_SET, WRITE_SET } }, false },
		{ { { 128, 256 }, { ~0u, ~0u }, { WRITE_SET, WRITE_SET } }, false },
		{ { { 0, SHARED_BYTES - 128 }, { ~0u, ~0u }, { WRITE_SET, WRITE_SET } }, false },
		{ { { SHARED_BYTES - 4, SHARED_BYTES - 128 }, { 1, ~0u }, { WRITE_SET, WRITE_SET } }, true },
	};
	struct warp_sets c;

	(void)state;
	assert_true(warp_sets_init(&c, SHARED_BYTES));
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int global = 0; global < 2; global++)
			if (pair_meets(&c, &rows[i].pair, global) != rows[i].meet)
				fail_msg("row %u of %c[]", i, global ? 'g' : 's');
	warp_sets_free(&c);
}

static void intervals(void **state)
{
	struct warp_sets c;

	(void)state;
	assert_true(warp_sets_init(&c, SHARED_BYTES));
	warp_sets_select(&c, 0);
	warp_sets_shared(&c, 64, 1, WRITE_SET);
	warp_sets_shared(&c, 64, 1, WRITE_SET);
	warp_sets_shared(&c, 64, 1, READ_SET);
	warp_sets_begin(&c);
	warp_sets_select(&c, 1);
	warp_sets_shared(&c, 64, 1, WRITE_SET);
	assert_false(meet(&c));
	/* s[] is not g[]. */
	warp_sets_select(&c, 2);
	warp_sets_global(&c, 64, 1, WRITE_SET);
	assert_false(meet(&c));
	/* Selecting a warp again keeps the words of every warp. */
	warp_sets_select(&c, 1);
	warp_sets_shared(&c, 64, 3, WRITE_SET);
	warp_sets_select(&c, 2);
	warp_sets_shared(&c, 72, 1, WRITE_SET);
	warp_sets_select(&c, 1);
	warp_sets_shared(&c, 64, 3, WRITE_SET);
	assert_false(meet(&c));
	warp_sets_shared(&c, 72, 1, READ_SET);
	assert_true(meet(&c));
	warp_sets_free(&c);
}

/* 64 words at once, from any word on. */
static void many_words(void **state)
{
	struct warp_sets c;

	(void)state;
	assert_true(warp_sets_init(&c, SHARED_BYTES));
	for (uint32_t first = 0; first < 2 * SET_ROW_WORDS; first++)
		for (uint32_t word = 0; word < 64; word++) {
			warp_sets_begin(&c);
			warp_sets_select(&c, 0);
			warp_sets_shared(&c, 4 * first, 1ull << word, WRITE_SET);
			warp_sets_select(&c, 1);
			warp_sets_shared(&c, 4 * first, ~(1ull << word), WRITE_SET);
			assert_false(meet(&c));
			warp_sets_shared(&c, 4 * (first + word), 1, READ_SET);
			assert_true(meet(&c));
		}
	warp_sets_free(&c);
}

static void reductions(void **state)
{
	struct warp_sets c;

	(void)state;
	assert_true(warp_sets_init(&c, SHARED_BYTES));
	warp_sets_select(&c, 0);
	warp_sets_reduce(&c, G, 4, ADD);
	warp_sets_reduce(&c, G + 8, 8, MAX);       /* as a store */
	warp_sets_select(&c, 1);
	warp_sets_reduce(&c, G, 4, ADD);
	assert_false(meet(&c));
	warp_sets_reduce(&c, G + 12, 4, MAX);
	assert_true(meet(&c));
	warp_sets_global(&c, G, 1, READ_SET);
	assert_true(meet(&c));
	warp_sets_begin(&c);
	warp_sets_reduce(&c, G, 4, MAX);
	warp_sets_select(&c, 2);
	warp_sets_reduce(&c, G, 4, MAX);
	assert_false(meet(&c));
	warp_sets_reduce(&c, G, 4, ADD);
	assert_true(meet(&c));
	warp_sets_begin(&c);
	warp_sets_global(&c, G, 1, READ_SET);
	warp_sets_reduce(&c, G, 4, ADD);
	warp_sets_reduce(&c, G + 4, 4, ADD);
	warp_sets_global(&c, G + 4, 1, READ_SET);
	warp_sets_select(&c, 3);
	assert_false(meet(&c));
	warp_sets_reduce(&c, G, 4, ADD);
	assert_true(meet(&c));
	warp_sets_reduce(&c, G + 4, 4, ADD);
	assert_true(meet(&c));
	warp_sets_free(&c);
}

/* A block that touches far more rows than the initial table has. */
static void many_rows(void **state)
{
	enum { ROWS = 5000 };
	struct warp_sets c;

	(void)state;
	assert_true(warp_sets_init(&c, SHARED_BYTES));
	for (unsigned warp = 0; warp < 4; warp++) {
		warp_sets_select(&c, warp);
		for (uint32_t i = 0; i < ROWS; i++)
			warp_sets_global(&c, G + i * 4096 + warp * 16, 15, WRITE_SET);
	}
	assert_null(c.refused);
	for (uint32_t i = 0; i < ROWS; i += 499) {
		warp_sets_global(&c, G + i * 4096 + 3, 1, READ_SET);
		assert_true(meet(&c));
	}
	/* More than the sets can record. */
	for (uint32_t i = 0; i < 1 << 17; i++)
		warp_sets_global(&c, i << SET_ROW_BITS, 1, READ_SET);
	assert_true(meet(&c));
	warp_sets_begin(&c);
	warp_sets_global(&c, G, ~0u, WRITE_SET);
	assert_null(c.refused);
	warp_sets_free(&c);
}

/* ---- against sets of warps for every word ---- */

enum { WORDS = 192, WARPS = 5, ROUNDS = 20000, TOUCHES = 12 };

static uint32_t rnd(uint64_t *s, uint32_t below)
{
	*s = *s * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*s >> 33) % below);
}

static uint32_t by[RW_SETS][WORDS];       /* warps, a bit each */

static bool reference(uint32_t word, unsigned n, unsigned warp, enum rw_set kind)
{
	bool race = false;

	for (; n--; word++) {
		uint32_t changed = by[WRITE_SET][word] | (kind == REDUCE_SET ? 0 : by[REDUCE_SET][word]);
		uint32_t before = changed | (kind == READ_SET ? 0 : by[READ_SET][word]);
		race |= (before & ~(1u << warp)) != 0;
		by[kind][word] |= 1u << warp;
	}
	return race;
}

enum way { SIDE_BY_SIDE, EACH, REDUCTION, WAYS };

/* The last access by lanes. */
static struct lanes_before {
	uint32_t addr[LANES];
	lane_mask lanes;
	unsigned width;
} last = { .width = 4 };

/* Touch by a warp. True: a conflict with another warp. */
static bool touch(struct warp_sets *c, uint64_t *s, bool global, unsigned warp)
{
	uint64_t base = global ? (1ull << 43) + G : 0, wide[LANES];
	uint32_t addr[LANES], first, first_byte, n = 1 + rnd(s, 8);
	unsigned width = 1u << rnd(s, 5);
	enum rw_set kind = rnd(s, 3) ? READ_SET : WRITE_SET;
	lane_mask lanes = rnd(s, 1u << 30);
	bool race = false;

	lanes &= rnd(s, 1u << 30);
	lanes &= rnd(s, 1u << 30);      /* a few of the lanes */
	switch (rnd(s, global ? WAYS : REDUCTION)) {
	case SIDE_BY_SIDE:
		first = rnd(s, WORDS - n);
		first_byte = first * 4 + rnd(s, 4);
		if (global)
			warp_sets_global(c, base + first_byte, (1u << n) - 1, kind);
		else
			warp_sets_shared(c, first_byte, (1u << n) - 1, kind);
		return reference(first, n, warp, kind);
	case REDUCTION:
		first = rnd(s, WORDS / 2) * 2;
		warp_sets_reduce(c, base + first * 4, 8, ADD);
		return reference(first, 2, warp, REDUCE_SET);
	default:
		FOR_LANES(l)
			addr[l] = rnd(s, WORDS * 4 / width) * width;
		if (!rnd(s, 16)) {      /* words of all lanes, near each other or not */
			width = 4;
			lanes = lanes_first(LANES);
			first = rnd(s, WORDS);
			n = 1 + rnd(s, WORDS - first);
			FOR_LANES(l)
				addr[l] = 4 * (first + rnd(s, n));
		}
		if (rnd(s, 3)) {        /* as before, by some of the lanes or all */
			width = last.width;
			lanes = rnd(s, 2) ? last.lanes : lanes & last.lanes;
			memcpy(addr, last.addr, sizeof addr);
		}
		last = (struct lanes_before){ .lanes = lanes, .width = width };
		memcpy(last.addr, addr, sizeof addr);
		FOR_LANES(l)
			wide[l] = base + addr[l];
		if (global)
			warp_sets_global_lanes(c, wide, lanes, width, kind);
		else
			warp_sets_shared_lanes(c, addr, LANES, lanes, width, kind);
		FOR_SET_LANES(l, lanes)
			race |= reference(addr[l] / 4, warp_sets_element(width) > 1 ? width / 4 : 1, warp, kind);
		return race;
	}
}

/* Warps come and go within an interval, which ends at a conflict or after a while. */
static void as_sets(void **state)
{
	unsigned met[2] = { 0 };
	uint64_t s = 1;
	struct warp_sets c;

	(void)state;
	assert_true(warp_sets_init(&c, WORDS * 4));
	for (unsigned round = 0; round < ROUNDS; round++) {
		bool race = false;
		memset(by, 0, sizeof by);
		warp_sets_begin(&c);
		for (unsigned i = 0; i < TOUCHES && !race; i++) {
			unsigned warp = rnd(&s, WARPS);
			warp_sets_select(&c, warp);
			race = touch(&c, &s, round % 2, warp);
			if (race != meet(&c))
				fail_msg("round %u, touch %u: %s", round, i, race ? "missed" : "false alarm");
		}
		met[race]++;
	}
	assert_true(met[false] > ROUNDS / 20 && met[true] > ROUNDS / 20);
	warp_sets_free(&c);
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
