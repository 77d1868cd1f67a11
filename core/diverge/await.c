/* Lanes that await the lanes of a mask, wherever these are: set aside until all have come, then released. */
#include "core/diverge/groups.h"

#include <string.h>

#include "core/diverge.h"

void groups_await(struct crossing *c, lane_mask lanes, lane_mask awaited)
{
	if (lanes != c->warp->active)
		c->step->flow |= FLOW_DIVERGED;
	groups_aside(c, lanes, c->step->next_pc, GROUP_AWAITS)->awaited = awaited;
}

/* Lanes that await the lanes of a mask. */
static lane_mask awaiting(const struct groups *g, lane_mask awaited)
{
	lane_mask m = 0;

	for (uint32_t i = 0; i < g->count; i++)
		if (g->aside[i].state == GROUP_AWAITS && g->aside[i].awaited == awaited)
			m |= g->aside[i].lanes;
	return m;
}

/* Groups that await the lanes of a mask go on; those at one pc in equal scopes as one. */
static void release(struct crossing *c, lane_mask awaited)
{
	struct groups *g = c->groups;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		struct group one = g->aside[i];
		struct group *to = NULL;
		if (one.state == GROUP_AWAITS && one.awaited == awaited) {
			one.state = GROUP_RELEASED;
			one.awaited = 0;
			for (uint32_t k = 0; k < kept && !to; k++)
				if (g->aside[k].state == GROUP_RELEASED && g->aside[k].pc == one.pc &&
				    groups_alike(c, group_lead(g->aside[k].lanes), group_lead(one.lanes)))
					to = &g->aside[k];
		}
		if (to)
			to->lanes |= one.lanes;
		else
			g->aside[kept++] = one;
	}
	memset(&g->aside[kept], 0, (g->count - kept) * sizeof *g->aside);
	g->count = kept;
}

void groups_release(struct crossing *c, bool anyway)
{
	const struct groups *g = c->groups;

	for (uint32_t i = 0; i < g->count; i++)
		if (g->aside[i].state == GROUP_RELEASED)
			return;
	for (uint32_t i = 0; i < g->count; i++) {
		const struct group *one = &g->aside[i];
		lane_mask awaited = one->awaited;
		if (one->state != GROUP_AWAITS)
			continue;
		lane_mask lanes = awaiting(g, awaited);
		if (!anyway && (lanes_live(c->warp, awaited) & ~lanes))
			continue;
		release(c, awaited);
		if (c->met)
			c->met(c, lanes);
		return;
	}
}
