/* Read and write sets of the warps of a block, in rows of 64 words (warp_sets.h). */
#include "mem/warp_sets.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clear.h"

/* The table of global memory's rows grows from 1 << FIRST_BITS to 1 << MOST_BITS rows, when a fourth is in use. */
enum { FIRST_BITS = 5, MOST_BITS = 18, FIRST_LEFT = 16, MOST_LEFT = 1 << SET_LEFT_BITS };

static const char no_memory[] = "the host has no memory for more";
static const char too_much[] = "a block touches too much between barriers";

static struct warp_sets_row *rows_new(size_t n)
{
	struct warp_sets_row *rows = aligned_alloc(_Alignof(struct warp_sets_row), n * sizeof *rows);

	if (rows)
		memset(rows, 0, n * sizeof *rows);
	return rows;
}

bool warp_sets_init(struct warp_sets *c, uint32_t shared_bytes)
{
	*c = (struct warp_sets){ .tag = 1 << SET_WARP_BITS, .shift = 64 - FIRST_BITS };
	c->shared_rows = (uint32_t)(((uint64_t)shared_bytes + (1 << SET_ROW_BITS) - 1) >> SET_ROW_BITS);
	c->shared = rows_new((size_t)c->shared_rows + 1 + (1 << FIRST_BITS));
	c->global = c->shared ? c->shared + c->shared_rows + 1 : NULL;
	return c->shared;
}

/* Whether the table is no longer the first, which lies behind the rows of shared memory. */
static bool has_grown(const struct warp_sets *c)
{
	return c->shift < 64 - FIRST_BITS;
}

void warp_sets_free(struct warp_sets *c)
{
	if (c->shared && has_grown(c))
		free(c->global);
	free(c->shared);
	free(c->left_entry);
	*c = (struct warp_sets){ 0 };
}

void warp_sets_begin(struct warp_sets *c)
{
	c->tag += 1 << SET_WARP_BITS;
	c->used = c->nleft = 0;
	memset(c->stored, 0, sizeof c->stored);
	memset(c->loads_only, 0, sizeof c->loads_only);
}

void warp_sets_expect_loads(struct warp_sets *c, enum set_space space)
{
	c->loads_only[space] = true;
}

void warp_sets_refuse(struct warp_sets *c, const char *why)
{
	if (!c->refused)
		c->refused = why;
}

void warp_sets_mispredict(struct warp_sets *c)
{
	c->broken = true;
	warp_sets_refuse(c, "memory is stored to between barriers that was only loaded from before");
}

void warp_sets_conflict(struct warp_sets *c)
{
	warp_sets_refuse(c, "warps of a block touch the same words between barriers, and it matters which is first");
}

static bool of_now(const struct warp_sets *c, const struct warp_sets_row *row)
{
	return row->tag >> SET_WARP_BITS == c->tag >> SET_WARP_BITS;
}

static unsigned warp_of(uint64_t tag)
{
	return tag & ((1 << SET_WARP_BITS) - 1);
}

static struct warp_sets_left *left_by(struct warp_sets *c, const struct warp_sets_row *row, unsigned warp)
{
	struct warp_sets_left *e = &c->left_entry[row->left_index];

	while (e->warp != warp)
		e = &c->left_entry[e->next];
	return e;
}

static bool make_space(struct warp_sets *c)
{
	size_t capacity = c->left_capacity ? 2 * (size_t)c->left_capacity : FIRST_LEFT;
	struct warp_sets_left *grown = capacity <= MOST_LEFT ? realloc(c->left_entry, capacity * sizeof *grown) : NULL;

	if (!grown) {
		warp_sets_refuse(c, capacity <= MOST_LEFT ? no_memory : too_much);
		return false;
	}
	c->left_entry = grown;
	c->left_capacity = (uint32_t)capacity;
	return true;
}

static struct warp_sets_left *left_new(struct warp_sets *c, struct warp_sets_row *row, unsigned warp)
{
	struct warp_sets_left *e = &c->left_entry[c->nleft];

