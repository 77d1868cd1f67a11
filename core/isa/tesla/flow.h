/* Tesla control flow: the stack of {type, pc, mask} entries and the active mask that it steers. Every function is one row
 * of the table in spec tesla-semantics ("Control flow") and follows its wording; evidence is named there.
 *
 * All return enum outcome; on STEP_OK x->step.next_pc is where the warp goes on. `p` is the mask of active lanes that the
 * guard lets through. */
#ifndef WB_CORE_ISA_TESLA_FLOW_H
#define WB_CORE_ISA_TESLA_FLOW_H

#include "core/isa/tesla/state.h"

int flow_bra(struct exec *x, lane_mask p, uint32_t target);
/* Lane l goes to target[l]; the group of the lowest active lane runs first. */
int flow_bra_each(struct exec *x, const struct row *target);
int flow_joinat(struct exec *x, uint32_t target);
int flow_prebrk(struct exec *x, uint32_t target);
int flow_brk(struct exec *x, lane_mask p);
int flow_call(struct exec *x, uint32_t target, bool limited);
int flow_preret(struct exec *x, uint32_t target, bool limited);
int flow_ret(struct exec *x, lane_mask p);
int flow_quadon(struct exec *x);
int flow_quadpop(struct exec *x);

/* The join marker, before its instruction: *executes tells whether the instruction then runs. Under --join per-path it
 * does nothing, and flow_join_after acts once the instruction has run. */
int flow_join(struct exec *x, bool *executes);
int flow_join_after(struct exec *x);
/* The exit marker, after its instruction: all active lanes are finished. */
int flow_exit(struct exec *x);

#endif
