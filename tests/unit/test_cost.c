/* What accesses cost: the pattern tables of the page timing (experiments 13 to 15 and 22), and cases between them. */
#include "tests/unit/cmocka_all.h"

#include "core/base/rng.h"
#include "mem/banks.h"
#include "mem/coalesce.h"
#include "mem/local.h"

enum { ALL = 0xffff };

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
		assert_int_equal(shared_passes(addr, ALL), rows[i].degree);
		assert_int_equal(rows[i].degree, gcd(16, rows[i].stride));
	}
}

static void shared_broadcasts(void **state)
{
	(void)state;
	uint32_t one[16], mixed[16], chars[16], halves[16], two_words[16];
	for (uint32_t k = 0; k < 16; k++) {
		one[k] = 100;
		mixed[k] = 4 * (k < 12 ? k : 12);   /* the shared word is that of the last lanes */
		chars[k] = k;
		halves[k] = 2 * k;
		two_words[k] = k % 2 ? 0 : 64;      /* both in bank 0 */
	}
	assert_int_equal(shared_passes(one, ALL), 1);
	assert_int_equal(shared_passes(mixed, ALL), 1);
	assert_int_equal(shared_passes(chars, ALL), 4);
	assert_int_equal(shared_passes(halves, ALL), 2);
	assert_int_equal(shared_passes(two_words, ALL), 2);
	assert_int_equal(shared_passes(two_words, 0x5555), 1);
	assert_int_equal(shared_passes(one, 0), 0);
	assert_int_equal(shared_passes(chars, 0x8000), 1);
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

/* Lane k of a pattern accesses first + stride × order(k) bytes; order: as it is, swapped in pairs, or reversed. */
struct pattern {
	const char *name;
	uint32_t width, first, stride, lanes;
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
	uint32_t addr[16], count[3] = { 0 }, bytes = 0;
	struct transactions t;
	for (uint32_t k = 0; k < 16; k++)
		addr[k] = p->first + p->stride * (p->order == SWAPPED ? k ^ 1 : p->order == REVERSED ? 15 - k : k);
	coalesce(rule, addr, p->lanes, p->width, &t);
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
			assert_int_equal(seen[local_offset(lane, addr)]++, 0);
	}
	assert_int_equal(local_offset(5, 8) - local_offset(4, 8), 4);
}

/* The rule of mem/banks.h, word for word: each pass broadcasts the word that most lanes want and serves one lane of
 * each other bank. */
static unsigned passes_by_the_rule(const uint32_t *addr, uint32_t lanes)
{
	unsigned passes = 0;

	for (; lanes; passes++) {
		uint32_t best = 0, most = 0, busy, left = lanes;
		for (unsigned i = 0; i < 16; i++) {
			uint32_t n = 0;
			for (unsigned k = 0; k < 16; k++)
				n += (left >> i & 1) && (left >> k & 1) && addr[k] / 4 == addr[i] / 4;
			if (n > most) {
				most = n;
				best = addr[i] / 4;
			}
		}
		busy = 1u << best % 16;
		for (unsigned k = 0; k < 16; k++) {
			uint32_t word = addr[k] / 4;
			if (!(left >> k & 1) || (word != best && busy >> word % 16 & 1))
				continue;
			busy |= 1u << word % 16;
			lanes &= ~(1u << k);
		}
	}
	return passes;
}

static void test_any_addresses(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint32_t addr[16], words = 1 + rng_below(&random, i % 3 ? 64 : 1024);
		uint32_t lanes = i & 1 ? 0xffff : rng_below(&random, 0x10000);
		for (int k = 0; k < 16; k++)
			addr[k] = 4 * rng_below(&random, words) + rng_below(&random, 4);
		assert_int_equal(shared_passes(addr, lanes), passes_by_the_rule(addr, lanes));
	}
}

/* Both half-warps of words at once, as each by itself. */
static void test_extra_passes(void **state)
{
	uint64_t random = 2;
	struct bank_memo memo = { 0 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint32_t addr[32], words = 1 + rng_below(&random, i % 3 ? 64 : 1024), extra = 0;
		uint32_t lanes = i & 1 ? ~0u : rng_below(&random, 0x10000) << 16 | rng_below(&random, 0x10000);
		for (uint32_t k = 0; k < 32; k++)
			addr[k] = i % 5 ? 4 * rng_below(&random, words) : 4 * (k * words & 0x3ff);
		for (unsigned h = 0; h < 2; h++) {
			uint32_t half = lanes >> 16 * h & 0xffff;
			extra += half ? passes_by_the_rule(addr + 16 * h, half) - 1 : 0;
		}
		for (int again = 0; again < 2; again++)
			assert_int_equal(shared_extra(addr, lanes, &memo), extra);
	}
}

/* Side by side, the short way and the long one say the same. */
static void test_runs(void **state)
{
	(void)state;
	for (uint32_t base = 0; base < 256; base += 4)
		for (enum coalesce_rule rule = COALESCE_OLDER; rule <= COALESCE_SEGMENT; rule++) {
			struct transactions quick, whole;
			uint32_t addr[16];
			for (uint32_t k = 0; k < 16; k++)
				addr[k] = base + 4 * k;
			coalesce(rule, addr, ALL, 4, &whole);
			assert_int_equal(coalesce_run(rule, base, 4, &quick), base % 64 == 0);
			if (base % 64)
				continue;
			assert_int_equal(quick.count, whole.count);
			assert_int_equal(quick.bytes, whole.bytes);
			assert_int_equal(quick.coalesced, whole.coalesced);
			assert_int_equal(quick.each[0].addr, whole.each[0].addr);
			assert_int_equal(quick.each[0].bytes, whole.each[0].bytes);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_addresses), cmocka_unit_test(test_extra_passes),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(shared_strides),
		cmocka_unit_test(shared_broadcasts),
		cmocka_unit_test(constants_go_by_address),
		cmocka_unit_test(coalescing_patterns),
		cmocka_unit_test(local_memory_interleaves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
