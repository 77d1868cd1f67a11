/* The two ways to execute: precise (machine/precise.h) and trace-driven (machine/trace_driven.h). The floors below,
 * where blocks are placed and epochs run, and the floor above, with host threads, know a way by this table only. */
#ifndef WB_MACHINE_WAY_H
#define WB_MACHINE_WAY_H

#include "machine/state.h"

struct way {
	/* Why the way cannot execute a launch, as a phrase; NULL: it can. NULL as a function: always. */
	const char *(*why_not)(const struct machine *m);
	/* Put block `index` into r, whose slots are free. False: the run has been given up. */
	bool (*place_block)(struct machine *m, struct mp *mp, struct resident *r, uint32_t index);
	/* With timing: at most *turns turns of mp before cycle `end` or the cycle limit, counted down. Until then, mp
	 * shares nothing with other multiprocessors but global memory, the lower cache levels and, where a warp ends,
	 * the grid's blocks. False: the launch is over, m->result and m->why say why. */
	bool (*run)(struct machine *m, struct mp *mp, uint64_t end, uint64_t *turns);

	/* On several host threads, or on one with traces. `begin`, which also begins m->pool->conflicts, and `end`
	 * enclose a run on `threads` threads; begin false: the host has no memory. */
	bool (*begin)(struct machine *m, unsigned threads);
	void (*end)(struct machine *m);
	/* Work that a waiting thread can do for others: is any there; do a piece (false: no piece remains). NULL:
	 * never. */
	bool (*can_help)(struct machine *m);
	bool (*help)(struct machine *m);
	bool ends;                      /* a run comes to its end by itself: no livelock is searched for */
};

#endif
