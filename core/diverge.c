/* Lanes that leave the active mask and return, with the lost slots charged to their cause. */
#include "core/diverge.h"

#include <assert.h>
#include <string.h>

void warp_start(struct warp *w, int n, uint32_t pc)
{
	w->launched = w->active = lanes_first(n);
	memset(w->in_state, 0, sizeof w->in_state);
	w->in_state[LANE_RUNS] = w->launched;
	w->helper = 0;
	w->pc = pc;
	w->status = WARP_READY;
	w->issues = 0;
	w->latest_out = 0;
	/* the first n are set when a lane leaves */
	memset(w->out_since + n, 0, (size_t)(LANES_MAX - n) * sizeof *w->out_since);
}

static enum lane_state state_of(const struct warp *w, int lane)
{
	int s = LANE_RUNS;

	while (s < LANE_EXITED && !(w->in_state[s] >> lane & 1))
		s++;
	return s;
}

static void move_to(struct warp *w, lane_mask lanes, enum lane_state to)
{
	for (int s = 0; s < 4; s++)
		w->in_state[s] &= ~lanes;
	w->in_state[to] |= lanes;
}

/* Whether the lanes are a run from lane 0, as all lanes of a warp are. */
static inline bool from_first(lane_mask lanes)
{
	return lanes && !(lanes & (lanes + 1));
}

/* Whether the first n lanes have just left. A loop for the compiler's vectors. */
static bool lost_nothing(const struct warp *w, int n)
{
	uint64_t lost = 0;

	for (int l = 0; l < n; l++)
		lost |= w->issues ^ w->out_since[l];
	return !lost;
}

/* Charge all of `lanes` with the pc and reason of lane `first` together. Returns the other lanes. */
static lane_mask charge_like(struct warp *w, struct bill *b, lane_mask lanes, int first)
{
	bool absent = !(w->launched >> first & 1);
	enum lane_state s = state_of(w, first);
	lane_mask group = lanes & (absent ? ~w->launched : w->in_state[s]);
	uint32_t pc = w->out_pc[first];
	uint64_t lost = 0;

	FOR_SET_LANES(l, group) {
		if (!absent && w->out_pc[l] != pc)
			continue;
		lanes &= ~(1ull << l);
		lost += w->issues - w->out_since[l];
		w->out_since[l] = w->issues;
	}
	if (absent) {
		b->absent += lost;
	} else if (lost) {
		b->in_state[s] += lost;
		b->pc[pc >> 2].lost += lost;
	}
	return lanes;
}

/* Charge all lanes behind the launched ones, if `absent` is those. A loop for the compiler's vectors, and left out of
 * the module of a page, which is small rather than fast. */
#ifdef __wasm__
static bool charge_behind(const struct warp *w, const struct bill *b, lane_mask absent)
{
	(void)w, (void)b, (void)absent;
	return false;
}
#else
static bool charge_behind(struct warp *w, struct bill *b, lane_mask absent)
{
	uint64_t lost = 0;

	if (!absent || !from_first(w->launched) || absent != (lanes_first((int)b->lanes) & ~w->launched))
		return false;
	for (unsigned l = (unsigned)lanes_count(w->launched); l < b->lanes; l++) {
		lost += w->issues - w->out_since[l];
		w->out_since[l] = w->issues;
	}
	b->absent += lost;
	return true;
}
#endif

static void charge(struct warp *w, struct bill *b, lane_mask lanes)
{
	if (charge_behind(w, b, lanes & ~w->launched))
		lanes &= w->launched;
	/* A warp mostly ends with all lanes at once. */
	if (!(lanes & ~w->latest_out) && w->issues == w->latest_out_since)
		return;
	if (from_first(lanes) && lost_nothing(w, lanes_count(lanes)))
		return;
	while (lanes)
		lanes = charge_like(w, b, lanes, __builtin_ctzll(lanes));
}

void lanes_leave(struct warp *w, lane_mask lanes, enum lane_state to, uint32_t pc)
{
	assert(!(lanes & ~w->active));
	w->active &= ~lanes;
	w->latest_out = lanes;
	w->latest_out_since = w->issues;
	move_to(w, lanes, to);
	if (from_first(lanes)) {
		int n = lanes_count(lanes);
		for (int l = 0; l < n; l++) {
			w->out_pc[l] = pc;
			w->out_since[l] = w->issues;
		}
		return;
	}
	FOR_SET_LANES(l, lanes) {
		w->out_pc[l] = pc;
		w->out_since[l] = w->issues;
	}
}

void lanes_return(struct warp *w, struct bill *b, lane_mask lanes)
{
	lanes &= ~w->active;
	charge(w, b, lanes);
	move_to(w, lanes, LANE_RUNS);
	w->active |= lanes;
}

void lanes_lend(struct warp *w, struct bill *b, lane_mask lanes)
{
	lanes &= ~w->active;
	charge(w, b, lanes);
	w->active |= lanes;
}

void lanes_give_back(struct warp *w, lane_mask lanes)
{
	w->active &= ~lanes;
	FOR_SET_LANES(l, lanes)
		w->out_since[l] = w->issues;
}

void lanes_settle(struct warp *w, struct bill *b)
{
	charge(w, b, lanes_first(b->lanes) & ~w->active);
}
