/* Rules for a warp's private state that was read from outside. */
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/stage.h"
#include "core/isa/tesla/threaded.h"
#include "core/state_check.h"

/* Whether quadon has lent lanes. The lanes that it gives back to are the warp's. */
static bool check_stack(struct state_check *c, const struct tesla_warp *t, uint32_t depth, const struct rules *rules,
			lane_mask launched)
{
	struct stack_entry e;
	bool quad = false;

	for (uint32_t i = 0; i < rules->stack_depth; i++) {
		STATE_GET(c, &t->stack[i], &e);
		STATE_ANY(c, t->stack[i]);
		bool lends = i < depth && e.type == ENTRY_QUADON;
		quad |= lends;
		state_must(c, e.type <= ENTRY_JOINAT && (e.type || i >= depth),
			   "the type of an entry of a warp's stack");
		if (i < depth)
			state_goes_to(c, e.pc);
		state_must(c, e.cause < c->code_bytes, "the branch of an entry of a warp's stack");
		state_must(c, !(e.mask & ~(lends ? launched : lanes_first(LANES))),
			   "the lanes of an entry of a warp's stack");
	}
	return quad;
}

static void check_stage(struct state_check *c, const struct stage *s, const struct block *b, const struct warp *w)
{
	struct stage read;

	STATE_GET(c, s, &read);
	STATE_ANY(c, s->first_thread);
	STATE_ANY(c, s->warp);
	state_any(c, &s->emitted, sizeof s->emitted + (s->inputs + s->outputs) * sizeof(struct row));
	state_must(c, read.warp == b->index * b->nwarps + w->id && read.first_thread ==
		   b->index * b->threads + w->id * (uint32_t)LANES, "the threads of a warp");
}

void tesla_check_state(struct state_check *c, const struct program *p, const struct rules *rules,
		       const struct block *b, const struct warp *w, const struct warp *read)
{
	const struct tesla_warp *t = tesla_state(w);
	struct tesla_warp own;
	bool quad;

	STATE_GET(c, t, &own);
	state_must(c, read->active || !warp_runs(b, read), "a warp without a lane that runs");
	state_most(c, t->c, sizeof(uint32_t), 4 * LANES, 0xf, "the flags of a lane");
	state_most(c, &t->a[1], sizeof(uint32_t), (ADDRESS_ROWS - 1) * LANES, 0xffff, "an address register");
	STATE_ANY(c, t->from);
	STATE_ANY(c, t->sink);
	STATE_ANY(c, t->fetched);
	STATE_ANY(c, t->a7);
	STATE_ANY(c, t->limited_calls);
	STATE_MOST(c, t->depth, rules->stack_depth, "the depth of a warp's stack");
	STATE_MOST(c, t->joined, 1, "a mark of a warp");
	quad = t->paths ? flow_lanes_check(c, t->paths, rules, read) :
			  check_stack(c, t, own.depth, rules, read->launched);
	state_must(c, quad || !(read->active & ~read->launched), "lanes that run without a thread");
	if (t->stage)
		check_stage(c, t->stage, b, read);
}
