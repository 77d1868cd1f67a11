/* Accesses to g[] while several host threads run at once are marked before they happen (mem/conflicts.h), and claimed while
 * their block is ahead of its clock (mem/warp_sets.h). */
#ifndef WB_CORE_ISA_TESLA_MARK_H
#define WB_CORE_ISA_TESLA_MARK_H

#include "core/isa/tesla/state.h"
#include "mem/conflicts.h"

/* The executing lanes are about to access their elements of operand o, all of them mapped, at view addresses addr.
 * `op`: of a reduction, its operation, below 256. STEP_OK; or STEP_FAULT, and nothing may be touched: one thread has to
 * do it. */
int tesla_mark(struct exec *x, const struct opnd *o, const uint32_t addr[], enum rw_set kind, unsigned op);
/* Likewise of what cannot be done side by side, or ahead of the clock, at all. */
int tesla_mark_refuse(struct exec *x, const char *why);

#endif
