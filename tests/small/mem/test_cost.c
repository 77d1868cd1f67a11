/* Costs of accesses: the pattern tables of the page timing (experiments 13 to 15 and 22), and cases between. */
#include "tests/kit/cmocka_all.h"

#include "core/base/rng.h"
#include "mem/banks.h"
#include "mem/coalesce.h"
#include "mem/local.h"
#include "tests/kit/bank_rule.h"

enum { ALL = 0xffff };

/* A half-warp of Tesla's, and a machine of other widths. */
static const struct banks half_warp = { .lanes = 16, .count = 16 }, wide = { .lanes = 64, .count = 32 };

static struct coalescer coalescer(enum coalesce_rule rule)
{
	return (struct coalescer){ .rule = rule, .lanes = 16, .smallest = 32, .largest = 128 };
}

static unsigned gcd(unsigned a, unsigned b)
{
	return b ? gcd(b, a % b) : a;
}

static void shared_strides(void **state)
{
	(void)state;
	static const struct { uint32_t stride, degree; } rows[] = {
		{ 1, 1 }, { 2, 2 }, { 3, 1 }, { 4, 4 }, { 5, 1 }, { 6, 2 }, { 7, 1 }, { 8, 8 }, { 9, 1 }, { 10, 2 },
		{ 11, 1 }, { 12, 4 }, { 13, 1 }, { 14, 2 }, { 15, 1 }, { 16, 16 }, { 17, 1 }, { 32, 16 }, { 33, 1 },
	};
	uint32_t addr[16];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (uint32_t k = 0; k < 16; k++)
			addr[k] = 4 * k * rows[i].stride;
		assert_int_equal(shared_passes(&half_warp, addr, ALL), rows[i].degree);
		assert_int_equal(rows[i].degree, gcd(16, rows[i].stride));
	}
}

static void shared_broadcasts(void **state)
{
	(void)state;
	uint32_t one[16], mixed[16], chars[16], halves[16], two_words[16];
	for (uint32_t k = 0; k < 16; k++) {
		one[k] = 100;
		mixed[k] = 4 * (k < 12 ? k : 12);   /* the last lanes share a word */
		chars[k] = k;
		halves[k] = 2 * k;
		two_words[k] = k % 2 ? 0 : 64;      /* both in bank 0 */
	}
	assert_int_equal(shared_passes(&half_warp, one, ALL), 1);
	assert_int_equal(shared_passes(&half_warp, mixed, ALL), 1);
	assert_int_equal(shared_passes(&half_warp, chars, ALL), 4);
	assert_int_equal(shared_passes(&half_warp, halves, ALL), 2);
	assert_int_equal(shared_passes(&half_warp, two_words, ALL), 2);
	assert_int_equal(shared_passes(&half_warp, two_words, 0x5555), 1);
	assert_int_equal(shared_passes(&half_warp, one, 0), 0);
	assert_int_equal(shared_passes(&half_warp, chars, 0x8000), 1);
}

static void constants_go_by_address(void **state)
{
	(void)state;
	uint32_t addr[16];
	for (uint32_t distinct = 1; distinct <= 16; distinct++) {
		for (uint32_t k = 0; k < 16; k++)
			addr[k] = 4 * (k % distinct);
		assert_int_equal(const_passes(addr, ALL), distinct);
	}
	assert_int_equal(const_passes(addr, 0x11), 2);
	assert_int_equal(const_passes(addr, 0), 0);
}

/* Lane k of a pattern accesses first + stride × order(k) bytes; order: unchanged, swapped in pairs, or reversed. */
struct pattern {
	const char *name;
	uint32_t width, start, stride, lanes;
	enum { PLAIN, SWAPPED, REVERSED } order;
	uint32_t older[3], segment[3];   /* transactions of 32, 64 and 128 bytes */
};

