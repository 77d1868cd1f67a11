/* Words of memory for all lanes of a warp at once: addresses, gather and scatter. Functions of addresses and bytes
 * alone; costs and conflicts of accesses are in core/isa/lane_memory.h.
 *
 * The functions are inlined into code that is compiled once for each SIMD level, where the number of lanes `n` (16, 32
 * or 64) is a constant: loops over lanes become vectors of the host's. Addresses are byte offsets below 2^31 from a
 * base, like addresses of shared memory; words are little-endian and may be of any type. */
#ifndef WB_MEM_LANE_WORDS_H
#define WB_MEM_LANE_WORDS_H

#include <stdbool.h>
#include <string.h>

#include "core/base/lanes.h"
#include "mem/banks.h"
#include "mem/bounds.h"

#define WORDS_FN static inline __attribute__((always_inline))

/* Loops over words that come to stand inside a loop over groups are functions of their own: gcc would unroll them
 * before it searches for vectors, and then find none. */
#define WORDS_LOOP static __attribute__((noinline, unused))

typedef uint32_t memory_word __attribute__((may_alias));
typedef uint64_t memory_pair __attribute__((may_alias));

enum { VECTOR_WORDS = 16 };     /* of the widest host's vectors */

/* ---- an element ---- */

/* Load 1, 2 or 4 bytes, extended to 32 bits. The sizes are spelled out because the compiler makes a load of each; a
 * copy of a variable size would be a call. */
WORDS_FN uint32_t word_load(const uint8_t *at, unsigned width, bool is_signed)
{
	uint32_t word;
	uint16_t half;

	switch (width) {
	case 4:
		memcpy(&word, at, 4);
		return word;
	case 2:
		memcpy(&half, at, 2);
		return is_signed ? (uint32_t)(int16_t)half : half;
	default:
		return is_signed ? (uint32_t)(int8_t)*at : *at;
	}
}

/* Store the low bytes of v. Returns whether memory changed. */
WORDS_FN bool word_store(uint8_t *at, unsigned width, uint32_t v)
{
	uint32_t old = v;

	switch (width) {
	case 4: memcpy(&old, at, 4), memcpy(at, &v, 4); break;
	case 2: memcpy(&old, at, 2), memcpy(at, &v, 2); break;
	default: old = (v & ~0xffu) | *at, *at = (uint8_t)v;
	}
	return old != v;
}

/* ---- addresses ---- */

#ifdef __AVX512F__
#define WORDS_COUNT(step) _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), \
					     _mm512_set1_epi32((int)(step)))

/* A mask of n lanes from the masks of vectors. */
WORDS_FN lane_mask words_mask(const __mmask16 part[], int n)
{
	lane_mask bits = 0;

	for (int i = 0; i < n / VECTOR_WORDS; i += 2) {
		uint32_t high = i + 1 < n / VECTOR_WORDS;
		bits |= (lane_mask)_cvtmask32_u32(_mm512_kunpackw(part[i + high], part[i])) << VECTOR_WORDS * i;
	}
	return bits & lanes_first(n);
}
#endif

/* Are n words an arithmetic row in steps of `step`? */
#ifdef __AVX512F__
WORDS_FN bool words_spaced(const uint32_t v[], int n, uint32_t step)
{
	__m512i first = _mm512_broadcastd_epi32(_mm512_castsi512_si128(_mm512_loadu_si512(v)));
	__m512i want = _mm512_add_epi32(first, WORDS_COUNT(step));
	uint32_t others = 0;

	for (int i = 0; i < n; i += VECTOR_WORDS) {
		others |= _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(v + i), want);
		want = _mm512_add_epi32(want, _mm512_set1_epi32((int)(VECTOR_WORDS * step)));
	}
	return !others;
}
#else
WORDS_LOOP bool words_spaced(const uint32_t v[], int n, uint32_t step)
{
	uint32_t others = 0;

	for (int k = 0; k < n; k++)
		others |= v[k] ^ (v[0] + (uint32_t)k * step);
	return !others;
}
#endif

/* Are the elements of `lanes` aligned and below `bytes`, at most 2^31? Nearly always all n are, a fast test. Addresses
 * are any of 2^32 and compared without sign; the portable loop uses signed subtraction, for which every host has
 * vectors: an address from 2^31 on is negative, and for an address below, last - address shows the sign without a wrap,
 * as both are of 0 to 2^31 - 1. */
WORDS_FN bool words_inside(const uint32_t addr[], int n, lane_mask lanes, unsigned width, uint32_t bytes)
{
	uint32_t last = bytes - width;          /* largest address of an element inside */
#ifdef __AVX512F__
	__m512i odd = _mm512_set1_epi32((int)width - 1), highest = _mm512_set1_epi32((int)last);
	__mmask16 outside[LANES_MAX / VECTOR_WORDS];

	if (__builtin_expect(bytes < width, 0))
		return !lanes;
	for (int i = 0; i < n / VECTOR_WORDS; i++) {
		__m512i a = _mm512_loadu_si512(addr + i * VECTOR_WORDS);
		outside[i] = _kor_mask16(_mm512_test_epi32_mask(a, odd), _mm512_cmpgt_epu32_mask(a, highest));
	}
	return !(words_mask(outside, n) & lanes);
#else
	uint32_t outside = 0, any = 0;

	if (__builtin_expect(bytes < width, 0))
		return !lanes;
	for (int l = 0; l < n; l++)
		outside |= (addr[l] & (width - 1)) | ((last - addr[l]) | addr[l]) >> 31;
	if (__builtin_expect(!outside, 1))
		return true;
	for (int l = 0; l < n; l++)
		any |= ((addr[l] & (width - 1)) | ((last - addr[l]) | addr[l]) >> 31) & -(uint32_t)(lanes >> l & 1);
	return !any;
#endif
}

