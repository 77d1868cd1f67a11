/* Usual accesses of native paths (core/isa/native.h) to s[]: words by their shape (mem/word_shapes.h), which is found
 * once for all accesses with an address register. */
#ifndef WB_CORE_ISA_TESLA_NATIVE_MEMORY_H
#define WB_CORE_ISA_TESLA_NATIVE_MEMORY_H

#include <string.h>

#include "core/base/lanes.h"
#include "core/isa/native.h"
#include "core/isa/tesla/memory_runs.h"
#include "mem/bounds.h"
#include "mem/word_shapes.h"

#define NATIVE_WAY static __attribute__((noinline, unused))

enum { HALF = 16, HALF_BYTES = HALF * 4, SPACE_MASK = 0xffff };

/* Are such accesses usual, of which nobody notes more than the cost? */
NATIVE_FN bool native_usual(const struct exec *x)
{
	return !x->block->lock.holders && !x->warp_sets;
}

/* A row of addresses. */
struct native_words {
	const uint32_t *address;
	struct word_shape *shape;       /* NULL: unknown */
	uint32_t kept;                  /* word_shapes.kept, when the shape was found */
	/* Words of each half-warp, side by side or one, where all lanes' take no further pass; 0: others. */
	uint32_t quick;
};

NATIVE_FN struct native_words native_words(struct exec *x, int8_t *luck, const struct row *addresses)
{
	struct native_words found = { .address = addresses->lane };
	struct word_shape *s = word_shape_place(&x->shapes, found.address, LANES);
	bool was;

	if (!native_tries(luck))
		return found;
	was = word_shape_is(s, found.address, LANES);
	if (!was)
		s = word_shape_keep(&x->shapes, found.address, LANES);
	if (s && (!x->hooks.access || !(~s->free & ROW_ALL)))
		found.quick = s->side == 4 ? HALF : !s->spread;
	found.shape = s;
	found.kept = x->shapes.kept;
	native_tried(luck, was);
	return found;
}

/* Another shape may have taken the place since. */
NATIVE_FN bool native_is_known(const struct exec *x, const struct native_words *w)
{
	return w->shape && (w->kept == x->shapes.kept || word_shape_is(w->shape, w->address, LANES));
}

/* Count passes beyond the first of each group, in some access if there `may` be any. False: there are, or there is more
 * to note. */
NATIVE_FN bool native_count_passes(struct exec *x, const struct native_path *path, struct word_shape *s, uint32_t lanes,
				   bool may)
{
	unsigned extra = 0;

	if (x->hooks.access && lanes & (lanes - 1) && !word_shape_knows(s, lanes, &extra))
		extra = path->machine->count_passes(x, s, lanes);
	if (!extra)
		return true;
	if (!may || !x->tally || x->trace)
		return false;
	x->tally->extra_passes += extra;
	return true;
}

/* Where the first lane's word is, if all lanes' words are in shared memory; else NULL. */
NATIVE_FN uint8_t *native_origin(const struct exec *x, const struct native_words *w, uint32_t offset)
{
	uint32_t first = (w->address[0] + offset) & SPACE_MASK, bytes = x->block->shared_bytes;

	bytes = bytes < SPACE_MASK + 1 ? bytes : SPACE_MASK + 1;
	return word_shape_inside(w->shape, first, bytes) ? x->block->shared + first : NULL;
}

/* Where the first words of both half-warps are, if all words of `quick` are in shared memory. */
NATIVE_FN bool native_halves(const struct exec *x, const struct native_words *w, uint32_t offset, uint32_t at[2])
{
	uint32_t bytes = x->block->shared_bytes;

	at[0] = (w->address[0] + offset) & SPACE_MASK;
	at[1] = (w->address[HALF] + offset) & SPACE_MASK;
	return w->quick && !(at[0] & 3) && bytes_inside(at[0], 4 * w->quick, bytes) &&
	       bytes_inside(at[1], 4 * w->quick, bytes);
}

NATIVE_FN void native_load_half(uint32_t to[], const uint8_t *from, uint32_t words)
{
	uint32_t v;

	if (words == HALF) {
		memcpy(to, from, HALF_BYTES);
	} else {
		memcpy(&v, from, sizeof v);
		for (int l = 0; l < HALF; l++)
			to[l] = v;
	}
}

NATIVE_WAY bool native_load_any(struct exec *x, const struct native_path *path, const struct native_words *w,
			    uint32_t offset, bool may, struct row *to)
{
	uint8_t *at = native_is_known(x, w) ? native_origin(x, w, offset) : NULL;

	if (!at || !native_count_passes(x, path, w->shape, ~0u, may))
		return false;
	word_shape_load(at, w->shape, to->lane, LANES);
	return true;
}

/* All lanes load a word; `may`: with more passes than one of each group. False: not done. */
NATIVE_FN bool native_load(struct exec *x, const struct native_path *path, const struct native_words *w,
			   uint32_t offset, bool may, struct row *to)
{
	uint32_t at[2];

	if (!native_halves(x, w, offset, at))
		return w->shape && native_load_any(x, path, w, offset, may, to);
	native_load_half(to->lane, x->block->shared + at[0], w->quick);
	native_load_half(to->lane + HALF, x->block->shared + at[1], w->quick);
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

NATIVE_WAY bool native_store_any(struct exec *x, const struct native_path *path, const struct native_words *w,
			     uint32_t offset, const struct row *v, uint32_t lanes)
{
	uint8_t *at;

	if (lanes) {
		at = native_is_known(x, w) ? native_origin(x, w, offset) : NULL;
		if (!at || !native_count_passes(x, path, w->shape, lanes, true))
			return false;
		x->changes += word_shape_store(at, w->shape, v->lane, LANES, lanes);
	}
	x->progress++;
	return true;
}

/* `lanes` store a word. False: not done. */
NATIVE_FN bool native_store(struct exec *x, const struct native_path *path, const struct native_words *w,
			    uint32_t offset, const struct row *v, uint32_t lanes)
{
	uint32_t at[2], differ;

	if (lanes != ROW_ALL || w->quick != HALF || !native_halves(x, w, offset, at))
		return native_store_any(x, path, w, offset, v, lanes);
	differ = native_store_half(x->block->shared + at[0], v->lane);
	differ |= native_store_half(x->block->shared + at[1], v->lane + HALF);
	x->progress++;
	x->changes += differ != 0;
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

#endif
