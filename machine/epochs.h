/* Epochs: with timing, multiprocessors run one after another, each by itself, up to m->run.epoch_end, as no request to
 * global memory is answered sooner. Then requests are answered, blocks are balanced, and a new epoch begins where the
 * first multiprocessor can go on. */
#ifndef WB_MACHINE_EPOCHS_H
#define WB_MACHINE_EPOCHS_H

#include "machine/state.h"

/* Next multiprocessor to run, m->run.epoch_mp: in this epoch, or in a new one. NULL: no warp can go on. */
struct mp *epoch_next_mp(struct machine *m);
/* For several host threads the same in steps. A thread that has run mp notes when mp can go on without its answers;
 * requests are sent (machine/requests.h); the epoch starts (false: no multiprocessor can go on); before mp goes on,
 * its answers are delivered. */
void epoch_leave(struct machine *m, struct mp *mp);
bool epoch_start(struct machine *m);

#endif
