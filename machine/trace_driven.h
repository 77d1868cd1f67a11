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
 * (machine/machine.c); the report says why. */
#ifndef WB_MACHINE_TRACE_DRIVEN_H
#define WB_MACHINE_TRACE_DRIVEN_H

#include "machine/way.h"

extern const struct way traced_way;

#endif
