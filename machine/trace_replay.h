/* Trace replay: the clock of a multiprocessor whose warps have left their traces. */
#ifndef WB_MACHINE_TRACE_REPLAY_H
#define WB_MACHINE_TRACE_REPLAY_H

#include "machine/state.h"

/* As way.run, for warps at a place in a trace. */
bool replay_mp(struct machine *m, struct mp *mp, uint64_t end, uint64_t *turns);

/* May repetition be skipped: does no observer have to see the state of each issue? */
bool replay_may_skip(const struct machine *m);

#endif
