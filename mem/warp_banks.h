/* Passes of a warp of 32 lanes to shared memory of 16 banks, by half-warps, where a pass broadcasts one word
 * (mem/banks.h): counted by vectors. Inlined into code that is compiled once for each SIMD level. */
#ifndef WB_MEM_WARP_BANKS_H
#define WB_MEM_WARP_BANKS_H

#include <string.h>

#include "core/base/vector.h"
#include "mem/banks.h"

/* Bytes of memory whose rows of banks have numbers of a byte. */
enum { WARP_BANKS_BYTES = 256 * HALF_LANES * 4 };

/* Are passes to such banks counted here? */
static inline bool warp_banks_apply(const struct banks *b, uint32_t bytes)
{
	return b->lanes == HALF_LANES && b->count == HALF_LANES && !b->broadcasts_all && bytes <= WARP_BANKS_BYTES;
}

/* ---- words of their own for all lanes, less than 32 words apart, as in butterflies: a bank has at most two ---- */

/* Passes beyond the first of each half-warp. False: other words. */
VEC_FN bool warp_banks_near(const uint32_t addr[], uint32_t lanes, unsigned *extra)
{
	vec words[2] = { { 0 }, { 0 } };        /* of each half-warp, bit = word from the first lane's on */
	uint64_t taken, doubled;

	if (addr[HALF_LANES - 1] - addr[0] >= 32 * 4)
		return false;           /* most other words end here */
	UNROLL for (int l = 0; l < 2 * HALF_LANES; l += VECTOR_LANES) {
		vec distance = (vec_load(addr + l) - addr[l & HALF_LANES]) >> 2;
		words[l / HALF_LANES] |= vec_power_some(distance, lanes >> l);
	}
	taken = vec_unite_two(words[0], words[1]);
	doubled = taken & taken >> HALF_LANES & 0x0000ffff0000ffff;
	*extra = ((uint32_t)doubled != 0) + (doubled >> 32 != 0);
	return __builtin_popcountll(taken) == __builtin_popcount(lanes);
}

/* ---- at most two lanes of each half-warp ---- */

static inline bool at_most_two(uint32_t lanes)
{
	lanes &= lanes - 1;
	return !(lanes & (lanes - 1));
}

/* The second pass of two lanes with words in the same bank. */
static inline unsigned extra_of_two(const uint32_t addr[], uint32_t lanes)
{
	uint32_t differ;

	if (!(lanes & (lanes - 1)))
		return 0;
	differ = addr[__builtin_ctz(lanes)] ^ addr[31 - __builtin_clz(lanes)];
	return differ && !(differ & 4 * (HALF_LANES - 1));
}

/* ---- any words, by vectors with a byte for each lane of one or two half-warps ---- */

/* Bank and row of banks of each lane's word. Banks are numbers from BANK_FIRST on; the number of a lane that does not
 * take part is no other lane's. */
enum { BANK_FIRST = 64, BANK_NONE = 128 };

struct lane_banks {
	vec_bytes bank, row;
};

#define FOR_VECTORS_OF_BYTES(v) UNROLL for (int v = 0; v < VEC_BYTES / VECTOR_LANES; v++)

/* Lanes of `lanes`, and of other lanes numbers from `none` on. */
VEC_FN vec_bytes banks_some(vec_bytes lanes, vec_bytes bank)
{
	return (bank & lanes) | ((vec_bytes_count() + BANK_NONE) & ~lanes);
}

VEC_FN struct lane_banks lane_banks_of(const uint32_t addr[], uint32_t lanes)
{
	vec bank[VEC_BYTES / VECTOR_LANES], row[VEC_BYTES / VECTOR_LANES], active[VEC_BYTES / VECTOR_LANES];
	struct lane_banks w;

	FOR_VECTORS_OF_BYTES(v) {
		vec word = vec_load(addr + v * VECTOR_LANES) >> 2;
		bank[v] = (word & 15) + BANK_FIRST;
		row[v] = word >> 4 & 255;
	}
	w = (struct lane_banks){ vec_bytes_of(bank), vec_bytes_of(row) };
	if (lanes == (uint32_t)lanes_first(VEC_BYTES))
		return w;
	FOR_VECTORS_OF_BYTES(v)
		active[v] = vec_some(vec_mask_of(lanes >> v * VECTOR_LANES), vec_all(255));
	w.bank = banks_some(vec_bytes_of(active), w.bank);
	return w;
}

