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

#include "core/base/vector.h"
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

/* Are n words an arithmetic row in steps of `step`? */
WORDS_FN bool words_spaced(const uint32_t v[], int n, uint32_t step)
{
	vec want = vec_count(step) + v[0], others = { 0 };

	UNROLL for (int i = 0; i < n; i += VECTOR_LANES) {
		others |= vec_load(v + i) ^ want;
		want += VECTOR_LANES * step;
	}
	return !vec_any_bit(others);
}

/* Are the elements of `lanes` aligned and below `bytes`, at most 2^31? Nearly always all n are, a fast test. */
WORDS_FN bool words_inside(const uint32_t addr[], int n, lane_mask lanes, unsigned width, uint32_t bytes)
{
	vec odd = vec_all(width - 1), highest = vec_all(bytes - width);
	vec_mask outside[LANES_MAX / VECTOR_LANES], any = { 0 };
	lane_mask bits = 0;

	if (__builtin_expect(bytes < width, 0))
		return !lanes;
	UNROLL for (int i = 0; i < n / VECTOR_LANES; i++) {
		vec a = vec_load(addr + i * VECTOR_LANES);
		outside[i] = vec_meet(a, odd) | vec_above(a, highest);
		any |= outside[i];
	}
	if (__builtin_expect(!vec_any(any), 1))
		return true;
	for (int i = 0; i < n / VECTOR_LANES; i++)
		bits |= (lane_mask)vec_bits(outside[i]) << i * VECTOR_LANES;
	return !(bits & lanes);
}

/* ---- gather and scatter: words inside, each by an address ---- */

WORDS_FN void words_fill(uint32_t out[], int n, uint32_t v)
{
	for (int l = 0; l < n; l++)
		out[l] = v;
}

/* By whole vectors, which are read again as vectors: smaller stores would be waited for. */
WORDS_FN void words_load(uint32_t out[], const uint8_t *at, int n)
{
	UNROLL for (int k = 0; k < n; k += VECTOR_LANES)
		vec_store(out + k, vec_load(at + 4 * k));
}

/* Other lanes get anything. */
WORDS_FN void words_gather(const uint8_t *base, uint32_t out[], const uint32_t addr[], int n, lane_mask lanes)
{
	UNROLL for (int l = 0; l < n; l += VECTOR_LANES)
		vec_store(out + l, vec_gather(base, vec_load(addr + l), (uint32_t)(lanes >> l)));
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
WORDS_FN bool words_store(uint8_t *at, const uint32_t v[], int n)
{
	vec others = { 0 };

	UNROLL for (int k = 0; k < n; k += VECTOR_LANES) {
		vec words = vec_load(v + k);
		others |= words ^ vec_load(at + 4 * k);
		vec_store(at + 4 * k, words);
	}
	return vec_any_bit(others);
}

/* ---- a vector of lanes with ascending words less than two vectors apart, as in butterflies ---- */

#if VECTOR_PERMUTES
struct words_near {
	vec distance;           /* words from the first lane's */
	uint32_t base;          /* address of the first word */
	uint64_t taken;         /* words of `lanes`, bit = word */
};

/* The first address must be below 2^31 even if its lane is inactive: the other addresses are counted from the first. */
static inline bool words_are_near(const uint32_t addr[], uint32_t lanes, struct words_near *w)
{
	vec distance = (vec_load(addr) - addr[0]) >> 2, next = vec_shift_down(distance, vec_all(2 * VECTOR_WORDS));

	w->distance = distance;
	w->base = addr[0];
	w->taken = vec_unite(vec_power_some(distance, lanes));
	return !(addr[0] & 0x80000003) && !vec_any((vec_mask)~vec_above(next, distance));
}

static inline void words_near_load(const uint8_t *base, const struct words_near *w, uint32_t out[])
{
	const uint8_t *p = base + w->base;
	vec low = vec_load_some(p, (uint32_t)w->taken & 0xffff),
	    high = vec_load_some(p + VECTOR_WORDS * 4, (uint32_t)w->taken >> VECTOR_WORDS);

	vec_store(out, vec_permute_two(low, high, w->distance));
}

/* Store the words of `taken`, from values in order. Returns whether memory changed. */
static inline bool words_near_put(uint8_t *p, uint32_t taken, vec values)
{
	vec v = vec_expand(values, taken);
	bool changed = vec_any(vec_differ(v, vec_load_some(p, taken)));

	vec_store_some(p, taken, v);
	return changed;
}

static inline bool words_near_store(uint8_t *base, const struct words_near *w, const uint32_t v[], uint32_t lanes)
{
	vec values = vec_compress(vec_load(v), lanes);
	uint32_t low = (uint32_t)w->taken & 0xffff, high = (uint32_t)w->taken >> VECTOR_WORDS;
	bool changed = words_near_put(base + w->base, low, values);

	values = vec_permute(values, vec_count(1) + (uint32_t)__builtin_popcount(low));
	return words_near_put(base + w->base + VECTOR_WORDS * 4, high, values) || changed;
}
#endif
#endif
