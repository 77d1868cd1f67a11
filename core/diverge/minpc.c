/* minpc: the lowest pc of the warp runs, with every lane at that pc and in equal scopes. A group that has waited for
 * rules.minpc_fair issues gets a turn of as many, during which the running group is left alone. No turn begins or ends
 * while the running group holds a lock, for as many issues at most: else all turns of a group might find the lock in
 * the hands of an interrupted group. */
#include "core/diverge/groups.h"

static uint64_t patience_ends(const struct crossing *c, uint64_t since)
{
	return c->rules->minpc_fair == FAIR_NEVER ? FAIR_NEVER : since + c->rules->minpc_fair;
}

/* Of two groups with equal claims, the one with the lowest lane goes first. */
static bool has_lower_lane(const struct group *a, const struct group *b)
{
	return group_lead(a->lanes) < group_lead(b->lanes);
}

static bool is_lower(const struct group *a, const struct group *b)
{
	return a->pc != b->pc ? a->pc < b->pc : has_lower_lane(a, b);
}

static bool is_longer(const struct group *a, const struct group *b)
{
	return a->since != b->since ? a->since < b->since : has_lower_lane(a, b);
}

/* The first of the groups aside, in the order of `before`, besides lanes `except`; NULL: none. */
static const struct group *first(const struct groups *g, lane_mask except,
				 bool (*before)(const struct group *a, const struct group *b))
{
	const struct group *best = NULL;

	for (uint32_t i = 0; i < g->count; i++) {
		const struct group *one = &g->aside[i];
		if (group_is_ready(one) && !(one->lanes & except) && (!best || before(one, best)))
			best = one;
	}
	return best;
}

/* A turn begins or ends at `ends`, but the running group holds a lock. */
static bool keeps_lock(const struct crossing *c, uint64_t ends)
{
	return (c->holders & c->warp->active) && c->warp->issues < patience_ends(c, ends);
}

/* Lanes that may run with group `one`, the running group among them. */
static lane_mask mates(const struct crossing *c, const struct group *one)
{
	const struct groups *g = c->groups;
	lane_mask active = c->warp->active, m = one->lanes;
	int lead = group_lead(m);

	if (active && !(m & active) && c->step->next_pc == one->pc && groups_alike(c, group_lead(active), lead))
		m |= active;
	for (uint32_t i = 0; i < g->count; i++) {
		const struct group *other = &g->aside[i];
		if (group_is_ready(other) && other->pc == one->pc &&
		    groups_alike(c, group_lead(other->lanes), lead))
			m |= other->lanes;
	}
	return m;
}

static void choose(struct crossing *c)
{
	struct groups *g = c->groups;
	struct group running = { .lanes = c->warp->active, .pc = c->step->next_pc }, best = running;
	groups_release(c, false);
	if (!running.lanes && !first(g, 0, is_lower))
		groups_release(c, true);
	const struct group *waiting = first(g, 0, is_lower), *longest = first(g, 0, is_longer);
	bool turn = false;

	if (g->turn_ends && keeps_lock(c, g->turn_ends)) {
		g->deadline = c->warp->issues + 1;
		return;
	}
	if (waiting && (!running.lanes || is_lower(waiting, &running)))
		best = *waiting;
	if (!best.lanes)
		return;
	lane_mask run = mates(c, &best);
	uint64_t due = longest && !(run & longest->lanes) ? patience_ends(c, longest->since) : FAIR_NEVER;
	if (c->warp->issues >= due && !keeps_lock(c, due)) {
		turn = true;
		best = *longest;
		run = mates(c, &best);
	}
	groups_run(c, run, best.pc);
	waiting = first(g, run, is_lower);
	g->turn_ends = turn ? patience_ends(c, c->warp->issues) : 0;
	g->stop = turn || !waiting ? UINT32_MAX : waiting->pc;
	g->deadline = turn ? g->turn_ends : waiting ? patience_ends(c, first(g, run, is_longer)->since) : FAIR_NEVER;
}

/* During a turn a split changes nothing. */
static void split(struct crossing *c, lane_mask lanes)
{
	if (c->warp->issues >= c->groups->turn_ends)
		c->groups->stop = 0;
}

const struct group_policy group_minpc = { .fair = true, .split = split, .choose = choose };
