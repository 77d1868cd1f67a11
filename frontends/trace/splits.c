/* Open splits of a warp, those not yet reconverged: a stack of splits, followed by the depth of the warp's stack in
 * events. */
#include "frontends/trace/trace.h"

/* Has a split ended? A split with a pushed path ends when the entry below the path is popped, or at the join. A split
 * without a pushed path has sent lanes out of a loop or a call, and ends with the entry then on top. */
static bool ended(const struct split *s, const struct wb_event *e)
{
	if (!s->pushed || e->flow & WB_FLOW_MERGED)
		return e->depth < s->depth;
	return e->depth + 1 < s->depth;
}

bool splits_close(struct splits *s, const struct wb_event *e, struct split *out)
{
	const struct split *last = s->n ? &s->open[s->n - 1] : NULL;
	if (!last || !ended(last, e))
		return false;
	*out = *last;
	s->n--;
	return true;
}

void splits_open(struct splits *s, const struct wb_event *e)
{
	if (e->flow & WB_FLOW_DIVERGED && s->n < SPLITS_MAX)
		s->open[s->n++] = (struct split){(uint32_t)e->pc, e->depth, e->cycle, e->flow & WB_FLOW_PUSH};
}
