/* Warp traces: which instructions a warp has issued, one after the other, under which masks, and what they cost that is
 * in no table (core/trace_segment.h). The executor of a block leaves one for each warp (machine/execute.h); the
 * scheduler replays it, and needs nothing else of the warp.
 *
 * The warps of a launch often do the same, block after block. So the trace of a warp that has ended may be shared: the
 * warp with the same number of a later block compares its own with it, segment by segment, and stores only what comes
 * behind the first difference. */
#ifndef WB_CORE_TRACE_H
#define WB_CORE_TRACE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/trace_segment.h"
#include "core/warp.h"

enum { TRACE_SEGMENTS_MAX = 1 << 15 }; /* of a warp */

struct shared_trace {
	const struct trace_segment *at; /* n of them */
	uint32_t n;
	unsigned before;                /* how many were shared before it for warps of its number */
};

/* Of all warps of a launch. */
struct trace_store {
	struct arena arena;
	pthread_mutex_t lock;           /* of that */
	struct shared_trace **shared;   /* by number of the warp in its block; NULL: none yet */
	unsigned warps;                 /* of a block */
	bool detailed;                  /* traces have details */
};

/* What a recorder needs of an instruction that has a guard or steers masks, beside its segment. */
struct trace_detail {
	lane_mask active, executed;     /* as of struct step */
	uint16_t depth;                 /* of the control-flow stack behind it */
	uint8_t flow;
};

struct warp_trace {
	struct trace_segment last;      /* the segment in the making; times 0: none */
	struct trace_segment costs;     /* of an instruction that is executed by itself, until it has been */
	const struct trace_segment *at; /* n before it; `end`: how many a shared trace has, or there is room for */
	uint32_t n, end;
	bool shares;                    /* they are a shared trace's so far */
	uint32_t done;                  /* instructions of the present run that are in segments */
	uint32_t pc;                    /* of the one behind those */
	uint32_t behind;                /* of the one behind the last segment */
	struct trace_store *all;
	struct trace_segment *own;      /* its own memory, for `room` segments */
	uint32_t room;
	const char *refused;            /* why it is not complete, or NULL */
	/* In the order of issue, with trace_store.detailed. */
	struct trace_detail *detail;
	uint32_t ndetails, detail_room;
};

/* For blocks of so many warps. False: the host has no memory. */
bool trace_store_begin(struct trace_store *all, unsigned warps, bool detailed);
/* All traces are gone. An all-zero struct trace_store is empty. */
void trace_store_end(struct trace_store *all);

/* A warp with a number in its block begins, with the memory that c has had before; all zero if it has not. */
void trace_begin(struct warp_trace *c, struct trace_store *all, unsigned warp);
/* n instructions of a run are over, which began at w->pc; some of them may be in segments already. */
void trace_add_run(struct warp_trace *c, const struct warp *w, uint32_t n, uint32_t behind);
/* What instruction number `run` of the present run costs, or if that is 0 an instruction that is executed by itself.
 * behind: pc of the next one. */
void trace_costs(struct warp_trace *c, const struct warp *w, uint32_t run, uint32_t behind,
		 const struct segment_costs *costs);
/* That instruction is a barrier's: all warps of the block wait for each other. */
void trace_barrier(struct warp_trace *c, uint32_t run, unsigned barrier);
/* An instruction at w->pc, which was executed by itself, under `active`. */
void trace_step(struct warp_trace *c, const struct warp *w, uint32_t behind, lane_mask active);
/* The warp has ended: c->at has all of its trace, and an end. */
void trace_end(struct warp_trace *c);
/* Room for another detail. False: the trace is refused. */
bool trace_detail_room(struct warp_trace *c);
/* Nothing was refused: later warps of the same number may share it. */
void trace_share(struct warp_trace *c, unsigned warp);

/* A run of n instructions of warp w is over, which began at w->pc. */
static inline void trace_run(struct warp_trace *c, const struct warp *w, uint32_t n, uint32_t behind)
{
	if (n > c->done)
		trace_add_run(c, w, n, behind);
	c->done = 0;
}

/* Where the store is `detailed`: the next instruction that is not executed by all active lanes, or steers them. */
static inline void trace_add_detail(struct warp_trace *c, const struct trace_detail *d)
{
	if (__builtin_expect(c->ndetails < c->detail_room, 1) || trace_detail_room(c))
		c->detail[c->ndetails++] = *d;
}

#endif
