/* Memory transactions of a run: the cost of each step's accesses by the chip's rules. */
#ifndef WB_MACHINE_MEMORY_COST_H
#define WB_MACHINE_MEMORY_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/isa/exec.h"
#include "sched/timing.h"

struct machine;
struct mp;

/* Memory transactions, by the chip's rules (mem/coalesce.h, mem/banks.h); counted with full statistics. */
struct mem_counts {
	struct tally known;             /* beside all the others, without timing or in a trace */
	uint64_t gld[3], gst[3];        /* transactions of 32, 64, 128 bytes */
	uint64_t gld_coherent, gld_incoherent, gst_coherent, gst_incoherent;   /* the older rule's names */
	uint64_t serialize;             /* extra passes in s[] and c[] */
	uint64_t bytes;
};

/* With --stats-level full, have the accesses of mp's steps counted in mp->mem. False: the host has no memory. */
bool cost_prepare(struct machine *m, struct mp *mp);
/* For the mp of an execution context: add up costs there that executors know at once. False: the host has no memory. */
bool cost_tally(struct machine *m, struct mp *mp);
/* Passes of the present instruction beyond the first of each group of lanes, of `each` cycles a pass. */
void cost_passes(struct machine *m, struct mp *mp, enum timing_id each, unsigned extra);
/* Add the counters of one multiprocessor, if any; the sum over all multiprocessors. */
void cost_add(struct mem_counts *sum, const struct mp *mp);
void cost_sum(const struct machine *m, struct mem_counts *sum);

#endif
