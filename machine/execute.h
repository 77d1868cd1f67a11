/* Execution of whole blocks, apart from their timing: each warp in turn from barrier to barrier, leaving its trace
 * (core/trace.h). The traces are true if no warp could have seen the difference: what a warp reads and writes between
 * two barriers is recorded in sets, and compared with those of the other warps (mem/warp_sets.h) and blocks
 * (mem/conflicts.h).
 *
 * It is done in an execution context: memory for one block, an executor without a clock, and what is known of intervals
 * between barriers from earlier blocks. A thread takes the same context for one block after the other, so that it stays
 * in its processor's caches; contexts are made as threads need them. */
#ifndef WB_MACHINE_EXECUTE_H
#define WB_MACHINE_EXECUTE_H

#include "machine/state.h"

struct exec_context;

/* A context for the calling thread; NULL: the host has no memory. It is given back with context_return. */
struct exec_context *context_take(struct machine *m);
void context_return(struct machine *m, struct exec_context *c);
/* Add what was counted in all contexts to the first multiprocessor (reports are sums), and free them. */
void contexts_end(struct machine *m);
/* Did traces fail only since a block stored where none had before? With m->traces.every_load they would not. */
bool contexts_incomplete(const struct machine *m);

/* Execute a block that is about to begin, in its own memory, as on multiprocessor `mp`. False: the run has been given
 * up. */
bool execute_block(struct machine *m, struct exec_context *c, struct resident *r, unsigned mp);
/* Execute block `index` from its beginning, for a room: in a context's memory, but for the last of the grid, whose
 * memory a user may want to read afterwards. False: likewise. */
bool execute_new(struct machine *m, struct resident *r, uint32_t index, unsigned mp);

#endif
