/* Trace-driven execution: a block is executed when it is placed, to the end, as fast as without timing, and the block's
 * warps leave traces (machine/execute.h). The clock then replays the traces (machine/trace_replay.h), with nothing to
 * wait for but time. The outcome is that of precise execution, to the last bit, provided that
 *
 * - the effect of an instruction does not depend on the cycle of its issue: no clock is read, no lock taken, no store
 * drawn at random, no value used that was in memory before an atomic operation;
 * - between two barriers no warp of a block touches a word that another warp stores to, and no block touches a word
 * that a block resident at the same time stores to;
 * - every barrier is for all warps of a block, nothing ends the launch early, and no observer needs to see each
 * instruction at its execution.
 *
 * Where a condition turns out not to hold, memory is put back and the launch runs again, precisely (machine/machine.c);
 * the report names the reason. */
#ifndef WB_MACHINE_TRACE_DRIVEN_H
#define WB_MACHINE_TRACE_DRIVEN_H

#include "machine/way.h"

extern const struct way traced_way;

#endif
