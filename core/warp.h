/* A warp: lanes in lockstep under one program counter and a mask. This is what every machine has; what one ISA has
 * alone is behind `state`. */
#ifndef WB_CORE_WARP_H
#define WB_CORE_WARP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

struct block;

enum warp_status {
	WARP_READY,
	WARP_AT_BARRIER,      /* waits until barrier `waits_for` is released */
	WARP_AT_LOCK,         /* waits until another warp lets go of a lock */
	WARP_DONE,
	WARP_FAULTED,
};

enum lane_state { LANE_RUNS, LANE_BROKE, LANE_RETURNED, LANE_EXITED };   /* 2 bits a lane on the machine (S4) */

struct warp {
	lane_mask active;         /* lanes that execute */
	lane_mask launched;       /* lanes that exist */
	lane_mask in_state[4];    /* by enum lane_state: disjoint, their union is `launched` */
	/* Lanes that execute for the others of their quad alone: of pixels that are not covered, or whose fragment was
	 * killed. What they compute is read by others, and is no result. */
	lane_mask helper;
	uint32_t  pc;             /* byte address of the next instruction */
	uint8_t   status;         /* enum warp_status */
	uint8_t   waits_for;      /* barrier number */
	uint16_t  id;             /* within the block */
	uint16_t  slot;           /* within the MP */
	struct block *block;
	struct row *reg;          /* registers as [register][lane], row_bytes() apart */
	uint32_t  nreg;
	void     *state;          /* the ISA's own: stack, flags, address registers */

	/* The bill (core/bill.h): a lane that is out of `active` remembers the pc that took it out and when. */
	uint64_t  issues;                 /* instructions issued that cost lane slots, pure rejoins apart */
	uint32_t  out_pc[LANES_MAX];
	uint64_t  out_since[LANES_MAX];   /* value of issues when the lane left */

	uint32_t *visits;         /* lanes' visits to each instruction (core/visits.h), or NULL */
	/* Without timing, of what it has issued: straight runs under one mask, however its turns cut them; and the last
	 * run, which the digest does not have yet. */
	uint64_t  digest;
	struct span {
		uint32_t from, to;
		lane_mask active;
	} span;
};

#endif
