/* Movement of a stepped launch, forwards and backwards, up to the position of a goal. Forwards is a loop of turns;
 * backwards restores a snapshot and runs forwards from there, because the machine is deterministic. */
#include <assert.h>
#include <string.h>

#include "machine/clock.h"
#include "core/base/host_floats.h"
#include "machine/precise.h"
#include "inspect/launch.h"
#include "inspect/condition.h"
#include "inspect/time_travel.h"
#include "inspect/recorder.h"
#include "inspect/stops.h"
#include "inspect/watch.h"
#include "core/base/rng.h"

enum { DEFAULT_RECORD_BYTES = 48 << 20 };

static bool start(struct wb_launch *l, struct diag *d)
{
	if (l->past)
		return true;
	if (l->machine.result)
		return diag_set(d, DIAG_USAGE, "this launch has run already and cannot be stepped");
	if (!l->prepare(l, d))
		return false;
	if (!l->watch && !watch_begin(l))
		return diag_set(d, DIAG_ENV, "out of memory");
	machine_begin(&l->machine);
	return past_begin(l, l->record_bytes ? l->record_bytes : DEFAULT_RECORD_BYTES, d);
}

enum wb_status wb_launch_start(struct wb_launch *l, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };

	return start(l, &d) ? WB_OK : public_diag(wd, &d);
}

enum wb_status wb_launch_record_bytes(struct wb_launch *l, size_t bytes, struct wb_diag *wd)
{
	struct diag d = { 0 };

	if (l->past) {
		diag_set(&d, DIAG_USAGE, "the launch has started already: the record's size is fixed");
		return public_diag(wd, &d);
	}
	l->record_bytes = bytes;
	return WB_OK;
}

/* An interrupt stops a movement and does not end a stepped launch; a policy without a choice ends the launch. */
static bool interrupted(struct wb_launch *l)
{
	bool asked = l->machine.interrupt || l->machine.why.kind == DIAG_INTERRUPTED;

	if (l->machine.no_choice)
		return false;
	l->machine.interrupt = false;
	if (l->machine.why.kind == DIAG_INTERRUPTED) {
		diag_clear(&l->machine.why);
		l->machine.result = "ok";
		l->over = l->ended_without_issue = false;
	}
	return asked;
}

/* The number of a position: issues up to now; a fault, a limit or a hang that ends the launch counts as one more. */
static uint64_t issues_at(const struct wb_launch *l)
{
	return l->watch->issues + l->ended_without_issue;
}

/* Run one turn; false: the launch is over. */
static bool one_turn(struct wb_launch *l)
{
	uint64_t turns = l->watch->turns, issues = l->watch->issues;

	if (l->over)
		return false;
	past_before_turn(l);
	l->over = !precise_step(&l->machine);
	l->ended_without_issue = l->over && l->watch->issues == issues;
	l->ran++;
	if (l->watch->turns == turns)
		return false;
	if (l->each && l->watch->latest.issued)
		notify_issue(l);
	return true;
}

/* ---- goals ---- */

struct search {
	const struct wb_goal *goal;
	uint64_t issue, cycle;          /* position and cycle of the goal; backwards an upper bound */
	struct condition when;
	uint64_t remaining;             /* issues of the goal's warp or multiprocessor still to count */
	bool back;
	unsigned stops;
	int id;                         /* breakpoint or watch that was hit */
};

static bool concerns(const struct wb_goal *g, const struct wb_action *did)
{
	return (!g->one_warp || (did->block == g->block && did->warp == g->warp)) &&
	       (!g->one_mp || did->mp == g->mp);
}

static bool chooses(const struct wb_goal *g)
{
	return g->one_warp || g->one_mp;
}

/* Whether the last turn reached or passed `target`; `before` is the number before the turn. */
static bool crossed(uint64_t before, uint64_t now, uint64_t target)
{
	return before < target && now >= target;
}

/* Position before a turn. */
struct position {
	uint64_t issue, cycle;
};

static struct position position(const struct wb_launch *l, const struct wb_goal *g)
{
	return (struct position){ issues_at(l), g->one_mp ? wb_launch_cycle(l, g->mp) : clock_end(&l->machine) };
}

/* The present position, with cycles only if the goal counts cycles: cycles need the clock of every multiprocessor. */
static struct position where_counted(const struct wb_launch *l, const struct wb_goal *g)
{
	return g->cycles ? position(l, g) : (struct position){ .issue = issues_at(l) };
}

static bool holds(const struct search *h, const struct wb_launch *l)
{
	const struct wb_action *did = &l->watch->latest;

	return h->goal->when && condition_holds(&h->when, l, did->block, did->warp);
}

