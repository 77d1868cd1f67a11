/* Pre-executed blocks: with several host threads, a waiting thread executes blocks that are to be placed soon, on any
 * resident block storage; placing such a block only moves it in. Each multiprocessor has a few entries for blocks of
 * its stripe of the grid, executed in the order of placing. Programs that read the multiprocessor's number ($physid)
 * have none. */
#ifndef WB_MACHINE_PRE_EXECUTE_H
#define WB_MACHINE_PRE_EXECUTE_H

#include "machine/state.h"

enum { PRE_EXECUTED = 2 };      /* entries of a multiprocessor */

/* Does a launch pre-execute blocks, on several threads or on one? */
bool pre_executes(const struct machine *m, bool several);
/* The entries of a multiprocessor. False: the host has no memory. */
bool pre_executed_prepare(struct machine *m, struct mp *mp);
/* Move a pre-executed block into r. *placed: block `index` was pre-executed. False: the run has been given up. */
bool pre_executed_place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index, bool *placed);
/* Is there a block to execute? The answer may be out of date. */
bool pre_execute_possible(struct machine *m);
/* Execute one block. False: no block to execute, or the run has been given up. */
bool pre_execute(struct machine *m);

#endif
