/* Inputs and outputs of graphics threads (spec tesla-graphics): words of vertices, primitives and fragments in a
 * launch's struct stream, as rows of struct stage in a warp. */
#ifndef WB_CORE_ISA_TESLA_STAGE_H
#define WB_CORE_ISA_TESLA_STAGE_H

#include "core/isa/tesla/state.h"

enum { STAGE_ROWS = 128 };      /* words of a[] and of o[] addressable by instructions */

/* Rows of a[] and o[] used by the code of a graphics program. */
void stage_rows(const struct program *p, uint16_t *inputs, uint16_t *outputs);
/* Offset of a warp's struct stage in its state (start.c), and the size with `rows` rows; in bytes. */
size_t stage_offset(const struct rules *rules);
static inline size_t stage_bytes(unsigned rows)
{
	return sizeof(struct stage) + rows * sizeof(struct row);
}
/* Load the inputs of a warp's threads into the warp's stage; lanes beyond the last thread do not exist. */
void stage_start(struct block *b, struct warp *w, const struct program *p, struct stage *s);
/* Store the outputs of ending lanes. */
void stage_give(struct exec *x, lane_mask lanes);
void tesla_threads(const struct program *p, struct isa_threads *out);

#endif
