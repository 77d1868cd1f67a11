/* A warp: lanes in lockstep under one program counter and a mask. The struct has the parts common to all machines;
 * parts of one ISA are behind `state`. */
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
	/* Helper lanes, active only for the others of their quad: of pixels that are not covered, or of killed
	 * fragments. Other lanes read the values of helper lanes; helper lanes have no results. */
	lane_mask helper;
	uint32_t  pc;             /* byte address of the next instruction */
	uint8_t   status;         /* enum warp_status */
	uint8_t   waits_for;      /* barrier number */
	uint16_t  id;             /* within the block */
	uint16_t  slot;           /* within the MP */
	struct block *block;
	struct row *reg;          /* registers as [register][lane], row_bytes() apart */
	uint32_t  nreg;
	void     *state;          /* private to the ISA: stack, flags, address registers */

	/* The bill (core/bill.h): lanes out of `active` in groups that left together (core/diverge.c). */
	uint64_t  issues;                 /* instructions issued that cost lane slots, pure rejoins apart */
	lane_mask grouped, lent;          /* lanes in groups; lanes in groups that are active for a while */
	uint32_t  nout;                   /* groups; group 0 has the lanes that do not exist */

	uint32_t *visits;         /* lanes' visits to each instruction (core/visits.h), or NULL */
	/* Without timing, digest of the warp's issues: straight runs under one mask, however turns cut the runs; and
	 * the last run, not yet in the digest. */
	uint64_t  digest;
	struct span {
		uint32_t from, to;
		lane_mask active;
	} span;

	/* arrays last: the end of a warp reads the members above */
	uint32_t  out_pc[LANES_MAX + 1];  /* by group: the pc that took the lanes out */
	lane_mask out[LANES_MAX + 1];     /* the lanes, each in one group */
	uint64_t  out_since[LANES_MAX + 1];     /* value of issues at the leaving */
};

#endif
