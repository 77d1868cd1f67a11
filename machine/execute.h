/* Execution of whole blocks, apart from timing: each warp in turn from barrier to barrier, leaving a trace
 * (core/trace.h). The traces are true if no warp could have seen the difference: reads and writes of a warp between two
 * barriers are recorded in sets, and compared with the sets of the other warps (mem/warp_sets.h) and blocks
 * (mem/conflicts.h).
 *
 * A block is executed in an execution context: memory for one block, an executor without a clock, and the knowledge
 * from earlier blocks about intervals between barriers. A thread takes the same context for one block after the other,
 * so that the context stays in the processor's caches; contexts are made as threads need them. */
#ifndef WB_MACHINE_EXECUTE_H
#define WB_MACHINE_EXECUTE_H

#include "machine/state.h"

struct exec_context;

/* A context for the calling thread, until context_return; NULL: the host has no memory. */
struct exec_context *context_take(struct machine *m);
void context_return(struct machine *m, struct exec_context *c);
/* Add the counters of all contexts to the first multiprocessor (reports are sums), and free the contexts. If a block
 * stored where no earlier block had, traces of another attempt have every load (m->traces.every_load). */
void contexts_end(struct machine *m);

/* Execute a block before its start, in the block's own memory, as on multiprocessor `mp`. False: the run has been given
 * up. */
bool execute_block(struct machine *m, struct exec_context *c, struct resident *r, unsigned mp);
/* Execute block `index` from the beginning for resident block storage r: in a context's memory, but the grid's last
 * block in r's, as a user may want to read it afterwards. False: the run has been given up. */
bool execute_new(struct machine *m, struct resident *r, uint32_t index, unsigned mp);

#endif
