/* The warp scheduler of one multiprocessor: which ready warp issues, and in which cycle. It knows slots and steps, never an
 * instruction. The first clock: round robin, one issue slot of 4 cycles. */
#ifndef WB_SCHED_SCHED_H
#define WB_SCHED_SCHED_H

#include <stdint.h>

enum { ISSUE_CYCLES = 4, SCHED_NONE = -1 };

struct sched {
	uint64_t ready;         /* slots whose warp can issue, one bit each */
	uint64_t cycle;         /* shader clocks */
	unsigned last;          /* slot that issued last */
};

/* The slot that issues next: the first ready one after the last that issued. SCHED_NONE when none is ready. */
int sched_pick(struct sched *s);
/* `issues` instructions of the picked slot have been issued. */
void sched_issued(struct sched *s, uint64_t issues);

static inline void sched_set_ready(struct sched *s, unsigned slot, int ready)
{
	s->ready = (s->ready & ~(1ull << slot)) | (uint64_t)(ready != 0) << slot;
}

#endif
