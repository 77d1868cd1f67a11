/* A pool of host threads runs one launch, each thread some of the multiprocessors. The outcome is that of one thread,
 * to the last bit:
 *
 * - Multiprocessors share global memory alone; reads and writes of each are recorded (mem/conflicts.h). If a value
 * depended on the order of multiprocessors, memory is put back and one thread runs the launch precisely from the start.
 * - With timing, multiprocessors run epoch by epoch (machine/epochs.h), as on one thread. A multiprocessor in need of a
 * shared cache waits until all multiprocessors before have ended the epoch, the order of one thread; the first
 * multiprocessor never waits.
 * - An early end of a launch, a fault or a hang, is left for one thread to find again.
 *
 * Trace-driven runs on one thread use a pool of one. */
#ifndef WB_MACHINE_HOST_THREADS_H
#define WB_MACHINE_HOST_THREADS_H

#include "machine/way.h"

/* Run a begun machine on up to `wanted` threads, in the way m->way, to the end or to an interrupt. False: the run was
 * given up, global memory is as at the start, and *why is the reason. */
bool threads_run(struct machine *m, unsigned wanted, const char **why);

#endif
