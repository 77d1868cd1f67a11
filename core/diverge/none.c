/* none: a group runs until it has ended or is parked, and diverged lanes stay apart. */
#include "core/diverge/groups.h"

static const struct group *lowest_ready(const struct groups *g)
{
	const struct group *next = NULL;

	for (uint32_t i = 0; i < g->count; i++)
		if (group_is_ready(&g->aside[i]) &&
		    (!next || group_lead(g->aside[i].lanes) < group_lead(next->lanes)))
			next = &g->aside[i];
	return next;
}

static void choose(struct crossing *c)
{
	const struct group *next;

	if (c->warp->active)
		return;
	groups_release(c, false);
	if (!(next = lowest_ready(c->groups))) {
		groups_release(c, true);
		next = lowest_ready(c->groups);
	}
	if (next)
		groups_run(c, next->lanes, next->pc);
}

const struct group_policy group_none = { .choose = choose };
