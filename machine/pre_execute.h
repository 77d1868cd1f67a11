/* Pre-executed blocks: with several host threads, a thread that waits for the others executes blocks that are to be
 * placed soon, whichever room they will be in; when one is placed it only moves in. Each multiprocessor has a few
 * entries for blocks of its own stripe of the grid, which are executed in the order in which they are placed. Programs
 * that read which multiprocessor their warps are on ($physid) have none. */
#ifndef WB_MACHINE_PRE_EXECUTE_H
#define WB_MACHINE_PRE_EXECUTE_H

#include "machine/state.h"

enum { PRE_EXECUTED = 2 };      /* entries of a multiprocessor */

/* Are there any, with several threads or with one? */
bool pre_executes(const struct machine *m, bool several);
/* The entries of a multiprocessor. False: the host has no memory. */
bool pre_executed_prepare(struct machine *m, struct mp *mp);
/* Move a pre-executed block into a room. *placed: it was one. False: the run has been given up. */
bool pre_executed_place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index, bool *placed);
/* Is there a block to execute? The answer may be out of date. */
bool pre_execute_possible(struct machine *m);
/* Execute one. False: there was none, or the run has been given up. */
bool pre_execute(struct machine *m);

#endif
