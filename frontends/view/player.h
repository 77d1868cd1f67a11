/* A launch that one walks through, both ways, while everything it does is recorded. */
#ifndef WB_FRONTENDS_VIEW_PLAYER_H
#define WB_FRONTENDS_VIEW_PLAYER_H

#include "frontends/view/record.h"

/* The numbers of the whole run, known once it has been walked to its end. */
struct totals {
	bool known;
	uint64_t issues, cycles;
	struct wb_report report; /* numbers alone: its texts, waits, warnings and counters are not kept */
	uint64_t *warp_stalls;   /* of its warps */
};

struct player {
	struct wb_launch *launch;
	struct wb_where at;
	struct record record;
	struct totals whole;
	bool idle; /* what is issued is not recorded */
	/* Of each warp slot of each multiprocessor, what its warp had waited up to its last recorded issue. */
	struct waited {
		uint32_t block, warp;
		bool known;
		uint64_t cycles[WAITS];
	} *waited;
	unsigned slots;
};

/* Stand before the first instruction of a launch, which becomes the player's whatever the status. Its program must
 * outlive the player. */
enum wb_status player_begin(struct player *p, struct wb_launch *launch, struct wb_diag *d);
/* The same for a launch of a kernel (NULL: the only one) with what its file says of arguments. */
enum wb_status player_open(struct player *p, const struct wb_program *program, const char *kernel,
			   const struct wb_config *config, struct wb_diag *d);
void player_close(struct player *p);

/* Forward to the goal, at most `budget` issues; p->at.stops says why it stopped (0: the budget is used up). */
enum wb_status player_forward(struct player *p, const struct wb_goal *g, uint64_t budget, struct wb_diag *d);
/* Backwards to the goal; where there is none, it stays where it is and p->at.stops has WB_STOP_START. */
enum wb_status player_back(struct player *p, const struct wb_goal *g, struct wb_diag *d);
/* To a position, forwards or backwards. */
enum wb_status player_goto(struct player *p, uint64_t issue, struct wb_diag *d);
/* To the first issue, on this multiprocessor or (-1) on any, whose cycle is not less. */
enum wb_status player_goto_cycle(struct player *p, int mp, uint64_t cycle, struct wb_diag *d);
/* To where this multiprocessor stood at a cycle, as far as it is recorded; the end stays the end. */
enum wb_status player_show_mp(struct player *p, unsigned mp, uint64_t cycle, struct wb_diag *d);
/* Walk to the end, at most `budget` issues, so that the record and the totals are there, and come back. */
enum wb_status player_survey(struct player *p, uint64_t budget, struct wb_diag *d);

/* Where to begin to look: behind the first divergence; or, if nothing diverges, in the middle of what is recorded of
 * the first multiprocessor. */
uint64_t player_interesting(const struct player *p);

#endif
