/* barriers: convergence barriers, as of chips from Volta on. An entry of the lanes' stacks is a barrier, named by
 * the program's marker (or break target, or call): arriving lanes wait until no lane of the barrier is elsewhere.
 * Finished lanes leave all barriers, broken lanes the inner ones. Of a split the side with fewer lanes runs first,
 * until it waits, ends or gives way; then the latest group set aside.
 *
 * Forward progress: a group in a loop that spins gives way, and any group after 2^20 instructions (on an H100 one
 * side of a split ran 65,536 turns of a loop before the other began: 2^20 is more, for loops of up to 15). Where
 * no other group can run, a barrier does not wait for lanes that have given way or are parked: behind the loop the
 * winner of a lock would wait for the losers, and the losers for the lock. */
#include "core/diverge/groups.h"

static bool is_ready(const struct group *one)
{
	return one->state == GROUP_READY || one->state == GROUP_PASSED;
}

/* The latest ready group, or the latest that waits. */
static const struct group *latest(const struct groups *g, bool ready)
{
	const struct group *best = NULL;

	for (uint32_t i = 0; i < g->count; i++) {
		const struct group *one = &g->aside[i];
		if (ready ? is_ready(one) : one->state == GROUP_WAITS)
			best = one;
	}
	return best;
}

/* The group that gave way first, of all or of those since when memory has changed. */
static const struct group *yielded(const struct crossing *c, bool changed)
{
	for (uint32_t i = 0; i < c->groups->count; i++) {
		const struct group *one = &c->groups->aside[i];
		if (one->state == GROUP_YIELDED && (!changed || one->changes != c->changes))
			return one;
	}
	return NULL;
}

static const struct group *next(struct crossing *c)
{
	const struct group *one;

	meetings_complete(c);
	if (!(one = latest(c->groups, true)))
		one = yielded(c, true);
	if (!one && (one = latest(c->groups, false))) {
		meeting_close(c, one);
		one = latest(c->groups, true);
	}
	return one ? one : yielded(c, false);
}

/* A running group has lost its patience. */
static void choose(struct crossing *c)
{
	struct groups *g = c->groups;
	const struct group *one = NULL;

	g->began = c->changes;
	g->patience = group_barriers.patience;
	if (g->count) {
		groups_aside(c, c->warp->active, c->step->next_pc, GROUP_YIELDED);
		one = next(c);
	}
	if (!one)
		return;
	g->passed = one->state == GROUP_PASSED;
	groups_run(c, one->lanes, one->pc);
}

const struct group_policy group_barriers = {
	.meets = true, .markers = true, .smaller_first = true, .yields = true,
	.patience = 1 << 20, .choose = choose,
};
