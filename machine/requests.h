/* Between two epochs: the requests of all multiprocessors to global memory are put in order and answered. */
#ifndef WB_MACHINE_REQUESTS_H
#define WB_MACHINE_REQUESTS_H

#include "machine/state.h"

/* The longest epoch, in cycles or issue slots. */
enum { EPOCH_MAX = 512 };

/* Memory for it, and for the requests of one multiprocessor. False: the host has no memory. */
bool requests_prepare(struct machine *m);
bool requests_prepare_mp(struct machine *m, struct mp *mp);
/* Requests go down the path in (cycle, MP) order, whatever order the multiprocessors ran in; in place of its issue each
 * then has the cycle in which its data is there, before which its multiprocessor will go on (next_cycle). */
void requests_send(struct machine *m);
/* The results that wait for a multiprocessor's requests get that cycle, before it goes on. */
void requests_deliver(struct mp *mp);

#endif
