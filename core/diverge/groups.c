/* Groups of lanes: setting aside and running again, for machines and policies. */
#include "core/diverge/groups.h"

#include <string.h>

#include "core/diverge.h"
#include "core/diverge/reconverge.h"

static uint32_t words_of(const struct rules *rules)
{
	return reconverge_policy(rules)->meets ? 2 : 1;
}

size_t groups_bytes(const struct rules *rules, unsigned width)
{
	return sizeof(struct groups) + (size_t)rules->stack_depth * words_of(rules) * width * sizeof(uint32_t);
}

void groups_start(struct groups *g, const struct rules *rules, unsigned width)
{
	memset(g, 0, sizeof *g);
	g->width = width;
	g->words = words_of(rules);
	g->stop = UINT32_MAX;
	g->deadline = FAIR_NEVER;
	g->patience = reconverge_policy(rules)->patience;
}

struct group *groups_aside(struct crossing *c, lane_mask lanes, uint32_t pc, enum group_state state)
{
	struct groups *g = c->groups;
	struct group *one = &g->aside[g->count];

	if (!lanes)
		return NULL;
	*one = (struct group){
		.lanes = lanes, .since = reconverge_policy(c->rules)->fair ? c->warp->issues : 0,
		.progress = c->progress, .pc = pc, .state = (uint16_t)state,
	};
	g->count++;
	FOR_SET_LANES(l, lanes)
		lanes_leave(c->warp, 1ull << l, LANE_RUNS, g->cause[l]);
	return one;
}

/* Take groups out of the list; the others keep their order. */
static void take(struct groups *g, lane_mask lanes)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < g->count; i++)
		if (!(g->aside[i].lanes & lanes))
			g->aside[kept++] = g->aside[i];
	memset(&g->aside[kept], 0, (g->count - kept) * sizeof *g->aside);
	g->count = kept;
}

void groups_run(struct crossing *c, lane_mask run, uint32_t pc)
{
	struct warp *w = c->warp;
	lane_mask back = run & ~w->active;

	if (back && (run & w->active))
		c->step->flow |= FLOW_MERGED;
	groups_aside(c, w->active & ~run, c->step->next_pc, GROUP_READY);
	take(c->groups, back);
	lanes_return(w, c->bill, back);
	c->step->next_pc = pc;
}

/* `lanes`, a part of the running group, go on at pc in their turn: the instruction parts the group. */
static void part(struct crossing *c, lane_mask lanes, uint32_t pc)
{
	const struct group_policy *policy = reconverge_policy(c->rules);

	FOR_SET_LANES(l, c->warp->active)
		c->groups->cause[l] = c->step->pc;
	groups_aside(c, lanes, pc, GROUP_READY);
	c->step->flow |= FLOW_DIVERGED;
	if (policy->split)
		policy->split(c, lanes);
}

void groups_go(struct crossing *c, lane_mask lanes, uint32_t pc)
{
	if (lanes == c->warp->active)
		c->step->next_pc = pc;
	else
		part(c, lanes, pc);
}

void groups_park(struct crossing *c)
{
	groups_aside(c, c->warp->active, c->step->pc, GROUP_PARKED);
}

bool groups_unpark(struct crossing *c, uint32_t *pc, bool *apart)
{
	struct groups *g = c->groups;
	const struct group *last = NULL;

	*apart = false;
	for (uint32_t i = 0; i < g->count; i++) {
		const struct group *one = &g->aside[i];
		if (one->state != GROUP_PARKED)
			continue;
		*apart |= last && one->pc != last->pc;
		last = one;
	}
	if (!last)
		return false;
	*pc = last->pc;
	for (uint32_t i = 0; i < g->count; i++) {
		struct group *one = &g->aside[i];
		if (one->state != GROUP_PARKED)
			continue;
		one->pc = program_behind(c->program, one->pc);
		one->since = reconverge_policy(c->rules)->fair ? c->warp->issues : 0;
		one->state = GROUP_READY;
	}
	return true;
}

void groups_choose(struct crossing *c)
{
	reconverge_policy(c->rules)->choose(c);
}
