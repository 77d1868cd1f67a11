/* Memory transactions of a run: what the accesses of each step cost by the chip's rules. */
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
/* mp belongs to an execution context: costs that executors know at once are added up there. False: the host has no
 * memory. */
bool cost_tally(struct machine *m, struct mp *mp);
/* Passes that the instruction that issues now takes beyond the one of each group of lanes, of so many cycles each. */
void cost_passes(struct machine *m, struct mp *mp, enum timing_id each, unsigned extra);
/* Add what one multiprocessor has counted, if it does; what all of them have. */
void cost_add(struct mem_counts *sum, const struct mp *mp);
void cost_sum(const struct machine *m, struct mem_counts *sum);

#endif
