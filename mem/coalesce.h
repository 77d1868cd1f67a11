/* Coalescing: how many transactions a half-warp's accesses to global memory take. The two rules are those of the CUDA C
 * Programming Guide 4.x, appendix F (compute capability 1.0 and 1.1; 1.2 and 1.3), as the page timing gives them. */
#ifndef WB_MEM_COALESCE_H
#define WB_MEM_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

enum coalesce_rule {
	COALESCE_OLDER,      /* lane k touches word k of an aligned segment, or every lane goes alone */
	COALESCE_SEGMENT,    /* segments that the lanes touch, each shrunk to the half in use */
};

enum { HALF_WARP = 16 };

struct transaction {
	uint32_t addr;       /* a multiple of bytes */
	uint32_t bytes;      /* 32, 64 or 128 */
};

struct transactions {
	uint32_t count, bytes;
	bool coalesced;      /* older rule: the half-warp went as one */
	struct transaction each[HALF_WARP];
};

/* Lanes k of `lanes` (16 bits) access naturally aligned elements of `width` bytes (1, 2, 4, 8, 16) at addr[k]. */
void coalesce(enum coalesce_rule rule, const uint32_t *addr, uint32_t lanes, uint32_t width, struct transactions *out);
/* The same for a half-warp whose lanes all access elements side by side from addr on. False: ask coalesce. */
bool coalesce_run(enum coalesce_rule rule, uint32_t addr, uint32_t width, struct transactions *out);

#endif
