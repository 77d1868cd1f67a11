/* Memory transactions of a run: the cost of each step's accesses by the chip's rules. */
#ifndef WB_MACHINE_MEMORY_COST_H
#define WB_MACHINE_MEMORY_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/isa/exec.h"

struct machine;
struct mp;

/* With --stats-level full, have the accesses of mp's steps counted in mp->mem. False: the host has no memory. */
bool cost_prepare(struct machine *m, struct mp *mp);
/* For the mp of an execution context: add up costs there that executors know at once. False: the host has no memory. */
bool cost_tally(struct machine *m, struct mp *mp);
/* The sum of the counters of all multiprocessors. */
void cost_sum(const struct machine *m, struct mem_counts *sum);

#endif
