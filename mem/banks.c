#include "mem/banks.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
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
	return __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq");
}

#define COMPARES_LANES __attribute__((target("avx512f,avx512cd,avx512bw,avx512vpopcntdq")))

/* Of each of `lanes`, those among them that are in its set. */
COMPARES_LANES
static inline __m512i among(__m512i set, uint32_t lanes)
{
	return _mm512_maskz_and_epi32((__mmask16)lanes, set, _mm512_set1_epi32((int)lanes));
}

/* The most lanes in a set of `low`, and in one of `high`. */
COMPARES_LANES
static inline __m128i most(__m512i low, __m512i high)
{
	__m512i n = _mm512_packus_epi32(_mm512_popcnt_epi32(low), _mm512_popcnt_epi32(high));
	__m256i two = _mm256_max_epu16(_mm512_castsi512_si256(n), _mm512_extracti64x4_epi64(n, 1));
	__m128i one = _mm_max_epu16(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1));

	one = _mm_max_epu16(one, _mm_shuffle_epi32(one, 0xb1));
	return _mm_max_epu16(one, _mm_srli_epi32(one, 16));
}

COMPARES_LANES
static inline unsigned most_of_one(__m512i set)
{
	return (unsigned)_mm_extract_epi16(most(set, set), 0);
}

/* The lanes among `lanes` that want the word that most of them want, the lowest lane's among equals. same: of each
 * lane, those before it that want its word. */
COMPARES_LANES
static uint32_t of_broadcast(__m512i same, uint32_t lanes)
{
	__m512i wanted = among(same, lanes), n = _mm512_popcnt_epi32(wanted);
	uint32_t last = _mm512_mask_cmpeq_epi32_mask((__mmask16)lanes, n,
						     _mm512_set1_epi32((int)most_of_one(wanted))), best = 0;
	uint32_t of[HALF_LANES];

	_mm512_storeu_si512(of, wanted);
	for (; last; last &= last - 1) {
		uint32_t all = of[lane_of(last)] | (last & -last);
		best = !best || (all & -all) < (best & -best) ? all : best;
	}
	return best;
}

/* Is `again`, the lanes that want what one before them wants, about several words? */
COMPARES_LANES
static inline bool several(__m512i word, uint32_t again)
{
	__m512i first;

	if (!(again & (again - 1)))
		return false;
	first = _mm512_maskz_compress_epi32((__mmask16)again, word);
	return _mm512_mask_cmpneq_epi32_mask((__mmask16)again, word,
					     _mm512_broadcastd_epi32(_mm512_castsi512_si128(first)));
}

/* Pass by pass, as long as there are several words that more than one lane wants. If it is one, all those have it in
 * the first pass, and what is left of a bank goes word by word. */
COMPARES_LANES
static unsigned passes_by_lanes(const uint32_t *addr, uint32_t lanes)
{
	__m512i word = _mm512_srli_epi32(_mm512_loadu_si512(addr), 2), same = _mm512_conflict_epi32(word);
	__m512i bank = _mm512_and_si512(word, _mm512_set1_epi32(BANKS - 1)), rivals = _mm512_conflict_epi32(bank);

	for (unsigned passes = 1; lanes; passes++) {
		__m512i set = _mm512_set1_epi32((int)lanes);
		uint32_t again = _mm512_mask_test_epi32_mask((__mmask16)lanes, same, set), first, own, best;
		if (!several(word, again))
			return passes + most_of_one(among(rivals, lanes & ~again));
		best = of_broadcast(same, lanes);
		own = _mm512_cmpeq_epi32_mask(bank, _mm512_set1_epi32((int)(addr[lane_of(best)] / 4 % BANKS)));
		first = _mm512_mask_testn_epi32_mask((__mmask16)lanes, rivals, set);
		lanes &= ~(best | (first & ~own));
	}
	return 0;
}

/* Two half-warps at once, if all their words differ; else UINT_MAX. */
COMPARES_LANES
static unsigned extra_of_words(const uint32_t *addr, uint32_t lanes)
{
	__m512i low = _mm512_loadu_si512(addr), high = _mm512_loadu_si512(addr + HALF_LANES);
	__m512i again = _mm512_or_si512(_mm512_conflict_epi32(low), _mm512_conflict_epi32(high));
	const __m512i bank = _mm512_set1_epi32(4 * (BANKS - 1));
	__m128i extra;

	if (_mm512_test_epi32_mask(again, again))
		return UINT_MAX;
	extra = most(among(_mm512_conflict_epi32(_mm512_and_si512(low, bank)), lanes & 0xffff),
		     among(_mm512_conflict_epi32(_mm512_and_si512(high, bank)), lanes >> HALF_LANES));
	return (unsigned)(_mm_extract_epi16(extra, 0) + _mm_extract_epi16(extra, 4));
}
#else
static bool compares_lanes(void)
{
	return false;
}

static unsigned passes_by_lanes(const uint32_t *addr, uint32_t lanes)
{
	return 0;
}

static unsigned extra_of_words(const uint32_t *addr, uint32_t lanes)
{
	return UINT_MAX;
}
#endif

/* Passes of any accesses, by what most of them are. */
static unsigned passes_of_any(const uint32_t *addr, uint32_t lanes)
{
	struct wanted w;
	struct places p;
	unsigned passes = 0;

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

unsigned shared_passes(const uint32_t *addr, uint32_t lanes)
{
	return compares_lanes() ? passes_by_lanes(addr, lanes) : passes_of_any(addr, lanes);
}

/* Passes beyond the first of a half-warp. */
static unsigned extra_of_half(const uint32_t *addr, uint32_t lanes)
{
	return lanes & (lanes - 1) ? shared_passes(addr, lanes) - 1 : 0;
}

unsigned shared_extra(const uint32_t *addr, uint32_t lanes, struct bank_memo *memo)
{
	uint32_t low = lanes & 0xffff, high = lanes >> HALF_LANES;
	unsigned extra;

	if (!((low & (low - 1)) | (high & (high - 1))))
		return 0;
	extra = compares_lanes() ? extra_of_words(addr, lanes) : UINT_MAX;
	if (extra != UINT_MAX)
		return extra;
	if (lanes != memo->lanes || memcmp(addr, memo->addr, sizeof memo->addr)) {
		memcpy(memo->addr, addr, sizeof memo->addr);
		memo->lanes = lanes;
		memo->extra = extra_of_half(addr, low) + extra_of_half(addr + HALF_LANES, high);
	}
	return memo->extra;
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
