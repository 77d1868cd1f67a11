#ifndef WB_TESTS_UNIT_BANK_RULE_H
#define WB_TESTS_UNIT_BANK_RULE_H

#include "mem/banks.h"

/* The rule of mem/banks.h, word for word: each pass broadcasts the word of most lanes and serves a lane of each other
 * bank. */
static unsigned passes_by_the_rule(const struct banks *b, const uint32_t *addr, uint64_t lanes)
{
	unsigned passes = 0;

	for (; lanes; passes++) {
		uint32_t best = 0, most = 0;
		uint64_t busy, left = lanes;
		for (unsigned i = 0; i < b->lanes; i++) {
			uint32_t n = 0;
			for (unsigned k = 0; k < b->lanes; k++)
				n += (left >> i & 1) && (left >> k & 1) && addr[k] / 4 == addr[i] / 4;
			if (n > most) {
				most = n;
				best = addr[i] / 4;
			}
		}
		busy = 1ull << best % b->count;
		for (unsigned k = 0; k < b->lanes; k++) {
			uint32_t word = addr[k] / 4;
			if (!(left >> k & 1) || (word != best && busy >> word % b->count & 1))
				continue;
			busy |= 1ull << word % b->count;
			lanes &= ~(1ull << k);
		}
	}
	return passes;
}

/* Passes beyond the first of each group of a warp of n lanes. */
static inline unsigned extra_by_the_rule(const struct banks *b, const uint32_t *addr, unsigned n, uint64_t lanes)
{
	unsigned extra = 0;

	for (unsigned first = 0; first < n; first += b->lanes) {
		uint64_t group = lanes >> first & lanes_first((int)b->lanes);
		extra += group ? passes_by_the_rule(b, addr + first, group) - 1 : 0;
	}
	return extra;
}

#endif
