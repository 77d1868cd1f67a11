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
 * Trace-driven runs on one thread use a pool of one. */
#ifndef WB_MACHINE_HOST_THREADS_H
#define WB_MACHINE_HOST_THREADS_H

#include "machine/way.h"

/* THREADS_AGAIN: the run was given up, and another in the same way would succeed. */
enum threads_outcome { THREADS_RAN, THREADS_INTERRUPTED, THREADS_GAVE_UP, THREADS_AGAIN };

/* Run a begun machine to its end with so many threads, in the way m->way. Given up: global memory is as it was at the
 * start, and *why says why. */
enum threads_outcome threads_run(struct machine *m, unsigned wanted, const char **why);

#endif
