/* The producers of awaited results (--producers). */
#ifndef WB_INSPECT_PRODUCERS_H
#define WB_INSPECT_PRODUCERS_H

#include <stdbool.h>
#include <stdint.h>

struct wb_launch;

/* Observe the producer of each result, and charge waits to the producer: l->producers. False: the host has no
 * memory. */
bool producers_prepare(struct wb_launch *l);
/* Copy the causes of the waits of all multiprocessors into l->report. */
void producers_report(struct wb_launch *l);
/* The pc of the instruction that makes an entry of a slot's scoreboard, or of the slot's previous instruction if
 * `entry` is SCHED_NONE; false: unknown. */
bool producer_of(const struct wb_launch *l, unsigned mp, unsigned slot, int entry, uint32_t *pc);
/* The instruction that took a unit of a multiprocessor last; false: none, or not observed. */
bool unit_holder(const struct wb_launch *l, unsigned mp, unsigned unit, uint32_t *pc);

#endif