	e->warp = warp;
	e->next = row->left_index;
	row->left_index = c->nleft++ & ((1u << SET_LEFT_BITS) - 1);
	row->earlier_warps |= 1ull << warp;
	return e;
}

void warp_sets_take(struct warp_sets *c, struct warp_sets_row *row)
{
	unsigned from = warp_of(row->tag), to = warp_of(c->tag);

	if (c->nleft == c->left_capacity && !make_space(c))
		warp_sets_begin(c);        /* the launch runs again anyway */
	if (of_now(c, row)) {
		(row->earlier_warps >> from & 1 ? left_by(c, row, from) :
						  left_new(c, row, from))->words = row->warp_words;
		row->warp_words = row->earlier_warps >> to & 1 ? left_by(c, row, to)->words : 0;
		row->tag = c->tag;
	} else {
		*row = (struct warp_sets_row){ .tag = c->tag, .number = row->number };
	}
}

/* Where a row is, or is to be. */
static struct warp_sets_row *slot_of(const struct warp_sets *c, uint64_t number)
{
	uint64_t mask = (1ull << (64 - c->shift)) - 1, i = warp_sets_slot(c, number);

	while (of_now(c, &c->global[i]) && c->global[i].number != number)
		i = (i + 1) & mask;
	return &c->global[i];
}

static bool grow(struct warp_sets *c)
{
	struct warp_sets_row *old = c->global;
	uint32_t n = 1u << (64 - c->shift);
	struct warp_sets_row *grown = c->shift > 64 - MOST_BITS ? rows_new(2 * (size_t)n) : NULL;

	if (!grown) {
		warp_sets_refuse(c, c->shift > 64 - MOST_BITS ? no_memory : too_much);
		return false;
	}
	bool first = !has_grown(c);

	c->global = grown;
	c->shift--;
	for (uint32_t i = 0; i < n; i++)
		if (of_now(c, &old[i]))
			*slot_of(c, old[i].number) = old[i];
	if (!first)
		free(old);
	return true;
}

struct warp_sets_row *warp_sets_find(struct warp_sets *c, uint64_t number)
{
	struct warp_sets_row *row = slot_of(c, number);

	if (!of_now(c, row)) {
		if (c->used >= 1u << (62 - c->shift)) {
			if (!grow(c))
				warp_sets_begin(c);        /* as above */
			row = slot_of(c, number);
		}
		row->number = number & ((1ull << (SET_ADDRESS_BITS - SET_ROW_BITS)) - 1);
		c->used++;
	}
	if (row->tag != c->tag)
		warp_sets_take(c, row);
	return row;
}

/* Neighbours mostly share a row, written when left. */
static inline __attribute__((always_inline)) void add_lanes(struct warp_sets *c, const uint64_t addr[],
							    lane_mask lanes, unsigned width,
							    warp_sets_row_fn *row, enum rw_set set)
{
	uint64_t element = warp_sets_element(width), words = 0, number;

	if (!lanes)
		return;
	number = addr[__builtin_ctzll(lanes)] >> SET_ROW_BITS;
	FOR_SET_LANES(l, lanes) {
		if (addr[l] >> SET_ROW_BITS != number) {
			warp_sets_add(c, row(c, number), words, set);
			number = addr[l] >> SET_ROW_BITS;
			words = 0;
		}
		words |= element << addr[l] / 4 % SET_ROW_WORDS;
	}
	warp_sets_add(c, row(c, number), words, set);
}

void warp_sets_add_again(struct warp_sets *c, enum rw_set set)
{
	struct warp_sets_lanes *a = &c->lately;

	a->tag = c->tag;
	a->set = set;
	FOR_SET_LANES(row, a->rows)
		warp_sets_add(c, warp_sets_shared_row(c, (uint64_t)row), a->words[row], set);
}

/* Find the words of an access of all n lanes to single words in the rows of the first lane and of the last: the words
 * of a row are collected in a register, as memory could take only one every few cycles. False: another access. */
