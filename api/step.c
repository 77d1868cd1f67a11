/* Moving a launch forwards and standing still where a goal is met. */
#include "api/clock.h"
#include "api/watch.h"

static bool start(struct wb_launch *l, struct diag *d)
{
	if (l->watch)
		return true;
	if (l->result)
		return diag_set(d, DIAG_USAGE, "this launch has run already and cannot be stepped");
	if (!launch_prepare(l, d))
		return false;
	if (!watch_begin(l))
		return diag_set(d, DIAG_ENV, "out of memory");
	machine_begin(l);
	return true;
}

enum wb_status wb_launch_start(struct wb_launch *l, struct wb_diag *wd)
{
	struct diag d = { 0 };

	return start(l, &d) ? WB_OK : public_diag(wd, &d);
}

/* ---- one goal on its way ---- */

struct hunt {
	const struct wb_goal *goal;
	uint64_t issues, until_issue, until_cycle;   /* `issues`: of the one warp, if only one counts */
	unsigned stops;
};

static bool concerns(const struct wb_goal *g, const struct wb_did *did)
{
	return !g->one_warp || (did->block == g->block && did->warp == g->warp);
}

/* The bits of what the last turn did and where it led. */
static unsigned met(struct hunt *h, const struct wb_launch *l)
{
	const struct watch *w = l->watch;
	const struct wb_goal *g = h->goal;
	unsigned stops = 0;

	if (concerns(g, &w->last)) {
		stops |= w->happened & (g->stops | WB_STOP_BREAK);
		if (g->one_warp && w->last.issued)
			h->issues++;
	}
	if (g->issues && (g->one_warp ? h->issues : machine_issues(l)) >= h->until_issue)
		stops |= WB_STOP_COUNT;
	if (g->cycles && clock_end(l) >= h->until_cycle)
		stops |= WB_STOP_COUNT;
	return stops;
}

/* Someone wants the launch to stand still: that ends no launch that is being stepped. */
static bool interrupted(struct wb_launch *l)
{
	bool asked = l->interrupt || l->why.kind == DIAG_INTERRUPTED;

	l->interrupt = false;
	if (l->why.kind == DIAG_INTERRUPTED) {
		diag_clear(&l->why);
		l->result = "ok";
	}
	return asked;
}

static void run_until(struct wb_launch *l, struct hunt *h)
{
	h->stops = 0;
	while (!l->over && !h->stops) {
		uint64_t turns = l->watch->turns;
		l->over = !machine_step(l);
		if (l->watch->turns != turns)
			h->stops = met(h, l);
		if (interrupted(l)) {
			l->over = l->run.finished_blocks == l->blocks;
			h->stops |= WB_STOP_INTERRUPTED;
		}
	}
	if (l->over)
		h->stops |= WB_STOP_END;
}

void wb_launch_where(const struct wb_launch *l, struct wb_where *at)
{
	*at = (struct wb_where){
		.issue = l->watch ? machine_issues(l) : 0, .cycle = l->watch ? clock_end(l) : 0,
		.result = l->result ? l->result : "ok", .over = l->over,
	};
	if (l->watch) {
		at->began = l->watch->began;
		at->last = l->watch->last;
	}
}

enum wb_status wb_launch_forward(struct wb_launch *l, const struct wb_goal *g, struct wb_where *at, struct wb_diag *wd)
{
	struct diag d = { 0 };
	struct hunt h = { .goal = g };

	if (!start(l, &d))
		return public_diag(wd, &d);
	h.until_issue = (g->one_warp ? 0 : machine_issues(l)) + g->issues;
	h.until_cycle = clock_end(l) + g->cycles;
	run_until(l, &h);
	wb_launch_where(l, at);
	at->stops = h.stops;
	return WB_OK;
}
