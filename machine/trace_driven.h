/* Trace-driven execution: a block is executed when it is placed, to its end, as fast as without timing, and its warps
 * leave their traces (machine/execute.h). The clock then replays the traces (machine/trace_replay.h): it has nothing to
 * wait for but time. The outcome is that of precise execution, to the last bit, provided that
 *
 * - what an instruction does does not depend on when it issues: no clock is read, no lock taken, no store drawn at
 *   random, no value used that was in memory before an atomic operation;
 * - between two barriers no warp of a block touches a word that another one stores to, and no block one that a block
 *   stores to that is on the machine at the same time;
 * - every barrier is for all warps of a block, nothing ends the launch early, and no observer needs to see each
 *   instruction when it executes.
 *
 * If one of this turns out not to hold, memory is put back as it was and the launch runs again, precisely
 * (machine/host_threads.h); the report says why. */
#ifndef WB_MACHINE_TRACE_DRIVEN_H
#define WB_MACHINE_TRACE_DRIVEN_H

#include "machine/machine.h"

/* Why a launch cannot be executed so, as a phrase; NULL: it may be. */
const char *traces_refused(const struct machine *m);
/* From now on, and no longer. several: host threads, which may pre-execute blocks. False: the host has no memory. */
bool traces_begin(struct machine *m, bool several);
void traces_end(struct machine *m);
/* What a host thread that replays traces needs to fast-forward. NULL: the host has no memory. */
struct fast_forward *traces_fast_forward(const struct machine *m, struct arena *a);
/* Execute block `index`, to be put into a room, unless that has been done. False: the run has been given up. */
bool traces_place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index);
/* It has been put there: its clock is at the beginning of its traces. */
void traces_replay(struct mp *mp, struct resident *r);
/* Both, for the blocks that are on a multiprocessor when it begins. */
bool traces_of_mp(struct machine *m, struct mp *mp);
/* How many sets of words (mem/conflicts.h) there are: one for each room, whose blocks come one after the other, and for
 * each block that has been pre-executed and not placed. */
unsigned traces_workers(const struct machine *m, bool several);

#endif
