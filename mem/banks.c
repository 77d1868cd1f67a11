#include "mem/banks.h"

#include <stdbool.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

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

/* Which words the lanes want, modulo WINDOW, and whether two of them have one place there. What programs do mostly
 * stays within a window, and then its rows of banks tell all. */
enum { WINDOW = 64, ALL_BANKS = 0xffff };

struct places {
	uint64_t taken, twice;
};

static struct places places_of(const uint32_t *addr, uint32_t lanes)
{
	struct places p = { 0, 0 };

	if (lanes == 0xffff) {
		for (unsigned k = 0; k < HALF_LANES; k++) {
			uint64_t place = 1ull << addr[k] / 4 % WINDOW;
			p.twice |= p.taken & place;
			p.taken |= place;
		}
		return p;
	}
	for (; lanes; lanes &= lanes - 1) {
		uint64_t place = 1ull << addr[lane_of(lanes)] / 4 % WINDOW;
		p.twice |= p.taken & place;
		p.taken |= place;
	}
	return p;
}

/* The places taken in the bank that has most of them, where a window is four rows of banks. */
static unsigned deepest(uint64_t taken)
{
	uint32_t a = taken & ALL_BANKS, b = taken >> 16 & ALL_BANKS, c = taken >> 32 & ALL_BANKS,
		 d = taken >> 48 & ALL_BANKS;
	uint32_t two = (a & b) | (c & d) | ((a | b) & (c | d)), three = (a & b & (c | d)) | (c & d & (a | b));

	return a & b & c & d ? 4 : three ? 3 : two ? 2 : taken != 0;
}

/* Banks of which more than one lane wants something, as far as places tell. */
static uint32_t crowded(const struct places *p)
{
	uint32_t a = p->taken & ALL_BANKS, b = p->taken >> 16 & ALL_BANKS, c = p->taken >> 32 & ALL_BANKS,
		 d = p->taken >> 48 & ALL_BANKS;
	uint64_t again = p->twice | p->twice >> 32;

	return (a & b) | (c & d) | ((a | b) & (c | d)) | (uint32_t)((again | again >> 16) & ALL_BANKS);
}

/* The lanes that want something of the banks. */
static uint32_t lanes_at(const uint32_t *addr, uint32_t lanes, uint32_t banks)
{
	uint32_t at = 0;

	for (unsigned k = 0; k < HALF_LANES; k++)
		at |= (banks >> addr[k] / 4 % BANKS & 1) << k;
	return at & lanes;
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

#ifdef __x86_64__
/* Where the host can compare lanes with each other in one instruction. */
static bool compares_lanes(void)
{
	return __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vpopcntdq");
}

/* Passes if at most one word is wanted by several lanes: they all have it in the first pass, and what is left of a bank
 * goes word by word. 0: there are several such words. */
__attribute__((target("avx512f,avx512cd,avx512vpopcntdq")))
static unsigned passes_of_apart(const uint32_t *addr, uint32_t lanes)
{
	const __m512i nobody = _mm512_set_epi32(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16);
	__m512i word = _mm512_srli_epi32(_mm512_loadu_si512(addr), 2), alike, bank;
	__mmask16 again;

	/* words that nobody wants differ from all others */
	word = _mm512_mask_blend_epi32((__mmask16)lanes, _mm512_sub_epi32(_mm512_setzero_si512(), nobody), word);
	alike = _mm512_conflict_epi32(word);
	again = _mm512_test_epi32_mask(alike, alike);
	if (again) {
		__m512i first = _mm512_maskz_compress_epi32(again, word);
		if (_mm512_mask_cmpneq_epi32_mask(again, word, _mm512_broadcastd_epi32(_mm512_castsi512_si128(first))))
			return 0;
	}
	bank = _mm512_mask_and_epi32(nobody, (__mmask16)(lanes & ~(uint32_t)again), word, _mm512_set1_epi32(BANKS - 1));
	return 1 + _mm512_reduce_max_epu32(_mm512_popcnt_epi32(_mm512_conflict_epi32(bank)));
}
#else
static bool compares_lanes(void)
{
	return false;
}

static unsigned passes_of_apart(const uint32_t *addr, uint32_t lanes)
{
	return 0;
}
#endif

unsigned shared_passes(const uint32_t *addr, uint32_t lanes)
{
	struct wanted w;
	struct places p;
	unsigned passes = 0;

	if (lanes && compares_lanes() && (passes = passes_of_apart(addr, lanes)))
		return passes;
	/* What nearly all accesses are: an even walk over words. */
	if (lanes == 0xffff && evenly_spaced(addr) && (addr[1] - addr[0]) % 4 == 0)
		return passes_of_step((addr[1] - addr[0]) / 4);
	p = places_of(addr, lanes);
	if (!p.twice)
		return deepest(p.taken);
	/* A lane that has its bank for itself goes in the first pass and is in nobody's way. */
	lanes = lanes_at(addr, lanes, crowded(&p));
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
