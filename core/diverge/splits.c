/* Where a branch splits the running group: which side runs first, and whether a side gives way. */
#include "core/diverge.h"
#include "core/diverge/groups.h"
#include "core/diverge/reconverge.h"

void groups_split(struct crossing *c, lane_mask taken, uint32_t to, bool taken_first)
{
	lane_mask fall = c->warp->active & ~taken;

	if (!taken)
		return;
	if (fall && c->by_address && reconverge_policy(c->rules)->meets)
		meeting_open(c, c->point);
	if (reconverge_policy(c->rules)->smaller_first && lanes_count(taken) != lanes_count(fall))
		taken_first = lanes_count(taken) < lanes_count(fall);
	if (fall && taken_first) {
		groups_go(c, fall, c->step->next_pc);
		c->step->next_pc = to;
	} else {
		groups_go(c, taken, to);
	}
}

void groups_spin(struct crossing *c, lane_mask lanes, uint32_t pc)
{
	struct groups *g = c->groups;
	bool alone = lanes == c->warp->active && !g->count;

	/* Progress of the warp itself is progress in any order of warps; before the first group began, the count may be
	 * others'. */
	c->by_progress |= !alone && !g->began;
	if (c->progress != g->began || alone) {
		g->began = c->progress;
		groups_split(c, lanes, pc, false);
		return;
	}
	if (lanes != c->warp->active) {
		groups_fill(g->cause, c->warp->active, c->step->pc);
		c->step->flow |= FLOW_DIVERGED;
	}
	groups_aside(c, lanes, pc, GROUP_YIELDED);
}