static const struct pattern patterns[] = {
	{ "sequential", 4, 0, 4, ALL, PLAIN, { 0, 1, 0 }, { 0, 1, 0 } },
	{ "lanes 3 and 7 off", 4, 0, 4, ALL & ~0x88, PLAIN, { 0, 1, 0 }, { 0, 1, 0 } },
	{ "swapped in pairs", 4, 0, 4, ALL, SWAPPED, { 16, 0, 0 }, { 0, 1, 0 } },
	{ "reversed", 4, 0, 4, ALL, REVERSED, { 16, 0, 0 }, { 0, 1, 0 } },
	{ "one word on, base 0", 4, 4, 4, ALL, PLAIN, { 16, 0, 0 }, { 0, 0, 1 } },
	{ "one word on, base 64", 4, 68, 4, ALL, PLAIN, { 16, 0, 0 }, { 1, 1, 0 } },
	{ "stride 2", 4, 0, 8, ALL, PLAIN, { 16, 0, 0 }, { 0, 0, 1 } },
	{ "stride 3", 4, 0, 12, ALL, PLAIN, { 16, 0, 0 }, { 0, 1, 1 } },
	{ "stride 4", 4, 0, 16, ALL, PLAIN, { 16, 0, 0 }, { 0, 0, 2 } },
	{ "stride 32", 4, 0, 128, ALL, PLAIN, { 16, 0, 0 }, { 16, 0, 0 } },
	{ "all the same word", 4, 0, 0, ALL, PLAIN, { 16, 0, 0 }, { 1, 0, 0 } },
	{ "float2", 8, 0, 8, ALL, PLAIN, { 0, 0, 1 }, { 0, 0, 1 } },
	{ "float4", 16, 0, 16, ALL, PLAIN, { 0, 0, 2 }, { 0, 0, 2 } },
	{ "uchar", 1, 0, 1, ALL, PLAIN, { 16, 0, 0 }, { 1, 0, 0 } },
	{ "ushort", 2, 0, 2, ALL, PLAIN, { 16, 0, 0 }, { 1, 0, 0 } },
	/* beyond the page's table */
	{ "second half-warp", 4, 64, 4, ALL, PLAIN, { 0, 1, 0 }, { 0, 1, 0 } },
	{ "lowest lanes off", 4, 0, 4, 0xf000, PLAIN, { 0, 1, 0 }, { 1, 0, 0 } },
	{ "float2 off by 64", 8, 64, 8, ALL, PLAIN, { 16, 0, 0 }, { 0, 2, 0 } },
	{ "one lane, middle of a segment", 4, 100, 4, 1, PLAIN, { 1, 0, 0 }, { 1, 0, 0 } },
	{ "ushort stride 2", 2, 0, 4, ALL, PLAIN, { 16, 0, 0 }, { 0, 1, 0 } },
	{ "wraps at the top", 4, 0xffffffe0, 4, ALL, PLAIN, { 16, 0, 0 }, { 2, 0, 0 } },
	{ "no lane", 4, 0, 4, 0, PLAIN, { 0, 0, 0 }, { 0, 0, 0 } },
};

static void check(const struct pattern *p, enum coalesce_rule rule, const uint32_t expected[3])
{
	uint32_t count[3] = { 0 }, bytes = 0;
	struct coalescer c = coalescer(rule);
	struct transactions t;
	uint64_t addr[16];
	for (uint32_t k = 0; k < 16; k++)
		addr[k] = (uint32_t)(p->start + p->stride * (p->order == SWAPPED ? k ^ 1 :
							     p->order == REVERSED ? 15 - k : k));
	coalesce(&c, addr, p->lanes, p->width, &t);
	for (uint32_t i = 0; i < t.count; i++) {
		count[t.each[i].bytes == 32 ? 0 : t.each[i].bytes == 64 ? 1 : 2]++;
		bytes += t.each[i].bytes;
		assert_int_equal(t.each[i].addr % t.each[i].bytes, 0);
	}
	for (int i = 0; i < 3; i++) {
		if (count[i] != expected[i])
			fail_msg("%s, rule %d: %u of %d bytes; expected %u", p->name, rule, count[i], 32 << i,
				 expected[i]);
	}
	assert_int_equal(t.bytes, bytes);
	for (uint32_t k = 0; k < 16; k++) {   /* every lane's bytes are in a transaction */
		uint32_t found = 0;
		for (uint32_t i = 0; i < t.count; i++)
			found |= addr[k] - t.each[i].addr <= t.each[i].bytes - p->width;
		assert_true(found || !(p->lanes >> k & 1));
	}
}

