/* What goes into the threads of graphics programs and comes out of them (spec tesla-graphics): words of vertices,
 * primitives and fragments in a launch's struct stream, as rows of struct stage in a warp. */
#ifndef WB_CORE_ISA_TESLA_STAGE_H
#define WB_CORE_ISA_TESLA_STAGE_H

#include "core/isa/tesla/state.h"

enum { STAGE_ROWS = 128 };      /* words of a[] and of o[] that instructions can name */

/* Rows of a[] and o[] that the code of a graphics program names. */
void stage_rows(const struct program *p, uint16_t *inputs, uint16_t *outputs);
/* Where a warp's struct stage is in its state, and its size with so many rows. */
size_t stage_offset(const struct rules *rules);
static inline size_t stage_bytes(unsigned rows)
{
	return sizeof(struct stage) + rows * sizeof(struct row);
}
/* A warp takes in what its threads are given; those beyond the last one do not exist. */
void stage_start(struct block *b, struct warp *w, const struct program *p, const struct rules *rules);
/* Lanes are about to end: what they give out. */
void stage_give(struct exec *x, lane_mask lanes);
void tesla_threads(const struct program *p, struct isa_threads *out);

#endif
