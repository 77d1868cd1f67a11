#include "api/deal.h"

#include <string.h>

#include "api/internal.h"

/* Without timing, stripes are this many blocks thick at most: neighbours touch the same memory. */
enum { THICK = 16, ROUNDS = 8 };

/* Stripes go round the multiprocessors block by block, as a machine with time hands out blocks that take equally long,
 * or without timing in pieces of several, as long as everybody has some ROUNDS of them. */
static uint32_t thickness(const struct wb_launch *l)
{
	uint32_t n = l->blocks / (ROUNDS * l->nmps);

	return l->timing || n < 1 ? 1 : n < THICK ? n : THICK;
}

/* The k-th block of a stripe, which grows with k; past the end of the grid there is none. */
static uint64_t in_stripe(const struct wb_launch *l, const struct mp *mp, uint32_t k)
{
	uint32_t thick = thickness(l);

	return ((uint64_t)(k / thick) * l->nmps + mp->x.mp) * thick + k % thick;
}

bool deal_prepare(struct wb_launch *l, struct mp *mp)
{
	mp->hand.given = ARENA_ARRAY(&l->state, uint32_t, mp->nresident);
	return mp->hand.given != NULL;
}

bool deal_left(const struct wb_launch *l, const struct mp *mp)
{
	return mp->hand.ngiven || in_stripe(l, mp, mp->hand.own) < l->blocks;
}

/* Others may look meanwhile. */
static uint32_t take_own(const struct wb_launch *l, struct mp *mp)
{
	uint32_t k = mp->hand.own;

	__atomic_store_n(&mp->hand.own, k + 1, __ATOMIC_RELAXED);
	return (uint32_t)in_stripe(l, mp, k);
}

bool deal_look(const struct wb_launch *l, const struct mp *mp, uint32_t k, uint32_t *block)
{
	uint64_t i = in_stripe(l, mp, __atomic_load_n(&mp->hand.own, __ATOMIC_RELAXED) + k);

	*block = (uint32_t)i;
	return i < l->blocks;
}

struct mp *deal_owner(struct wb_launch *l, uint32_t block)
{
	return &l->mp[block / thickness(l) % l->nmps];
}

bool deal_take(struct wb_launch *l, struct mp *mp, uint32_t *block)
{
	struct hand *h = &mp->hand;

	if (!deal_left(l, mp))
		return false;
	if (h->ngiven) {
		*block = h->given[0];
		memmove(h->given, h->given + 1, --h->ngiven * sizeof *h->given);
	} else {
		*block = take_own(l, mp);
	}
	mp->started++;
	__atomic_fetch_add(&l->run.started_blocks, 1, __ATOMIC_RELAXED);
	if (!deal_left(l, mp))
		__atomic_store_n(&l->run.hand_empty, true, __ATOMIC_RELAXED);
	return true;
}

/* Blocks left of a stripe one block thick. */
static uint32_t left_of_stripe(const struct wb_launch *l, const struct mp *mp)
{
	uint64_t next = in_stripe(l, mp, mp->hand.own);

	return next < l->blocks ? (uint32_t)((l->blocks - 1 - next) / l->nmps + 1) : 0;
}

static struct mp *richest(struct wb_launch *l)
{
	struct mp *best = &l->mp[0];

	for (unsigned i = 1; i < l->nmps; i++)
		if (left_of_stripe(l, &l->mp[i]) > left_of_stripe(l, best))
			best = &l->mp[i];
	return best;
}

static bool has_room(const struct mp *mp)
{
	for (unsigned i = 0; i < mp->nresident; i++)
		if (!mp->resident[i].live)
			return true;
	return false;
}

/* Half of what the richest has left goes to one who has nothing, its last block only into an empty room. */
static bool give(struct wb_launch *l, struct mp *rich, struct mp *poor)
{
	uint32_t left = left_of_stripe(l, rich), n = left == 1 && has_room(poor) ? 1 : left / 2;

	while (n-- && poor->hand.ngiven < poor->nresident)
		poor->hand.given[poor->hand.ngiven++] = take_own(l, rich);
	return poor->hand.ngiven;
}

bool deal_balance(struct wb_launch *l)
{
	struct mp *rich = NULL;
	bool given = false;

	if (!l->run.hand_empty || deal_started(l) == l->blocks)
		return false;
	for (unsigned i = 0; i < l->nmps; i++) {
		if (deal_left(l, &l->mp[i]))
			continue;
		if (!rich)
			rich = richest(l);
		if (give(l, rich, &l->mp[i])) {
			given = true;
			rich = NULL;
		}
	}
	return given;
}

uint32_t deal_started(const struct wb_launch *l)
{
	return l->run.started_blocks;
}