static bool find_in_two_rows(struct warp_sets_lanes *a, unsigned n)
{
	uint32_t low = a->addr[0] >> SET_ROW_BITS, high = a->addr[n - 1] >> SET_ROW_BITS, others = 0;
	uint64_t words[2] = { 0 };

	if (a->width != 4 || a->lanes != lanes_first((int)n))
		return false;
	for (unsigned l = 0; l < n; l++)
		others |= (a->addr[l] >> SET_ROW_BITS != low) & (a->addr[l] >> SET_ROW_BITS != high);
	if (others)
		return false;
	for (unsigned l = 0; l < n; l++) {
		uint64_t word = 1ull << a->addr[l] / 4 % SET_ROW_WORDS, is_low = a->addr[l] >> SET_ROW_BITS == low;
		words[0] |= word & -is_low;
		words[1] |= word & (is_low - 1);
	}
	a->rows = 1ull << low | 1ull << high;
	a->words[high] = words[1];
	a->words[low] = words[0];
	return true;
}

static void find_in_rows(struct warp_sets_lanes *a, unsigned n, uint32_t rows)
{
	uint64_t element = warp_sets_element(a->width);

	clear_bytes(a->words, rows * sizeof *a->words);
	a->rows = 0;
	if (SETS_KNOW_RETRIES && a->width == 4 && a->lanes == lanes_first((int)n)) {
		for (unsigned l = 0; l < n; l++) {
			a->words[a->addr[l] >> SET_ROW_BITS] |= 1ull << a->addr[l] / 4 % SET_ROW_WORDS;
			a->rows |= 1ull << (a->addr[l] >> SET_ROW_BITS);
		}
		return;
	}
	FOR_SET_LANES(l, a->lanes) {
		a->words[a->addr[l] >> SET_ROW_BITS] |= element << a->addr[l] / 4 % SET_ROW_WORDS;
		a->rows |= 1ull << (a->addr[l] >> SET_ROW_BITS);
	}
}

void warp_sets_find_words(struct warp_sets *c, const uint32_t addr[], unsigned n, lane_mask lanes, unsigned width,
			  enum rw_set set)
{
	struct warp_sets_lanes *a = &c->lately;
	uint64_t wide[LANES_MAX];

	if (c->shared_rows > SET_SHARED_ROWS) {
		for (unsigned l = 0; l < n; l++)
			wide[l] = addr[l];
		add_lanes(c, wide, lanes, width, warp_sets_shared_row, set);
		return;
	}
	for (unsigned l = 0; l < n; l++)        /* gcc writes `rep movs` for a copy of a known size */
		a->addr[l] = addr[l];
	a->lanes = lanes;
	a->width = width;
	if (!find_in_two_rows(a, n))
		find_in_rows(a, n, c->shared_rows);
	warp_sets_add_again(c, set);
}

void warp_sets_global_lanes(struct warp_sets *c, const uint64_t addr[], lane_mask lanes, unsigned width,
			    enum rw_set set)
{
	if (!warp_sets_skip(c, SET_GLOBAL, set))
		add_lanes(c, addr, lanes, width, warp_sets_global_row, set);
}

/* Words reduced already, or untouched by warps, remain or become reduced; for all other words the reduction is a
 * store. */
void warp_sets_reduce(struct warp_sets *c, uint64_t addr, unsigned width, uint8_t op)
{
	struct warp_sets_row *row = warp_sets_global_row(c, addr >> SET_ROW_BITS);
	uint64_t words = (uint64_t)warp_sets_element(width) << addr / 4 % SET_ROW_WORDS;
	uint64_t alike = words & (row->reduced | ~row->touched), before = row->touched & ~row->warp_words;

	warp_sets_skip(c, SET_GLOBAL, REDUCE_SET);
	if (!row->reduced)
		row->op = op;
	if (row->op != op || alike != words) {
		warp_sets_add(c, row, words, WRITE_SET);
		return;
	}
	row->several |= words & before;
	row->touched |= words;
	row->warp_words |= words;
	row->reduced |= words;
}
