/* Loads and stores of words by their shape, beside a lane at a time, and passes kept for shapes, beside the rule of
 * mem/banks.h. Built once for each SIMD level. */
#include "tests/kit/cmocka_all.h"

#include "core/base/rng.h"
#include "mem/word_shapes.h"
#include "tests/kit/bank_rule.h"
#include "tests/kit/host_has.h"

enum { ROUNDS = 30000, WORDS = 1024, KINDS = 10 };

static const struct banks banks = { .lanes = 16, .count = 16 };

/* Words of a kind in any part of memory. */
static uint32_t draw_word(uint64_t *random, uint32_t kind, uint32_t power, uint32_t step, uint32_t l)
{
	switch (kind) {
	case 0: return 2 * l - (l & (power - 1));       /* a butterfly */
	case 1: return l ^ (power - 1);
	case 2: return l * step % 400;
	case 3: return l % power;                       /* blocks, each with the same words */
	case 4: return l / power;
	case 5: return 300 - 2 * l;
	case 6: return (l / power * 33 + l % power) % 400; /* blocks of words side by side */
	case 7: return 0;
	case 8: return l / 16 * step;                   /* a word for each half */
	default: return rng_below(random, 400);
	}
}

static void draw_addresses(uint64_t *random, uint32_t addr[], uint32_t n)
{
	uint32_t kind = rng_below(random, KINDS), power = 1u << rng_below(random, 6), step = rng_below(random, 40);
	uint32_t start = rng_below(random, WORDS - 512);

	for (uint32_t l = 0; l < n; l++)
		addr[l] = 4 * (start + draw_word(random, kind, power, step, l));
	if (!rng_below(random, 8))
		addr[rng_below(random, n)] = 4 * rng_below(random, WORDS);
}

/* All lanes, some, whole fours, few. */
static lane_mask draw_lanes(uint64_t *random, uint32_t n)
{
	lane_mask lanes = (lane_mask)rng_below(random, ~0u) << 32 | rng_below(random, ~0u);

	switch (rng_below(random, 4)) {
	case 0: lanes = ~0ull; break;
	case 1: lanes = (lanes & 0x1111111111111111) * 15; break;
	case 2: lanes &= (lane_mask)rng_below(random, ~0u) << 32 | rng_below(random, ~0u); break;
	default: break;
	}
	return lanes & lanes_first((int)n);
}

/* Memory with words before and after, that must not change. */
struct words {
	uint32_t before[WORDS], is[WORDS], want[WORDS];
};

static void store(struct words *m, struct word_shape *s, const uint32_t addr[], int n, lane_mask lanes,
		  const uint32_t v[])
{
	bool changed = false;

	memcpy(m->want, m->is, sizeof m->is);
	FOR_SET_LANES(l, lanes) {
		changed |= m->want[addr[l] / 4] != v[l];
		m->want[addr[l] / 4] = v[l];
	}
	if (n == 32)
		assert_int_equal(word_shape_store((uint8_t *)m->is + addr[0], s, v, 32, lanes), changed);
	else
		assert_int_equal(word_shape_store((uint8_t *)m->is + addr[0], s, v, 64, lanes), changed);
	assert_memory_equal(m->is, m->want, sizeof m->is);
}

static void load(struct words *m, struct word_shape *s, const uint32_t addr[], int n)
{
	uint32_t out[64];

	if (n == 32)
		word_shape_load((uint8_t *)m->is + addr[0], s, out, 32);
	else
		word_shape_load((uint8_t *)m->is + addr[0], s, out, 64);
	for (int l = 0; l < n; l++)
		assert_int_equal(out[l], m->is[addr[l] / 4]);
}

static void check_passes(struct word_shape *s, const uint32_t addr[], int n, lane_mask lanes)
{
	unsigned want = extra_by_the_rule(&banks, addr, (unsigned)n, lanes), extra;

	if (!(lanes & (lanes - 1)))
		return;
	if (word_shape_knows(s, lanes, &extra))
		assert_int_equal(extra, want);
	word_shape_learn(s, lanes, want);
	assert_true(word_shape_knows(s, lanes, &extra));
	assert_int_equal(extra, want);
}

/* Memory around the lowest and the highest word need not be. */
static void check_windows(const struct word_shape *s, int n)
{
#if VECTOR_MOVES
	for (int g = 0; g < n / 8 && s->windows == WINDOWS_ARE_KNOWN; g++) {
		assert_true(s->window[g] >= s->lowest);
		assert_true(s->window[g] + 4 * WINDOW <= s->lowest + (int32_t)s->span + 4);
	}
#endif
}

