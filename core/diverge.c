/* Lanes that leave the active mask and return, with the lost slots charged to the cause of the leaving.
 *
 * Lanes that leave together are a group (struct warp.out), so that leaving costs the same for any number of lanes, and
 * coming back a step for each group met. Every lane out of the mask is in one group. Lent lanes stay in the group to
 * which the machine gives them back. */
#include "core/diverge.h"

#include <assert.h>
#include <string.h>

/* ---- groups ---- */

/* Take lanes out of all groups. Group 0, of lanes that do not exist, stays even if empty. */
static void drop(struct warp *w, lane_mask lanes)
{
	w->grouped &= ~lanes;
	for (unsigned i = 0; i < w->nout; i++) {
		w->out[i] &= ~lanes;
		if (w->out[i] || !i)
			continue;
		w->nout--;
		w->out[i] = w->out[w->nout];
		w->out_pc[i] = w->out_pc[w->nout];
		w->out_since[i] = w->out_since[w->nout];
		i--;
	}
}

/* Lanes of group i lose no slot up to now; other lanes of the group go on. */
static void begin_anew(struct warp *w, unsigned i, lane_mask lanes)
{
	if (w->out[i] == lanes) {
		w->out_since[i] = w->issues;
		return;
	}
	w->out[i] &= ~lanes;
	lanes_group(w, lanes, w->out_pc[i]);
}

void warp_start(struct warp *w, int n, uint32_t pc)
{
	w->launched = w->active = lanes_first(n);
	memset(w->in_state, 0, sizeof w->in_state);
	w->in_state[LANE_RUNS] = w->launched;
	w->helper = 0;
	w->pc = pc;
	w->status = WARP_READY;
	w->issues = 0;
	w->nout = 0;
	w->lent = w->grouped = 0;
	lanes_group(w, ~w->launched, 0);
}

/* ---- the bill ---- */

static enum lane_state state_of(const struct warp *w, lane_mask lanes)
{
	int s = LANE_RUNS;

	while (s < LANE_EXITED && !(w->in_state[s] & lanes))
		s++;
	return s;
}

/* Charge `lanes`, of group i, with the slots lost in `issues` instructions. */
static void charge_group(const struct warp *w, struct bill *b, unsigned i, lane_mask lanes, uint64_t issues)
{
	uint64_t lost = issues * (unsigned)lanes_count(lanes);

	if (!(lanes & w->launched)) {
		b->absent += lost;
	} else {
		b->in_state[state_of(w, lanes)] += lost;
		b->pc[w->out_pc[i] >> 2].lost += lost;
	}
}

/* anew: the lanes go on losing slots, from now. */
static inline void charge(struct warp *w, struct bill *b, lane_mask lanes, bool anew)
{
	for (unsigned i = 0; lanes && i < w->nout; i++) {
		lane_mask those = w->out[i] & lanes;
		uint64_t issues = w->issues - w->out_since[i];
		if (!those)
			continue;
		lanes &= ~those;
		if (issues)
			charge_group(w, b, i, those, issues);
		if (anew && (issues || w->out[i] != those))
			begin_anew(w, i, those);
	}
}

static __attribute__((noinline)) void charge_all(struct warp *w, struct bill *b, lane_mask lanes)
{
	charge(w, b, lanes, true);
}

/* ---- leaving and coming back ---- */

static void move_to(struct warp *w, lane_mask lanes, enum lane_state to)
{
	for (int s = 0; s < 4; s++)
		w->in_state[s] &= ~lanes;
	w->in_state[to] |= lanes;
}

void lanes_leave(struct warp *w, lane_mask lanes, enum lane_state to, uint32_t pc)
{
	assert(!(lanes & ~w->active));
	w->active &= ~lanes;
	move_to(w, lanes, to);
	if (lanes & w->grouped)
		drop(w, lanes);
	if (lanes)
		lanes_group(w, lanes, pc);
}

void lanes_return(struct warp *w, struct bill *b, lane_mask lanes)
{
	lanes &= ~w->active;
	charge(w, b, lanes, false);
	drop(w, lanes & ~w->lent);
	move_to(w, lanes, LANE_RUNS);
	w->active |= lanes;
}

void lanes_lend(struct warp *w, struct bill *b, lane_mask lanes)
{
	lanes &= ~w->active;
	charge(w, b, lanes, true);
	w->lent |= lanes;
	w->active |= lanes;
}

void lanes_give_back(struct warp *w, lane_mask lanes)
{
	w->active &= ~lanes;
	w->lent &= ~lanes;
	for (unsigned i = 0; lanes && i < w->nout; i++) {
		lane_mask those = w->out[i] & lanes;
		lanes &= ~those;
		if (those)
			begin_anew(w, i, those);
	}
}

void lanes_settle(struct warp *w, struct bill *b)
{
	lane_mask lanes = lanes_first((int)b->lanes) & ~w->active;

	for (unsigned i = 0; i < w->nout; i++)
		if (w->out[i] & lanes && (w->issues != w->out_since[i] || w->out[i] & ~lanes)) {
			charge_all(w, b, lanes);
			return;
		}
}

uint32_t lanes_cause(const struct warp *w, lane_mask lanes)
{
	unsigned i = 0;

	while (i < w->nout && !(w->out[i] & lanes))
		i++;
	return i < w->nout ? w->out_pc[i] : w->pc;
}
