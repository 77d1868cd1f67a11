/* Periods: warps that go around loops bring a multiprocessor back to where it was, in everything but how late it is
 * and how often they still go around. What it did between comes again then, as long as their courses go on alike, and
 * is told as often at once. Which lanes they have left does not matter for that. */
#ifndef WB_SCHED_FAST_FORWARD_H
#define WB_SCHED_FAST_FORWARD_H

#include "sched/sched.h"

/* A state has costs of each word of code: a longer program takes longer to remember than to follow. */
enum { LOGGED_ISSUES = 512, FAST_FORWARD_WORDS = 1024 };

/* A multiprocessor as it was at a mark, and what has been in digests since. Whoever runs multiprocessors one after the
 * other needs one of them: it is of no use once sched_replay has returned. */
struct fast_forward {
	struct sched was;
	uint64_t floor[UNITS];          /* since when it matters whether a unit was idle */
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
};

/* For s->log: slot i, of warp w, issues what is in its digest. */
void fast_forward_log(struct fast_forward *p, unsigned i, const struct slot *w, const struct sched_op *op, uint64_t now);

/* A mark: the first of the warps has come to the end of a stretch. Periods that begin now and end before cycle `until`
 * are told, if there are some. */
void sched_fast_forward(struct sched *s, uint64_t until);

#endif
