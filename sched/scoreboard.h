/* An entry of the scoreboard: the cycle in which a result arrives, and the kind of result, which says what a wait for
 * it is charged to. Entries are words that compare as their cycles do, so the latest of several is their maximum; of
 * two results of the same cycle, the higher kind is the maximum: a load's, a texture's. */
#ifndef WB_SCHED_SCOREBOARD_H
#define WB_SCHED_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/stall.h"

/* Low bits of an entry, below the cycle, and the entry's part of the latest kind. */
enum { RESULT_BITS = 2, RESULT_LATEST = (1 << RESULT_BITS) - 1 };

_Static_assert(RESULT_KINDS - 1 <= RESULT_LATEST && RESULT_OPERAND == 0, "kinds fit into an entry");

/* Entry of a result of cycle `cycle`. */
static inline uint64_t result_entry(uint64_t cycle, unsigned kind)
{
	return cycle << RESULT_BITS | kind;
}

static inline uint64_t result_cycle(uint64_t entry)
{
	return entry >> RESULT_BITS;
}

static inline unsigned result_kind(uint64_t entry)
{
	return entry & RESULT_LATEST;
}

#endif
