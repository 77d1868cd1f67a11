/* A launch to walk through, forwards and backwards, with a record of all issues from a run of a second launch like
 * it. */
#ifndef WB_FRONTENDS_VIEW_PLAYER_H
#define WB_FRONTENDS_VIEW_PLAYER_H

#include "frontends/view/record.h"

/* The numbers of the recorded run. */
struct totals {
	bool known; /* the run has come to its end */
	uint64_t issues, cycles;
	const struct wb_report *report; /* NULL: not yet run */
};

struct player {
	struct wb_launch *launch;
	struct wb_launch *recorded; /* like `launch`, to be run once */
	struct wb_where where;
	struct record record;
	struct totals whole;
	bool surveyed;
};

/* Stand before the first instruction of a launch. `recorded` is another launch of the same kernel with the same inputs.
 * Both belong to the player from now on, even after a failure. Their program must outlive the player. */
enum wb_status player_begin(struct player *p, struct wb_launch *launch, struct wb_launch *recorded,
			    struct wb_diag *d);
/* Begin a launch of a kernel (NULL: the only kernel) with the arguments of its file. */
enum wb_status player_open(struct player *p, const struct wb_program *program, const char *kernel,
			   const struct wb_config *config, struct wb_diag *d);
void player_close(struct player *p);

/* Forward to the goal, at most `budget` issues; p->where.stops has the reason of the stop (0: the budget is used
 * up). */
enum wb_status player_forward(struct player *p, const struct wb_goal *g, uint64_t budget, struct wb_diag *d);
/* Backwards to the goal; without an earlier match the position stays and p->where.stops has WB_STOP_START. */
enum wb_status player_back(struct player *p, const struct wb_goal *g, struct wb_diag *d);
/* To a position, forwards or backwards. */
enum wb_status player_goto(struct player *p, uint64_t issue, struct wb_diag *d);
/* To a position, and behind it until a cycle, as long as no warp issues: turns go by while a warp waits for a lock. */
enum wb_status player_goto_place(struct player *p, uint64_t issue, uint64_t cycle, struct wb_diag *d);
/* To the first issue, on this multiprocessor or (-1) on any, whose cycle is not less. */
enum wb_status player_goto_cycle(struct player *p, int mp, uint64_t cycle, struct wb_diag *d);
/* To the position of a multiprocessor at a cycle, within the record; the end stays the end. */
enum wb_status player_show_mp(struct player *p, unsigned mp, uint64_t cycle, struct wb_diag *d);
/* Run the second launch, to fill the record, with at most `most` issues, and the totals; once. The position stays. */
enum wb_status player_survey(struct player *p, uint64_t most, struct wb_diag *d);

/* A position to begin with, of the multiprocessor that issues last: behind the first divergence; without divergence, in
 * the middle of the record. Not far from the start, as the way there is stepped. */
uint64_t player_interesting(const struct player *p);

#endif
