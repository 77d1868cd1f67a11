/* Between two epochs: the requests of all multiprocessors to global memory are put in order and answered. */
#ifndef WB_MACHINE_REQUESTS_H
#define WB_MACHINE_REQUESTS_H

#include "machine/state.h"

/* The longest epoch, in cycles or issue slots. */
enum { EPOCH_MAX = 512 };

/* Memory for the machine's requests, and for the requests of one multiprocessor. False: the host has no memory. */
bool requests_prepare(struct machine *m);
bool requests_prepare_mp(struct machine *m, struct mp *mp);
/* Send the requests down the path in (cycle, MP) order, whatever order the multiprocessors ran in; request.cycle
 * becomes the cycle of the data's arrival, and next_cycle of the multiprocessor is no later. */
void requests_send(struct machine *m);
/* Give the results that wait for a multiprocessor's requests the cycle of arrival, before the multiprocessor goes
 * on. */
void requests_deliver(struct mp *mp);

#endif
