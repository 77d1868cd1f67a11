/* Memory transactions of a run: what the accesses of each step cost by the chip's rules. */
#ifndef WB_API_OBSERVE_H
#define WB_API_OBSERVE_H

#include <stdbool.h>

struct mp;
struct wb_launch;

/* With --stats-level full, have mp's steps observed and counted in mp->mem. False: the host has no memory. */
bool observe_setup(struct wb_launch *l, struct mp *mp);

#endif
