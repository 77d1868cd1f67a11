#include "mem/banks.h"

#include <stdbool.h>

enum { BANKS = 16, HALF_LANES = 16 };

static uint32_t lane_of(uint32_t lanes)
{
	return (uint32_t)__builtin_ctz(lanes);
}

/* All 16 lanes want one address: what nearly every access to c[] is. */
static bool all_alike(const uint32_t *addr)
{
	uint32_t others = 0;
	for (unsigned k = 1; k < HALF_LANES; k++)
		others |= addr[k] ^ addr[0];
	return !others;
}

/* Are the lanes' addresses as far apart as the first two? */
static bool evenly_spaced(const uint32_t *addr)
{
	uint32_t step = addr[1] - addr[0], others = 0;
	for (unsigned k = 0; k + 1 < HALF_LANES; k++)
		others |= (addr[k + 1] - addr[k]) ^ step;
	return !others;
}

/* Passes for words that many words apart: the largest power of two in it says how many of them share a bank. */
static unsigned passes_of_step(uint32_t words)
{
	uint32_t power = words & -words;
	return !words ? 1 : power < BANKS ? power : BANKS;
}

/* All 16 lanes want a bank of their own. */
static bool all_apart(const uint32_t *addr)
{
	uint32_t banks = 0;
	for (unsigned k = 0; k < HALF_LANES; k++)
		banks |= 1u << addr[k] / 4 % BANKS;
	return banks == (1u << BANKS) - 1;
}

/* A word and how many lanes still want it. */
struct word {
	struct word *next;             /* of its bank */
	uint32_t index, bank, lanes;
	uint32_t depth;                /* words of its bank, up to this one */
};

/* The words of a half-warp, and which of them each lane wants. */
struct wanted {
	struct word word[HALF_LANES], *of[HALF_LANES];
	uint32_t words, depth;         /* how many; of the bank with most of them */
};

static void gather(struct wanted *w, const uint32_t *addr, uint32_t lanes)
{
	struct word *head[BANKS] = { 0 }, *fresh = w->word;
	w->depth = 0;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t k = lane_of(lanes), index = addr[k] / 4, bank = index % BANKS;
		struct word *found = head[bank];
		while (found && found->index != index)
			found = found->next;
		if (!found) {
			found = fresh++;
			*found = (struct word){ .next = head[bank], .index = index, .bank = bank,
						.depth = head[bank] ? head[bank]->depth + 1 : 1 };
			w->depth = found->depth > w->depth ? found->depth : w->depth;
			head[bank] = found;
		}
		found->lanes++;
		w->of[k] = found;
	}
	w->words = (uint32_t)(fresh - w->word);
}

/* The word that most of `lanes` want; among equals the lowest lane's. */
static const struct word *broadcast(const struct wanted *w, uint32_t lanes)
{
	const struct word *best = w->of[lane_of(lanes)];
	for (; lanes; lanes &= lanes - 1) {
		const struct word *word = w->of[lane_of(lanes)];
		best = word->lanes > best->lanes ? word : best;
	}
	return best;
}

/* The lanes that one pass serves. */
static uint32_t serve(struct wanted *w, uint32_t lanes)
{
	const struct word *best = broadcast(w, lanes);
	uint32_t served = 0, banks = 1u << best->bank;
	for (; lanes; lanes &= lanes - 1) {
		struct word *word = w->of[lane_of(lanes)];
		if (word != best && banks >> word->bank & 1)
			continue;
		banks |= 1u << word->bank;
		word->lanes--;
		served |= lanes & -lanes;
	}
	return served;
}

unsigned shared_passes(const uint32_t *addr, uint32_t lanes)
{
	struct wanted w;
	unsigned passes = 0;
	/* What nearly all accesses are: an even walk over words, or a bank for each lane, or at least a word. */
	if (lanes == 0xffff && evenly_spaced(addr) && (addr[1] - addr[0]) % 4 == 0)
		return passes_of_step((addr[1] - addr[0]) / 4);
	if (lanes == 0xffff && all_apart(addr))
		return 1;
	gather(&w, addr, lanes);
	if (w.words <= 1 || w.words == (uint32_t)__builtin_popcount(lanes))
		return w.depth;
	for (; lanes; passes++)
		lanes &= ~serve(&w, lanes);
	return passes;
}

/* The lanes among `lanes` that want the address of the lowest of them. */
static uint32_t like_the_first(const uint32_t *addr, uint32_t lanes)
{
	uint32_t address = addr[lane_of(lanes)], same = 0;
	for (; lanes; lanes &= lanes - 1)
		same |= addr[lane_of(lanes)] == address ? lanes & -lanes : 0;
	return same;
}

unsigned const_passes(const uint32_t *addr, uint32_t lanes)
{
	unsigned passes = 0;
	if (lanes == 0xffff && all_alike(addr))
		return 1;
	for (; lanes; passes++)
		lanes &= ~like_the_first(addr, lanes);
	return passes;
}
