/* The only place where lanes leave and rejoin the active mask. A lane leaves with a new state and the pc of the cause;
 * when the lane comes back, the lost slots are charged to the pc. */
#ifndef WB_CORE_DIVERGE_H
#define WB_CORE_DIVERGE_H

#include "core/bill.h"
#include "core/warp.h"

/* Set up a warp's masks: lanes 0 … n−1 exist, run, and start at pc. */
void warp_start(struct warp *w, int n, uint32_t pc);
/* Take active lanes out of the mask; `pc` is the instruction to blame. LANE_RUNS means branched off. */
void lanes_leave(struct warp *w, lane_mask lanes, enum lane_state to, uint32_t pc);
/* Let inactive lanes run again (state LANE_RUNS), and charge the lost slots. */
void lanes_return(struct warp *w, struct bill *b, lane_mask lanes);
/* Quadon and quadpop: lend lanes to the active mask whatever their state, and give the lanes back to that state. */
void lanes_lend(struct warp *w, struct bill *b, lane_mask lanes);
void lanes_give_back(struct warp *w, lane_mask lanes);
/* Charge the slots that inactive lanes have lost so far: at the end of a warp, or when a launch stops. */
void lanes_settle(struct warp *w, struct bill *b);

/* The instruction that took out one of `lanes`, which are inactive. */
uint32_t lanes_cause(const struct warp *w, lane_mask lanes);

/* A group of lanes is out of the active mask from now on. */
static inline void lanes_group(struct warp *w, lane_mask lanes, uint32_t pc)
{
	unsigned i = w->nout++;

	w->out[i] = lanes;
	w->out_pc[i] = pc;
	w->out_since[i] = w->issues;
	w->grouped |= lanes;
}

/* As lanes_leave: all active lanes, none of them lent, end. */
static inline void lanes_end(struct warp *w, uint32_t pc)
{
	lane_mask lanes = w->active;

	w->active = 0;
	w->in_state[LANE_RUNS] &= ~lanes;
	w->in_state[LANE_BROKE] &= ~lanes;
	w->in_state[LANE_RETURNED] &= ~lanes;
	w->in_state[LANE_EXITED] |= lanes;
	lanes_group(w, lanes, pc);
}

static inline lane_mask lanes_live(const struct warp *w, lane_mask m)   /* lanes of m in state 0 */
{
	return m & w->in_state[LANE_RUNS];
}

/* Lanes out for good, or that never existed. */
static inline lane_mask lanes_gone(const struct warp *w)
{
	return ~w->launched | w->in_state[LANE_BROKE] | w->in_state[LANE_RETURNED] | w->in_state[LANE_EXITED];
}

#endif
