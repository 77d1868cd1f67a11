/* Fast-forward: skip repetition in trace replay. Warps that go around loops bring a multiprocessor back to a state that
 * differs from an earlier one only in how late it is and in how many iterations are left. From then on it does again
 * what it did in between, as long as the traces of its warps go on alike, whichever lanes are active; so all those
 * periods are added up at once: times and counts grow by a multiple of what one period took. An observer is notified of
 * their issues nevertheless: they are those of the first one, later and under the masks of the traces.
 *
 * States are compared at checkpoints: when the first warp comes to the end of a trace segment. */
#ifndef WB_SCHED_FAST_FORWARD_H
#define WB_SCHED_FAST_FORWARD_H

#include "sched/sched.h"

/* A state has costs for each word of code: a longer program takes longer to save than to replay. */
enum { LOGGED_ISSUES = 512, FAST_FORWARD_WORDS = 1024 };
/* Issues of a period that an observer can be notified of again. */
enum { PERIOD_ISSUES = 1 << 13 };

/* The saved state of a multiprocessor at a checkpoint, and what has gone into digests since. A host thread needs one of
 * them, whichever multiprocessors it runs: it is of no use once sched_replay has returned. */
struct fast_forward {
	struct sched was;
	uint64_t floor[UNITS_MAX];          /* since when it matters whether a unit was idle */
	struct slot *slot;              /* as sched_room has them */
	uint64_t *at;
	struct stall_row *by_pc;
	struct barrier_group *barrier_group;
	uint32_t words;                 /* rows of by_pc */
	unsigned nbarrier_groups;
	unsigned nlogged;
	struct logged_issue {
		const struct sched_op *op;
		uint64_t cycle;
		const struct trace_segment *at;       /* as of its slot, then */
		uint32_t times, left, slot;
	} flow[LOGGED_ISSUES];
	unsigned nissued;               /* in all, with an observer */
};

/* For s->checkpoint.log: slot i, of warp w, issues what is in its digest. */
void fast_forward_log(struct fast_forward *p, unsigned i, const struct slot *w, const struct sched_op *op,
		      uint64_t now);

/* A place in a trace: so many instructions of a segment are left, which issues so many times, this time included. */
struct trace_place {
	const struct trace_segment *at;
	uint64_t times, left;
};

/* One instruction further. Returns the mask under which it issues. */
static inline lane_mask trace_place_issue(struct trace_place *p)
{
	lane_mask active = p->at->active;

	if (!--p->left) {
		if (!--p->times)
			p->times = (++p->at)->times;
		p->left = p->at->issues;
	}
	return active;
}

/* A checkpoint: skip the periods that begin now and end before cycle `until`, if there are any. o: NULL for none. */
void sched_fast_forward(struct sched *s, uint64_t until, const struct sched_observer *o);

#endif
