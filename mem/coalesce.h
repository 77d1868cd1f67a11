/* Coalescing: transactions of a group's accesses to global memory. The two rules are from the CUDA C Programming Guide
 * 4.x, appendix F (compute capability 1.0 and 1.1; 1.2 and 1.3), as the page timing has them for half-warps of 16 lanes
 * and transactions of 32, 64 and 128 bytes. */
#ifndef WB_MEM_COALESCE_H
#define WB_MEM_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

enum coalesce_rule {
	COALESCE_OLDER,      /* lane k touches word k of an aligned segment, or every lane goes alone */
	COALESCE_SEGMENT,    /* segments of the lanes' elements, each shrunk to the half in use */
};

struct coalescer {
	enum coalesce_rule rule;
	uint32_t lanes;              /* of a group, at most LANES_MAX */
	uint32_t smallest, largest;  /* bytes of a transaction, powers of two */
};

struct transaction {
	uint64_t addr;       /* a multiple of bytes */
	uint32_t bytes;      /* smallest … largest */
};

struct transactions {
	uint32_t count, bytes;
	bool coalesced;      /* older rule: a single transaction for the group */
	struct transaction each[LANES_MAX];
};

/* Lanes k of `lanes` access naturally aligned elements of `width` bytes (1, 2, 4, 8, 16) at addr[k]. */
void coalesce(const struct coalescer *c, const uint64_t *addr, lane_mask lanes, uint32_t width,
	      struct transactions *out);

/* Bytes of a segment under COALESCE_SEGMENT, for elements of `width` bytes. */
static inline uint32_t coalesce_segment(const struct coalescer *c, uint32_t width)
{
	return c->smallest * width < c->largest ? c->smallest * width : c->largest;
}

/* Bytes of the single transaction of a whole group's elements side by side, aligned to all their bytes, under either
 * rule; 0: more transactions at the width. */
static inline uint32_t coalesce_whole(const struct coalescer *c, uint32_t width)
{
	uint32_t bytes = c->lanes * width;

	return width >= 4 && bytes >= c->smallest && bytes <= coalesce_segment(c, width) ? bytes : 0;
}

/* The transaction of elements side by side from addr on. False: call coalesce. */
bool coalesce_run(const struct coalescer *c, uint64_t addr, uint32_t width, struct transactions *out);
/* A whole group's words side by side from addr on. */
void coalesce_words(const struct coalescer *c, uint64_t addr, struct transactions *out);

#endif
