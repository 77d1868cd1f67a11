/* Memory transactions of a run: what the accesses of each step cost by the chip's rules. */
#ifndef WB_API_OBSERVE_H
#define WB_API_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/timing.h"

struct mem_counts;
struct mp;
struct warp;
struct wb_launch;

/* With --stats-level full, have mp's steps observed and counted in mp->mem. False: the host has no memory. */
bool observe_setup(struct wb_launch *l, struct mp *mp);
/* Blocks of mp are executed ahead of their clock: what is known at once is not observed. False: no memory. */
bool observe_tally(struct wb_launch *l, struct mp *mp);
/* Passes that the instruction that issues now takes beyond the one of each half-warp, of so many cycles each. */
void observe_passes(struct wb_launch *l, struct mp *mp, enum timing_id each, unsigned extra);
/* Add what one multiprocessor has counted, if it does; what all of them have. */
void observe_add(struct mem_counts *sum, const struct mp *mp);
void observe_sum(const struct wb_launch *l, struct mem_counts *sum);
/* Note warp w of mp, which has been there for so many cycles, for the report's rows by warp; and forget all of them. */
void observe_warp(struct wb_launch *l, const struct mp *mp, const struct warp *w, uint64_t cycles);
void observe_again(struct wb_launch *l);

#endif
