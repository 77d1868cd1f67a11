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
	struct locks *k = &x->block->lock;

	s->cycle = x->cycle;
	s->active = x->warp->active;
	s->holders = k->holders;
	s->waiters = k->waiters;
	s->flags_set = k->flags_set;
	k->nchanged = 0;
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

/* Field by field: padding stays zero, and equal positions are equal bytes. */
static void note(struct wb_did *did, const struct watch *s, const struct exec *x, int outcome)
{
	did->cycle = s->cycle;
	did->mp = x->mp;
	did->slot = x->warp->slot;
	did->block = x->block->index;
	did->warp = x->warp->id;
	did->pc = x->step.pc;
	did->active = x->step.active;
	did->executed = x->step.executed;
	did->flow = x->step.flow;
	did->issued = outcome != STEP_LOCKED && outcome != STEP_FAULT;
}

void watch_turn(struct watch *s, const struct exec *x, int outcome)
{
	note(&s->last, s, x, outcome);
	note(&s->slot[x->mp * WATCH_SLOTS + x->warp->slot], s, x, outcome);
	s->happened = what_happened(s, x, outcome);
	s->began = true;
	s->issues += s->last.issued;
	s->turns++;
}

void watch_woken(struct watch *s, const struct block *b)
{
	if (b->woken & ~s->waiters)
		s->happened |= WB_STOP_BARRIER;
}
