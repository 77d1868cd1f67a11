/* Warp traces: the instructions that a warp has issued, one after the other, under which masks, and costs that are in
 * no table (core/trace_segment.h). The executor of a block leaves a trace for each warp (machine/execute.h); the
 * scheduler replays traces, and needs nothing else of a warp.
 *
 * The warps of a launch often do the same, block after block. So the trace of an ended warp may be shared: a warp with
 * the same number in a later block compares its segments with the shared trace, and stores only the segments behind the
 * first difference. */
#ifndef WB_CORE_TRACE_H
#define WB_CORE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/host_threads.h"
#include "core/trace_segment.h"
#include "core/warp.h"

enum { TRACE_SEGMENTS_MAX = 1 << 15 }; /* of a warp */

struct shared_trace {
	const struct trace_segment *segment; /* n segments */
	uint32_t n;
	unsigned before;                /* traces shared earlier for warps of the same number */
};

/* Of all warps of a launch. */
struct trace_store {
	struct arena arena;
	pthread_mutex_t lock;           /* protects `shared` */
	struct shared_trace **shared;   /* by number of the warp in its block; NULL: nothing shared yet */
	unsigned warps;                 /* of a block */
	bool detailed;                  /* traces have details */
};

/* An instruction with a guard or an effect on masks, for recorders, beside its segment. */
struct trace_detail {
	lane_mask active, executed;     /* as of struct step */
	lane_mask gone_lanes;           /* lanes out for good after the instruction (lanes_gone) */
	uint16_t depth;                 /* of the control-flow stack after the instruction */
	uint8_t flow;
};

struct warp_trace {
	struct trace_segment unfinished; /* the segment in the making; times 0: none */
	struct trace_segment costs;     /* costs of an instruction executed by itself, until it has been */
	/* The next segment, behind n others; `end`: n of the shared trace, or capacity. */
	const struct trace_segment *segment;
	uint32_t n, end;
	bool shares;                    /* the segments so far are a shared trace's */
	uint32_t done;                  /* instructions of the present run that are in segments */
	uint32_t pc;                    /* pc of the instruction behind `done` */
	uint32_t behind;                /* pc of the instruction behind the last segment */
	/* The mask under which the first instruction of the present run issues, if not the run's (trace_first); else
	 * 0; and the pc of the instruction behind. */
	lane_mask first_mask;
	uint32_t behind_first;
	struct trace_store *all;
	struct trace_segment *storage;  /* memory of the trace itself, for `capacity` segments */
	uint32_t capacity;
	const char *refused;            /* why the trace is incomplete, or NULL */
	/* In the order of issue, with trace_store.detailed. */
	struct trace_detail *detail;
	uint32_t ndetails, detail_capacity;
};

/* For blocks of `warps` warps. False: the host has no memory. */
bool trace_store_begin(struct trace_store *all, unsigned warps, bool detailed);
/* All traces are gone. An all-zero struct trace_store is empty. */
void trace_store_end(struct trace_store *all);

/* Begin the trace of warp `warp` of a block, in the memory that c has; an all-zero c has none. */
void trace_begin(struct warp_trace *c, struct trace_store *all, unsigned warp);
/* n instructions of a run are over; the run began at w->pc, and a part may be in segments already. */
void trace_add_run(struct warp_trace *c, const struct warp *w, uint32_t n, uint32_t behind);
/* Add the costs of instruction number `run` of the present run, or, for 0, of an instruction executed by itself.
 * behind: pc of the next instruction. */
void trace_costs(struct warp_trace *c, const struct warp *w, uint32_t run, uint32_t behind,
		 const struct segment_costs *costs);
/* Instruction number `run` is a barrier's: all warps of the block wait for each other. */
void trace_barrier(struct warp_trace *c, uint32_t run, unsigned barrier);
/* An instruction at w->pc was executed by itself, under `active`. */
void trace_step(struct warp_trace *c, const struct warp *w, uint32_t behind, lane_mask active);
/* A run begins whose first instruction issues under `active`, not under the warp's mask; behind: pc of the second. */
void trace_first(struct warp_trace *c, lane_mask active, uint32_t behind);
/* The warp has ended: the segments have all of its trace, and an end. */
void trace_end(struct warp_trace *c);
/* Space for another detail. False: the trace is refused. */
bool trace_detail_space(struct warp_trace *c);
/* Offer a trace that was not refused to later warps of the same number. */
void trace_share(struct warp_trace *c, unsigned warp);

/* A run of n instructions of warp w is over, which began at w->pc. */
static inline void trace_run(struct warp_trace *c, const struct warp *w, uint32_t n, uint32_t behind)
{
	if (n > c->done)
		trace_add_run(c, w, n, behind);
	c->done = 0;
}

/* Where the store is `detailed`: add the next instruction that is guarded or steers masks. */
static inline void trace_add_detail(struct warp_trace *c, const struct trace_detail *d)
{
	if (__builtin_expect(c->ndetails < c->detail_capacity, 1) || trace_detail_space(c))
		c->detail[c->ndetails++] = *d;
}

#endif
