/* Fast-forward: skip repetition in trace replay. Warps in loops bring a multiprocessor back to an earlier state that
 * differs only in the time and in the number of iterations. The same period follows again, as long as the traces of the
 * warps go on alike, whichever lanes are active; so all such periods are added up at once: times and counts grow by a
 * multiple of one period. An observer is notified of the skipped issues nevertheless: the issues of the first period,
 * later and under the masks of the traces.
 *
 * States are compared at checkpoints: when the first warp comes to the end of a trace segment. */
#ifndef WB_SCHED_FAST_FORWARD_H
#define WB_SCHED_FAST_FORWARD_H

#include "sched/sched.h"

/* A state has costs for each word of code: a longer program takes longer to save than to replay. */
enum { LOGGED_ISSUES = 512, FAST_FORWARD_WORDS = 1024 };
/* Most issues of a period that an observer can be notified of again. */
enum { PERIOD_ISSUES = 1 << 13 };

/* The state of a multiprocessor saved at a checkpoint, and the issues that have gone into digests since. A host thread
 * needs a single struct, whichever multiprocessors it runs: nothing in here is of use after sched_replay has
 * returned. */
struct fast_forward {
	struct sched was;
	/* cycle from which on idle times of the unit matter: a ready warp needs the unit */
	uint64_t floor[UNITS_MAX];
	struct slot *slot;              /* saved slots, scoreboard and charges, as in sched_storage */
	uint64_t *board;
	struct stall_row *by_pc;
	struct barrier_group *barrier_group;
	uint32_t words;                 /* rows of by_pc */
	unsigned nbarrier_groups;
	unsigned nlogged;
	struct logged_issue {
		const struct sched_op *op;
		uint64_t cycle;
		/* place of the slot's warp in its trace when the instruction issued */
		const struct trace_segment *segment;
		uint32_t times, remaining, slot;
	} flow[LOGGED_ISSUES];
	unsigned nissued;               /* issues in the period, counted with an observer only */
};

/* For s->checkpoint.log: note that warp w of slot i issues `op` at cycle `now`, an instruction that goes into
 * digests. */
void fast_forward_log(struct fast_forward *p, unsigned i, const struct slot *w, const struct sched_op *op,
		      uint64_t now);

/* A place in a trace: `remaining` instructions of the segment until its end, `times` passes over the segment, the
 * present pass included. */
struct trace_place {
	const struct trace_segment *segment;
	uint64_t times, remaining;
};

/* Pass one instruction. Returns the mask under which the instruction issues. */
static inline lane_mask trace_place_issue(struct trace_place *p)
{
	lane_mask active = p->segment->active;

	if (!--p->remaining) {
		if (!--p->times)
			p->times = (++p->segment)->times;
		p->remaining = p->segment->issues;
	}
	return active;
}

/* A checkpoint: skip the periods that begin now and end before cycle `until`. o: NULL for none. */
void sched_fast_forward(struct sched *s, uint64_t until, const struct sched_observer *o);

#endif
