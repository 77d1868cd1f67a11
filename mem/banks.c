/* Bank conflicts (banks.h): passes are counted word by word; common patterns (words at a fixed distance, words near
 * each other) have faster ways with the same result. */
#include "mem/banks.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

static uint32_t lane_of(lane_mask lanes)
{
	return (uint32_t)__builtin_ctzll(lanes);
}

static uint32_t bank_of(const struct banks *b, uint32_t addr)
{
	return addr / 4 & (b->count - 1);
}

/* Are the addresses of n lanes as far apart as the first two? */
static bool evenly_spaced(const uint32_t *addr, uint32_t n)
{
	uint32_t step = addr[1] - addr[0], others = 0;
	for (unsigned k = 0; k + 1 < n; k++)
		others |= (addr[k + 1] - addr[k]) ^ step;
	return !others;
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

/* Words of lanes, behind as many that no lane has. */
struct half_warp {
	int16_t none[HALF_WARP], word[HALF_WARP];
} __attribute__((aligned(32)));

/* The lanes that have an earlier lane's word. */
static lane_mask repeating(const struct half_warp *h)
{
	eight low = *(const eight *)h->word, high = *(const eight *)(h->word + EIGHT), same[2] = { 0 };
	uint64_t part[4];
	lane_mask lanes = 0;

	_Pragma("GCC unroll 16") for (int r = 1; r < HALF_WARP; r++) {
		same[0] |= low == *(const eight_unaligned *)(h->word - r);
		same[1] |= high == *(const eight_unaligned *)(h->word + EIGHT - r);
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
	lane_mask again;
	uint32_t all = 0;

	memset(h.none, 0xff, sizeof h.none);
	for (unsigned k = 0; k < HALF_WARP; k++) {
		h.word[k] = (int16_t)(addr[k] >> 2);
		all |= addr[k];
	}
	if (all >> 16)
		return 0;
	for (lane_mask off = ~lanes & 0xffff; off; off &= off - 1)
		h.word[lane_of(off)] = (int16_t)(0x7f00 + lane_of(off));        /* no other lane's */
	again = repeating(&h);
	for (lane_mask more = again & (again - 1); more; more &= more - 1)
		if (h.word[lane_of(more)] != h.word[lane_of(again)])
			return 0;
	return fullest(b, addr, lanes & ~again);
}

enum { VECTOR_LANES = 16 };     /* words of a vector of the host's */

#ifdef __x86_64__
/* Is a group a vector of the host, on a host that compares all lanes with each other in one instruction? */
static bool compares_lanes(const struct banks *b)
{
	return b->lanes == VECTOR_LANES && !b->broadcasts_all && __builtin_cpu_supports("avx512bitalg") &&
	       __builtin_cpu_supports("avx512vpopcntdq");
}

#define COMPARES_LANES __attribute__((target("avx512f,avx512cd,avx512bw,avx512vpopcntdq")))

/* By lane of `lanes`: lanes of the group in the lane's set. */
COMPARES_LANES
static inline __m512i among(__m512i set, uint32_t lanes)
{
	return _mm512_maskz_and_epi32((__mmask16)lanes, set, _mm512_set1_epi32((int)lanes));
}

/* The most lanes in a set of `low`, and in a set of `high`. */
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

/* The lanes of the word that most of `lanes` want, the lowest lane's among equals. same: by lane, earlier lanes with
 * the same word. */
COMPARES_LANES
static uint32_t of_broadcast(__m512i same, uint32_t lanes)
{
	__m512i wanted = among(same, lanes), n = _mm512_popcnt_epi32(wanted);
	uint32_t last = _mm512_mask_cmpeq_epi32_mask((__mmask16)lanes, n,
						     _mm512_set1_epi32((int)most_of_one(wanted))), best = 0;
	uint32_t of[VECTOR_LANES];

	_mm512_storeu_si512(of, wanted);
	for (; last; last &= last - 1) {
		uint32_t all = of[lane_of(last)] | (last & -last);
		best = !best || (all & -all) < (best & -best) ? all : best;
	}
	return best;
}

/* Do the lanes of `again`, which repeat an earlier lane's word, repeat several words? */
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

/* Pass by pass, as long as several words have more than one lane. A single such word goes to all its lanes in the first
 * pass, and the rest of each bank word by word. */
COMPARES_LANES
static unsigned passes_by_lanes(const struct banks *b, const uint32_t *addr, uint32_t lanes)
{
	__m512i word = _mm512_srli_epi32(_mm512_loadu_si512(addr), 2), same = _mm512_conflict_epi32(word);
	__m512i bank = _mm512_and_si512(word, _mm512_set1_epi32((int)b->count - 1));
	__m512i rivals = _mm512_conflict_epi32(bank);

	for (unsigned passes = 1; lanes; passes++) {
		__m512i set = _mm512_set1_epi32((int)lanes);
		uint32_t again = _mm512_mask_test_epi32_mask((__mmask16)lanes, same, set), first, own, best;
		if (!several(word, again))
			return passes + most_of_one(among(rivals, lanes & ~again));
		best = of_broadcast(same, lanes);
		own = _mm512_cmpeq_epi32_mask(bank, _mm512_set1_epi32((int)bank_of(b, addr[lane_of(best)])));
		first = _mm512_mask_testn_epi32_mask((__mmask16)lanes, rivals, set);
		lanes &= ~(best | (first & ~own));
	}
	return 0;
}

/* Two groups at once, if all words differ; else UINT_MAX. */
COMPARES_LANES
static unsigned extra_of_words(const struct banks *b, const uint32_t *addr, uint32_t lanes)
{
	__m512i low = _mm512_loadu_si512(addr), high = _mm512_loadu_si512(addr + VECTOR_LANES);
	__m512i again = _mm512_or_si512(_mm512_conflict_epi32(low), _mm512_conflict_epi32(high));
	const __m512i bank = _mm512_set1_epi32(4 * ((int)b->count - 1));
	__m128i extra;

	if (_mm512_test_epi32_mask(again, again))
		return UINT_MAX;
	extra = most(among(_mm512_conflict_epi32(_mm512_and_si512(low, bank)), lanes & 0xffff),
		     among(_mm512_conflict_epi32(_mm512_and_si512(high, bank)), lanes >> VECTOR_LANES));
	return (unsigned)(_mm_extract_epi16(extra, 0) + _mm_extract_epi16(extra, 4));
}
#else
static bool compares_lanes(const struct banks *b)
{
	return false;
}

static unsigned passes_by_lanes(const struct banks *b, const uint32_t *addr, uint32_t lanes)
{
	return 0;
}

static unsigned extra_of_words(const struct banks *b, const uint32_t *addr, uint32_t lanes)
{
	return UINT_MAX;
}
#endif

/* Any accesses, the frequent patterns first. */
unsigned shared_passes_portable(const struct banks *b, const uint32_t *addr, lane_mask lanes)
{
	struct wanted w;
	struct places p;
	uint64_t crowded;
	unsigned passes = 0, depth;

	/* nearly all accesses: an even walk over words */
	if (lanes == lanes_first((int)b->lanes) && evenly_spaced(addr, b->lanes) && (addr[1] - addr[0]) % 4 == 0)
		return passes_of_step(b, (addr[1] - addr[0]) / 4);
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

unsigned shared_passes(const struct banks *b, const uint32_t *addr, lane_mask lanes)
{
	return compares_lanes(b) ? passes_by_lanes(b, addr, (uint32_t)lanes) : shared_passes_portable(b, addr, lanes);
}

/* Does a group have more than one lane of `lanes`? */
static bool shared_by_several(const struct banks *b, unsigned n, lane_mask lanes)
{
	lane_mask group = lanes_first((int)b->lanes), more = 0;

	for (unsigned first = 0; first < n; first += b->lanes) {
		lane_mask own = lanes >> first & group;
		more |= own & (own - 1);
	}
	return more;
}

static unsigned count_extra(const struct banks *b, const uint32_t *addr, unsigned n, lane_mask lanes)
{
	unsigned extra = 0;

	for (unsigned first = 0; first < n; first += b->lanes) {
		lane_mask own = lanes >> first & lanes_first((int)b->lanes);
		extra += own & (own - 1) ? shared_passes(b, addr + first, own) - 1 : 0;
	}
	return extra;
}

unsigned shared_extra(struct bank_memo *memo, const uint32_t *addr, unsigned n, lane_mask lanes)
{
	const struct banks *b = memo->banks;
	unsigned extra = UINT_MAX;
	struct bank_way *w;
	uint32_t base;
	uint64_t others;

	if (!shared_by_several(b, n, lanes))
		return 0;
	if (n == 2 * VECTOR_LANES && compares_lanes(b))
		extra = extra_of_words(b, addr, (uint32_t)lanes);
	if (extra != UINT_MAX)
		return extra;
	base = addr[0] & -(4 * b->count);
	w = &memo->ways[(addr[1] - addr[0] + (addr[n - 1] - base) / 4) / 4 % BANK_WAYS];
	others = lanes ^ w->lanes;
	for (unsigned k = 0; k < n; k++)
		others |= (addr[k] - base) ^ w->addr[k];
	if (!others)
		return w->extra;
	for (unsigned k = 0; k < n; k++)
		w->addr[k] = addr[k] - base;
	w->lanes = lanes;
	return w->extra = count_extra(b, addr, n, lanes);
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
