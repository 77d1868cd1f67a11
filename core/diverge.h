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

/* As lanes_leave, branched off with the blame on pc, and lanes_return of the group that left last: lanes `off` of the
 * mask leave for lanes `on`; either set may be empty. False: nothing has happened, for want of such a group. */
static inline bool lanes_exchange(struct warp *w, struct bill *b, lane_mask off, lane_mask on, uint32_t pc)
{
	uint32_t last = w->nout - 1;
	uint64_t lost = (w->issues - w->out_since[last]) * (unsigned)lanes_count(on);

	if (w->lent || (off | on) & ~w->in_state[LANE_RUNS] || (on && w->out[last] != on))
		return false;
	if (on) {
		b->in_state[LANE_RUNS] += lost;
		b->pc[w->out_pc[last] >> 2].lost += lost;
		w->grouped &= ~on;
		w->nout = last;
	}
	if (off)
		lanes_group(w, off, pc);
	w->active = (w->active & ~off) | on;
	return true;
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
