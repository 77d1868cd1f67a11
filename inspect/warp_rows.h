/* The report's rows by warp: issues and stalls of each warp that has ended, or is resident at the end of the launch.
 * Row i belongs to warp i of the launch. The rows are short: a launch without timing fills ten thousand rows in a
 * millisecond. */
#ifndef WB_INSPECT_WARP_ROWS_H
#define WB_INSPECT_WARP_ROWS_H

#include "inspect/launch.h"

enum { WARP_ROWS_MAX = 1 << 16 };

struct warp_rows {
	struct observer observer;
	const struct wb_launch *launch;
	struct wb_warp_report *row;     /* `stalls` is NULL until the row is listed */
	uint32_t n;
	struct stall_row *stalls;       /* by warp, with timing */
	uint64_t *turn;                 /* by warp: turn of a stepped launch in which the row was written */
};

/* Set l->rows. False: the host has no memory. */
bool warp_rows_prepare(struct wb_launch *l);

#endif
