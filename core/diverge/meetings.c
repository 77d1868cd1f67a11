/* The lanes' stacks: where lanes go after a break or a return, and, under a policy with meetings, wait for the other
 * lanes of the entry. Lanes of a group have equal stacks, so that the lowest lane stands for all. An entry is a code
 * address with a tag in the low bits, and the set of lanes that pushed the entry together. Lanes with equal sets at
 * equal levels have the same entry: a later push by the set would have replaced the entry in each lane's stack. */
#include "core/diverge/groups.h"

#include <string.h>

#include "core/diverge/reconverge.h"

static uint32_t *entry(const struct groups *g, uint32_t level, int lane)
{
	return (uint32_t *)(uintptr_t)&g->level[level * g->words * g->width + (unsigned)lane];
}

/* The set of lanes that pushed an entry together. */
static lane_mask pushers(const struct groups *g, uint32_t level, int lane)
{
	const uint32_t *word = entry(g, level, lane) + g->width;

	return word[0] | (g->words > 2 ? (lane_mask)word[g->width] << 32 : 0);
}

static int lead(const struct crossing *c)
{
	return group_lead(c->warp->active);
}

uint32_t meeting_push(struct crossing *c, enum meeting_tag tag, uint32_t pc)
{
	struct groups *g = c->groups;
	uint32_t depth = g->depth[lead(c)], *row = entry(g, depth, 0);
	lane_mask active = c->warp->active;

	if (depth == c->rules->stack_depth)
		return 0;
	groups_fill(row, active, pc | tag);
	for (uint32_t i = 1; i < g->words; i++)
		groups_fill(&row[i * g->width], active, (uint32_t)(active >> 32 * (i - 1)));
	groups_fill(g->depth, active, depth + 1);
	c->step->flow |= FLOW_PUSH;
	return depth + 1;
}

int meeting_nearest(const struct crossing *c, unsigned tags)
{
	const struct groups *g = c->groups;
	int level = (int)g->depth[lead(c)] - 1;

	while (level >= 0 && !(tags >> (*entry(g, (uint32_t)level, lead(c)) & MEETING_TAGS) & 1))
		level--;
	return level;
}

uint32_t meeting_count(const struct crossing *c, enum meeting_tag tag)
{
	const struct groups *g = c->groups;
	uint32_t n = 0;

	for (uint32_t level = 0; level < g->depth[lead(c)]; level++)
		n += (*entry(g, level, lead(c)) & MEETING_TAGS) == tag;
	return n;
}

static void meeting_wait(struct crossing *c, lane_mask lanes, uint32_t level, uint32_t pc);

static void set_depth(struct groups *g, lane_mask lanes, uint32_t depth)
{
	groups_fill(g->depth, lanes, depth);
}

void meeting_leave(struct crossing *c, lane_mask lanes, int level)
{
	uint32_t pc = *entry(c->groups, (uint32_t)level, lead(c)) & ~(uint32_t)MEETING_TAGS;

	c->step->flow |= FLOW_POP;
	if (reconverge_policy(c->rules)->meets) {
		meeting_wait(c, lanes, (uint32_t)level, pc);
		return;
	}
	set_depth(c->groups, lanes, (uint32_t)level);
	groups_go(c, lanes, pc);
}

/* ---- meetings ---- */

/* Unfinished lanes of the meeting at a lane's level. */
static lane_mask invited(const struct crossing *c, uint32_t level, int lane)
{
	const struct groups *g = c->groups;
	lane_mask all = pushers(g, level, lane), active = c->warp->active;
	lane_mask m = active >> lane & 1 ? active & all : 0, others = all & c->warp->in_state[LANE_RUNS] & ~m;

	FOR_SET_LANES(l, others)
		m |= (lane_mask)(g->depth[l] > level && pushers(g, level, l) == all) << l;
	return m;
}

/* Lanes of `all` that wait at a meeting at `level`. */
static lane_mask waiting(const struct groups *g, uint32_t level, lane_mask all)
{
	lane_mask m = 0;

	for (uint32_t i = 0; i < g->count; i++)
		if (g->aside[i].state == GROUP_WAITS && g->aside[i].level == level)
			m |= g->aside[i].lanes & all;
	return m;
}

static void meeting_wait(struct crossing *c, lane_mask lanes, uint32_t level, uint32_t pc)
{
	struct groups *g = c->groups;

	set_depth(g, lanes, level + 1);
	if (lanes != c->warp->active) {
		c->step->flow |= FLOW_DIVERGED;
		groups_fill(g->cause, c->warp->active, c->step->pc);
	}
	groups_aside(c, lanes, pc, GROUP_WAITS)->level = (uint16_t)level;
}

/* Take the groups of `lanes` that wait at `level` with pc `pc` out of the list. Returns their lanes. */
static lane_mask gather(struct groups *g, lane_mask lanes, uint32_t level, uint32_t pc)
{
	lane_mask found = 0;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		struct group one = g->aside[i];
		if (one.state == GROUP_WAITS && one.level == level && (one.lanes & lanes) && one.pc == pc)
			found |= one.lanes;
		else
			g->aside[kept++] = one;
	}
	memset(&g->aside[kept], 0, (g->count - kept) * sizeof *g->aside);
	g->count = kept;
	return found;
}

