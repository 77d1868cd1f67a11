/* The report's rows by warp: what each warp that has ended, or stands at the end of the launch, has issued and waited
 * for. Of warp i of the launch it is row i. The rows are short: a launch without timing fills ten thousand of them in a
 * millisecond. */
#ifndef WB_INSPECT_WARP_ROWS_H
#define WB_INSPECT_WARP_ROWS_H

#include "inspect/launch.h"

enum { WARP_ROWS_MAX = 1 << 16 };

struct warp_rows {
	struct observer observer;
	const struct wb_launch *launch;
	struct wb_warp_report *row;     /* `stalls` is NULL as long as it is not listed */
	uint32_t n;
	struct stall_row *stalls;       /* with timing, of each */
	uint64_t *turn;                 /* of the stepped launch, in which each was noted */
};

/* Set l->rows. False: the host has no memory. */
bool warp_rows_prepare(struct wb_launch *l);

#endif
