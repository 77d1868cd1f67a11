/* Blocks and their warps on a multiprocessor, from storage to end (machine/blocks.c). */
#ifndef WB_MACHINE_BLOCKS_H
#define WB_MACHINE_BLOCKS_H

#include "machine/state.h"

/* Storage of a warp: registers begin at the end of the private state, an order that executors rely on. False: the host
 * has no memory. */
bool warp_storage(struct machine *m, void **state, struct row **reg);
/* s[] of a block, and l[], NULL where the program has no local memory. False: the host has no memory. */
bool block_memory(struct machine *m, uint8_t **shared, uint8_t **local);
/* Warps of a block without registers and private state; observers prepare for the block. False: the host has no
 * memory. */
bool block_warps(struct machine *m, struct block *b);
/* Storage of a block: warps, registers, private state, s[] and l[]. False: the host has no memory. */
bool block_storage(struct machine *m, struct mp *mp, struct resident *r);
/* Clear *mp, and make the executor of multiprocessor `index`, with counters. bill: a bill to count in; NULL: one of its
 * own. False: the host has no memory. */
bool mp_prepare_exec(struct machine *m, struct mp *mp, unsigned index, struct bill *bill);
/* Block `index` begins, in the storage of b. */
void block_start(struct machine *m, struct block *b, uint32_t index);
/* The warps of a started block come to the slots of r. */
void block_admit(struct machine *m, struct mp *mp, struct resident *r);
/* Put the next block of mp's queue, if there is a block, into r, which is free. False: the run has been given up. */
bool block_place_next(struct machine *m, struct mp *mp, struct resident *r);
/* Consequences of a turn of warp w with outcome r, its next instruction apart. False: the launch is over. */
bool block_after_turn(struct machine *m, struct mp *mp, struct warp *w, struct block *b, int r);
/* Close the accounts of warps that have not finished. */
void blocks_settle(struct machine *m);

#endif
