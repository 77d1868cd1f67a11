/* When things happen: the bridge between the machine and its scheduler. With timing, multiprocessors advance together
 * in cycle order and one instruction at a time; without, each warp in turn runs as far as it gets (the null policy),
 * and a cycle is a count of instructions. */
#ifndef WB_API_CLOCK_H
#define WB_API_CLOCK_H

#include "api/internal.h"

/* Scheduler, caches and scoreboard ports of one multiprocessor; and what all share. False: the host has no memory. */
bool clock_prepare(struct wb_launch *l, struct diag *d);
bool clock_prepare_mp(struct wb_launch *l, struct mp *mp);

/* Without timing, whose turn it is: round robin over multiprocessors, and over the ready slots of each. NULL: nobody
 * can go on. */
struct mp *clock_next_free(struct wb_launch *l, unsigned *slot);
/* The slot of mp whose turn it is; false: none of them can go on. */
bool clock_pick_free(struct mp *mp, unsigned *slot);

/* With timing, multiprocessors run one after another, each by itself, up to l->run.epoch_end; then their requests to
 * global memory meet, and a new epoch begins where the first of them can go on. False: nobody can. */
bool clock_begin_epoch(struct wb_launch *l);
/* For several host threads, when an epoch has begun: what is in the caches that multiprocessors share can be found
 * there without waiting. */
void clock_settle_caches(struct wb_launch *l);
/* The multiprocessor whose turn it is, l->run.epoch_mp: in this epoch, or in a new one. NULL: nobody can go on. */
struct mp *clock_epoch_mp(struct wb_launch *l);
/* The slot of mp that issues next, if that is before cycle `end`. */
bool clock_pick(struct mp *mp, uint64_t end, unsigned *slot);

void clock_admit(struct wb_launch *l, struct mp *mp, const struct warp *w);
/* The turn's warp has issued `issues` instructions, the last of them in x->step, and goes on at w->pc. */
void clock_issued(struct wb_launch *l, struct mp *mp, const struct warp *w, uint64_t issues);
void clock_block(struct wb_launch *l, struct mp *mp, const struct warp *w, enum stall reason);
void clock_wake(struct wb_launch *l, struct mp *mp, const struct warp *w);
void clock_retire(struct wb_launch *l, struct mp *mp, const struct warp *w);
/* Close the accounts: every slot is charged up to the end. */
void clock_settle(struct wb_launch *l);
/* The multiprocessor's present cycle, and the latest of n of them, or of all. */
uint64_t clock_now(const struct wb_launch *l, const struct mp *mp);
uint64_t clock_last(const struct wb_launch *l, const struct mp *mp, unsigned n);
uint64_t clock_end(const struct wb_launch *l);

#endif
