/* Usual accesses of native paths (core/isa/native.h) to s[]: by all lanes, where every half-warp has words side by
 * side, or one word. They take one pass of each half-warp (on chips that count both together one pass of the warp,
 * mem/halves.h), with no cost to count, as do the usual ways of lane memory (core/isa/lane_memory.h). */
#ifndef WB_CORE_ISA_TESLA_NATIVE_MEMORY_H
#define WB_CORE_ISA_TESLA_NATIVE_MEMORY_H

#include <string.h>

#include "core/isa/native.h"
#include "mem/bounds.h"
#include "mem/halves.h"

enum { HALF = 16, HALF_BYTES = HALF * 4, SPACE_MASK = 0xffff };

/* Are such accesses usual, of which nobody notes more than the cost? */
NATIVE_FN bool native_usual(const struct exec *x)
{
	return !x->block->lock.holders && !x->warp_sets &&
	       (!x->hooks.access || x->banks->lanes == HALF || banks_count_halves(x->banks));
}

/* The pattern of a row of addresses: the address of each half-warp's first lane, and how many words each half-warp has,
 * side by side or one; 0: another pattern. A constant added to all addresses leaves the pattern. */
struct native_pattern {
	uint32_t address[2], words;
};

NATIVE_FN void native_fill(uint32_t to[], int n, uint32_t v)
{
	for (int l = 0; l < n; l++)
		to[l] = v;
}

/* By lane: distance from the first lane of the half-warp, in bytes. */
static const struct row native_distance = { {
	0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60,
	0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60,
} };

NATIVE_FN struct native_pattern native_find_pattern(const struct exec *x, const struct row *addresses)
{
	uint32_t low = addresses->lane[0], high = addresses->lane[HALF], side = (low | high) & 3, same = side;
	struct row first;

	/* clang 14 would take the first lane out of the loop, and then find no vectors for the rest */
	__asm__("" : "+r"(low), "+r"(high));
	native_fill(first.lane, HALF, low);
	native_fill(first.lane + HALF, HALF, high);
	NATIVE_LANES(l) {
		uint32_t apart = addresses->lane[l] - first.lane[l];
		side |= apart ^ native_distance.lane[l];
		same |= apart;
	}
	uint32_t words = !side ? HALF : !same ? 1 : 0;
	if (x->hooks.access && x->banks->lanes > HALF && !halves_share_pass(low, high, words))
		words = 0;
	return (struct native_pattern){ { low, high }, words };
}

NATIVE_FN struct native_pattern native_pattern(const struct exec *x, int8_t *luck, const struct row *addresses)
{
	struct native_pattern found = { .words = 0 };

	if (!native_tries(luck))
		return found;
	found = native_find_pattern(x, addresses);
	native_tried(luck, found.words);
	return found;
}

/* Where the half-warps' words are in shared memory. False: not all inside. */
NATIVE_FN bool native_inside(const struct exec *x, const struct native_pattern *of, uint32_t offset,
			     uint32_t at[2])
{
	at[0] = (of->address[0] + offset) & SPACE_MASK;
	at[1] = (of->address[1] + offset) & SPACE_MASK;
	return of->words && !(offset & 3) && bytes_inside(at[0], 4 * of->words, x->block->shared_bytes) &&
	       bytes_inside(at[1], 4 * of->words, x->block->shared_bytes);
}

NATIVE_FN void native_load_half(uint32_t to[], const uint8_t *from, uint32_t words)
{
	uint32_t v;

	if (words == HALF) {
		memcpy(to, from, HALF_BYTES);
	} else {
		memcpy(&v, from, sizeof v);
		native_fill(to, HALF, v);
	}
}

/* All lanes load a word. False: not done. */
NATIVE_FN bool native_load(const struct exec *x, const struct native_pattern *of, uint32_t offset, struct row *to)
{
	uint32_t at[2];

	if (!native_inside(x, of, offset, at))
		return false;
	native_load_half(to->lane, x->block->shared + at[0], of->words);
	native_load_half(to->lane + HALF, x->block->shared + at[1], of->words);
	return true;
}

/* Load an element for all lanes. False: not done. */
NATIVE_FN bool native_load_alike(const struct exec *x, uint32_t address, uint32_t width, bool is_signed,
				 uint32_t *to)
{
	const uint8_t *from = x->block->shared + address;
	uint32_t v = 0;

	if (!bytes_inside(address, width, x->block->shared_bytes) || address & (width - 1))
		return false;
	memcpy(&v, from, width);
	*to = width == 4 || !is_signed ? v : width == 2 ? (uint32_t)(int16_t)v : (uint32_t)(int8_t)v;
	return true;
}

/* Returns bits that differ from the words before. */
NATIVE_FN uint32_t native_store_half(uint8_t *to, const uint32_t v[])
{
	uint32_t before[HALF], differ = 0;

	memcpy(before, to, HALF_BYTES);
	for (int l = 0; l < HALF; l++)
		differ |= before[l] ^ v[l];
	memcpy(to, v, HALF_BYTES);
	return differ;
}

/* All lanes store a word, of each half-warp side by side. False: not done. */
NATIVE_FN bool native_store(struct exec *x, const struct native_pattern *of, uint32_t offset,
			    const struct row *v)
{
	uint32_t at[2], differ;

	if (of->words != HALF || !native_inside(x, of, offset, at))
		return false;
	differ = native_store_half(x->block->shared + at[0], v->lane);
	differ |= native_store_half(x->block->shared + at[1], v->lane + HALF);
	x->progress++;
	x->changes += differ != 0;
	return true;
}

#endif
