/* How often each lane of a warp has executed each instruction: the data of a machine that could form warps anew at
 * every pc (docs/explanation/reconvergence.md, "perfect"). Kept like the bill, as differences along runs. */
#ifndef WB_CORE_VISITS_H
#define WB_CORE_VISITS_H

#include "core/base/lanes.h"

struct program;

/* Words of a warp's counts: a row of `lanes` counts for each 4-byte word of code, and three rows more. */
static inline size_t visits_words(unsigned lanes, uint32_t code_bytes)
{
	return (size_t)lanes * (code_bytes / 4 + 3);
}

/* A run: instructions from pc `from` up to but not including `to`, once each in the active lanes. */
static inline void visits_run(uint32_t *counts, unsigned lanes, uint32_t from, uint32_t to, lane_mask active)
{
	uint32_t *a = counts + (size_t)lanes * (from >> 2), *b = counts + (size_t)lanes * (to >> 2);

	for (unsigned l = 0; l < lanes; l++) {
		uint32_t one = active >> l & 1;
		a[l] += one;
		b[l] -= one;
	}
}

/* Turn differences into counts. */
void visits_settle(uint32_t *counts, unsigned lanes, const struct program *p);

/* Issues of one instruction if visits were packed: the k-th visits of all threads share issues of `lanes` lanes.
 * counts: visits of n threads; sorted in place. */
uint64_t visits_packed(uint32_t *counts, unsigned n, unsigned lanes);

#endif
