/* An observer before all others. Ahead of a turn it notes the values that the turn may change (cycle, mask, locks);
 * behind the turn, the differences give the turn's stop bits, and the action is noted for the launch and for the warp's
 * slot. Equal positions have equal bytes, padding included, because snapshots compare bytes. */
#include "inspect/watch.h"

#include <string.h>

#include "inspect/launch.h"
#include "machine/clock.h"

static void before(struct observer *o, struct machine *m, struct mp *mp)
{
	struct watch *s = ((struct launch_observer *)o)->launch->watch;
	const struct exec *x = &mp->x;
	struct locks *k = &x->block->lock;

	(void)m;
	s->cycle = x->special.cycle;
	s->active = x->warp->active;
	s->holders = k->holders;
	s->waiters = k->waiters;
	s->flags_set = k->flags_set;
	k->nchanged = 0;
}

/* A merging join adds its lanes before the issue, a write of EXEC behind it. */
static bool lanes_came(const struct watch *s, const struct exec *x)
{
	return x->step.active != s->active || x->warp->active & ~s->active;
}

static unsigned what_happened(const struct watch *s, const struct exec *x, int outcome)
{
	const struct locks *k = &x->block->lock;
	unsigned flow = x->step.flow, h = 0;

	if (flow & FLOW_DIVERGED)
		h |= WB_STOP_DIVERGED;
	if (flow & FLOW_REJOIN || (flow & FLOW_MERGED && lanes_came(s, x)))
		h |= WB_STOP_REJOINED;
	if (s->holders & ~k->holders || k->flags_set < s->flags_set)
		h |= WB_STOP_LOCK;
	if (outcome == STEP_BREAK)
		h |= WB_STOP_BREAK;
	return h;
}

/* Field by field: padding stays zero, and equal positions are equal bytes. */
static void note(struct wb_action *did, const struct watch *s, const struct exec *x, int outcome)
{
	did->cycle = s->cycle;
	did->mp = x->special.mp;
	did->slot = x->warp->slot;
	did->block = x->block->index;
	did->warp = x->warp->id;
	did->pc = x->step.pc;
	did->active = x->step.active;
	did->executed = x->step.executed;
	did->flow = x->step.flow;
	did->issued = outcome != STEP_LOCKED && outcome != STEP_FAULT;
}

static void executed(struct observer *o, struct machine *m, struct mp *mp, int outcome)
{
	struct watch *s = ((struct launch_observer *)o)->launch->watch;
	const struct exec *x = &mp->x;

	if (m->plan->timed)
		memcpy(s->stalls, slot_of(&mp->sched, x->warp->slot)->stalls.cycles,
		       STALLS * sizeof *s->stalls);
	note(&s->latest, s, x, outcome);
	note(&s->slot[x->special.mp * WATCH_SLOTS + x->warp->slot], s, x, outcome);
	s->happened = what_happened(s, x, outcome);
	s->began = true;
	s->issues += s->latest.issued;
	s->turns++;
}

static void woken(struct observer *o, struct machine *m, struct mp *mp, struct block *b)
{
	struct watch *s = ((struct launch_observer *)o)->launch->watch;

	(void)m, (void)mp;
	if (b->woken & ~s->waiters)
		s->happened |= WB_STOP_BARRIER;
}

bool watch_begin(struct wb_launch *l)
{
	struct watch *s = ARENA_NEW(&l->machine.state, struct watch);
	struct launch_observer *o = ARENA_NEW(&l->arena, struct launch_observer);

	if (!s || !o)
		return false;
	s->slot = ARENA_ARRAY(&l->machine.state, struct wb_action, (size_t)l->plan.nmps * WATCH_SLOTS);
	if (!s->slot)
		return false;
	*o = (struct launch_observer){
		.observer = { .precise_reason = "it is stepped",
			      .before = before,
			      .executed = executed,
			      .woken = woken },
		.launch = l,
	};
	l->watch = s;
	l->machine.single_step = true;
	launch_observe(l, &o->observer, true);
	return true;
}