/* ---- gather and scatter: words inside, each by an address ---- */

WORDS_FN void words_fill(uint32_t out[], int n, uint32_t v)
{
	for (int l = 0; l < n; l++)
		out[l] = v;
}

/* Other lanes get anything. */
WORDS_FN void words_gather(const uint8_t *base, uint32_t out[], const uint32_t addr[], int n, lane_mask lanes)
{
	const memory_word *word = (const memory_word *)base;

#ifdef __AVX512F__
	for (int l = 0; l < n; l += VECTOR_WORDS)
		_mm512_storeu_si512(out + l, _mm512_mask_i32gather_epi32(_mm512_setzero_si512(),
			(__mmask16)(lanes >> l), _mm512_loadu_si512(addr + l), word, 1));
#else
	enum { MASK_BITS = 32 };

	for (int first = 0; first < n; first += MASK_BITS) {
		uint32_t bits = (uint32_t)(lanes >> first);
		for (int l = 0; l < MASK_BITS && first + l < n; l++)
			out[first + l] = word[(addr[first + l] & -(bits >> l & 1)) >> 2];
	}
#endif
}

/* Store words; at equal addresses the highest lane's word stays. Returns whether memory changed. */
WORDS_FN bool words_scatter(uint8_t *base, const uint32_t addr[], const uint32_t v[], lane_mask lanes)
{
	memory_word *word = (memory_word *)base;
	bool changed = false;

	FOR_SET_LANES(l, lanes) {
		changed |= word[addr[l] >> 2] != v[l];
		word[addr[l] >> 2] = v[l];
	}
	return changed;
}

/* Store n words side by side, apart from v in memory. Returns whether memory changed. */
#ifdef __AVX512F__
WORDS_FN bool words_store(uint8_t *at, const uint32_t v[], int n)
{
	uint32_t others = 0;

	for (int k = 0; k < n; k += VECTOR_WORDS) {
		__m512i words = _mm512_loadu_si512(v + k);
		others |= _mm512_cmpneq_epi32_mask(words, _mm512_loadu_si512(at + 4 * k));
		_mm512_storeu_si512(at + 4 * k, words);
	}
	return others;
}
#else
WORDS_LOOP bool words_store(uint8_t *at, const uint32_t v[], int n)
{
	uint32_t others = 0;

	for (int k = 0; k < n; k++)
		others |= word_load(at + 4 * k, 4, false) ^ v[k];
	memcpy(at, v, (size_t)n * sizeof *v);
	return others;
}
#endif

/* ---- a vector of lanes with ascending words less than two vectors apart, as in butterflies ---- */

#ifdef __AVX512F__
struct words_near {
	__m512i at;             /* how many words further each is than the first lane's */
	uint32_t first;         /* address of the first word */
	uint64_t taken;         /* words of `lanes`, bit = word */
};

/* The first address must be below 2^31 even if its lane is inactive: the other addresses are counted from the first. */
static inline bool words_are_near(const uint32_t addr[], uint32_t lanes, struct words_near *w)
{
	__m512i a = _mm512_loadu_si512(addr), first = _mm512_broadcastd_epi32(_mm512_castsi512_si128(a));
	__m512i at = _mm512_srli_epi32(_mm512_sub_epi32(a, first), 2);
	__m512i next = _mm512_alignr_epi32(_mm512_set1_epi32(2 * VECTOR_WORDS), at, 1);
	__m512i bits = _mm512_maskz_sllv_epi32((__mmask16)lanes, _mm512_set1_epi32(1), at);

	w->at = at;
	w->first = addr[0];
	w->taken = (uint32_t)_mm512_reduce_or_epi32(bits);
	return !(addr[0] & 0x80000003) && !_mm512_cmpge_epu32_mask(at, next);
}

static inline void words_near_load(const uint8_t *base, const struct words_near *w, uint32_t out[])
{
	const uint8_t *p = base + w->first;
	__m512i low = _mm512_maskz_loadu_epi32((__mmask16)w->taken, p),
		high = _mm512_maskz_loadu_epi32((__mmask16)(w->taken >> VECTOR_WORDS), p + VECTOR_WORDS * 4);

	_mm512_storeu_si512(out, _mm512_permutex2var_epi32(low, w->at, high));
}

/* Store the words of `taken`, from values in order. Returns whether memory changed. */
static inline bool words_near_put(uint8_t *p, __mmask16 taken, __m512i values)
{
	__m512i v = _mm512_maskz_expand_epi32(taken, values);
	bool changed = _mm512_mask_cmpneq_epi32_mask(taken, v, _mm512_maskz_loadu_epi32(taken, p));

	_mm512_mask_storeu_epi32(p, taken, v);
	return changed;
}

static inline bool words_near_store(uint8_t *base, const struct words_near *w, const uint32_t v[], uint32_t lanes)
{
	__m512i values = _mm512_maskz_compress_epi32((__mmask16)lanes, _mm512_loadu_si512(v));
	int below = __builtin_popcount((uint32_t)w->taken & 0xffff);
	uint8_t *p = base + w->first;
	bool low = words_near_put(p, (__mmask16)w->taken, values);

	values = _mm512_permutexvar_epi32(_mm512_add_epi32(WORDS_COUNT(1), _mm512_set1_epi32(below)), values);
	return words_near_put(p + VECTOR_WORDS * 4, (__mmask16)(w->taken >> VECTOR_WORDS), values) || low;
}
#endif
#endif
