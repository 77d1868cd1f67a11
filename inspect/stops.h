/* Breakpoints and watches of a launch that is stepped. */
#ifndef WB_INSPECT_STOPS_H
#define WB_INSPECT_STOPS_H

struct wb_launch;

/* Note what watched expressions are here, before the first turn of a way. */
void stops_begin(struct wb_launch *l);
/* After a turn: which of `wanted` (enum wb_stop bits) were hit, WB_STOP_BREAK and WB_STOP_WATCH, and the id of one. */
unsigned stops_met(struct wb_launch *l, unsigned wanted, int *id);
/* The launch has stopped at this one: count it. */
void stops_hit(struct wb_launch *l, int id);
void stops_free(struct wb_launch *l);

#endif
