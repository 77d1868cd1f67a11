/* Bank conflicts (banks.h): passes are counted word by word; common patterns (words at a fixed distance, words near
 * each other) have faster ways with the same result. */
#include "mem/banks.h"

#include <stdbool.h>
#include <string.h>

static uint32_t lane_of(lane_mask lanes)
{
	return (uint32_t)__builtin_ctzll(lanes);
}

static uint32_t bank_of(const struct banks *b, uint32_t addr)
{
	return addr / 4 & (b->count - 1);
}

typedef uint32_t four __attribute__((vector_size(16), aligned(4), may_alias));
enum { FOUR = 4 };

static bool any_bit(four v)
{
	uint64_t half[2];

	memcpy(half, &v, sizeof half);
	return half[0] | half[1];
}

/* Are the addresses of n lanes as far apart as the first two? */
static bool evenly_spaced(const uint32_t *addr, uint32_t n)
{
	uint32_t step = addr[1] - addr[0], k = 0;
	four others = { 0 };

	for (; k + FOUR < n; k += FOUR)
		others |= (*(const four *)(addr + k + 1) - *(const four *)(addr + k)) ^ step;
	for (; k + 1 < n; k++)
		others[0] |= (addr[k + 1] - addr[k]) ^ step;
	return !any_bit(others);
}

/* Passes for words `words` words apart: the largest power of two in the distance is the number of words in a bank. */
static unsigned passes_of_step(const struct banks *b, uint32_t words)
{
	uint32_t power = words & -words, lanes = power < b->count ? power * b->lanes / b->count : b->lanes;
	return !words || !lanes ? 1 : lanes;
}

/* Wanted words modulo WINDOW, and words wanted by several lanes. Most accesses stay within a window, where the window's
 * rows of banks suffice. */
enum { WINDOW = 64 };

struct places {
	uint64_t taken, twice;
};

static struct places places_of(const uint32_t *addr, lane_mask lanes)
{
	struct places p = { 0, 0 };

	for (; lanes; lanes &= lanes - 1) {
		uint64_t place = 1ull << addr[lane_of(lanes)] / 4 % WINDOW;
		p.twice |= p.taken & place;
		p.taken |= place;
	}
	return p;
}

/* The most places taken in a bank, and the banks with more than one. */
static unsigned deepest(const struct banks *b, uint64_t taken, uint64_t *crowded)
{
	uint64_t at_least[WINDOW + 1] = { 0 }, row_of_banks = lanes_first((int)b->count);
	unsigned deepest = 0;

	for (unsigned row = 0; row < WINDOW; row += b->count) {
		uint64_t banks = taken >> row & row_of_banks;
		for (unsigned depth = ++deepest; depth > 1; depth--)
			at_least[depth] |= at_least[depth - 1] & banks;
		at_least[1] |= banks;
	}
	while (deepest && !at_least[deepest])
		deepest--;
	*crowded = deepest > 1 ? at_least[2] : 0;
	return deepest;
}

/* Passes of a group of which every lane has a word, all in one window; 0: in several. */
static unsigned passes_of_window(const struct banks *b, const uint32_t *addr)
{
	four others = { 0 };
	uint64_t taken = 0, crowded;

	for (unsigned k = 0; k < b->lanes; k += FOUR)
		others |= *(const four *)(addr + k) ^ addr[0];
	if (any_bit(others / (4 * WINDOW)))
		return 0;
	for (unsigned k = 0; k < b->lanes; k += FOUR)
		for (unsigned i = 0; i < FOUR; i++)
			taken |= 1ull << addr[k + i] / 4 % WINDOW;
	if (b->count == WINDOW / 2)
		return taken & taken >> WINDOW / 2 ? 2 : 1;
	return deepest(b, taken, &crowded);
}

/* Banks of places. */
static uint64_t banks_of(const struct banks *b, uint64_t places)
{
	for (unsigned n = WINDOW / 2; n >= b->count; n /= 2)
		places |= places >> n;
	return places & lanes_first((int)b->count);
}

