/* The fetch of memory operands, before the executor. */
#ifndef WB_CORE_ISA_TESLA_FETCH_H
#define WB_CORE_ISA_TESLA_FETCH_H

#include "core/isa/tesla/simd.h"
#include "core/isa/tesla/state.h"

/* Load every s[] and c[] operand that in->fetch names into the warp's `fetched`. STEP_OK, or STEP_LOCKED or STEP_FAULT
 * with nothing changed. */
int SIMD_NAME(tesla_fetch)(struct exec *x, const struct insn *in);

#endif
