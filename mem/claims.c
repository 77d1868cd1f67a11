#include "mem/claims.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 8, MOST_BITS = 17, FIRST_LEFT = 256, MOST_LEFT = 1 << 20 };

static const char no_memory[] = "the host has no memory for more";
static const char too_much[] = "a block touches too much between barriers";

static struct claims_row *rows_new(size_t n)
{
	struct claims_row *rows = aligned_alloc(_Alignof(struct claims_row), n * sizeof *rows);

	if (rows)
		memset(rows, 0, n * sizeof *rows);
	return rows;
}

bool claims_init(struct claims *c, uint32_t shared_bytes)
{
	*c = (struct claims){ .tag = 1 << CLAIM_WARP_BITS, .shift = 32 - FIRST_BITS, .left_room = FIRST_LEFT };
	c->shared = rows_new((shared_bytes >> CLAIM_ROW_BITS) + 1);
	c->global = rows_new(1 << FIRST_BITS);
	c->left = malloc(FIRST_LEFT * sizeof *c->left);
	if (c->shared && c->global && c->left)
		return true;
	claims_free(c);
	return false;
}

void claims_free(struct claims *c)
{
	free(c->shared);
	free(c->global);
	free(c->left);
	*c = (struct claims){ 0 };
}

void claims_begin(struct claims *c)
{
	c->tag += 1 << CLAIM_WARP_BITS;
	c->used = c->nleft = 0;
	memset(c->stored, 0, sizeof c->stored);
	memset(c->quiet, 0, sizeof c->quiet);
}

void claims_quiet(struct claims *c, enum claim_space space)
{
	c->quiet[space] = true;
}

void claims_refuse(struct claims *c, const char *why)
{
	if (!c->refused)
		c->refused = why;
}

void claims_break(struct claims *c)
{
	c->broken = true;
	claims_refuse(c, "somebody stores between barriers where nobody has before");
}

void claims_meet(struct claims *c)
{
	claims_refuse(c, "warps of a block touch the same words between barriers, and it matters which is first");
}

static bool of_now(const struct claims *c, const struct claims_row *row)
{
	return row->tag >> CLAIM_WARP_BITS == c->tag >> CLAIM_WARP_BITS;
}

static unsigned warp_of(uint64_t tag)
{
	return tag & ((1 << CLAIM_WARP_BITS) - 1);
}

static struct claims_left *left_by(struct claims *c, const struct claims_row *row, unsigned warp)
{
	struct claims_left *e = &c->left[row->last];

	while (e->warp != warp)
		e = &c->left[e->next];
	return e;
}

static bool make_room(struct claims *c)
{
	size_t room = 2 * (size_t)c->left_room;
	struct claims_left *grown = room <= MOST_LEFT ? realloc(c->left, room * sizeof *grown) : NULL;

	if (!grown) {
		claims_refuse(c, room <= MOST_LEFT ? no_memory : too_much);
		return false;
	}
	c->left = grown;
	c->left_room = (uint32_t)room;
	return true;
}

static struct claims_left *left_new(struct claims *c, struct claims_row *row, unsigned warp)
{
	struct claims_left *e = &c->left[c->nleft];

	e->warp = warp;
	e->next = row->last;
	row->last = c->nleft++;
	row->left |= 1ull << warp;
	return e;
}

void claims_turn(struct claims *c, struct claims_row *row)
{
	unsigned from = warp_of(row->tag), to = warp_of(c->tag);

	if (c->nleft == c->left_room && !make_room(c))
		claims_begin(c);        /* what was remembered no longer matters */
	if (of_now(c, row)) {
		(row->left >> from & 1 ? left_by(c, row, from) : left_new(c, row, from))->own = row->own;
		row->own = row->left >> to & 1 ? left_by(c, row, to)->own : 0;
		row->tag = c->tag;
	} else {
		*row = (struct claims_row){ .tag = c->tag, .number = row->number };
	}
}

/* Where a row is, or is to be. */
static struct claims_row *slot_of(const struct claims *c, uint32_t number)
{
	uint32_t mask = (1u << (32 - c->shift)) - 1, i = claims_slot(c, number);

	while (of_now(c, &c->global[i]) && c->global[i].number != number)
		i = (i + 1) & mask;
	return &c->global[i];
}

