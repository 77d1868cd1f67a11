/* Precise execution, the way that is right for every program: one instruction of one warp at a time, executed at the
 * issue; without timing, a slice of instructions of each warp in turn. Debuggers, locks, $clock and atomics with a used
 * result need precise execution. */
#ifndef WB_MACHINE_PRECISE_H
#define WB_MACHINE_PRECISE_H

#include "machine/way.h"

extern const struct way precise_way;

/* The next multiprocessor with a warp to issue advances: by one turn with single_step, else as far as possible without
 * regard to the others. False: the launch is over, see m->result and m->why. */
bool precise_step(struct machine *m);
/* Without timing: a number of turns of mp, with saver_of(m) as many as one thread would take before it goes on to the
 * next multiprocessor. False: no warp of mp can go on, or the launch is over. */
bool precise_turns(struct machine *m, struct mp *mp);
/* All multiprocessors have come as far as cycle `now`: has the machine been idle for too long? */
bool precise_idles(struct machine *m, uint64_t now);

#endif
