/* Several host threads run one launch, each some of its multiprocessors. What comes out is what one thread makes of it,
 * to the last bit:
 *
 * - Multiprocessors share global memory alone, and mark what they touch in it (mem/marks.h). If any of it depended on
 *   their order, memory is put back as it was and one thread runs the launch from the start.
 * - With timing they run epoch by epoch (api/clock.h), as on one thread. Whoever needs a cache that several share waits
 *   until all before it have ended the epoch, which is the order of one thread; the first never waits.
 * - Whatever ends a launch early, a fault or a hang, is left to one thread to find again. */
#ifndef WB_API_PARALLEL_H
#define WB_API_PARALLEL_H

#include <stdbool.h>

struct crew;
struct diag;
struct marks;
struct mp;
struct wb_launch;

/* Run a launch that has begun to its end, by several threads, ahead of its clock (api/ahead.h), or both. False: it
 * stands at its start, and one thread is to run it; if more were asked for, l->alone says why not. */
bool parallel_run(struct wb_launch *l, struct diag *d);

/* For those who run a multiprocessor while l->crew is set. The launch comes to an end that one thread must find again,
 * for a reason; false. */
bool parallel_give_up(struct wb_launch *l, const char *why);
/* Wait until all multiprocessors before mp have ended the epoch. False: the launch comes to an end instead. */
bool parallel_wait_turn(struct wb_launch *l, const struct mp *mp);
/* Wait a little for another thread. False: the launch comes to an end instead. */
bool parallel_pause(const struct wb_launch *l, unsigned *spins);
/* Where one of ahead_workers() marks what it touches. */
struct marks *parallel_marks(struct wb_launch *l, unsigned worker);
/* Around what all share and no order matters to; also called without a crew. */
void parallel_lock(struct wb_launch *l);
void parallel_unlock(struct wb_launch *l);

#endif