static void coalescing_patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		check(&patterns[i], COALESCE_OLDER, patterns[i].older);
		check(&patterns[i], COALESCE_SEGMENT, patterns[i].segment);
	}
}

static void local_memory_interleaves(void **state)
{
	(void)state;
	static const struct { uint32_t asked, given; } sizes[] = {
		{ 0, 0 }, { 1, 16 }, { 16, 16 }, { 17, 32 }, { 40000, 65536 }, { 65536, 65536 },
	};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		assert_int_equal(local_size(sizes[i].asked), sizes[i].given);
	static uint8_t seen[32 * 16];
	for (unsigned lane = 0; lane < 32; lane++) {
		for (uint32_t addr = 0; addr < 16; addr++)
			assert_int_equal(seen[local_offset(32, lane, addr)]++, 0);
	}
	assert_int_equal(local_offset(32, 5, 8) - local_offset(32, 4, 8), 4);
}

static void check_addresses(const struct banks *b, int rounds)
{
	uint64_t random = 1;

	for (int i = 0; i < rounds; i++) {
		uint32_t addr[LANES_MAX], words = 1 + rng_below(&random, i % 3 ? 64 : 1024);
		uint64_t drawn = (uint64_t)rng_below(&random, ~0u) << 32 | rng_below(&random, ~0u);
		uint64_t lanes = lanes_first((int)b->lanes) & (i & 1 ? ~0ull : drawn);
		for (unsigned k = 0; k < b->lanes; k++)
			addr[k] = i % 7 ? 4 * rng_below(&random, words) + rng_below(&random, 4) : 4 * k * (words & 15);
		assert_int_equal(shared_passes(b, addr, lanes), passes_by_the_rule(b, addr, lanes));
	}
}

static void test_any_addresses(void **state)
{
	(void)state;
	check_addresses(&half_warp, 20000);
}

static void test_any_widths(void **state)
{
	(void)state;
	for (uint32_t lanes = 2; lanes <= LANES_MAX; lanes *= 2)
		for (uint32_t count = 1; count <= BANKS_MAX; count *= 2)
			check_addresses(&(struct banks){ lanes, count, false }, lanes * count == 64 * 32 ? 5000 : 200);
}

/* Where all words are broadcast, the passes are the words of the fullest bank. */
static void check_broadcast(const struct banks *b, int rounds)
{
	uint64_t random = b->lanes * b->count;

	for (int round = 0; round < rounds; round++) {
		uint32_t addr[LANES_MAX], most = 0, base = rng_below(&random, 128);
		uint64_t words[BANKS_MAX] = { 0 };
		for (unsigned k = 0; k < b->lanes; k++) {
			addr[k] = 4 * (base + rng_below(&random, (round % 2 ? 64 : 64 * b->count) - base % 64));
			words[addr[k] / 4 % b->count] |= 1ull << addr[k] / 4 / b->count % 64;
		}
		for (unsigned k = 0; k < b->count; k++)
			most = (uint32_t)lanes_count(words[k]) > most ? (uint32_t)lanes_count(words[k]) : most;
		assert_int_equal(shared_passes(b, addr, lanes_first((int)b->lanes)), most);
	}
}

static void test_words_are_broadcast(void **state)
{
	(void)state;
	for (uint32_t lanes = 2; lanes <= LANES_MAX; lanes *= 2)
		for (uint32_t count = 2; count <= BANKS_MAX; count *= 2)
			check_broadcast(&(struct banks){ lanes, count, true }, lanes == 32 && count == 32 ? 2000 : 200);
}

/* Known costs of 64 lanes at 32 banks: side by side two passes, a column 64, a common word one; a broadcast and the
 * rest of its bank. */
