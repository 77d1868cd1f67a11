/* The machine from outside the room: a launch is prepared, begun, run to the end and settled, by one function each.
 * Stepping is precise_step (machine/precise.h). */
#ifndef WB_MACHINE_MACHINE_H
#define WB_MACHINE_MACHINE_H

#include "machine/state.h"

/* Set up multiprocessors and place the first blocks. False: the host has no memory, reported in *d. */
bool machine_prepare(struct machine *m, struct diag *d);
/* Take a prepared machine to its start; m->result is "ok" until a turn ends the launch otherwise. */
void machine_begin(struct machine *m);
/* Run a begun machine to the end, trace-driven or precisely, on as many host threads as are useful. False: the host has
 * no memory to begin again, reported in *d. */
bool machine_run(struct machine *m, struct diag *d);
/* Close the accounts of warps that have not finished; nothing steps afterwards. */
void machine_settle(struct machine *m);
/* Give the machine's memory back. */
void machine_free(struct machine *m);

#endif
