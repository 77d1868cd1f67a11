/* Row i is written when the accounts of warp i are closed, on any multiprocessor, so that the rows do not depend on the
 * order of multiprocessors. In a stepped launch each row has the turn of its writing: after going back, the report
 * leaves out rows of later turns. */
#include "inspect/warp_rows.h"

#include <string.h>

#include "inspect/watch.h"

/* Stalls of a warp without timing. */
static const struct stall_row no_stalls;

static bool prepare(struct observer *o, struct machine *m)
{
	struct warp_rows *r = (struct warp_rows *)o;
	uint64_t all = (uint64_t)m->plan->dim.blocks * m->plan->dim.warps;

	if (r->row)
		return true;
	r->n = all < WARP_ROWS_MAX ? (uint32_t)all : WARP_ROWS_MAX;
	r->row = ARENA_ARRAY(m->arena, struct wb_warp_report, r->n);
	r->turn = ARENA_ARRAY(m->arena, uint64_t, r->n);
	if (m->plan->timed)
		r->stalls = ARENA_ARRAY(m->arena, struct stall_row, r->n);
	return r->row && r->turn && (r->stalls || !m->plan->timed);
}

static void warp_settled(struct observer *o, struct machine *m, const struct mp *mp, const struct warp *w,
			 uint64_t cycles)
{
	struct warp_rows *r = (struct warp_rows *)o;
	uint64_t i = (uint64_t)w->block->index * m->plan->dim.warps + w->id;

	if (i >= r->n)
		return;
	r->row[i] = (struct wb_warp_report){
		.block = w->block->index, .warp = w->id, .issues = w->issues, .cycles = cycles,
		.stalls = no_stalls.cycles,
	};
	if (r->launch->watch)
		r->turn[i] = r->launch->watch->turns;
	if (!m->plan->timed)
		return;
	r->stalls[i] = mp->sched.storage.slot[w->slot].stalls;
	r->row[i].stalls = r->stalls[i].cycles;
}

static void restart(struct observer *o, struct machine *m)
{
	struct warp_rows *r = (struct warp_rows *)o;

	(void)m;
	memset(r->row, 0, r->n * sizeof *r->row);
	memset(r->turn, 0, r->n * sizeof *r->turn);
}

bool warp_rows_prepare(struct wb_launch *l)
{
	struct warp_rows *r = ARENA_NEW(&l->arena, struct warp_rows);

	if (!r)
		return false;
	*r = (struct warp_rows){
		.observer = { .prepare = prepare, .warp_settled = warp_settled, .restart = restart }, .launch = l,
	};
	l->rows = r;
	launch_observe(l, &r->observer, false);
	return true;
}
