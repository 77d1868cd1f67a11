/* Counters of memory transactions, of extra passes and of bytes, by the chip's rules (mem/coalesce.h, mem/banks.h). */
#ifndef WB_MEM_COUNTS_H
#define WB_MEM_COUNTS_H

#include "mem/coalesce.h"

/* Costs of accesses, as far as known at once. */
struct tally {
	uint64_t extra_passes;          /* to s[], beyond the first pass of each group of lanes */
	uint64_t loads, stores;         /* of g[]: groups of words side by side, each a transaction of run_bytes */
	uint32_t pass_cycles;           /* of a pass to s[] */
	uint32_t run_bytes;             /* mem/coalesce.h, coalesce_whole */
};

struct mem_counts {
	struct tally known;             /* beside all the others, without timing or in a trace */
	uint64_t gld[3], gst[3];        /* transactions of 32, 64, 128 bytes */
	uint64_t gld_coherent, gld_incoherent, gst_coherent, gst_incoherent;   /* the older rule's names */
	uint64_t serialize;             /* extra passes in s[] and c[] */
	uint64_t bytes;
};

/* Counts of transactions are of 32, 64 and 128 bytes. */
static inline uint64_t *counts_of_size(uint64_t by_size[], uint32_t bytes)
{
	return &by_size[bytes == 128 ? 2 : bytes == 64 ? 1 : 0];
}

/* Count the transactions of one group of lanes, for `groups` groups with the same pattern. */
static inline void counts_transactions(struct mem_counts *c, bool store, const struct transactions *t, uint32_t groups)
{
	uint64_t *by_size = store ? c->gst : c->gld;

	for (uint32_t i = 0; i < t->count; i++)
		*counts_of_size(by_size, t->each[i].bytes) += groups;
	c->bytes += (uint64_t)t->bytes * groups;
	if (store)
		*(t->coalesced ? &c->gst_coherent : &c->gst_incoherent) += groups;
	else
		*(t->coalesced ? &c->gld_coherent : &c->gld_incoherent) += groups;
}

/* Add counters, `known` among them, to a sum, whose `known` stays. */
void counts_add(struct mem_counts *sum, const struct mem_counts *c);

#endif
