#include "api/deferred.h"

static void unseen(struct exec *x)
{
	(void)x;
}

/* n instructions of x->warp that have issued, by program.run or program.run_deferred: what they cost has been told. */
static void run_unseen(struct exec *x, int (*run)(struct exec *x, uint64_t n), uint64_t n)
{
	void (*observe)(struct exec *x) = x->observe;

	if (observe)
		x->observe = unseen;            /* it has been, when it issued */
	run(x, n);
	x->observe = observe;
}

/* What a recorder waits for of the slot of x->warp. */
static void tell(struct wb_launch *l, struct mp *mp, unsigned slot)
{
	uint32_t n = recorder_unknown(l, mp, slot);

	if (!n)
		return;
	recorder_executes(l, &mp->x);
	run_unseen(&mp->x, l->code.run_deferred, n);
	recorder_executed(l, mp, slot);
	slot_of(&mp->sched, slot)->deferred -= n;
}

static void finish(struct wb_launch *l, struct mp *mp, unsigned slot)
{
	if (l->recorder)
		tell(l, mp, slot);
	run_unseen(&mp->x, l->code.run, slot_of(&mp->sched, slot)->deferred);
	deferred_done(&mp->sched, slot);
}

/* Each of these slots where something has been put off, between two steps of mp. */
static void each(struct wb_launch *l, struct mp *mp, uint64_t slots,
		 void (*act)(struct wb_launch *l, struct mp *mp, unsigned slot))
{
	struct warp *last = mp->x.warp;
	struct step step = mp->x.step;

	for (; slots; slots &= slots - 1) {
		unsigned i = (unsigned)__builtin_ctzll(slots);
		if (!slot_of(&mp->sched, i)->deferred)
			continue;
		mp->x.warp = mp->slot[i];
		mp->x.block = mp->x.warp->block;
		act(l, mp, i);
	}
	mp->x.warp = last;
	mp->x.block = last ? last->block : NULL;
	mp->x.step = step;
}

void deferred_catch_up(struct wb_launch *l, struct mp *mp, uint64_t slots)
{
	each(l, mp, slots, finish);
}

void deferred_tell(struct wb_launch *l, struct mp *mp, uint64_t slots)
{
	each(l, mp, slots, tell);
}

void deferred_forget(struct mp *mp, const struct warp *w)
{
	for (uint64_t m = slots_beside(w); m; m &= m - 1)
		forget_views(slot_of(&mp->sched, (unsigned)__builtin_ctzll(m)));
}

void deferred_catch_up_all(struct wb_launch *l)
{
	unsigned host = program_enter(&l->code);

	for (unsigned i = 0; i < l->nmps && l->timing; i++)
		deferred_catch_up(l, &l->mp[i], lanes_first((int)(l->mp[i].nresident * l->warps)));
	program_leave(&l->code, host);
}

uint64_t deferred_count(const struct wb_launch *l, const struct mp *mp)
{
	uint64_t n = 0;

	for (unsigned i = 0; l->timing && !l->watch && i < mp->nresident * l->warps; i++)
		n += slot_of(&mp->sched, i)->deferred;
	return n;
}
