/* The course that a warp takes: which instructions it issues one behind the other, and what those cost that no table
 * tells. Whoever executes a block ahead of its clock keeps it, and the clock follows it later (api/ahead.h).
 *
 * Blocks of a launch often take the same course, warp by warp. So one that is over may become a model: a warp that
 * does the same, stretch by stretch, keeps nothing of its own. */
#ifndef WB_CORE_TRACE_H
#define WB_CORE_TRACE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/trace_segment.h"
#include "core/warp.h"

enum { TRACE_SEGMENTS_MAX = 1 << 15 };         /* stretches of a warp */

struct shared_trace {
	const struct trace_segment *at;       /* n of them */
	uint32_t n;
	unsigned before;                /* models that the warps with its number had before */
};

/* Of all warps of a launch. */
struct trace_store {
	struct arena arena;
	pthread_mutex_t lock;           /* of that */
	struct shared_trace **model;    /* by number of the warp in its block; NULL: none yet */
	unsigned warps;
	bool detailed;                  /* somebody records */
};

/* What a recorder wants of an instruction that its segment does not tell: one that has a guard or steers masks. */
struct trace_detail {
	lane_mask active, executed;     /* as of struct step */
	uint16_t depth;                 /* of the control-flow stack behind it */
	uint8_t flow;
};

struct warp_trace {
	struct trace_segment last;            /* the one that is being made; times 0: none */
	struct trace_segment costs;           /* of an instruction that is executed by itself, until it has been */
	const struct trace_segment *at;       /* n before it, of `end` that there are, or that there is room for */
	uint32_t n, end;
	bool follows;                   /* they are a model's */
	uint32_t done;                  /* instructions of the present run that have been put in */
	uint32_t pc;                    /* of the one behind those */
	uint32_t behind;                /* of the one behind the last stretch */
	struct trace_store *all;
	struct trace_segment *own;            /* its own room */
	uint32_t room;
	const char *refused;            /* why it is not complete, or NULL */
	/* The details, in the order of issue, where courses.detailed asks for them; freed with trace_free. */
	struct trace_detail *detail;
	uint32_t ndetails, detail_room;
};

/* For blocks of so many warps. False: the host has no memory. */
bool trace_store_begin(struct trace_store *all, unsigned warps, bool detailed);
/* All courses and their models are gone. An all-zero struct trace_store is empty. */
void trace_store_end(struct trace_store *all);

/* A warp with a number in its block begins, with the room that c has had before; all zero if it has not. */
void trace_begin(struct warp_trace *c, struct trace_store *all, unsigned warp);
/* n instructions of a run are over, which began at w->pc, of which not all may have been put in before. */
void trace_add_run(struct warp_trace *c, const struct warp *w, uint32_t n, uint32_t behind);
/* What instruction number `run` of the present run costs, or if that is 0 an instruction that is executed by itself.
 * behind: pc of the next one. */
void trace_costs(struct warp_trace *c, const struct warp *w, uint32_t run, uint32_t behind,
		  const struct segment_costs *costs);
/* That instruction is a barrier's: all warps of the block wait for each other. */
void trace_barrier(struct warp_trace *c, uint32_t run, unsigned barrier);
/* An instruction at w->pc, which was executed by itself, under `active`. */
void trace_step(struct warp_trace *c, const struct warp *w, uint32_t behind, lane_mask active);
/* The warp is done: c->at has all of its course, and an end. */
void trace_end(struct warp_trace *c);
/* With courses.detailed: the next instruction that is not executed by all active lanes, or steers them. */
void trace_add_detail(struct warp_trace *c, const struct trace_detail *d);
void trace_free(struct warp_trace *c);
/* Nothing was refused: others may follow it that have the same number. */
void trace_share(struct warp_trace *c, unsigned warp);

/* A run of n instructions of warp w is over, which began at w->pc. */
static inline void trace_run(struct warp_trace *c, const struct warp *w, uint32_t n, uint32_t behind)
{
	if (n > c->done)
		trace_add_run(c, w, n, behind);
	c->done = 0;
}

#endif