static bool grow(struct claims *c)
{
	struct claims_row *old = c->global;
	uint32_t n = 1u << (32 - c->shift);
	struct claims_row *grown = c->shift > 32 - MOST_BITS ? rows_new(2 * (size_t)n) : NULL;

	if (!grown) {
		claims_refuse(c, c->shift > 32 - MOST_BITS ? no_memory : too_much);
		return false;
	}
	c->global = grown;
	c->shift--;
	for (uint32_t i = 0; i < n; i++)
		if (of_now(c, &old[i]))
			*slot_of(c, old[i].number) = old[i];
	free(old);
	return true;
}

struct claims_row *claims_find(struct claims *c, uint32_t number)
{
	struct claims_row *row = slot_of(c, number);

	if (!of_now(c, row)) {
		if (c->used >= 1u << (31 - c->shift)) {
			if (!grow(c))
				claims_begin(c);        /* as above */
			row = slot_of(c, number);
		}
		row->number = number;
		c->used++;
	}
	if (row->tag != c->tag)
		claims_turn(c, row);
	return row;
}

/* Neighbours share a row mostly, which is touched when it is left. */
static inline __attribute__((always_inline)) void touch_lanes(struct claims *c, claims_row_fn *row,
							      const uint32_t addr[], lane_mask lanes, unsigned width,
							      enum mark kind)
{
	uint64_t element = claims_element(width), words = 0;
	uint32_t number;

	if (!lanes)
		return;
	number = addr[__builtin_ctzll(lanes)] >> CLAIM_ROW_BITS;
	FOR_SET_LANES(l, lanes) {
		if (addr[l] >> CLAIM_ROW_BITS != number) {
			claims_touch(c, row(c, number), words, kind);
			number = addr[l] >> CLAIM_ROW_BITS;
			words = 0;
		}
		words |= element << addr[l] / 4 % CLAIM_WORDS;
	}
	claims_touch(c, row(c, number), words, kind);
}

enum { ADDRESSES = 32 };        /* of a warp */

static void find_words(struct claims_lanes *a, const uint32_t addr[], lane_mask lanes, unsigned width)
{
	uint64_t element = claims_element(width);

	memcpy(a->addr, addr, ADDRESSES * sizeof *addr);
	memset(a->words, 0, sizeof a->words);
	a->lanes = lanes;
	a->width = width;
	a->rows = 0;
	FOR_SET_LANES(l, lanes) {
		a->words[addr[l] >> CLAIM_ROW_BITS] |= element << addr[l] / 4 % CLAIM_WORDS;
		a->rows |= 1ull << (addr[l] >> CLAIM_ROW_BITS);
	}
}

void claims_shared_lanes(struct claims *c, const uint32_t addr[], lane_mask lanes, unsigned width, enum mark kind)
{
	struct claims_lanes *a = &c->lately;
	bool again = a->lanes == lanes && a->width == width && !memcmp(a->addr, addr, ADDRESSES * sizeof *addr);

	if (claims_skip(c, CLAIM_SHARED, kind) || (again && a->tag == c->tag && kind == MARK_LOAD))
		return;
	if (!again)
		find_words(a, addr, lanes, width);
	a->tag = c->tag;
	FOR_SET_LANES(row, a->rows)
		claims_touch(c, claims_shared_row(c, (uint32_t)row), a->words[row], kind);
}

void claims_global_lanes(struct claims *c, const uint32_t addr[], lane_mask lanes, unsigned width, enum mark kind)
{
	if (!claims_skip(c, CLAIM_GLOBAL, kind))
		touch_lanes(c, claims_global_row, addr, lanes, width, kind);
}

/* Words that are reduced already, or that nobody has touched, remain or become reduced; to others it is a store. */
void claims_reduce(struct claims *c, uint32_t addr, unsigned width, uint8_t op)
{
	struct claims_row *row = claims_global_row(c, addr >> CLAIM_ROW_BITS);
	uint64_t words = (uint64_t)claims_element(width) << addr / 4 % CLAIM_WORDS;
	uint64_t alike = words & (row->reduced | ~row->touched), before = row->touched & ~row->own;

	claims_skip(c, CLAIM_GLOBAL, MARK_REDUCE);
	if (!row->reduced)
		row->op = op;
	if (row->op != op || alike != words) {
		claims_touch(c, row, words, MARK_STORE);
		return;
	}
	row->several |= words & before;
	row->touched |= words;
	row->own |= words;
	row->reduced |= words;
}