/* The lanes with words in `banks`. */
static lane_mask lanes_at(const struct banks *b, const uint32_t *addr, lane_mask lanes, uint64_t banks)
{
	lane_mask at = 0;

	for (unsigned k = 0; k < b->lanes; k++)
		at |= (banks >> bank_of(b, addr[k]) & 1) << k;
	return at & lanes;
}

/* A word and the number of lanes that still want it. */
struct word {
	struct word *next;             /* of its bank */
	uint32_t index, bank, lanes;
	uint32_t depth;                /* words of the bank up to and with the word */
};

/* The words of a group, and each lane's word. */
struct wanted {
	struct word word[LANES_MAX], *of[LANES_MAX];
	uint32_t words, depth;         /* number of words; of the fullest bank */
};

static void collect(const struct banks *b, struct wanted *w, const uint32_t *addr, lane_mask lanes)
{
	struct word *head[BANKS_MAX] = { 0 }, *fresh = w->word;
	w->depth = 0;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t k = lane_of(lanes), index = addr[k] / 4, bank = bank_of(b, addr[k]);
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
static const struct word *broadcast(const struct wanted *w, lane_mask lanes)
{
	const struct word *best = w->of[lane_of(lanes)];
	for (; lanes; lanes &= lanes - 1) {
		const struct word *word = w->of[lane_of(lanes)];
		best = word->lanes > best->lanes ? word : best;
	}
	return best;
}

/* The lanes served by one pass. */
static lane_mask serve(struct wanted *w, lane_mask lanes)
{
	const struct word *best = broadcast(w, lanes);
	lane_mask served = 0;
	uint64_t banks = 1ull << best->bank;
	for (; lanes; lanes &= lanes - 1) {
		struct word *word = w->of[lane_of(lanes)];
		if (word != best && banks >> word->bank & 1)
			continue;
		banks |= 1ull << word->bank;
		word->lanes--;
		served |= lanes & -lanes;
	}
	return served;
}

/* ---- a half-warp and one broadcast ---- */

enum { HALF_WARP = 16, EIGHT = 8 };

typedef int16_t eight __attribute__((vector_size(16)));
typedef int16_t eight_unaligned __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint8_t bytes __attribute__((vector_size(HALF_WARP)));

/* Words of lanes, behind as many that no lane has: that of lane k is word[HALF_WARP + k]. */
struct half_warp {
	int16_t word[2 * HALF_WARP];
} __attribute__((aligned(32)));

/* The lanes that have an earlier lane's word. */
static lane_mask repeating(const struct half_warp *h)
{
	const int16_t *word = h->word + HALF_WARP;
	eight low = *(const eight *)word, high = *(const eight *)(word + EIGHT), same[2] = { 0 };
	uint64_t part[4];
	lane_mask lanes = 0;

	_Pragma("GCC unroll 16") for (int r = 1; r < HALF_WARP; r++) {
		same[0] |= low == *(const eight_unaligned *)(word - r);
		same[1] |= high == *(const eight_unaligned *)(word + EIGHT - r);
	}
	memcpy(part, same, sizeof part);
	if (part[0] | part[1] | part[2] | part[3])
		for (unsigned k = 0; k < HALF_WARP; k++)
			lanes |= (lane_mask)(part[k / 4] >> k % 4 * 16 & 1) << k;
	return lanes;
}

/* The most lanes of a bank, of 16 banks at most. */
static unsigned fullest(const struct banks *b, const uint32_t *addr, lane_mask lanes)
{
	static const uint8_t none[2 * HALF_WARP] __attribute__((aligned(16))) = { [HALF_WARP] = 1 };
	bytes count = { 0 };
	uint8_t of[HALF_WARP], most = 0;

	for (; lanes; lanes &= lanes - 1) {
		bytes one;
		memcpy(&one, none + HALF_WARP - bank_of(b, addr[lane_of(lanes)]), sizeof one);
		count += one;
	}
	memcpy(of, &count, sizeof of);
	for (unsigned k = 0; k < HALF_WARP; k++)
		most = of[k] > most ? of[k] : most;
	return most;
}

/* Passes of a half-warp of which at most one word has several lanes: such a word goes to all its lanes in the first
 * pass, and the rest of each bank word by word. 0: several words have, or an address exceeds 16 bits. */
static unsigned passes_of_half_warp(const struct banks *b, const uint32_t *addr, lane_mask lanes)
{
	struct half_warp h;
	int16_t *word = h.word + HALF_WARP;
	lane_mask again;
	uint32_t all = 0;

	memset(word - HALF_WARP, 0xff, HALF_WARP * sizeof *word);
	for (unsigned k = 0; k < HALF_WARP; k++) {
		word[k] = (int16_t)(addr[k] >> 2);
		all |= addr[k];
	}
	if (all >> 16)
		return 0;
	for (lane_mask off = ~lanes & 0xffff; off; off &= off - 1)
		word[lane_of(off)] = (int16_t)(0x7f00 + lane_of(off));  /* no other lane's */
	again = repeating(&h);
	for (lane_mask more = again & (again - 1); more; more &= more - 1)
		if (word[lane_of(more)] != word[lane_of(again)])
			return 0;
	return fullest(b, addr, lanes & ~again);
}

/* Any accesses, the frequent patterns first. */
unsigned shared_passes(const struct banks *b, const uint32_t *addr, lane_mask lanes)
{
	struct wanted w;
	struct places p;
	uint64_t crowded;
	unsigned passes = 0, depth;

	/* nearly all accesses: an even walk over words */
	if (lanes == lanes_first((int)b->lanes) && evenly_spaced(addr, b->lanes) && (addr[1] - addr[0]) % 4 == 0)
		return passes_of_step(b, (addr[1] - addr[0]) / 4);
	if (b->broadcasts_all && b->lanes >= FOUR && lanes == lanes_first((int)b->lanes))
		passes = passes_of_window(b, addr);
	if (b->lanes == HALF_WARP && b->count <= HALF_WARP && !b->broadcasts_all)
		passes = passes_of_half_warp(b, addr, lanes);
	if (passes)
		return passes;
	p = places_of(addr, lanes);
	depth = deepest(b, p.taken, &crowded);
	if (!p.twice)
		return depth;
	/* A lane alone in its bank goes in the first pass and delays no other lane. */
	lanes = lanes_at(b, addr, lanes, crowded | banks_of(b, p.twice));
	collect(b, &w, addr, lanes);
	if (b->broadcasts_all || w.words <= 1 || w.words == (uint32_t)lanes_count(lanes))
		return w.depth;
	for (; lanes; passes++)
		lanes &= ~serve(&w, lanes);
	return passes;
}

unsigned shared_extra(const struct banks *b, const uint32_t *addr, unsigned n, lane_mask lanes)
{
	unsigned extra = 0;

	for (unsigned first = 0; first < n; first += b->lanes) {
		lane_mask own = lanes >> first & lanes_first((int)b->lanes);
		extra += own & (own - 1) ? shared_passes(b, addr + first, own) - 1 : 0;
	}
	return extra;
}

/* The lanes among `lanes` with the address of the lowest lane. */
static lane_mask like_the_first(const uint32_t *addr, lane_mask lanes)
{
	uint32_t address = addr[lane_of(lanes)];
	lane_mask same = 0;
	for (; lanes; lanes &= lanes - 1)
		same |= addr[lane_of(lanes)] == address ? lanes & -lanes : 0;
	return same;
}

unsigned const_passes(const uint32_t *addr, lane_mask lanes)
{
	unsigned passes = 0;
	for (; lanes; passes++)
		lanes &= ~like_the_first(addr, lanes);
	return passes;
}
