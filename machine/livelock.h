/* Livelock: proven when the machine's whole state, clocks and counters apart, repeats; suspected when a number of
 * cycles passes without progress, though many real kernels compute for as long (spec tesla-semantics, "Locks in
 * s[]"). */
#ifndef WB_MACHINE_LIVELOCK_H
#define WB_MACHINE_LIVELOCK_H

#include <stdbool.h>
#include <stdint.h>

struct mp;
struct machine;

/* Cycles without progress that are worth a note. */
enum { LIVELOCK_SUSPECTED = 1000000 };

struct livelock {
	uint64_t idle_limit;       /* cycles without progress that stop a run; UINT64_MAX: only a proof stops a run */
	uint64_t progress;       /* at the last check */
	uint64_t since;          /* cycle of the check that found the last progress */
	uint64_t changes;        /* of memory, at the last check */
	uint64_t checks;         /* checks since the last progress */
	/* At the last power of two of checks: hashes of pcs and masks, of one warp's registers, and of the whole
	 * state. */
	uint64_t places, registers, reference;
	uint64_t since_reference, comparisons;
	/* Cycles between two looks at progress; the end of an epoch, or the cycle, from which the next is due. */
	uint64_t interval, next;
};

void livelock_begin(struct livelock *h, uint64_t idle_limit);
/* Has the state of n multiprocessors been seen before? Called now and then. Memory need not be compared: the search for
 * a repetition begins anew after a store that changes memory. */
bool livelock_proven(struct livelock *h, const struct machine *m, const struct mp *mp, unsigned n);
/* Have n multiprocessors made no progress for idle_limit cycles? Called at intervals when all have come equally far. A
 * check dates progress at the check itself, so the answer is true no sooner than after idle_limit cycles, and at most
 * two intervals later. */
bool livelock_idles(struct livelock *h, const struct machine *m, const struct mp *mp, unsigned n);
/* Cycles for which a machine that was stopped had made no progress, as far as the checks show. */
uint64_t livelock_idle(const struct livelock *h, const struct machine *m);

#endif
