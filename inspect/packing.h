/* The perfect machine (--perfect): the issues of a run whose block's threads could be packed into warps anew at each
 * pc. */
#ifndef WB_INSPECT_PACKING_H
#define WB_INSPECT_PACKING_H

#include <stdbool.h>
#include <stdint.h>

struct wb_launch;

/* Count the visits of each block's warps, and sum up at the end of the block: l->packing. False: the host has no
 * memory. */
bool packing_prepare(struct wb_launch *l);
/* Issues of the perfect machine so far. */
uint64_t packing_issues(const struct wb_launch *l);

#endif
