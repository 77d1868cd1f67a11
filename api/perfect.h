/* The perfect machine: what a run would have issued if its block's threads could be packed into warps anew at each
 * pc. */
#ifndef WB_API_PERFECT_H
#define WB_API_PERFECT_H

#include <stdbool.h>

struct block;
struct mp;
struct wb_launch;

/* With --perfect, have the visits of a block's warps counted. False: the host has no memory. */
bool perfect_room(struct wb_launch *l, struct block *b);
/* A block of mp has finished: add what its visits come to, and forget them. */
void perfect_block(struct wb_launch *l, struct mp *mp, struct block *b);

#endif
