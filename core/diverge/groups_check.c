/* Rules for groups of lanes that were read from outside. */
#include "core/diverge/groups.h"
#include "core/diverge/reconverge.h"
#include "core/state_check.h"

#include <string.h>

/* The groups aside and the running lanes are all unfinished lanes, each in one group. */
static void check_aside(struct state_check *c, const struct groups *g, uint32_t count, uint32_t depth,
			lane_mask active, lane_mask launched)
{
	static const uint8_t zero[sizeof(struct group)];
	lane_mask seen = active;
	struct group one;

	for (uint32_t i = 0; i < LANES_MAX; i++) {
		STATE_GET(c, &g->aside[i], &one);
		STATE_ANY(c, g->aside[i]);
		if (i >= count) {
			state_must(c, !memcmp(&one, zero, sizeof one), "a group of lanes behind the last");
			continue;
		}
		state_must(c, one.lanes && !(one.lanes & (seen | ~launched)), "a lane in two groups, or in none");
		state_goes_to(c, one.pc);
		state_must(c, one.state <= GROUP_RELEASED, "the state of a group of lanes");
		state_must(c, one.state != GROUP_WAITS || one.level < depth, "a group that waits at no meeting");
		state_must(c, !(one.awaited & ~launched), "a group that awaits lanes beyond the warp");
		seen |= one.lanes;
	}
}

/* Places to which lanes come back. */
static void check_levels(struct state_check *c, const struct groups *g, const uint32_t *depth, uint32_t most)
{
	uint32_t word;

	for (uint32_t lane = 0; lane < g->width; lane++)
		for (uint32_t level = 0; level < depth[lane] && level < most; level++) {
			STATE_GET(c, &g->level[level * g->words * g->width + lane], &word);
			state_goes_to(c, word & ~(uint32_t)MEETING_TAGS);
		}
}

void groups_check(struct state_check *c, const struct groups *g, const struct rules *rules, lane_mask active,
		  lane_mask launched)
{
	struct groups read;

	state_get(c, g, &read, sizeof read);
	state_any(c, &g->began, 2 * sizeof g->began);
	STATE_ANY(c, g->turn_ends);
	STATE_ANY(c, g->deadline);
	STATE_ANY(c, g->issues);
	STATE_ANY(c, g->patience);
	STATE_ANY(c, g->stop);
	STATE_MOST(c, g->count, LANES_MAX - 1, "the number of groups of lanes");
	STATE_MOST(c, g->passed, 1, "a mark of a group of lanes");
	state_most(c, g->depth, sizeof *g->depth, LANES_MAX, rules->stack_depth, "the depth of a lane's stack");
	state_code(c, g->cause, LANES_MAX);
	check_aside(c, g, read.count, rules->stack_depth, active, launched);
	check_levels(c, g, read.depth, rules->stack_depth);
	state_any(c, g->level, groups_bytes(rules, g->width) - sizeof *g);
}
