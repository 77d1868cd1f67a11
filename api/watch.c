#include "api/watch.h"

#include "api/internal.h"

bool watch_begin(struct wb_launch *l)
{
	struct watch *s = ARENA_NEW(&l->state, struct watch);

	if (!s)
		return false;
	s->slot = ARENA_ARRAY(&l->state, struct wb_did, (size_t)l->nmps * WATCH_SLOTS);
	l->watch = s->slot ? s : NULL;
	return l->watch != NULL;
}

void watch_before(struct watch *s, const struct exec *x)
{
	const struct locks *k = &x->block->lock;

	s->cycle = x->cycle;
	s->active = x->warp->active;
	s->holders = k->holders;
	s->waiters = k->waiters;
	s->flags_set = k->flags_set;
}

static unsigned what_happened(const struct watch *s, const struct exec *x, int outcome)
{
	const struct locks *k = &x->block->lock;
	unsigned flow = x->step.flow, h = 0;

	if (flow & FLOW_DIVERGED)
		h |= WB_STOP_DIVERGED;
	if (flow & FLOW_REJOIN || (flow & FLOW_MERGED && x->step.active != s->active))
		h |= WB_STOP_REJOINED;
	if (s->holders & ~k->holders || k->flags_set < s->flags_set)
		h |= WB_STOP_LOCK;
	if (outcome == STEP_BREAK)
		h |= WB_STOP_BREAK;
	return h;
}

void watch_turn(struct watch *s, const struct exec *x, int outcome)
{
	const struct warp *w = x->warp;

	/* Field by field: padding stays zero, and equal positions are equal bytes. */
	s->last.cycle = s->cycle;
	s->last.mp = x->mp;
	s->last.slot = w->slot;
	s->last.block = x->block->index;
	s->last.warp = w->id;
	s->last.pc = x->step.pc;
	s->last.active = x->step.active;
	s->last.executed = x->step.executed;
	s->last.flow = x->step.flow;
	s->last.issued = outcome != STEP_LOCKED && outcome != STEP_FAULT;
	s->slot[x->mp * WATCH_SLOTS + w->slot] = s->last;
	s->happened = what_happened(s, x, outcome);
	s->began = true;
	s->turns++;
}

void watch_woken(struct watch *s, const struct block *b)
{
	if (b->woken & ~s->waiters)
		s->happened |= WB_STOP_BARRIER;
}
