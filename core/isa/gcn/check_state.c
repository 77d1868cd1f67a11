/* Rules for a wavefront's private state that was read from outside. */
#include "core/isa/gcn/run.h"
#include "core/isa/gcn/state.h"
#include "core/state_check.h"

void gcn_check_state(struct state_check *c, const struct program *p, const struct rules *rules, const struct block *b,
		     const struct warp *w, const struct warp *read)
{
	const struct gcn_warp *g = gcn_warp(w);
	struct gcn_warp own;

	STATE_GET(c, g, &own);
	STATE_ANY(c, g->s);
	STATE_MOST(c, g->scc, 1, "scc");
	STATE_ANY(c, g->mode);
	STATE_ANY(c, g->trap_status);
	STATE_ANY(c, g->made);
	state_must(c, !warp_runs(b, read) || gcn_pair(&own, CODE_EXEC) == read->active,
		   "an exec that is not the lanes that run");
}
