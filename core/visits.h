/* How often each lane of a warp has executed each instruction: what a machine that could form its warps anew at
 * every pc would need to know (docs/explanation/reconvergence.md, "perfect"). Kept like the bill, as differences
 * along runs. */
#ifndef WB_CORE_VISITS_H
#define WB_CORE_VISITS_H

#include "core/lanes.h"

struct program;

/* A run: instructions from pc `from` up to but not including `to`, once each in the active lanes. rows: one for each
 * 4-byte word of code and three past it. */
static inline void visits_run(struct row *rows, uint32_t from, uint32_t to, lane_mask active)
{
	struct row *a = &rows[from >> 2], *b = &rows[to >> 2];

	FOR_LANES(l) {
		uint32_t one = active >> l & 1;
		a->lane[l] += one;
		b->lane[l] -= one;
	}
}

/* Turn differences into counts. */
void visits_settle(struct row *rows, const struct program *p);

/* Issues of one instruction if its visits were packed: the k-th visits of all threads to it share issues of LANES
 * lanes. counts: visits of n threads; sorted in place. */
uint64_t visits_packed(uint32_t *counts, unsigned n);

#endif
