/* Assignment of the grid's blocks to multiprocessors, in advance: the blocks of a multiprocessor do not depend on the
 * progress of the others, so several host threads may run the launch. Each multiprocessor has a stripe of the grid;
 * between epochs, multiprocessors with an empty queue get blocks of other stripes. */
#ifndef WB_MACHINE_BLOCK_SCHEDULER_H
#define WB_MACHINE_BLOCK_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

struct mp;
struct machine;

/* Blocks that a multiprocessor has not started. */
struct work_queue {
	_Atomic uint32_t taken; /* blocks of the stripe that were started here or assigned to others */
	unsigned nassigned;
	uint32_t *assigned;     /* blocks of other stripes, at most nresident, started first */
};

/* False: the host has no memory. */
bool queue_prepare(struct machine *m, struct mp *mp);
/* The next block of mp; false: the queue is empty. */
bool queue_take(struct machine *m, struct mp *mp, uint32_t *block);
/* Block of the stripe of mp that comes after k others; false: the stripe ends before. Any thread may call it. */
bool queue_peek(const struct machine *m, const struct mp *mp, uint32_t k, uint32_t *block);
/* Multiprocessor with a block in its stripe. */
struct mp *queue_owner(struct machine *m, uint32_t block);
bool queue_has_blocks(const struct machine *m, const struct mp *mp);
/* Assign blocks to multiprocessors with an empty queue; false: no block was assigned. */
bool queues_balance(struct machine *m);

#endif
