/* Actions of a stepped launch: the last turn's, and the last of every warp. The actions are part of the machine's
 * state, saved and restored with the rest. */
#ifndef WB_INSPECT_WATCH_H
#define WB_INSPECT_WATCH_H

#include "core/isa/exec.h"
#include "warpbeam.h"

struct wb_launch;

struct watch {
	uint64_t turns;         /* turns in which a warp issued or tried to */
	uint64_t issues;
	bool began;
	struct wb_action latest;
	unsigned happened;      /* enum wb_stop bits of the last turn */
	/* Before the last turn: */
	uint64_t cycle;
	lane_mask active;
	uint64_t holders, waiters;
	uint32_t flags_set;
	uint64_t stalls[WB_STALLS];     /* stalls of the warp that acted last, up to then; 0 without timing */
	struct wb_action *slot;    /* WATCH_SLOTS for each multiprocessor; issued or tried when .active is not 0 */
};

enum { WATCH_SLOTS = 64 };

/* Set l->watch, in the machine's state: the launch is stepped from now on. False: the host has no memory. */
bool watch_begin(struct wb_launch *l);

#endif
