/* Breakpoints and watches of a stepped launch. */
#ifndef WB_INSPECT_STOPS_H
#define WB_INSPECT_STOPS_H

struct wb_launch;

/* Store the values of watched expressions, before the first turn of a move. */
void stops_begin(struct wb_launch *l);
/* After a turn: the bits of `wanted` (WB_STOP_BREAK, WB_STOP_WATCH) that were hit, and the id of one hit. */
unsigned stops_met(struct wb_launch *l, unsigned wanted, int *id);
/* Count a stop of the launch at breakpoint or watch `id`. */
void stops_hit(struct wb_launch *l, int id);
void stops_free(struct wb_launch *l);

#endif
