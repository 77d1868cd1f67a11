/* Coalescing: how many transactions a group of lanes makes of its accesses to global memory. The two rules are those of
 * the CUDA C Programming Guide 4.x, appendix F (compute capability 1.0 and 1.1; 1.2 and 1.3), as the page timing gives
 * them for half-warps of 16 lanes and transactions of 32, 64 and 128 bytes. */
#ifndef WB_MEM_COALESCE_H
#define WB_MEM_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

enum coalesce_rule {
	COALESCE_OLDER,      /* lane k touches word k of an aligned segment, or every lane goes alone */
	COALESCE_SEGMENT,    /* segments that the lanes touch, each shrunk to the half in use */
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
	bool coalesced;      /* older rule: the group went as one */
	struct transaction each[LANES_MAX];
};

/* Lanes k of `lanes` access naturally aligned elements of `width` bytes (1, 2, 4, 8, 16) at addr[k]. */
void coalesce(const struct coalescer *c, const uint64_t *addr, lane_mask lanes, uint32_t width,
	      struct transactions *out);

/* Bytes of the segments that COALESCE_SEGMENT makes, for elements of `width` bytes. */
static inline uint32_t coalesce_segment(const struct coalescer *c, uint32_t width)
{
	return c->smallest * width < c->largest ? c->smallest * width : c->largest;
}

/* Elements side by side of all lanes of a group, from a multiple of all their bytes on, are one transaction by either
 * rule. Its bytes; 0: not for this width. */
static inline uint32_t coalesce_whole(const struct coalescer *c, uint32_t width)
{
	uint32_t bytes = c->lanes * width;

	return width >= 4 && bytes >= c->smallest && bytes <= coalesce_segment(c, width) ? bytes : 0;
}

/* The transaction of elements side by side from addr on. False: coalesce finds them. */
bool coalesce_run(const struct coalescer *c, uint64_t addr, uint32_t width, struct transactions *out);

#endif
