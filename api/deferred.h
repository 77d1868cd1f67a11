/* With timing, what nobody can see yet is executed later than it is issued: arithmetic and reads of s[], with the next
 * instruction of the warp that does not defer (docs/explanation/interpreter.md). */
#ifndef WB_API_DEFERRED_H
#define WB_API_DEFERRED_H

#include <string.h>

#include "api/clock.h"
#include "api/recorder.h"

/* Writes that come between reads of a block, after which it is taken for one that does so. */
enum { BETWEEN_MAX = 4 };

/* Execute what has issued in the slots of mp, or in all of the machine, so that warps stand where their clock does. */
void deferred_catch_up(struct wb_launch *l, struct mp *mp, uint64_t slots);
void deferred_catch_up_all(struct wb_launch *l);
/* Execute as much in slots of mp that nothing of what a recorder has been told of them is unknown. */
void deferred_tell(struct wb_launch *l, struct mp *mp, uint64_t slots);
/* Instructions of mp that have issued and have not been executed. */
uint64_t deferred_count(const struct wb_launch *l, const struct mp *mp);

/* Nothing of a slot is put off any more. */
static inline void deferred_done(struct sched *s, unsigned slot)
{
	slot_of(s, slot)->deferred = 0;
	slot_of(s, slot)->stale = 0;
	s->readers &= ~(1ull << slot);
}

static inline void forget_views(struct slot *w)
{
	memset(w->view, 0, VIEW_ANY * sizeof *w->view);
}

/* The slots of a warp's block. */
static inline uint64_t slots_beside(const struct warp *w)
{
	return lanes_first((int)w->block->nwarps) << (w->slot - w->id);
}

/* Reads of s[] by any warp of the block are to be looked at again. */
void deferred_forget(struct mp *mp, const struct warp *w);

/* The instruction of a slot may write s[], of which others of its block have issued reads, or what reads of its own
 * depend on. */
static inline void deferred_before(struct wb_launch *l, struct mp *mp, const struct warp *w, unsigned slot)
{
	struct sched *s = &mp->sched;
	const struct sched_op *op = slot_of(s, slot)->next;
	uint64_t others = op->writes_shared ? s->readers & slots_beside(w) & ~(1ull << slot) : 0;

	if (others) {
		deferred_catch_up(l, mp, others);
		w->block->at_once = true;
		w->block->between++;
		deferred_forget(mp, w);
	}
	if (!op->by_all || op->writes_address)
		forget_views(slot_of(s, slot));
}

/* Execute what has issued in a slot before, and its present instruction; where somebody records, that is told who gets
 * through the guards of the former, and x->step tells of the latter. */
static inline int deferred_run(struct wb_launch *l, struct mp *mp, unsigned slot, bool recorded)
{
	struct slot *s = slot_of(&mp->sched, slot);
	struct exec *x = &mp->x;
	uint32_t n = s->deferred;
	int r;

	deferred_done(&mp->sched, slot);
	if (!recorded)
		return l->code.run_deferred(x, n + 1);
	recorder_executes(l, x);
	r = l->code.run_deferred(x, n + 1);
	recorder_executed(l, mp, slot);
	if (s->next->defers) {          /* a read by all of them, that could not be put off */
		x->step.pc = s->next->word * 4;
		x->step.active = x->step.executed = x->warp->active;
		x->step.flow = 0;
	}
	return r;
}

/* A read of s[] can be executed later if its address is at hand: passes that it takes, as program.look. */
static inline int look(struct wb_launch *l, struct mp *mp, unsigned slot, const struct sched_op *op)
{
	struct slot *s = slot_of(&mp->sched, slot);
	struct shared_view *v = &s->view[op->base];
	struct exec *x = &mp->x;
	uint32_t beyond;
	int extra = v->extra;

	x->warp = mp->slot[slot];
	x->block = x->warp->block;
	if (s->stale || x->block->at_once || x->block->lock.holders)
		return -1;
	if (op->offset >= v->beyond || op->offset % 4) {
		extra = l->code.look(x, &l->code.insn[op->word], &beyond);
		if (extra < 0)
			return extra;
		*v = (struct shared_view){ (uint16_t)beyond, extra ? 0 : (uint16_t)beyond, (uint16_t)extra };
	}
	mp->sched.readers |= 1ull << slot;
	return extra;
}

/* Is it executed later? Then *extra passes are told of. */
static inline bool deferred_may(struct wb_launch *l, struct mp *mp, unsigned slot, int *extra)
{
	const struct sched_op *op = slot_of(&mp->sched, slot)->next;

	*extra = 0;
	if (!op->defers)
		return false;
	if (op->reads_later)
		*extra = look(l, mp, slot, op);
	return *extra >= 0;
}

/* The instruction in a slot issues now and is executed later. */
static inline void deferred_issue(struct wb_launch *l, struct mp *mp, unsigned slot, unsigned extra, bool recorded)
{
	struct slot *w = slot_of(&mp->sched, slot);
	const struct sched_op *op = w->next;
	uint64_t cycle = mp->sched.now;

	if (op->writes_address)
		forget_views(w);
	w->stale |= op->writes_address;
	w->deferred++;
	clock_issue_deferred(l, mp, slot, extra);
	if (recorded)
		recorder_deferred(l, mp, slot, op, cycle);
}

#endif
