/* Locks of s[] words (spec tesla-semantics, "Locks in s[]"): the extent of a lock is disputed, hence two rules. */
#ifndef WB_CORE_ISA_TESLA_LOCK_H
#define WB_CORE_ISA_TESLA_LOCK_H

#include "core/isa/tesla/state.h"

/* `ld lock`: each lane's word address in addr. Sets *won to the lanes that now hold a word and may load. Returns
 * STEP_OK, or STEP_LOCKED when the warp must wait and nothing has happened. */
int lock_take(struct exec *x, const uint32_t addr[], lane_mask lanes, lane_mask *won);
/* `st unlock`, after the store. */
void lock_release(struct exec *x, const uint32_t addr[], lane_mask lanes);
/* A plain access of `width` bytes: STEP_LOCKED when a lane's word is held by another warp. */
int lock_check(struct exec *x, const uint32_t addr[], lane_mask lanes);
/* Lanes of the warp that hold a word. */
lane_mask lock_holders(const struct exec *x);
/* The warp ends: report and release its locks. */
void lock_warp_done(struct exec *x);

#endif