/* Words as bits, beside a lane at a time. */
static void check_words(struct word_shape *s, const uint32_t addr[], int n, lane_mask lanes)
{
	uint64_t want = 0;

	if (!shape_is_near(s))
		return;
	FOR_SET_LANES(l, lanes)
		want |= 1ull << (addr[l] - (addr[0] + (uint32_t)s->lowest)) / 4;
	assert_true(word_shape_words(s, n, lanes) == want);
}

/* Shapes come again: at once, and after others that may have taken the place. */
static void as_lane_by_lane(void **state)
{
	struct word_shapes *shapes = calloc(2, sizeof *shapes);         /* a number of lanes each */
	struct words *m = calloc(1, sizeof *m);
	uint64_t random = 1;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		int n = round & 1 ? 64 : 32;
		uint32_t addr[64], v[64];
		lane_mask lanes = draw_lanes(&random, (uint32_t)n);
		struct word_shape *s;
		draw_addresses(&random, addr, (uint32_t)n);
		for (int l = 0; l < n; l++)
			v[l] = rng_below(&random, ~0u);
		for (int again = 0; again < 4; again++) {
			s = n == 32 ? word_shape_of(&shapes[0], addr, 32) : word_shape_of(&shapes[1], addr, 64);
			assert_non_null(s);
			store(m, s, addr, n, lanes, v);         /* the second time nothing changes */
			load(m, s, addr, n);
			check_passes(s, addr, n, lanes);
			check_windows(s, n);
			check_words(s, addr, n, lanes);
			check_words(s, addr, n, lanes_first(n));
			lanes = again ? draw_lanes(&random, (uint32_t)n) : lanes;
		}
	}
	free(m);
	free(shapes);
}

/* What sets have of a shape: of one tag and place, until the shape's place has another shape. */
static void in_sets(void **state)
{
	struct word_shapes *shapes = calloc(1, sizeof *shapes);
	uint32_t addr[32], other[32];
	struct word_shape *s;

	(void)state;
	for (uint32_t l = 0; l < 32; l++) {
		addr[l] = 4 * (l * l);
		other[l] = l == 5 ? addr[l] + 4 : addr[l];      /* in the same place */
	}
	s = word_shape_of(shapes, addr, 32);
	assert_false(word_shape_added(s, 256, 64, 1, false));
	word_shape_add(s, 256, 64, 0xff, false);
	assert_true(word_shape_added(s, 256, 64, 0x81, false));
	assert_false(word_shape_added(s, 256, 64, 0x181, false) || word_shape_added(s, 256, 64, 1, true) ||
		     word_shape_added(s, 257, 64, 1, false) || word_shape_added(s, 256, 68, 1, false));
	word_shape_add(s, 256, 64, 3, true);
	assert_true(word_shape_added(s, 256, 64, 3, true) && word_shape_added(s, 256, 64, 1, false));
	assert_ptr_equal(word_shape_of(shapes, other, 32), s);
	assert_false(word_shape_added(s, 256, 64, 1, false));
	free(shapes);
}

static void facts(void **state)
{
	struct word_shapes *shapes = calloc(1, sizeof *shapes);
	struct word_shape *s;
	uint32_t addr[32];

	(void)state;
	for (uint32_t l = 0; l < 32; l++)
		addr[l] = 100;
	s = word_shape_of(shapes, addr, 32);    /* nothing was kept yet */
	assert_true(!s->spread && s->lowest == 0 && s->span == 0 && s->side == 0);
	assert_true(word_shape_words(s, 32, lanes_first(32)) == 1);
	for (uint32_t l = 0; l < 32; l++)
		addr[l] = 400 - 4 * l;
	s = word_shape_of(shapes, addr, 32);
	assert_true(s->spread && s->lowest == -124 && s->span == 124 && s->side == 0);
	assert_true(word_shape_words(s, 32, lanes_first(32)) == UINT32_MAX);
	for (unsigned side = 0; side <= 5; side++) {
		for (uint32_t l = 0; l < 32; l++)
			addr[l] = 4 * (2 * l - (l & ((1u << side) - 1)));
		s = word_shape_of(shapes, addr, 32);
		assert_int_equal(s->side, side < 4 ? side : 4);
		for (uint32_t l = 0; l < 32; l++)
			addr[l] += 72;
		assert_ptr_equal(word_shape_of(shapes, addr, 32), s);
	}
	addr[7] += 2;
	assert_null(word_shape_of(shapes, addr, 32));
	free(shapes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_lane_by_lane),
		cmocka_unit_test(in_sets),
		cmocka_unit_test(facts),
	};

	return host_has(compiled_level()) ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