static void test_wide(void **state)
{
	uint32_t run[64], column[64], one[64], mixed[64];

	(void)state;
	for (uint32_t k = 0; k < 64; k++) {
		run[k] = 4 * k;
		column[k] = 4 * 32 * k;
		one[k] = 8;
		mixed[k] = k < 40 ? 4 : 4 * (1 + 32 * (k - 39));
	}
	assert_int_equal(shared_passes(&wide, run, ~0ull), 2);
	assert_int_equal(shared_passes(&wide, run, 0xffffffff), 1);
	assert_int_equal(shared_passes(&wide, run, 1ull << 63 | 1ull << 31), 2);
	assert_int_equal(shared_passes(&wide, column, ~0ull), 64);
	assert_int_equal(shared_passes(&wide, one, ~0ull), 1);
	assert_int_equal(shared_passes(&wide, mixed, ~0ull), 25);
	assert_int_equal(const_passes(column, ~0ull), 64);
}

/* All groups of a warp's words at once, as each by itself. */
static void check_extra(const struct banks *b, unsigned n)
{
	uint64_t random = 2;

	for (int i = 0; i < 20000; i++) {
		uint32_t addr[LANES_MAX], words = 1 + rng_below(&random, i % 3 ? 64 : 1024);
		uint64_t drawn = (uint64_t)rng_below(&random, ~0u) << 32 | rng_below(&random, ~0u);
		uint64_t lanes = lanes_first((int)n) & (i & 1 ? ~0ull : drawn);
		for (uint32_t k = 0; k < n; k++)
			addr[k] = i % 5 ? 4 * rng_below(&random, words) : 4 * (k * words & 0x3ff);
		assert_int_equal(shared_extra(b, addr, n, lanes), extra_by_the_rule(b, addr, n, lanes));
	}
}

static void test_extra_passes(void **state)
{
	(void)state;
	check_extra(&half_warp, 32);
	check_extra(&half_warp, 64);
	check_extra(&(struct banks){ .lanes = 32, .count = 32 }, 64);
}

/* 64 lanes above 4 GiB: sixteen words side by side are a transaction of 64 bytes, and so on up to the largest. */
static void test_wide_transactions(void **state)
{
	struct coalescer c = { .rule = COALESCE_SEGMENT, .lanes = 64, .smallest = 32, .largest = 256 };
	struct transactions t;
	uint64_t addr[64];

	(void)state;
	for (uint32_t k = 0; k < 64; k++)
		addr[k] = (1ull << 40) + 4 * k;
	coalesce(&c, addr, ~0ull, 4, &t);
	assert_int_equal(t.count, 2);
	assert_int_equal(t.each[0].addr, 1ull << 40);
	assert_int_equal(t.each[1].bytes, 128);
	c.smallest = 64;
	coalesce(&c, addr, ~0ull, 4, &t);
	assert_int_equal(t.count, 1);
	assert_int_equal(t.bytes, 256);
	addr[63] += 1ull << 32;
	coalesce(&c, addr, ~0ull, 4, &t);
	assert_int_equal(t.count, 2);
	assert_int_equal(t.each[1].addr, (1ull << 40) + (1ull << 32) + 192);
}

/* Side by side, the short way and the long way agree. */
static void test_runs(void **state)
{
	(void)state;
	for (uint32_t base = 0; base < 256; base += 4)
		for (enum coalesce_rule rule = COALESCE_OLDER; rule <= COALESCE_SEGMENT; rule++) {
			struct transactions run, whole;
			struct coalescer c = coalescer(rule);
			uint64_t addr[16];
			for (uint32_t k = 0; k < 16; k++)
				addr[k] = base + 4 * k;
			coalesce(&c, addr, ALL, 4, &whole);
			assert_int_equal(coalesce_run(&c, base, 4, &run), base % 64 == 0);
			if (base % 64)
				continue;
			assert_int_equal(run.count, whole.count);
			assert_int_equal(run.bytes, whole.bytes);
			assert_int_equal(run.coalesced, whole.coalesced);
			assert_int_equal(run.each[0].addr, whole.each[0].addr);
			assert_int_equal(run.each[0].bytes, whole.each[0].bytes);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_addresses), cmocka_unit_test(test_any_widths),
		cmocka_unit_test(test_words_are_broadcast),
		cmocka_unit_test(test_wide), cmocka_unit_test(test_wide_transactions),
		cmocka_unit_test(test_extra_passes),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(shared_strides),
		cmocka_unit_test(shared_broadcasts),
		cmocka_unit_test(constants_go_by_address),
		cmocka_unit_test(coalescing_patterns),
		cmocka_unit_test(local_memory_interleaves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
