/* Locks of s[] words (spec tesla-semantics, "Locks in s[]"): what they cover is disputed, hence two rules. */
#ifndef WB_CORE_ISA_TESLA_LOCK_H
#define WB_CORE_ISA_TESLA_LOCK_H

#include "core/isa/tesla/state.h"

/* `ld lock`: each lane's word address in addr. Sets *won to the lanes that now hold their word; they may load it.
 * Returns STEP_OK, or STEP_LOCKED when the warp must wait and nothing has happened. */
int lock_take(struct exec *x, const uint32_t addr[], lane_mask lanes, lane_mask *won);
/* `st unlock`, after its store. */
void lock_release(struct exec *x, const uint32_t addr[], lane_mask lanes);
/* A plain access of `width` bytes: STEP_LOCKED when a lane's word is held by another warp. */
int lock_check(struct exec *x, const uint32_t addr[], lane_mask lanes);
/* The warp ends: what it still holds is reported and let go. */
void lock_warp_done(struct exec *x);

#endif
