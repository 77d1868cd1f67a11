/* Which multiprocessor runs which block of the grid. Blocks are assigned to multiprocessors in advance, so that what
 * one of them runs does not depend on how far the others have come, and several host threads may run them: each has a
 * stripe of the grid, and between epochs those that have run out are given blocks of others. */
#ifndef WB_MACHINE_BLOCK_SCHEDULER_H
#define WB_MACHINE_BLOCK_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

struct mp;
struct machine;

/* The blocks of a multiprocessor that it has not started. */
struct work_queue {
	uint32_t own;           /* blocks of its stripe that it has started or that were assigned to others */
	unsigned ngiven;
	uint32_t *given;        /* of other stripes, at most one for each of its rooms; started first */
};

/* False: the host has no memory. */
bool queue_prepare(struct machine *m, struct mp *mp);
/* The next block of mp; false: it has none. */
bool queue_take(struct machine *m, struct mp *mp, uint32_t *block);
/* The block of its own stripe that mp would take after k others of it; false: there is none. Any thread may call it. */
bool queue_peek(const struct machine *m, const struct mp *mp, uint32_t k, uint32_t *block);
/* The multiprocessor that has a block in its stripe. */
struct mp *queue_owner(struct machine *m, uint32_t block);
bool queue_has_blocks(const struct machine *m, const struct mp *mp);
/* Assign blocks to multiprocessors that have none left; false: none got any. */
bool queues_balance(struct machine *m);
/* Blocks started so far, over all multiprocessors. */
uint32_t blocks_started(const struct machine *m);

#endif
