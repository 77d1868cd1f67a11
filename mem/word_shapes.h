/* Shapes of a warp's words (mem/banks.h): loads and stores of words, each at a distance from the first lane's word.
 *
 * A shape is found by comparing the distances, a few vectors, and tells at once what else would be searched for at each
 * access: the lowest and highest word, words side by side, the passes. Inlined into code that is compiled once for each
 * SIMD level; the number of lanes `n` (32 or 64) is a constant. */
#ifndef WB_MEM_WORD_SHAPES_H
#define WB_MEM_WORD_SHAPES_H

#include <string.h>

#include "core/base/vector.h"
#include "mem/banks.h"

enum {
	SHAPE_BLOCK = 16,               /* lanes of the largest blocks whose words lie side by side */
	VECTOR_SIDE = VECTOR_LANES == 16 ? 4 : VECTOR_LANES == 8 ? 3 : 2,       /* the logarithm */
#ifdef __wasm__
	SHAPES_ARE_KEPT = 0,            /* bytes count in a page */
#else
	SHAPES_ARE_KEPT = 1,
#endif
};

/* The place of the shape with a lane's words, by the distances of two lanes. The factor is a found one, with which
 * butterflies, steps, rows and columns of 32 lanes have places of their own. */
VEC_FN struct word_shape *word_shape_place(struct word_shapes *s, const uint32_t words[], int n)
{
	uint32_t apart = words[n - 1] + 3 * words[n / 2] - 4 * words[0];

	_Static_assert(WORD_SHAPES == 16, "a place has the upper four bits of a product");
	s = (struct word_shapes *)&s->shape[apart * 0x6cd2626du >> 28];
	__asm__("" : "+r"(s));          /* else the product is made again for each member */
	return (struct word_shape *)s;
}

/* Lanes of n that are not the last of their block of 2^side lanes. */
VEC_FN lane_mask shape_inner_lanes(unsigned side, int n)
{
	static const uint16_t inner[] = { 0, 0x5555, 0x7777, 0x7f7f, 0x7fff };

	return (lane_mask)inner[side] * 0x0001000100010001 & lanes_first(n);
}

/* Lanes whose next lane has a word `step` bytes further. d[n] may be anything. */
VEC_FN lane_mask shape_steps(const uint32_t d[], int n, uint32_t step)
{
	lane_mask steps = 0;

	UNROLL for (int l = 0; l < n; l += VECTOR_LANES) {
		vec_mask other = vec_differ(vec_load(d + l + 1) - vec_load(d + l), vec_all(step));
		steps |= (lane_mask)vec_bits((vec_mask)~other) << l;
	}
	return steps;
}

/* Do the words of all lanes lie in a span of up to 64 words? */
VEC_FN bool shape_is_near(const struct word_shape *s)
{
	return s->span < 64 * 4;
}

VEC_FN uint64_t shape_find_words(const struct word_shape *s, int n, lane_mask lanes)
{
	vec low = { 0 }, high = { 0 };

	UNROLL for (int l = 0; l < n; l += VECTOR_LANES) {
		vec word = (vec_load(s->apart + l) - (uint32_t)s->lowest) >> 2;
		low |= vec_power_some(word, (uint32_t)(lanes >> l));
		high |= vec_power_some(word ^ 32, (uint32_t)(lanes >> l));
	}
	return vec_unite_two(low, high);
}

/* The words of `lanes` of n, bit = word from the lowest of all n lanes on, where these are near. */
VEC_FN uint64_t word_shape_words(struct word_shape *s, int n, lane_mask lanes)
{
	if (lanes != lanes_first(n))
		return shape_find_words(s, n, lanes);
	if (!s->words)
		s->words = shape_find_words(s, n, lanes);
	return s->words;
}

/* Put the shape of n addresses into its place. NULL, with nothing changed: an address is no word's if the first lane's
 * is. */
static __attribute__((noinline, unused)) struct word_shape *word_shape_keep(struct word_shapes *s,
									    const uint32_t words[], int n)
{
	struct word_shape *shape = word_shape_place(s, words, n);
	uint32_t d[LANES_MAX + 1], odd = 0;
	int32_t lowest = 0, highest = 0;
	lane_mask next;

	for (int l = 0; l < n; l++) {
		d[l] = words[l] - words[0];
		odd |= d[l];
	}
	if (odd & 3)
		return NULL;
	s->kept++;
	d[n] = 0;
	for (int l = 0; l < n; l++) {
		int32_t apart = (int32_t)d[l];
		lowest = apart < lowest ? apart : lowest;
		highest = apart > highest ? apart : highest;
		shape->apart[l] = d[l];
	}
	shape->lowest = lowest;
	shape->span = (uint32_t)highest - (uint32_t)lowest;
	shape->words = 0;
	next = shape_steps(d, n, 4);
	shape->side = 4;
	while (shape_inner_lanes(shape->side, n) & ~next)
		shape->side--;
	shape->spread = shape_inner_lanes(4, n) & ~shape_steps(d, n, 0);
	shape->windows = 0;
	shape->free = 0;
	shape->added.tag = 0;
	for (unsigned i = 0; i < SHAPE_MASKS; i++)
		shape->mask[i] = 0;
	return shape;
}

