/* The executors of the SIMD level: one function for each name in ops.h, and the table for binding. */
#ifndef WB_CORE_ISA_TESLA_EXEC_H
#define WB_CORE_ISA_TESLA_EXEC_H

#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/simd.h"
#include "core/isa/tesla/state.h"

/* EXEC(iadd) { … } defines the executor of iadd. Called with memory operands fetched, the guard applied
 * (x->step.executed) and x->step.next_pc at the following instruction; returns enum outcome. */
#define EXEC(name) int SIMD_NAME(exec_##name)(struct exec *x, const struct insn *in)

#define EXEC_PROTOTYPE(name, ...) EXEC(name);
TESLA_EXEC_LIST(EXEC_PROTOTYPE)
#undef EXEC_PROTOTYPE

#endif
