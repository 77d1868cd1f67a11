#include "api/deferred.h"

static void unseen(struct exec *x)
{
	(void)x;
}

void deferred_unseen(struct exec *x, int (*run)(struct exec *x, uint64_t n), uint64_t n)
{
	void (*observe)(struct exec *x) = x->observe;

	if (observe)
		x->observe = unseen;            /* it has been, when it issued */
	run(x, n);
	x->observe = observe;
}

void deferred_catch_up(struct wb_launch *l, struct mp *mp, uint64_t slots)
{
	struct warp *last = mp->x.warp;
	struct step step = mp->x.step;

	for (; slots; slots &= slots - 1) {
		unsigned i = (unsigned)__builtin_ctzll(slots);
		struct warp *w = mp->slot[i];
		struct slot *s = slot_of(&mp->sched, i);
		if (!s->deferred)
			continue;
		mp->x.warp = w;
		mp->x.block = w->block;
		deferred_unseen(&mp->x, l->code.run, s->deferred);
		deferred_done(&mp->sched, i);
	}
	mp->x.warp = last;
	mp->x.block = last ? last->block : NULL;
	mp->x.step = step;
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
