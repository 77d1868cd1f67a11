/* The course that a warp takes: which instructions it issues one behind the other, and what those cost that no table
 * tells. Whoever executes a block ahead of its clock keeps it, and the clock follows it later (api/ahead.h). */
#ifndef WB_CORE_COURSE_H
#define WB_CORE_COURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/stretch.h"
#include "core/warp.h"

enum { COURSE_MOST = 1 << 15 };         /* stretches of a warp */

struct course {
	struct stretch *at;             /* n of them, room for `room` */
	uint32_t n, room;
	uint32_t done;                  /* instructions of the present run that have been put in */
	uint32_t pc;                    /* of the one behind those */
	uint32_t behind;                /* of the one behind the last stretch */
	struct stretch costs;           /* of an instruction that is executed by itself, until it has been */
	const char *refused;            /* why it is not complete, or NULL */
};

/* Put another stretch in, behind the others. Only what repeats the last one takes no room. */
void course_add(struct course *c, const struct stretch *s);
/* What instruction number `run` of the present run costs, or if that is 0 an instruction that is executed by itself.
 * behind: pc of the next one. */
void course_costs(struct course *c, const struct warp *w, uint32_t run, uint32_t behind, const struct stretch *costs);
/* That instruction is a barrier's: all warps of the block wait for each other. */
void course_barrier(struct course *c, uint32_t run, unsigned barrier);
void course_free(struct course *c);

static inline void course_clear(struct course *c)
{
	c->n = c->done = 0;
	c->costs = (struct stretch){ 0 };
	c->refused = NULL;
}

/* n instructions of a run are over, of which some may have been put in before; it began at w->pc and has come to pc
 * `behind`. */
static inline void course_upto(struct course *c, const struct warp *w, uint32_t n, uint32_t behind,
			       const struct stretch *costs)
{
	struct stretch s = *costs;

	s.active = w->active;
	s.pc = c->done ? c->pc : w->pc;
	s.issues = (uint16_t)(n - c->done);
	s.times = 1;
	course_add(c, &s);
	c->behind = behind;
}

/* A run of n instructions of warp w is over, which began at w->pc. */
static inline void course_run(struct course *c, const struct warp *w, uint32_t n, uint32_t behind)
{
	if (n > c->done)
		course_upto(c, w, n, behind, &(struct stretch){ 0 });
	c->done = 0;
}

/* So is an instruction at w->pc that was executed by itself, under `active`. */
static inline void course_step(struct course *c, const struct warp *w, uint32_t behind, lane_mask active)
{
	struct stretch s = c->costs;

	s.active = active;
	s.pc = w->pc;
	s.issues = s.times = 1;
	course_add(c, &s);
	c->behind = behind;
	c->costs = (struct stretch){ 0 };
}

#endif
