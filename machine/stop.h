/* The end of a launch before the end of its last block. On several host threads, or with traces, nothing ends a launch
 * early: the run is given up, and one thread finds the reason again. */
#ifndef WB_MACHINE_STOP_H
#define WB_MACHINE_STOP_H

#include "machine/state.h"

/* End the launch with a result, a kind and a text. Returns false. */
bool stop_launch(struct machine *m, const char *result, enum diag_kind kind, const char *text);
/* With the fault of mp's executor; at --max-cycles; because of m->interrupt. Each returns false. */
bool stop_at_fault(struct machine *m, struct mp *mp);
bool stop_at_cycle_limit(struct machine *m);
bool stop_interrupted(struct machine *m);

#endif