/* Are the words at n addresses of a shape, wherever they lie? */
VEC_FN bool word_shape_is(const struct word_shape *shape, const uint32_t words[], int n)
{
	vec others = { 0 };

	UNROLL for (int l = 0; l < n; l += VECTOR_LANES)
		others |= (vec_load(words + l) - words[0]) ^ vec_load(shape->apart + l);
	return !vec_any_bit(others);
}

/* The shape of the words at n addresses. NULL as above. */
VEC_FN struct word_shape *word_shape_of(struct word_shapes *s, const uint32_t words[], int n)
{
	struct word_shape *shape = word_shape_place(s, words, n);

	return word_shape_is(shape, words, n) ? shape : word_shape_keep(s, words, n);
}

/* Are the words of a shape, the first lane's at `first`, aligned and in memory, `bytes` long? */
VEC_FN bool word_shape_inside(const struct word_shape *s, uint32_t first, uint64_t bytes)
{
	uint32_t lowest = first + (uint32_t)s->lowest;

	return !(first & 3) && (uint64_t)lowest + s->span + 4 <= bytes;         /* below 0 is above all memory */
}

/* ---- passes ---- */

VEC_FN unsigned shape_mask_place(lane_mask lanes)
{
	return (uint32_t)(lanes ^ lanes >> 32) * 0x9e3779b1u >> 29;
}

/* Are the passes of `lanes` known? Lanes that go without a further pass do so without some of them as well. */
VEC_FN bool word_shape_knows(const struct word_shape *s, lane_mask lanes, unsigned *extra)
{
	unsigned place;

	*extra = 0;
	if (!(lanes & ~s->free))
		return true;
	place = shape_mask_place(lanes);
	*extra = s->extra[place];
	return s->mask[place] == lanes;
}

VEC_FN void word_shape_learn(struct word_shape *s, lane_mask lanes, unsigned extra)
{
	unsigned place = shape_mask_place(lanes);

	if (!extra && !(s->free & ~lanes))
		s->free = lanes;
	s->mask[place] = lanes;
	s->extra[place] = (uint8_t)extra;
}

/* ---- read and write sets ---- */

/* Have words of a shape been added to the sets of `tag`, stored or at all? `origin`: the first lane's. */
VEC_FN bool word_shape_added(const struct word_shape *s, uint64_t tag, uint32_t origin, lane_mask lanes, bool stored)
{
	return s->added.tag == tag && s->added.origin == origin && !(lanes & ~s->added.lanes) &&
	       (s->added.stored || !stored);
}

VEC_FN void word_shape_add(struct word_shape *s, uint64_t tag, uint32_t origin, lane_mask lanes, bool stored)
{
	s->added.tag = tag;
	s->added.lanes = lanes;
	s->added.origin = origin;
	s->added.stored = stored;
}

/* ---- words, all of them inside; `at`: the first lane's ---- */

VEC_FN uint8_t *shape_word(uint8_t *at, const struct word_shape *s, int l)
{
	return at + (int32_t)s->apart[l];
}

/* ---- windows: words of eight lanes in any order, less than 16 apart ---- */

#if VECTOR_MOVES
enum { WINDOW = 16, WINDOW_SIGN = 1u << 31, WINDOW_USES = 3, WINDOWS_ARE_KNOWN = 4, WINDOWS_ARE_NONE = 5 };

/* All windows lie between the lowest and the highest word, for memory around them need not be. No window is known where
 * two lanes have a word together. */
static __attribute__((noinline, unused)) void shape_find_windows(struct word_shape *s, int n)
{
	int32_t last = (int32_t)((uint32_t)s->lowest + s->span) - 4 * (WINDOW - 1);

	s->windows = WINDOWS_ARE_NONE;
	if (s->span < 4 * (WINDOW - 1))
		return;
	for (int g = 0; g < n / 8; g++) {
		uint32_t *owner = s->owner[g];
		int32_t low = last;
		for (int l = 8 * g; l < 8 * g + 8; l++)
			low = (int32_t)s->apart[l] < low ? (int32_t)s->apart[l] : low;
		memset(owner, 0, WINDOW * sizeof *owner);
		for (uint32_t l = 0; l < 8; l++) {
			uint32_t word = (s->apart[8 * g + (int)l] - (uint32_t)low) / 4;
			if (word >= WINDOW || owner[word])
				return;
			owner[word] = (uint32_t)WINDOW_SIGN | l;
			s->in_window[8 * g + (int)l] = word | (word >= 8 ? (uint32_t)WINDOW_SIGN : 0);
		}
		s->window[g] = low;
	}
	s->windows = WINDOWS_ARE_KNOWN;
}

