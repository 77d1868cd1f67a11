/* With timing and --ahead, a block is executed when it is placed, to its end, and its clock follows the courses that
 * its warps have taken (core/course.h). Nobody may see the difference:
 *
 * - what an instruction does must not depend on when it issues: no clock is read, no lock taken, no lane's store drawn
 *   by lot, nothing asked for that was in memory before an atomic;
 * - between two barriers no warp of a block touches a word that another one stores to (mem/claims.h); and no block one
 *   that a block stores to that is on the machine at the same time (mem/marks.h);
 * - nothing ends the launch early, and nobody looks at it.
 *
 * If one of this turns out not to be so, memory is put back as it was, and the launch is run again in the order of its
 * clock (api/parallel.h). */
#ifndef WB_API_AHEAD_H
#define WB_API_AHEAD_H

#include "api/internal.h"
#include "core/course.h"

/* Why a launch cannot begin like this, as a phrase; NULL: it can. */
const char *ahead_may_not(const struct wb_launch *l);
/* Blocks that are on the machine, and those to come, are executed ahead; and no more. begin: by several threads, of
 * which one may help another out; false: no memory. */
bool ahead_begin(struct wb_launch *l, bool several);
void ahead_end(struct wb_launch *l);
/* What a host thread that runs multiprocessors needs for sched/periods.h. NULL: no memory. */
struct periods *ahead_periods(const struct wb_launch *l, struct arena *a);
/* It went wrong because somebody stored where nobody had before; with l->every_load that would not matter. */
bool ahead_broken(const struct wb_launch *l);
/* Execute a block, to be put into a room, unless that has been done. But for the last one, of which somebody may want
 * to see what it leaves, that is done in memory that will be used again. False: the launch has been given up. */
bool ahead_place(struct wb_launch *l, struct mp *mp, struct resident *r, uint32_t index);
/* It has been put there: its clock is at the beginning of its courses. */
void ahead_follow(struct mp *mp, struct resident *r);
/* The blocks that are on a multiprocessor when it begins, both. */
bool ahead_blocks(struct wb_launch *l, struct mp *mp);
/* Execute a block that has not been placed, while there is nothing else to do. False: there is nothing to do. Whether
 * there is may be asked first, and may be answered wrongly. */
bool ahead_may_help(struct wb_launch *l);
bool ahead_help(struct wb_launch *l);
/* Workers of mem/marks.h: one for each room of each multiprocessor, whose blocks come one after the other, and for each
 * block that has been executed and not placed. */
unsigned ahead_workers(const struct wb_launch *l, bool several);

#endif
