/* Passes counted by vectors, beside the rule of mem/banks.h word for word. Built once for each SIMD level. */
#include "tests/kit/cmocka_all.h"

#include "core/base/rng.h"
#include "mem/warp_banks.h"
#include "tests/kit/bank_rule.h"
#include "tests/kit/host_has.h"

enum { ROUNDS = 40000, LANES32 = 32, WORDS = WARP_BANKS_BYTES / 4 };

static const struct banks banks = { .lanes = 16, .count = 16 };

/* Butterflies, neighbours exchanged, a step of words, few words, any words, and words on both sides of a window. */
static void draw_addresses(uint64_t *random, uint32_t addr[LANES32])
{
	uint32_t shape = rng_below(random, 6), start = rng_below(random, WORDS - 64),
		 power = 1u << rng_below(random, 5), step = rng_below(random, 20), few = 1 + rng_below(random, 300);

	for (uint32_t l = 0; l < LANES32; l++) {
		uint32_t word = 0;
		switch (shape) {
		case 0: word = start + 2 * l - (l & (power - 1)); break;
		case 1: word = start + (l ^ power % 32); break;
		case 2: word = start + l * step; break;
		case 3: word = rng_below(random, few); break;
		case 4: word = rng_below(random, WORDS); break;
		default: word = start + rng_below(random, 4) * 16 + l % 16;
		}
		addr[l] = word % WORDS * 4;
	}
}

/* Any number of lanes from none to all. */
static uint32_t draw_lanes(uint64_t *random)
{
	uint32_t lanes = rng_below(random, ~0u);

	for (uint32_t n = rng_below(random, 4); n; n--)
		lanes &= rng_below(random, ~0u);
	return lanes;
}

/* Words at another place of memory; one lane in four rounds goes elsewhere. */
static void move(uint64_t *random, uint32_t addr[LANES32], uint32_t lanes)
{
	uint32_t highest = 0, distance;

	for (uint32_t l = 0; l < LANES32; l++)
		highest = lanes >> l & 1 && addr[l] > highest ? addr[l] : highest;
	distance = 4 * rng_below(random, WORDS - highest / 4);
	for (uint32_t l = 0; l < LANES32; l++)
		addr[l] += distance;
	if (!rng_below(random, 4))
		addr[rng_below(random, LANES32)] = 4 * rng_below(random, WORDS);
}

static void words_as_by_the_rule(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t lanes = round & 1 ? ~0u : draw_lanes(&random), addr[LANES32];
		draw_addresses(&random, addr);
		for (uint32_t l = 0; l < LANES32 && round % 3; l++)     /* inactive lanes have any address */
			addr[l] = lanes >> l & 1 ? addr[l] : rng_below(&random, ~0u);
		assert_int_equal(warp_banks_extra(addr, lanes), extra_by_the_rule(&banks, addr, 32, lanes));
		if (round % 7 < 3)
			move(&random, addr, lanes);
		lanes &= round % 5 ? ~0u : draw_lanes(&random);         /* the same words again, of some lanes */
		assert_int_equal(warp_banks_extra(addr, lanes), extra_by_the_rule(&banks, addr, 32, lanes));
	}
}

static void only_such_banks(void **state)
{
	(void)state;
	assert_true(warp_banks_apply(&banks, WARP_BANKS_BYTES));
	assert_false(warp_banks_apply(&banks, WARP_BANKS_BYTES + 4));
	assert_false(warp_banks_apply(&(struct banks){ .lanes = 32, .count = 16 }, 1024));
	assert_false(warp_banks_apply(&(struct banks){ .lanes = 16, .count = 32 }, 1024));
	assert_false(warp_banks_apply(&(struct banks){ .lanes = 16, .count = 16, .broadcasts_all = true }, 1024));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_as_by_the_rule),
		cmocka_unit_test(only_such_banks),
	};

	return host_has(compiled_level()) ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
