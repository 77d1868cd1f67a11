/* With timing and --ahead, a block is executed when it is placed, to its end, and its clock follows the courses that
 * its warps have taken (core/trace.h). Nobody may see the difference:
 *
 * - what an instruction does must not depend on when it issues: no clock is read, no lock taken, no lane's store drawn
 *   by lot, nothing asked for that was in memory before an atomic;
 * - between two barriers no warp of a block touches a word that another one stores to (mem/claims.h); and no block one
 *   that a block stores to that is on the machine at the same time (mem/marks.h);
 * - nothing ends the launch early, and nobody looks at it.
 *
 * If one of this turns out not to be so, memory is put back as it was, and the launch is run again in the order of its
 * clock (api/parallel.h). */
#ifndef WB_MACHINE_TRACE_DRIVEN_H
#define WB_MACHINE_TRACE_DRIVEN_H

#include "machine/machine.h"
#include "core/trace.h"

/* Why a launch cannot begin like this, as a phrase; NULL: it can. */
const char *traces_refused(const struct machine *m);
/* Blocks that are on the machine, and those to come, are executed ahead; and no more. begin: by several threads, of
 * which one may help another out; false: no memory. */
bool traces_begin(struct machine *m, bool several);
void traces_end(struct machine *m);
/* What a host thread that runs multiprocessors needs for sched/fast_forward.h. NULL: no memory. */
struct fast_forward *traces_fast_forward(const struct machine *m, struct arena *a);
/* It went wrong because somebody stored where nobody had before; with m->traces.every_load that would not matter. */
bool traces_incomplete(const struct machine *m);
/* Execute a block, to be put into a room, unless that has been done. But for the last one, of which somebody may want
 * to see what it leaves, that is done in memory that will be used again. False: the launch has been given up. */
bool traces_place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index);
/* It has been put there: its clock is at the beginning of its courses. */
void traces_replay(struct mp *mp, struct resident *r);
/* The blocks that are on a multiprocessor when it begins, both. */
bool traces_of_mp(struct machine *m, struct mp *mp);
/* Execute a block that has not been placed, while there is nothing else to do. False: there is nothing to do. Whether
 * there is may be asked first, and may be answered wrongly. */
bool traces_may_help(struct machine *m);
bool traces_help(struct machine *m);
/* Workers of mem/marks.h: one for each room of each multiprocessor, whose blocks come one after the other, and for each
 * block that has been executed and not placed. */
unsigned traces_workers(const struct machine *m, bool several);

#endif
