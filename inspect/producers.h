/* Which instruction made what another one waited for (--producers). */
#ifndef WB_INSPECT_PRODUCERS_H
#define WB_INSPECT_PRODUCERS_H

#include <stdbool.h>
#include <stdint.h>

struct wb_launch;

/* Observe which instruction makes each result, and charge waits to it: l->producers. False: the host has no memory. */
bool producers_prepare(struct wb_launch *l);
/* The causes of the waits of all multiprocessors, into l->report. */
void producers_report(struct wb_launch *l);
/* The pc of the instruction that makes an entry of a slot's scoreboard, or of the slot's last one if `entry` is
 * SCHED_NONE; false: not known. */
bool producer_of(const struct wb_launch *l, unsigned mp, unsigned slot, int entry, uint32_t *pc);

#endif
