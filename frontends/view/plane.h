/* Threads of a launch on a plane: the place of each thread in a map of cost. Slices in z stand below each other; a
 * launch in one dimension is cut into rows. */
#ifndef WB_FRONTENDS_VIEW_PLANE_H
#define WB_FRONTENDS_VIEW_PLANE_H

#include "warpbeam.h"

enum { PLANE_THREADS = 1 << 20 };

struct plane {
	const struct wb_launch_info *l;
	uint32_t threads, lanes_of_block; /* of a block: threads, and lanes of its warps */
	uint64_t all;                     /* threads of the launch */
	uint32_t w, h;
	bool cut; /* one dimension, in rows of w threads */
};

/* False: no threads, or more than PLANE_THREADS. Rows of a cut plane are as long as the launch. */
bool plane_make(struct plane *p, const struct wb_launch_info *l, uint32_t warps_per_block);
/* Cut a plane of one dimension into rows of w threads. */
void plane_cut(struct plane *p, uint32_t w);
/* The number of the thread at a place among the lanes of all warps of the launch; -1: no thread. */
int64_t plane_lane(const struct plane *p, uint32_t x, uint32_t y);
/* The place of a thread by its number among the lanes. False: a lane without a thread. */
bool plane_place(const struct plane *p, uint64_t lane, uint32_t *x, uint32_t *y);

#endif
