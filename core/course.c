#include "core/course.h"

#include <stdlib.h>
#include <string.h>

static bool same(const struct stretch *a, const struct stretch *b)
{
	return a->pc == b->pc && a->active == b->active && a->issues == b->issues &&
	       !(a->extra | b->extra | a->line | b->line | a->bytes | b->bytes | a->barrier | b->barrier);
}

static bool make_room(struct course *c)
{
	uint32_t room = c->room ? 2 * c->room : 64;
	struct stretch *at = room <= COURSE_MOST ? realloc(c->at, room * sizeof *at) : NULL;

	if (!at)
		return false;
	c->at = at;
	c->room = room;
	return true;
}

void course_add(struct course *c, const struct stretch *s)
{
	struct stretch *last = c->n ? &c->at[c->n - 1] : NULL;

	if (last && last->times == 1)
		last->jumps = s->pc != c->behind;
	if (last && last->times < UINT16_MAX && same(last, s))
		last->times++;
	else if (c->n == c->room && !make_room(c))
		c->refused = "a warp takes too long a course to be executed ahead of its clock";
	else
		c->at[c->n++] = *s;
}

/* An instruction may tell of its costs twice: of its operand in memory, and of its work. */
static void add_costs(struct stretch *to, const struct stretch *more)
{
	to->extra += more->extra;
	to->bytes = (uint16_t)(to->bytes + more->bytes);
	to->last_bytes = more->last_bytes ? more->last_bytes : to->last_bytes;
	to->line = more->line ? more->line : to->line;
}

void course_costs(struct course *c, const struct warp *w, uint32_t run, uint32_t behind, const struct stretch *costs)
{
	if (!run) {
		add_costs(&c->costs, costs);
		return;
	}
	if (run == c->done) {
		add_costs(&c->at[c->n - 1], costs);
		return;
	}
	course_upto(c, w, run, behind, costs);
	c->done = run;
	c->pc = behind;
}

void course_barrier(struct course *c, uint32_t run, unsigned barrier)
{
	struct stretch *s = run ? &c->at[c->n - 1] : &c->costs;

	s->barrier = (uint8_t)(barrier + 1);
}

void course_free(struct course *c)
{
	free(c->at);
	*c = (struct course){ 0 };
}
