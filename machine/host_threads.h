/* A pool of host threads runs one launch, each thread some of its multiprocessors. The outcome is what one thread makes
 * of it, to the last bit:
 *
 * - Multiprocessors share global memory alone; what each reads and writes in it is recorded (mem/conflicts.h). If any
 *   of it depended on their order, memory is put back as it was and one thread runs the launch precisely from the
 *   start.
 * - With timing they run epoch by epoch (machine/clock.h), as on one thread. One that needs a cache that several share
 *   waits until all before it have ended the epoch, which is the order of one thread; the first never waits.
 * - Whatever ends a launch early, a fault or a hang, is left to one thread to find again.
 *
 * Trace-driven runs on one thread use a pool of one. machine_run() is implemented here. */
#ifndef WB_MACHINE_HOST_THREADS_H
#define WB_MACHINE_HOST_THREADS_H

#include <stdbool.h>

struct machine;
struct worker_sets;
struct mp;

/* For a thread that runs a multiprocessor while m->pool is set. The run is given up, for a reason, and the launch
 * begins again in a way that can do it. Returns false. */
bool threads_give_up(struct machine *m, const char *why);
/* Wait until all multiprocessors before mp have ended the epoch. False: the run has been given up. */
bool threads_wait_turn(struct machine *m, const struct mp *mp);
/* Wait a little for another thread. False: the run has been given up. */
bool threads_pause(const struct machine *m, unsigned *spins);
/* The read and write sets of one of traces_workers(). */
struct worker_sets *threads_sets(struct machine *m, unsigned worker);
/* Around what all threads share and no order matters to; without a pool they do nothing. */
void threads_lock(struct machine *m);
void threads_unlock(struct machine *m);

#endif