#define EACH_DISTANCE(do) \
	do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(8) do(9) do(10) do(11) do(12) do(13) do(14) do(15)

/* By lane: the number of earlier lanes with the same bank. */
VEC_FN vec_bytes earlier_in_bank(vec_bytes bank)
{
	vec_bytes n = { 0 };

#define COUNT(r) n -= (vec_bytes)(bank == VEC_BYTES_UP(bank, r));
	EACH_DISTANCE(COUNT)
#undef COUNT
	return n;
}

/* For each pair of lanes of a half with the same word, one of the two, as bytes that are not 0. Going round the half,
 * no lane is more than 8 places from another. */
VEC_FN vec_bytes one_of_each_pair(const struct lane_banks *w)
{
	vec_bytes ones = { 0 };

#define FIND(r, move) \
	ones |= (vec_bytes)(w->bank == move(w->bank, r)) & (vec_bytes)(w->row == move(w->row, r));
#define FIND_ROUND(r) FIND(r, VEC_BYTES_ROUND)
	FIND_ROUND(1) FIND_ROUND(2) FIND_ROUND(3) FIND_ROUND(4) FIND_ROUND(5) FIND_ROUND(6) FIND_ROUND(7)
	FIND(8, VEC_BYTES_UP)
#undef FIND_ROUND
#undef FIND
	return ones;
}

/* By lane: the number of earlier lanes with the same word. */
VEC_FN vec_bytes earlier_with_word(const struct lane_banks *w)
{
	vec_bytes n = { 0 };

#define COUNT(r) \
	n -= (vec_bytes)(w->bank == VEC_BYTES_UP(w->bank, r)) & (vec_bytes)(w->row == VEC_BYTES_UP(w->row, r));
	EACH_DISTANCE(COUNT)
#undef COUNT
	return n;
}

/* ---- several words with several lanes each: pass by pass ---- */

struct lane_bytes {
	struct lane_banks w;
	uint8_t bank[VEC_BYTES], row[VEC_BYTES];
};

VEC_FN vec_bytes lanes_with_word(const struct lane_bytes *b, uint32_t l)
{
	return (vec_bytes)(b->w.bank == vec_bytes_all(b->bank[l])) & (vec_bytes)(b->w.row == vec_bytes_all(b->row[l]));
}

/* The word that most lanes of `left` have; among equals the lowest lane's. Lanes of `lanes` show the words to choose
 * from. Returns the word's lanes of `left`, as bits. */
VEC_FN uint32_t broadcast_lanes(const struct lane_bytes *b, vec_bytes left, uint32_t lanes)
{
	uint32_t best = 0;

	for (; lanes; lanes &= lanes - 1) {
		uint32_t with = vec_bytes_bits(lanes_with_word(b, (uint32_t)__builtin_ctz(lanes)) & left);
		int more = __builtin_popcount(with) - __builtin_popcount(best);
		if (more > 0 || (!more && (with & -with) < (best & -best)))
			best = with;
	}
	return best;
}

/* Lanes with a bank, of half h of the vector. */
VEC_FN vec_bytes lanes_of_half(const struct lane_banks *w, int h)
{
	vec_bytes half = (vec_bytes)((vec_bytes_count() & HALF_LANES) == vec_bytes_all((uint8_t)(h * HALF_LANES)));

	return (vec_bytes)(w->bank < vec_bytes_all(BANK_NONE)) & half;
}

/* Passes beyond the first of half h, which has lanes. repeated: a lane of each word with several lanes. No parameter is
 * a vector: the caller's would stay in use across the call (tests/house/upper_halves.awk). */
