/* The choice of policies with meetings: of the ready groups the latest runs, so that a side of a split runs to the
 * meeting, or to the end, before the other begins, and inner splits before outer ones. */
#include "core/diverge/groups.h"

#include "core/diverge/reconverge.h"

/* The latest ready group, or the latest that waits. */
static const struct group *latest(const struct groups *g, bool ready)
{
	const struct group *best = NULL;

	for (uint32_t i = 0; i < g->count; i++) {
		const struct group *one = &g->aside[i];
		if (ready ? group_is_ready(one) : one->state == GROUP_WAITS)
			best = one;
	}
	return best;
}

/* The group that gave way first, of all or of those since when memory has changed. */
static const struct group *yielded(const struct crossing *c, bool changed)
{
	for (uint32_t i = 0; i < c->groups->count; i++) {
		const struct group *one = &c->groups->aside[i];
		if (one->state == GROUP_YIELDED && (!changed || one->progress != c->progress))
			return one;
	}
	return NULL;
}

static const struct group *next(struct crossing *c)
{
	const struct group *one;

	meetings_complete(c);
	groups_release(c, false);
	if (!(one = latest(c->groups, true)))
		one = yielded(c, true);
	if (!one && !yielded(c, false)) {
		groups_release(c, true);
		one = latest(c->groups, true);
	}
	if (!one && (one = latest(c->groups, false))) {
		meeting_close(c, one);
		one = latest(c->groups, true);
	}
	return one ? one : yielded(c, false);
}

/* The running group, if any, has come to a meeting by address, or has lost its patience. */
void groups_latest(struct crossing *c)
{
	struct groups *g = c->groups;

	if (c->warp->active && !meeting_here(c)) {
		groups_begin(c);
		if (g->count)
			groups_aside(c, c->warp->active, c->step->next_pc, GROUP_YIELDED);
	}
	meeting_arrive(c);
	while (!c->warp->active) {
		const struct group *one = next(c);
		if (!one)
			return;
		groups_begin(c);
		g->passed = one->state == GROUP_PASSED;
		groups_run(c, one->lanes, one->pc);
		meeting_arrive(c);
	}
}