/* Windows are found for shapes that come again. */
VEC_FN bool shape_has_windows(struct word_shape *s, int n)
{
	if (__builtin_expect(s->windows < WINDOWS_ARE_KNOWN, 0) && s->windows++ == WINDOW_USES)
		shape_find_windows(s, n);
	return s->windows == WINDOWS_ARE_KNOWN;
}

VEC_FN void shape_load_windows(const uint8_t *at, const struct word_shape *s, uint32_t out[], int n)
{
	UNROLL for (int l = 0; l < n; l += VECTOR_LANES) {
		const uint8_t *from = at + s->window[l / 8];
		vec word = vec_load(s->in_window + l);
		vec_store(out + l, vec_by_sign(word, vec_move(vec_load(from + 32), word),
					       vec_move(vec_load(from), word)));
	}
}

/* Of a window's half. Returns bits where memory has changed. */
VEC_FN vec shape_store_window(uint8_t *at, const uint32_t owner[], vec words, vec lanes)
{
	vec lane = vec_load(owner), before = vec_load(at),
	    after = vec_by_sign(vec_move(lanes, lane) & lane, vec_move(words, lane), before);

	vec_store(at, after);
	return before ^ after;
}

VEC_FN bool shape_store_windows(uint8_t *at, const struct word_shape *s, const uint32_t v[], int n, lane_mask lanes)
{
	vec differ = { 0 };

	UNROLL for (int l = 0; l < n; l += VECTOR_LANES) {
		vec words = vec_load(v + l), some = (vec)vec_mask_of((uint32_t)(lanes >> l));
		uint8_t *to = at + s->window[l / 8];
		differ |= shape_store_window(to, s->owner[l / 8], words, some);
		differ |= shape_store_window(to + 32, s->owner[l / 8] + 8, words, some);
	}
	return vec_any_bit(differ);
}
#else
#define shape_has_windows(s, n) false
#define shape_load_windows(at, s, out, n) ((void)0)
#define shape_store_windows(at, s, v, n, lanes) false
#endif

/* ---- any words ---- */

/* Do words lie side by side in each vector of lanes? */
VEC_FN bool shape_has_vectors(const struct word_shape *s)
{
	return s->side >= VECTOR_SIDE;
}

/* Load the words of all n lanes. */
VEC_FN void word_shape_load(uint8_t *at, struct word_shape *s, uint32_t out[], int n)
{
	if (shape_has_vectors(s)) {
		UNROLL for (int l = 0; l < n; l += VECTOR_LANES)
			vec_store(out + l, vec_load(shape_word(at, s, l)));
	} else if (!s->spread) {
		UNROLL for (int l = 0; l < n; l += VECTOR_LANES)
			vec_store(out + l, vec_all(*(vec_word *)shape_word(at, s, l & -SHAPE_BLOCK)));
	} else if (shape_has_windows(s, n)) {
		shape_load_windows(at, s, out, n);
	} else {
		UNROLL for (int l = 0; l < n; l += VECTOR_LANES)
			vec_store(out + l, vec_collect(at, s->apart + l));
	}
}

#if VECTOR_PERMUTES
/* Of equal words the highest lane's stays, as vec_scatter stores in the order of lanes. */
VEC_FN bool shape_store_small(uint8_t *at, struct word_shape *s, const uint32_t v[], int n, lane_mask lanes)
{
	bool changed = false;

	UNROLL for (int l = 0; l < n; l += VECTOR_LANES) {
		vec apart = vec_load(s->apart + l), words = vec_load(v + l);
		uint32_t bits = (uint32_t)(lanes >> l) & ((1u << VECTOR_LANES) - 1);
		vec_mask differ = vec_differ(vec_gather(at, apart, bits), words);
		changed |= (vec_bits(differ) & bits) != 0;
		vec_scatter(at, apart, bits, words);
	}
	return changed;
}
#else
/* Store four lanes' words: side by side, or each in its place, in their order. The result has bits where memory has
 * changed. */
