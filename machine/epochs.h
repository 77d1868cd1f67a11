/* Epochs: the path answers no request to global memory sooner than its latency, so with timing multiprocessors run one
 * after another, or on several host threads, each by itself up to m->run.epoch_end. Then requests are answered, blocks
 * are balanced, and a new epoch begins where the first multiprocessor can go on. */
#ifndef WB_MACHINE_EPOCHS_H
#define WB_MACHINE_EPOCHS_H

#include "machine/state.h"

/* The longest epoch, in cycles or issue slots. */
enum { EPOCH_MAX = 512 };

/* The path and memory for requests, of the machine and of one multiprocessor. False: the host has no memory. */
bool epochs_prepare(struct machine *m);
bool epochs_prepare_mp(struct machine *m, struct mp *mp);
/* Elements of request[] of a multiprocessor. */
size_t epoch_requests(const struct machine *m);
/* Cycles of an epoch; epochs end at multiples of the number. */
uint64_t epoch_cycles(const struct machine *m);
/* Next multiprocessor to run, m->run.epoch_mp: in this epoch, or in a new one. NULL: no warp can go on. */
struct mp *epoch_next_mp(struct machine *m);
/* In the machine's way, at most *turns turns of mp up to the end of the epoch, counted down, and the hook `between`
 * before. False: the launch is over, see m->result and m->why. */
bool epoch_run(struct machine *m, struct mp *mp, uint64_t *turns);
/* For several host threads epoch_next_mp in steps. Before mp goes on, the results that wait for its requests get the
 * cycle of arrival; a thread that has run mp notes when mp can go on without answers; then the next epoch begins.
 * `all_left`: an epoch went before, and its threads have left their multiprocessors. False: no multiprocessor can go
 * on. */
void epoch_enter(struct mp *mp);
void epoch_leave(struct machine *m, struct mp *mp);
bool epoch_begin(struct machine *m, bool all_left);
/* The launch is over: the path carries the requests of all past epochs. */
void epochs_settle(struct machine *m);

#endif
