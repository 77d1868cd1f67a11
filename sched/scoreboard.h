/* An entry of the scoreboard: the cycle in which a result arrives, and whether global memory makes the result late.
 * Entries are words that compare as their cycles do, so the latest of several is the maximum; of two results of the
 * same cycle, a load's is the maximum. */
#ifndef WB_SCHED_SCOREBOARD_H
#define WB_SCHED_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Low bits of an entry, below the cycle. */
enum { RESULT_BITS = 1, RESULT_MEMORY = 1 };

/* Entry of a result of cycle `cycle`; memory: 1 for a load's, else 0. */
static inline uint64_t result_entry(uint64_t cycle, unsigned memory)
{
	return cycle << RESULT_BITS | memory;
}

static inline uint64_t result_cycle(uint64_t entry)
{
	return entry >> RESULT_BITS;
}

static inline unsigned result_memory(uint64_t entry)
{
	return entry & RESULT_MEMORY;
}

#endif