VEC_FN vec_four shape_store_run(uint8_t *at, const struct word_shape *s, const uint32_t v[], int l)
{
	vec_four words = vec_four_load(v + l), before = vec_four_load(shape_word(at, s, l));

	vec_four_store(shape_word(at, s, l), words);
	return before ^ words;
}

VEC_FN vec_four shape_store_four(uint8_t *at, const struct word_shape *s, const uint32_t v[], int l)
{
	vec_four words = vec_four_load(v + l), before;
	vec_word *to[4];

	UNROLL for (int i = 0; i < 4; i++)
		to[i] = (vec_word *)shape_word(at, s, l + i);
	before = (vec_four){ *to[0], *to[1], *to[2], *to[3] };
	UNROLL for (int i = 0; i < 4; i++)
		*to[i] = words[i];
	return before ^ words;
}

/* All n lanes. */
VEC_FN bool shape_store_fours(uint8_t *at, const struct word_shape *s, const uint32_t v[], int n)
{
	vec_four differ = { 0 };

	if (s->side >= 2)
		UNROLL for (int l = 0; l < n; l += 4)
			differ |= shape_store_run(at, s, v, l);
	else
		UNROLL for (int l = 0; l < n; l += 4)
			differ |= shape_store_four(at, s, v, l);
	return vec_four_any_bit(differ);
}

/* Do all lanes of each four execute, or none? */
VEC_FN bool shape_by_fours(lane_mask lanes)
{
	return !((lanes ^ lanes >> 1) & 0x7777777777777777);
}

/* `lanes` by fours. */
VEC_FN bool shape_store_some_fours(uint8_t *at, const struct word_shape *s, const uint32_t v[], lane_mask lanes)
{
	vec_four differ = { 0 };

	lanes &= 0x1111111111111111;
	if (s->side >= 2)
		for (; lanes; lanes &= lanes - 1)
			differ |= shape_store_run(at, s, v, __builtin_ctzll(lanes));
	else
		for (; lanes; lanes &= lanes - 1)
			differ |= shape_store_four(at, s, v, __builtin_ctzll(lanes));
	return vec_four_any_bit(differ);
}

/* Lane by lane. */
VEC_FN bool shape_store_each(uint8_t *at, const struct word_shape *s, const uint32_t v[], lane_mask lanes)
{
	uint32_t differ = 0;

	for (; lanes; lanes &= lanes - 1) {
		int l = __builtin_ctzll(lanes);
		vec_word *to = (vec_word *)shape_word(at, s, l);
		differ |= *to ^ v[l];
		*to = v[l];
	}
	return differ;
}

/* Words in blocks smaller than a vector. */
VEC_FN bool shape_store_small(uint8_t *at, struct word_shape *s, const uint32_t v[], int n, lane_mask lanes)
{
	bool all = lanes == lanes_first(n);

	if (s->side >= 2 && all)
		return shape_store_fours(at, s, v, n);
	if (s->side >= 2 && shape_by_fours(lanes))
		return shape_store_some_fours(at, s, v, lanes);
	if (shape_has_windows(s, n))
		return shape_store_windows(at, s, v, n, lanes);
	if (all)
		return shape_store_fours(at, s, v, n);
	if (shape_by_fours(lanes))
		return shape_store_some_fours(at, s, v, lanes);
	return shape_store_each(at, s, v, lanes);
}

#endif

/* Words in blocks of a vector or more. */
VEC_FN bool shape_store_vectors(uint8_t *at, const struct word_shape *s, const uint32_t v[], int n, lane_mask lanes)
{
	vec differ = { 0 };

	if (lanes == lanes_first(n)) {
		UNROLL for (int l = 0; l < n; l += VECTOR_LANES) {
			vec words = vec_load(v + l), before = vec_load(shape_word(at, s, l));
			vec_store(shape_word(at, s, l), words);
			differ |= before ^ words;
		}
		return vec_any_bit(differ);
	}
	UNROLL for (int l = 0; l < n; l += VECTOR_LANES) {
		vec before = vec_load(shape_word(at, s, l)),
		    words = vec_blend(vec_mask_of((uint32_t)(lanes >> l)), vec_load(v + l), before);
		vec_store(shape_word(at, s, l), words);
		differ |= before ^ words;
	}
	return vec_any_bit(differ);
}

/* Store words of `lanes`, some of n lanes or all; of equal words the highest lane's stays. Returns whether memory
 * changed. */
VEC_FN bool word_shape_store(uint8_t *at, struct word_shape *s, const uint32_t v[], int n, lane_mask lanes)
{
	return shape_has_vectors(s) ? shape_store_vectors(at, s, v, n, lanes) : shape_store_small(at, s, v, n, lanes);
}

#endif
