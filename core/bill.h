/* The divergence bill: every lane slot of every issued instruction is useful, predicated, lost to one branch, absent or
 * spent on rejoining, and the parts sum to the whole (spec tesla-semantics, "The bill").
 *
 * Two things keep it off the hot path. Lost slots are charged when a lane comes back, from the issue count at which it
 * left, not slot by slot. And counts by pc are kept as differences: a run of consecutive instructions under one mask
 * adds at its first pc and subtracts after its last, and bill_settle sums them up. */
#ifndef WB_CORE_BILL_H
#define WB_CORE_BILL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

struct arena;

struct bill_pc {
	/* differences until bill_settle; then issues of this pc, and active lanes summed over them */
	int64_t  issues, active, helper;       /* helper: of the active ones */
	uint64_t predicated;           /* active lanes that the guard or the quad lane mask turned off */
	uint64_t helper_off;           /* helper lanes among those */
	uint64_t lost;                 /* slots lost to this branch by lanes that it took out */
	uint64_t rejoins;              /* arrivals at a join that only popped */
	uint64_t taken, not_taken, diverged;
};

struct bill {
	unsigned  lanes;               /* lanes of the machine's warps */
	uint32_t  code_bytes;
	struct bill_pc *pc;            /* one for each 4-byte word of code, and one past it */
	uint64_t *unreconverged;       /* by word: lanes that ended while others that diverged there waited */
	uint64_t  in_state[4];         /* slots lost by lanes branched off, broke, returned, exited (enum lane_state) */
	uint64_t  absent;              /* slots of lanes never launched */
	uint64_t  branches, divergent;
	bool      settled;
};

/* The sums that a report shows. */
struct bill_sum {
	uint64_t issues, threads;
	uint64_t lane_slots, useful, predicated, branched_off, brk, ret, exited, absent, rejoin;
	uint64_t helper;               /* of lanes that executed for the others of their quad alone */
};

bool bill_init(struct bill *b, struct arena *a, unsigned lanes, uint32_t code_bytes);
/* A run: instructions from pc `from` up to but not including `to`, all issued once under `active` lanes. */
static inline void bill_run(struct bill *b, uint32_t from, uint32_t to, int active)
{
	b->pc[from >> 2].issues++;
	b->pc[from >> 2].active += active;
	b->pc[to >> 2].issues--;
	b->pc[to >> 2].active -= active;
}
/* So many of them were helper lanes (struct warp.helper). */
static inline void bill_helpers(struct bill *b, uint32_t from, uint32_t to, int helpers)
{
	b->pc[from >> 2].helper += helpers;
	b->pc[to >> 2].helper -= helpers;
}
/* Active lanes that a guard or a quad lane mask turned off, and those of them that were helper lanes. */
static inline void bill_predicated(struct bill *b, uint32_t pc, lane_mask off, lane_mask helper)
{
	b->pc[pc >> 2].predicated += (unsigned)lanes_count(off);
	if (__builtin_expect(helper != 0, 0))
		b->pc[pc >> 2].helper_off += (unsigned)lanes_count(off & helper);
}
struct program;
/* Turn differences into counts: what starts at a pc or falls through to it, less what ended before it. Follows the
 * lengths of the program's instructions, so that code entered in the middle of a long word is counted right as well. */
void bill_settle(struct bill *b, const struct program *p);
/* Add b into total; both are settled, or neither. */
void bill_add(struct bill *total, const struct bill *b);
struct bill_sum bill_sum(const struct bill *b);

#endif
