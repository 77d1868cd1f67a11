#include "mem/banks.h"

#include <stdbool.h>

enum { BANKS = 16 };

static uint32_t lane_of(uint32_t lanes)
{
	return (uint32_t)__builtin_ctz(lanes);
}

/* The lanes among `lanes` that want the unit (a power of two of bytes) at which lane k's address lies. */
static uint32_t sharing(const uint32_t *addr, uint32_t lanes, uint32_t k, uint32_t unit)
{
	uint32_t same = 0;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t other = lane_of(lanes);
		if (addr[other] / unit == addr[k] / unit)
			same |= 1u << other;
	}
	return same;
}

static uint32_t broadcast(const uint32_t *addr, uint32_t lanes)
{
	uint32_t best = 0;
	for (uint32_t left = lanes; left; left &= left - 1) {
		uint32_t same = sharing(addr, lanes, lane_of(left), 4);
		if (__builtin_popcount(same) > __builtin_popcount(best))
			best = same;
	}
	return best;
}

/* One lane of each bank but the broadcasting one. */
static uint32_t one_a_bank(const uint32_t *addr, uint32_t lanes, uint32_t busy)
{
	uint32_t served = 0, banks = 1u << busy;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t k = lane_of(lanes), bank = 1u << (addr[k] / 4 % BANKS);
		if (!(banks & bank))
			served |= 1u << k;
		banks |= bank;
	}
	return served;
}

/* What nearly all accesses are: all lanes want one word, or each a bank of its own. */
static bool one_pass(const uint32_t *addr, uint32_t lanes)
{
	uint32_t first = addr[lane_of(lanes)] / 4, banks = 0, twice = 0, others = 0;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t word = addr[lane_of(lanes)] / 4, bank = 1u << word % BANKS;
		twice |= banks & bank;
		banks |= bank;
		others |= word ^ first;
	}
	return !twice || !others;
}

unsigned shared_passes(const uint32_t *addr, uint32_t lanes)
{
	unsigned passes = 0;
	if (lanes && one_pass(addr, lanes))
		return 1;
	for (; lanes; passes++) {
		uint32_t word = broadcast(addr, lanes);
		lanes &= ~(word | one_a_bank(addr, lanes, addr[lane_of(word)] / 4 % BANKS));
	}
	return passes;
}

unsigned const_passes(const uint32_t *addr, uint32_t lanes)
{
	unsigned passes = 0;
	for (; lanes; passes++)
		lanes &= ~sharing(addr, lanes, lane_of(lanes), 1);
	return passes;
}
