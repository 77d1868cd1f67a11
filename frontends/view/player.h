/* A launch to walk through, forwards and backwards, with a record of all issues. */
#ifndef WB_FRONTENDS_VIEW_PLAYER_H
#define WB_FRONTENDS_VIEW_PLAYER_H

#include "frontends/view/record.h"

/* The numbers of the whole run, known after a walk to its end. */
struct totals {
	bool known;
	uint64_t issues, cycles;
	struct wb_report report; /* numbers alone: texts, waits, warnings and counters are not kept */
	uint64_t *warp_stalls;   /* stalls of the report's warps */
};

struct player {
	struct wb_launch *launch;
	struct wb_where where;
	struct record record;
	struct totals whole;
	bool idle; /* issues are not recorded */
	/* By warp slot of each multiprocessor: the warp's stalls up to its last recorded issue. */
	struct waited {
		uint32_t block, warp;
		bool known;
		uint64_t cycles[WAITS];
	} *waited;
	unsigned slots;
};

/* Stand before the first instruction of a launch, which belongs to the player from now on, even after a failure. Its
 * program must outlive the player. */
enum wb_status player_begin(struct player *p, struct wb_launch *launch, struct wb_diag *d);
/* Begin a launch of a kernel (NULL: the only kernel) with the arguments of its file. */
enum wb_status player_open(struct player *p, const struct wb_program *program, const char *kernel,
			   const struct wb_config *config, struct wb_diag *d);
void player_close(struct player *p);

/* Forward to the goal, at most `budget` issues; p->at.stops has the reason of the stop (0: the budget is used up). */
enum wb_status player_forward(struct player *p, const struct wb_goal *g, uint64_t budget, struct wb_diag *d);
/* Backwards to the goal; without an earlier match the position stays and p->at.stops has WB_STOP_START. */
enum wb_status player_back(struct player *p, const struct wb_goal *g, struct wb_diag *d);
/* To a position, forwards or backwards. */
enum wb_status player_goto(struct player *p, uint64_t issue, struct wb_diag *d);
/* To a position, and behind it until a cycle, as long as no warp issues: turns go by while a warp waits for a lock. */
enum wb_status player_goto_place(struct player *p, uint64_t issue, uint64_t cycle, struct wb_diag *d);
/* To the first issue, on this multiprocessor or (-1) on any, whose cycle is not less. */
enum wb_status player_goto_cycle(struct player *p, int mp, uint64_t cycle, struct wb_diag *d);
/* To the position of a multiprocessor at a cycle, within the record; the end stays the end. */
enum wb_status player_show_mp(struct player *p, unsigned mp, uint64_t cycle, struct wb_diag *d);
/* Walk to the end, at most `budget` issues, to fill the record and the totals, and come back. */
enum wb_status player_survey(struct player *p, uint64_t budget, struct wb_diag *d);

/* A position to begin with: behind the first divergence; without divergence, in the middle of the first
 * multiprocessor's record. */
uint64_t player_interesting(const struct player *p);

#endif