/* The goal's enum wb_stop bits met by the last turn, without counts of a single warp's or multiprocessor's issues. */
static unsigned met(struct search *h, struct wb_launch *l, const struct position *before)
{
	const struct wb_goal *g = h->goal;
	struct position now = where_counted(l, g);
	unsigned stops = 0;

	if (concerns(g, &l->watch->latest)) {
		stops |= l->watch->happened & g->stops;
		stops |= holds(h, l) ? WB_STOP_WHEN : 0;
	}
	if (!g->one_warp || concerns(g, &l->watch->latest))
		stops |= stops_met(l, g->stops, &h->id);
	if (g->issues && !chooses(g) && crossed(before->issue, now.issue, h->issue))
		stops |= WB_STOP_COUNT;
	if (g->cycles && (h->back ? now.cycle <= h->cycle && concerns(g, &l->watch->latest)
				  : crossed(before->cycle, now.cycle, h->cycle)))
		stops |= WB_STOP_COUNT;
	return stops;
}

static bool counts_here(const struct search *h, const struct wb_launch *l)
{
	const struct wb_goal *g = h->goal;

	return chooses(g) && g->issues && l->watch->latest.issued && concerns(g, &l->watch->latest);
}

static void search_forward(struct wb_launch *l, struct search *h)
{
	struct position before = where_counted(l, h->goal);
	unsigned host = program_enter(&l->plan.code);

	h->stops = 0;
	while (!h->stops && one_turn(l)) {
		h->stops = met(h, l, &before);
		if (counts_here(h, l) && !--h->remaining)
			h->stops |= WB_STOP_COUNT;
		before = where_counted(l, h->goal);
		if (interrupted(l))
			h->stops |= WB_STOP_INTERRUPTED;
	}
	program_leave(&l->plan.code, host);
	if (l->over)
		h->stops |= WB_STOP_END;
}

/* ---- backwards ---- */

static void run_to_turn(struct wb_launch *l, uint64_t turn)
{
	while (l->watch->turns < turn && one_turn(l))
		;
}

static void go_to_turn(struct wb_launch *l, uint64_t turn)
{
	if (turn < l->watch->turns || (l->over && turn == l->watch->turns))
		past_restore(l, past_snapshot_before(l, turn, UINT64_MAX, UINT64_MAX));
	run_to_turn(l, turn);
}

/* The last position between a snapshot and turn `end` that meets the goal; 0: none. */
static uint64_t search_behind_snapshot(struct wb_launch *l, struct search *h, uint64_t end, unsigned *stops)
{
	struct position before = where_counted(l, h->goal);
	uint64_t found = 0, counted = 0, start = l->watch->turns;
	int id = 0;

	stops_begin(l);
	while (l->watch->turns + 1 < end && one_turn(l)) {
		unsigned s = met(h, l, &before);
		counted += counts_here(h, l);
		if (s) {
			found = l->watch->turns;
			*stops = s;
			id = h->id;
		}
		before = where_counted(l, h->goal);
	}
	h->id = id;
	if (counted < h->remaining) {
		h->remaining -= counted;
		return found;
	}
	/* `remaining` from the end is number counted − remaining + 1 from the start */
	uint64_t skip = counted - h->remaining;
	go_to_turn(l, start);
	while (one_turn(l))
		if (counts_here(h, l) && !skip--)
			break;
	if (l->watch->turns < found)
		return found;
	*stops = WB_STOP_COUNT;
	return l->watch->turns;
}

static void search_back(struct wb_launch *l, struct search *h)
{
	uint64_t end = l->watch->turns, from = end, found;

	h->stops = 0;
	while (end > past_earliest(l) + 1 && !h->stops) {
		uint64_t snapshot = past_snapshot_before(l, end - 2, UINT64_MAX, UINT64_MAX);
		past_restore(l, snapshot);
		found = search_behind_snapshot(l, h, end, &h->stops);
		if (found)
			go_to_turn(l, found);
		end = snapshot + 1;
		if (interrupted(l)) {
			go_to_turn(l, from);
			h->stops = WB_STOP_INTERRUPTED;
		}
	}
	if (!h->stops) {
		go_to_turn(l, past_earliest(l));
		h->stops = WB_STOP_START;
	}
}

/* ---- the interface ---- */

void wb_launch_where(const struct wb_launch *l, struct wb_where *at)
{
	*at = (struct wb_where){ .result = l->machine.result ? l->machine.result : "ok", .over = l->over };
	if (l->recorder && l->recorder->positions && l->machine.result && !l->past) {
		at->issue = recorder_last_position(l);
		at->cycle = clock_end(&l->machine);
		at->over = true;
	} else if (l->watch) {
		at->issue = issues_at(l);
		at->cycle = clock_end(&l->machine);
		at->began = l->watch->began;
		at->last = l->watch->latest;
		at->turns = l->ran;
	}
}

