/* A launch that one walks through, both ways, while everything it does is recorded. */
#ifndef WB_FRONTENDS_VIEW_PLAYER_H
#define WB_FRONTENDS_VIEW_PLAYER_H

#include "frontends/view/record.h"

/* The numbers of the whole run, known once it has been walked to its end. */
struct totals {
	bool known;
	uint64_t issues, cycles;
	struct wb_report report; /* numbers alone: its texts, waits, warnings and counters are not kept */
};

struct player {
	struct wb_launch *launch;
	struct wb_where at;
	struct record record;
	struct totals whole;
	bool idle; /* what is issued is not recorded */
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
/* To a position, forwards or backwards. */
enum wb_status player_goto(struct player *p, uint64_t issue, struct wb_diag *d);
enum wb_status player_goto_cycle(struct player *p, uint64_t cycle, struct wb_diag *d);
/* Walk to the end, at most `budget` issues, so that the record and the totals are there, and come back. */
enum wb_status player_survey(struct player *p, uint64_t budget, struct wb_diag *d);

/* Where to begin to look: behind the first divergence; or, if nothing diverges, in the middle of what is recorded. */
uint64_t player_interesting(const struct player *p);

/* What a search looks for in the record. */
struct sought {
	unsigned flow; /* any of these wb_flow bits; 0: every event */
	bool one_warp;
	uint32_t block, warp;
	bool at_pc;
	uint32_t pc;
};
/* The last position before the present one at which such an event had just happened; false: there is none. */
bool player_find_back(const struct player *p, const struct sought *s, uint64_t *issue);

#endif
