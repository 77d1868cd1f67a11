/* Groups of lanes: setting aside and running again, for machines and policies. */
#include "core/diverge/groups.h"

#include <string.h>

#include "core/diverge.h"
#include "core/diverge/reconverge.h"

static uint32_t words_of(const struct rules *rules, unsigned width)
{
	return reconverge_policy(rules)->meets ? 1 + (width + 31) / 32 : 1;
}

size_t groups_bytes(const struct rules *rules, unsigned width)
{
	return sizeof(struct groups) + (size_t)rules->stack_depth * words_of(rules, width) * width * sizeof(uint32_t);
}

void groups_start(struct groups *g, const struct rules *rules, unsigned width)
{
	uint32_t aside = g->count;

	memset(g, 0, offsetof(struct groups, aside));
	memset(g->aside, 0, aside * sizeof *g->aside);
	g->width = width;
	g->words = words_of(rules, width);
	g->stop = UINT32_MAX;
	g->deadline = FAIR_NEVER;
	g->patience = reconverge_policy(rules)->patience;
}

void groups_fill(uint32_t *row, lane_mask lanes, uint32_t word)
{
	int n = ~lanes ? __builtin_ctzll(~lanes) : LANES_MAX;

	for (int l = 0; l < n; l++)
		row[l] = word;
	lanes &= ~lanes_first(n);
	FOR_SET_LANES(l, lanes)
		row[l] = word;
}

void groups_begin(struct crossing *c)
{
	c->groups->began = c->progress;
	c->groups->patience = reconverge_policy(c->rules)->patience;
}

/* Lanes of m parted from others by the same instruction as the lowest. */
static lane_mask parted_alike(const struct groups *g, lane_mask m)
{
	uint32_t cause = g->cause[group_lead(m)];
	lane_mask alike = 0;

	FOR_SET_LANES(l, m)
		alike |= (lane_mask)(g->cause[l] == cause) << l;
	return alike;
}

struct group *groups_aside(struct crossing *c, lane_mask lanes, uint32_t pc, enum group_state state)
{
	struct groups *g = c->groups;
	struct group *one = &g->aside[g->count];

	if (!lanes)
		return NULL;
	c->by_progress |= state == GROUP_YIELDED;
	*one = (struct group){
		.lanes = lanes, .since = reconverge_policy(c->rules)->fair ? c->warp->issues : 0,
		.progress = c->progress, .pc = pc, .state = (uint16_t)state,
	};
	g->count++;
	for (lane_mask left = lanes, alike; left; left &= ~alike) {
		alike = parted_alike(g, left);
		lanes_leave(c->warp, alike, LANE_RUNS, g->cause[group_lead(left)]);
	}
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

	groups_fill(c->groups->cause, c->warp->active, c->step->pc);
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

bool groups_park(struct crossing *c)
{
	if (reconverge_policy(c->rules)->meets && !c->groups->count) {
		groups_begin(c);
		return false;
	}
	return groups_aside(c, c->warp->active, c->step->pc, GROUP_PARKED);
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