static enum wb_status arrived(struct wb_launch *l, unsigned stops, int id, struct wb_where *at)
{
	/* an instruction with a faulting marker is executed and counted, but its turn ends in the fault */
	assert(clock_issues(&l->machine) - l->watch->issues <= l->ended_without_issue);
	wb_launch_where(l, at);
	at->stops = stops;
	at->id = stops & (WB_STOP_BREAK | WB_STOP_WATCH) ? id : 0;
	stops_hit(l, at->id);
	return WB_OK;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Parse and check a goal before the search for it. */
static bool begin_search(struct wb_launch *l, const struct wb_goal *g, struct search *h, struct diag *d)
{
	if (!start(l, d) || (g->when && !condition_parse(&h->when, l, g->when, d)))
		return false;
	if (g->one_mp && g->mp >= l->plan.nmps)
		return diag_set(d, DIAG_USAGE, "there are %u multiprocessors; found %u", l->plan.nmps, g->mp);
	stops_begin(l);
	l->ran = 0;
	return true;
}

enum wb_status wb_launch_forward(struct wb_launch *l, const struct wb_goal *g, struct wb_where *at, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };
	struct search h = { .goal = g, .remaining = g->issues };

	if (!begin_search(l, g, &h, &d))
		return public_diag(wd, &d);
	h.issue = issues_at(l) + g->issues;
	h.cycle = position(l, g).cycle + g->cycles;
	search_forward(l, &h);
	return arrived(l, h.stops, h.id, at);
}

/* Go to the first position with `issue` issues and cycle `cycle`; one of the two is 0. */
static enum wb_status go_to(struct wb_launch *l, uint64_t issue, uint64_t cycle, struct wb_where *at)
{
	unsigned stops = issue || cycle ? WB_STOP_COUNT : WB_STOP_START, host = program_enter(&l->plan.code);

	l->ran = 0;
	if (!issue && !cycle)
		past_restore(l, past_earliest(l));
	else if (issues_at(l) >= issue && clock_end(&l->machine) >= cycle)
		past_restore(
			l, past_snapshot_before(l, UINT64_MAX, issue ? issue : UINT64_MAX, cycle ? cycle : UINT64_MAX));
	if (issues_at(l) > issue && clock_end(&l->machine) > cycle)
		stops = WB_STOP_START;
	while (!(stops & WB_STOP_INTERRUPTED) && (issues_at(l) < issue || clock_end(&l->machine) < cycle) &&
	       one_turn(l))
		if (interrupted(l))
			stops = WB_STOP_INTERRUPTED;
	program_leave(&l->plan.code, host);
	return arrived(l, l->over ? WB_STOP_END : stops, 0, at);
}

/* Whether a goal's position is known without a search. */
static bool only_counts(const struct wb_goal *g)
{
	return !g->stops && !chooses(g) && !g->when && !g->issues != !g->cycles;
}

enum wb_status wb_launch_back(struct wb_launch *l, const struct wb_goal *g, struct wb_where *at, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };
	struct search h = { .goal = g, .back = true, .remaining = chooses(g) && g->issues ? g->issues : UINT64_MAX };
	unsigned host;

	if (!begin_search(l, g, &h, &d))
		return public_diag(wd, &d);
	h.issue = minus(issues_at(l), g->issues);
	h.cycle = minus(position(l, g).cycle, g->cycles);
	if (only_counts(g))
		return g->issues ? go_to(l, h.issue, 0, at) : go_to(l, 0, h.cycle, at);
	host = program_enter(&l->plan.code);
	search_back(l, &h);
	program_leave(&l->plan.code, host);
	return arrived(l, h.stops, h.id, at);
}

enum wb_status wb_launch_goto(struct wb_launch *l, uint64_t issue, struct wb_where *at, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };

	return start(l, &d) ? go_to(l, issue, 0, at) : public_diag(wd, &d);
}

enum wb_status wb_launch_goto_cycle(struct wb_launch *l, uint64_t cycle, struct wb_where *at, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };

	return start(l, &d) ? go_to(l, 0, cycle, at) : public_diag(wd, &d);
}

/* ---- the whole state as a number ---- */

static uint64_t hash_bytes(uint64_t h, const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	for (; n >= 8; p += 8, n -= 8) {
		memcpy(&v, p, 8);
		h = (h ^ v) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 29;
	}
	v = 0;
	memcpy(&v, p, n);
	return mix64(h ^ v);
}

uint64_t wb_launch_state_hash(const struct wb_launch *l)
{
	struct arena_chunk *at = NULL;
	const uint8_t *from;
	uint64_t h = hash_bytes(0, (const uint8_t *)&l->machine.run, sizeof l->machine.run), pages = 0;
	size_t n;

	while ((from = arena_piece(&l->machine.state, &at, &n)))
		h = hash_bytes(h, from, n);
	for (const struct global_page *p = l->machine.global->pages; p; p = p->next)
		pages += hash_bytes(p->number, p->bytes, PAGE_BYTES);
	return mix64(h ^ pages);
}
