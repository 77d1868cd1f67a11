/* In which order the groups of a warp run behind the first split: what policies of reconvergence decide. */
#include "frontends/cli/compare.h"

#include <inttypes.h>
#include <string.h>

enum { SPLIT_MAX = 100000, STEPS_MAX = 4096 };   /* issues up to the split, and behind */

static void note(struct order *o, const struct wb_action *a)
{
	if (o->n && o->group[o->n - 1].lanes == a->active)
		return;
	if (o->n < ORDER_GROUPS)
		o->group[o->n++] = (struct order_group){ a->pc, a->active };
	else
		o->goes_on = true;
}

void order_collect(struct order *o, struct wb_launch *l)
{
	struct wb_goal goal = { .stops = WB_STOP_DIVERGED, .issues = SPLIT_MAX };
	struct wb_where where;
	struct wb_diag d;

	*o = (struct order){ .n = 0 };
	if (wb_launch_forward(l, &goal, &where, &d) != WB_OK || !(where.stops & WB_STOP_DIVERGED))
		return;
	struct wb_action split = where.last;
	o->pc = split.pc;
	goal = (struct wb_goal){ .issues = 1, .one_warp = true, .block = split.block, .warp = split.warp };
	for (unsigned i = 0; i < STEPS_MAX && !o->goes_on; i++) {
		if (wb_launch_forward(l, &goal, &where, &d) != WB_OK || where.over || !where.last.issued)
			return;
		if (!(where.last.flow & WB_FLOW_REJOIN))
			note(o, &where.last);
		if ((where.last.active & split.active) == split.active)
			return;
	}
	o->goes_on = true;
}

static unsigned lanes(const struct order_group *g) { return (unsigned)__builtin_popcountll(g->lanes); }

void order_print(const struct order *o, const char *title)
{
	if (!o->n)
		return;
	printf("  %-20s from 0x%" PRIx32 ":", title, o->pc);
	for (unsigned i = 0; i < o->n; i++)
		printf(" 0x%" PRIx32 " (%u)", o->group[i].pc, lanes(&o->group[i]));
	puts(o->goes_on ? " …" : "");
}

json_t *order_json(const struct order *o)
{
	json_t *a = json_array();
	char pc[16], mask[24];

	for (unsigned i = 0; i < o->n; i++) {
		snprintf(pc, sizeof pc, "0x%" PRIx32, o->group[i].pc);
		snprintf(mask, sizeof mask, "0x%" PRIx64, o->group[i].lanes);
		json_array_append_new(a, json_pack("{s:s, s:s}", "pc", pc, "lanes", mask));
	}
	return a;
}