static __attribute__((noinline, unused)) unsigned extra_of_repeated(const struct lane_banks *w, int h,
								    uint32_t repeated)
{
	struct lane_bytes b = { .w = *w };
	vec_bytes left = lanes_of_half(w, h);

	vec_bytes_store(b.bank, w->bank);
	vec_bytes_store(b.row, w->row);
	for (unsigned passes = 0;; passes++) {
		vec_bytes earlier = earlier_in_bank(banks_some(left, w->bank)), served;
		uint32_t best = broadcast_lanes(&b, left, repeated), lane;
		if (!(best & (best - 1)))
			return passes + vec_bytes_most(earlier) - !vec_bytes_bits(left);
		lane = (uint32_t)__builtin_ctz(best);
		served = (vec_bytes)(earlier == 0) & (vec_bytes)(w->bank != vec_bytes_all(b.bank[lane]));
		left &= ~(served | lanes_with_word(&b, lane));
	}
}

/* Does a half have two of the bits? */
static inline bool two_in_half(uint32_t bits)
{
	uint32_t low = bits & 0xffff, high = bits >> HALF_LANES;

	return (low & (low - 1)) | (high & (high - 1));
}

/* Passes beyond the first of each half, if one of the lanes with each word is among `first`, and at most one word has
 * several. */
VEC_FN unsigned extra_of_distinct(const struct lane_banks *w, vec_bytes first)
{
	return vec_bytes_most(earlier_in_bank(banks_some(first, w->bank)));
}

/* As extra_of_any, where a half has several pairs of lanes with the same word. */
VEC_FN unsigned extra_of_pairs(const struct lane_banks *w)
{
	vec_bytes same = earlier_with_word(w);
	uint32_t second = vec_bytes_bits((vec_bytes)(same == 1));       /* the second lane of each word with several */
	unsigned extra = 0;

	if (!two_in_half(second))
		return extra_of_distinct(w, (vec_bytes)(same == 0));
	for (int h = 0; h < VEC_HALVES; h++) {
		uint32_t lanes_here = vec_bytes_bits(lanes_of_half(w, h));
		if (lanes_here)
			extra += extra_of_repeated(w, h, second & lanes_here);
	}
	return extra;
}

/* Passes beyond the first of each half of `lanes`. If at most one word of a half has several lanes, the first pass
 * serves all of these lanes, and the rest of each bank goes word by word. */
VEC_FN unsigned extra_of_any(const uint32_t addr[], uint32_t lanes)
{
	struct lane_banks w = lane_banks_of(addr, lanes);
	vec_bytes ones = one_of_each_pair(&w);

	return two_in_half(vec_bytes_bits(ones)) ? extra_of_pairs(&w) : extra_of_distinct(&w, (vec_bytes)(ones == 0));
}

/* Any words of 32 lanes. */
static __attribute__((noinline, unused)) unsigned warp_banks_any(const uint32_t addr[], uint32_t lanes)
{
	unsigned extra = 0;

	for (int l = 0; l < 2 * HALF_LANES; l += VEC_BYTES)
		extra += extra_of_any(addr + l, lanes >> l & (uint32_t)lanes_first(VEC_BYTES));
	return extra;
}

/* As shared_extra, for words of 32 lanes in memory to which warp_banks_apply; addresses may be distances. */
VEC_FN unsigned warp_banks_extra(const uint32_t addr[], uint32_t lanes)
{
	uint32_t low = lanes & 0xffff, high = lanes >> HALF_LANES;
	unsigned extra;

	/* where vectors permute, loads and stores of near words count by themselves */
	if (!VECTOR_PERMUTES && warp_banks_near(addr, lanes, &extra))
		return extra;
	if (at_most_two(low) && at_most_two(high))
		return extra_of_two(addr, low) + extra_of_two(addr + HALF_LANES, high);
	return warp_banks_any(addr, lanes);
}

#endif
