/* When things happen: the bridge between the machine and its scheduler. With timing, multiprocessors advance together
 * in cycle order and one instruction at a time; without, each warp in turn runs as far as it gets (the null policy),
 * and a cycle is a count of instructions. */
#ifndef WB_API_CLOCK_H
#define WB_API_CLOCK_H

#include "api/internal.h"

/* Scheduler, caches and scoreboard ports of one multiprocessor; and what all share. False: the host has no memory. */
bool clock_prepare(struct wb_launch *l, struct diag *d);
bool clock_prepare_mp(struct wb_launch *l, struct mp *mp);

/* Whose turn it is: the multiprocessor, its slot, and how many instructions it may issue. NULL: nobody can go on. */
struct mp *clock_next(struct wb_launch *l, unsigned *slot, uint64_t *budget);

void clock_admit(struct wb_launch *l, struct mp *mp, const struct warp *w);
/* The turn's warp has issued `issues` instructions, the last of them in x->step, and goes on at w->pc. */
void clock_issued(struct wb_launch *l, struct mp *mp, const struct warp *w, uint64_t issues);
void clock_block(struct wb_launch *l, struct mp *mp, const struct warp *w, enum stall reason);
void clock_wake(struct wb_launch *l, struct mp *mp, const struct warp *w);
void clock_retire(struct wb_launch *l, struct mp *mp, const struct warp *w);
/* Close the accounts: every slot is charged up to the end. */
void clock_settle(struct wb_launch *l);
/* The multiprocessor's present cycle, and the latest of all. */
uint64_t clock_now(const struct wb_launch *l, const struct mp *mp);
uint64_t clock_end(const struct wb_launch *l);

#endif
