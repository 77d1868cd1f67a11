/* Operations of machines with scalar registers as C (core/isa/native.h, NATIVE_LANE and NATIVE_SCALAR): lines of native
 * paths. Rows are variables as in words.h. Scalar operands are read in front of a loop over lanes: a word as
 * wENTRY_INPUT, bits of lanes as the row iENTRY_INPUT of 0 and 1. Bits made by a loop are words of the row oENTRY, from
 * which the pair of words is made behind the loop. */
#ifndef WB_NATIVE_LANE_H
#define WB_NATIVE_LANE_H

#include "native/words.h"

/* Pairs of words with bits that operations of a block write. */
enum { LANE_RESULTS = 16 };

struct lane_results {
	intptr_t offset[LANE_RESULTS];      /* from the warp's registers */
	unsigned n;
};

/* May an operation be in the block, behind those noted? What is the same for all lanes is read before all of them. */
bool lane_fits(const struct lane_results *r, const struct native_meaning *m);
void lane_note(struct lane_results *r, const struct native_meaning *m);
/* Add the rows of an operation; another entry has none here. */
void lane_see(struct text_rows *r, const struct native_meaning *m);
void lane_write_before(FILE *f, uint32_t entry, const struct native_meaning *m);
/* Write the operation for a lane, if `all` whatever the mask. */
void lane_write(struct text_writer *w, uint32_t entry, const struct native_meaning *m, bool all);
void lane_write_behind(FILE *f, uint32_t entry, const struct native_meaning *m);
void lane_write_scalar(FILE *f, const struct native_meaning *m);

#endif