/* Lanes that wait at `level` are ready, the latest of all groups; those at one pc are a single group. */
static void make_ready(struct crossing *c, lane_mask lanes, uint32_t level)
{
	struct groups *g = c->groups;

	for (uint32_t i = 0; i < g->count;) {
		struct group one = g->aside[i];
		if (one.state != GROUP_WAITS || one.level != level || !(one.lanes & lanes)) {
			i++;
			continue;
		}
		bool marker = (*entry(g, level, group_lead(one.lanes)) & MEETING_TAGS) == MEETING_JOIN;
		one.lanes = gather(g, lanes, level, one.pc);
		one.state = marker ? GROUP_PASSED : GROUP_READY;
		one.level = 0;
		g->aside[g->count++] = one;
	}
	set_depth(g, lanes, level);
}

void meeting_close(struct crossing *c, const struct group *one)
{
	uint32_t level = one->level;
	lane_mask all = invited(c, level, group_lead(one->lanes));

	make_ready(c, waiting(c->groups, level, all), level);
}

void meetings_complete(struct crossing *c)
{
	const struct groups *g = c->groups;

	for (uint32_t i = 0; i < g->count; i++) {
		const struct group *one = &g->aside[i];
		lane_mask all = one->state == GROUP_WAITS ? invited(c, one->level, group_lead(one->lanes)) : 0;
		if (all && waiting(g, one->level, all) == all)
			meeting_close(c, one);
	}
}

bool meeting_join(struct crossing *c, uint32_t pc, bool *all)
{
	struct groups *g = c->groups;
	int lead_lane = lead(c);
	uint32_t level = g->depth[lead_lane] - 1, next = c->step->next_pc;

	if (!g->depth[lead_lane] || (*entry(g, level, lead_lane) & MEETING_TAGS) != MEETING_JOIN)
		return false;
	lane_mask expected = invited(c, level, lead_lane) & ~c->warp->active, here = waiting(g, level, expected);
	*all = here == expected;
	if (!*all) {
		meeting_wait(c, c->warp->active, level, pc);
		return true;
	}
	make_ready(c, here, level);
	set_depth(g, c->warp->active, level);
	for (uint32_t i = 0; i < g->count; i++)
		if (g->aside[i].state == GROUP_PASSED && (g->aside[i].lanes & here) && g->aside[i].pc == pc) {
			groups_run(c, c->warp->active | g->aside[i].lanes, next);
			break;
		}
	c->step->flow |= FLOW_MERGED;
	return true;
}

bool meeting_pass(struct crossing *c)
{
	const struct groups *g = c->groups;
	int lead_lane = lead(c);
	uint32_t depth = g->depth[lead_lane];

	if (!depth || (*entry(g, depth - 1, lead_lane) & MEETING_TAGS) != MEETING_JOIN ||
	    (invited(c, depth - 1, lead_lane) & ~c->warp->active))
		return false;
	set_depth(c->groups, c->warp->active, depth - 1);
	c->step->flow |= FLOW_MERGED;
	return true;
}

bool groups_alike(const struct crossing *c, int a, int b)
{
	const struct groups *g = c->groups;

	if (g->depth[a] != g->depth[b])
		return false;
	for (uint32_t level = 0; level < g->depth[a]; level++)
		if (*entry(g, level, a) != *entry(g, level, b))
			return false;
	return !c->alike || c->alike(c, a, b);
}

/* ---- meetings by address ---- */

/* Place of the last entry of the running lanes' stack, of a meeting by address; RECONVERGE_NOWHERE: no such entry. */
static uint32_t last_place(const struct crossing *c)
{
	const struct groups *g = c->groups;
	uint32_t depth = g->depth[lead(c)], word = depth ? *entry(g, depth - 1, lead(c)) : 0;

	return depth && (word & MEETING_TAGS) == MEETING_JOIN ? word & ~(uint32_t)MEETING_TAGS : RECONVERGE_NOWHERE;
}

bool meeting_here(const struct crossing *c)
{
	return c->by_address && c->warp->active && last_place(c) == c->step->next_pc;
}

void meeting_open(struct crossing *c, uint32_t pc)
{
	if (pc != RECONVERGE_NOWHERE && last_place(c) != pc)
		meeting_push(c, MEETING_JOIN, pc);
}

void meeting_arrive(struct crossing *c)
{
	bool all;

	while (meeting_here(c))
		meeting_join(c, c->step->next_pc, &all);
}

void meetings_end(struct crossing *c)
{
	set_depth(c->groups, c->warp->active, 0);
}

unsigned groups_view(const struct groups *g, const struct warp *w, unsigned index, struct group_view *out)
{
	static const char *const tags[] = { "prebrk", "call", "call lim", "joinat" };
	static const char *const states[] = { "ready", "ready", "parked", "waits", "yielded", "awaits", "ready" };
	const struct crossing c = { .warp = (struct warp *)(uintptr_t)w, .groups = (struct groups *)(uintptr_t)g };
	uint32_t depth = w->active ? g->depth[lead(&c)] : 0;

	if (index < depth) {
		uint32_t level = depth - 1 - index, word = *entry(g, level, lead(&c));
		*out = (struct group_view){
			tags[word & MEETING_TAGS], word & ~(uint32_t)MEETING_TAGS, invited(&c, level, lead(&c)),
		};
	} else if (index - depth < g->count) {
		const struct group *one = &g->aside[g->count - 1 - (index - depth)];
		*out = (struct group_view){ states[one->state], one->pc, one->lanes };
	}
	return depth + g->count;
}
