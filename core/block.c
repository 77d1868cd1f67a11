/* Barriers of a block, and waking of warps that wait at barriers or for locks. */
#include "core/block.h"

static uint32_t needed_now(const struct block *b, const struct barrier *bar)
{
	return bar->needed ? bar->needed : (uint32_t)lanes_count(b->unfinished);
}

/* Reset the counter and release every waiting warp in the same cycle: no later arrival can catch a released warp again
 * (spec tesla-semantics, "Barriers"). */
static uint64_t release(struct block *b, struct barrier *bar)
{
	uint64_t freed = bar->waiting;

	FOR_SET_LANES(i, freed)
		b->warp[i].status = WARP_READY;
	b->woken |= freed;
	b->released = bar->arrived | freed;
	b->releases++;
	bar->arrived = 0;
	bar->waiting = 0;
	bar->count = 0;
	return freed;
}

bool barrier_arrive(struct block *b, struct warp *w, unsigned n, bool inc, bool wait, uint32_t needed, uint32_t limit)
{
	struct barrier *bar = &b->barrier[n];

	if (inc) {
		b->barriers_used |= 1u << n;
		bar->needed = needed;
		bar->count = (bar->count + 1) & limit;
		bar->arrived |= 1ull << w->id;
		if (bar->count >= needed_now(b, bar))
			release(b, bar);
	}
	if (!wait || bar->count == 0)
		return false;
	bar->waiting |= 1ull << w->id;
	w->status = WARP_AT_BARRIER;
	w->waits_for = (uint8_t)n;
	return true;
}

uint64_t block_warp_done(struct block *b, struct warp *w)
{
	uint64_t freed = 0;

	w->status = WARP_DONE;
	b->unfinished &= ~(1ull << w->id);
	FOR_SET_LANES(n, b->barriers_used) {
		struct barrier *bar = &b->barrier[n];
		if (bar->count && !bar->needed && bar->count >= needed_now(b, bar))
			freed |= release(b, bar);
	}
	return freed;
}

void locks_wake(struct block *b)
{
	FOR_SET_LANES(i, b->lock.waiters)
		b->warp[i].status = WARP_READY;
	b->woken |= b->lock.waiters;
	b->lock.waiters = 0;
}
