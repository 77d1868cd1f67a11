/* none: a group runs until it has ended or is parked, and diverged lanes stay apart. */
#include "core/diverge/groups.h"

static void choose(struct crossing *c)
{
	const struct groups *g = c->groups;
	const struct group *next = NULL;

	if (c->warp->active)
		return;
	for (uint32_t i = 0; i < g->count; i++)
		if (g->aside[i].state == GROUP_READY &&
		    (!next || group_lead(g->aside[i].lanes) < group_lead(next->lanes)))
			next = &g->aside[i];
	if (next)
		groups_run(c, next->lanes, next->pc);
}

const struct group_policy group_none = { .choose = choose };
