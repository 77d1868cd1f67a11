/* Goals that the record can answer (the next split, n issues of one multiprocessor back) are searched there and cost
 * one jump to a position. Any other goal runs the launch: at once if the library can count the goal, else issue by
 * issue, with a budget in issues of all multiprocessors, so that a view stays responsive. */
#include "frontends/view/player.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum wb_status player_begin(struct player *p, struct wb_launch *launch, struct wb_launch *recorded, struct wb_diag *d)
{
	struct wb_machine machine;
	*p = (struct player){.launch = launch, .recorded = recorded};
	enum wb_status status = wb_launch_start(p->launch, d);
	if (status != WB_OK)
		return status;
	wb_launch_where(p->launch, &p->where);
	wb_launch_machine(launch, &machine);
	if (record_begin(&p->record, machine.mps, machine.slots < 64 ? machine.slots : 64))
		return WB_OK;
	*d = (struct wb_diag){.status = WB_ENV, .offset = -1, .text = "out of memory"};
	return WB_ENV;
}

enum wb_status player_open(struct player *p, const struct wb_program *program, const char *kernel,
			   const struct wb_config *config, struct wb_diag *d)
{
	struct wb_launch *launch, *recorded = NULL;
	enum wb_status status = wb_launch_new(program, kernel, config, &launch, d);
	if (status == WB_OK)
		status = wb_launch_new(program, kernel, config, &recorded, d);
	*p = (struct player){.launch = launch, .recorded = recorded};
	return status == WB_OK ? player_begin(p, launch, recorded, d) : status;
}

void player_close(struct player *p)
{
	wb_launch_free(p->launch);
	wb_launch_free(p->recorded);
	record_free(&p->record);
	*p = (struct player){.launch = NULL};
}

/* ---- the record ---- */

/* An issue of the run becomes an event of the record. */
static bool add(struct record *r, const struct wb_event *e, const struct wb_issue_detail *detail)
{
	return record_add(r, &(struct event){.cycle = e->cycle,
					     .active = e->active,
					     .executed = e->executed,
					     .absent = detail->gone == UINT64_MAX ? 0 : detail->gone,
					     .pc = (uint32_t)e->pc,
					     .block = (uint32_t)e->block,
					     .warp = (uint16_t)e->warp,
					     .mp = (uint16_t)e->mp,
					     .slot = (uint8_t)e->slot,
					     .flow = (uint8_t)e->flow,
					     .depth = (uint8_t)(e->depth < UINT8_MAX ? e->depth : UINT8_MAX),
					     .lanes = (uint8_t)__builtin_popcountll(e->executed)},
			  detail->waits + 1);
}

/* The sink of the recorded run. A full record ends the run. */
static void keep(void *context, const struct wb_chunk *c)
{
	struct player *p = context;
	struct wb_event e;
	if (!c->bytes) {
		record_clear(&p->record);
		return;
	}
	struct wb_events *events = wb_events_open(c->bytes, c->size);
	p->record.full |= !events;
	while (events && !p->record.full && wb_events_next(events, &e, NULL))
		add(&p->record, &e, wb_events_detail(events, &e));
	wb_events_close(events);
	if (p->record.full)
		wb_launch_interrupt(p->recorded);
}

/* Whether a run has a report: the guest's mishaps are no failures of the player. */
static bool has_run(enum wb_status s)
{
	return s == WB_OK || s == WB_FAILED || s == WB_FAULT || s == WB_LIMIT || s == WB_HANG || s == WB_INTERRUPTED;
}

enum wb_status player_survey(struct player *p, uint64_t most, struct wb_diag *d)
{
	struct wb_where end;
	if (p->surveyed)
		return WB_OK;
	p->surveyed = true;
	p->record.most = most < RECORD_MAX ? most : RECORD_MAX;
	enum wb_status status = wb_launch_record_issues(p->recorded, keep, p, d);
	if (status == WB_OK)
		status = wb_launch_run(p->recorded, d);
	if (!has_run(status))
		return status;
	p->record.full |= status == WB_INTERRUPTED;
	p->whole.report = wb_launch_report(p->recorded);
	p->whole.known = p->whole.report && !p->record.full;
	if (p->whole.known) {
		wb_launch_where(p->recorded, &end);
		p->whole.issues = end.issue;
		p->whole.cycles = end.cycle;
	}
	return WB_OK;
}

/* ---- forwards ---- */

/* A walk towards a goal, issue by issue. */
struct walk {
	const struct wb_goal *goal;
	uint64_t from, issues; /* cycle at the start; issues that count */
};

static uint64_t cycle_of(const struct player *p, const struct wb_goal *g)
{
	return g->one_mp ? wb_launch_cycle(p->launch, g->mp) : p->where.cycle;
}

static bool concerns(const struct wb_goal *g, const struct wb_action *did)
{
	return (!g->one_warp || (did->block == g->block && did->warp == g->warp)) &&
	       (!g->one_mp || did->mp == g->mp);
}

/* Breakpoints, watches and the end stop a walk, whichever warp arrives. */
static bool arrived(const struct player *p, struct walk *c)
{
	const struct wb_goal *g = c->goal;
	unsigned anyway = WB_STOP_BREAK | WB_STOP_WATCH | WB_STOP_END | WB_STOP_INTERRUPTED;
	bool counts = concerns(g, &p->where.last);
	unsigned hit = p->where.stops & ~(unsigned)WB_STOP_COUNT & (counts ? ~0u : anyway);
	c->issues += counts;
	return hit || (g->issues && c->issues >= g->issues) ||
	       (g->cycles && cycle_of(p, g) >= c->from + g->cycles);
}

/* Walk issue by issue to a goal that counts issues of one warp or multiprocessor, or cycles; the budget counts the
 * issues of all. */
static enum wb_status walk_to_goal(struct player *p, const struct wb_goal *g, uint64_t budget, struct wb_diag *d)
{
	struct walk c = {.goal = g, .from = cycle_of(p, g)};
	struct wb_goal one = *g;
	one.issues = 1;
	one.cycles = 0;
	one.one_mp = false;
	while (budget-- && !p->where.over) {
		enum wb_status status = wb_launch_forward(p->launch, &one, &p->where, d);
		if (status != WB_OK || arrived(p, &c))
			return status;
	}
	p->where.stops = p->where.over ? WB_STOP_END : 0;
	return WB_OK;
}

/* Can a goal be found within the recorded issues? */
static bool in_record(const struct player *p, const struct wb_goal *g)
{
	struct wb_break b;
	return p->where.issue <= p->record.n && !g->when && !g->one_warp && !wb_launch_breaks(p->launch, 0, &b);
}

/* A search for divergences of one multiprocessor, with all issues until the end recorded. */
static bool splits_are_known(const struct player *p, const struct wb_goal *g)
{
	struct wb_machine machine;
	wb_launch_machine(p->launch, &machine);
	return (g->one_mp || machine.mps == 1) && (g->stops & ~(unsigned)WB_STOP_BREAK) == WB_STOP_DIVERGED &&
	       !g->issues && !g->cycles && p->whole.known && !p->record.full && in_record(p, g);
}

/* The nearest position in a direction with a split before; the end, or 0, where no split is. */
static uint64_t next_split(const struct player *p, unsigned mp, bool back)
{
	const struct record *r = &p->record;
	uint64_t k = record_mp_before(r, mp, p->where.issue - (back && p->where.issue));
	if (!back) {
		while (k < r->mp[mp].n && !(record_mp_at(r, mp, k)->flow & WB_FLOW_DIVERGED))
			k++;
		return k < r->mp[mp].n ? r->mp[mp].event[k] + 1u : p->whole.issues;
	}
	while (k && !(record_mp_at(r, mp, k - 1)->flow & WB_FLOW_DIVERGED))
		k--;
	return k ? r->mp[mp].event[k - 1] + 1u : 0;
}

enum wb_status player_forward(struct player *p, const struct wb_goal *g, uint64_t budget, struct wb_diag *d)
{
	struct wb_goal most = *g;
	if (splits_are_known(p, g) && !p->where.over)
		return player_goto(p, next_split(p, g->mp, false), d);
	if (g->one_warp || g->one_mp || g->cycles || p->where.over || !budget)
		return walk_to_goal(p, g, budget, d);
	most.issues = g->issues && g->issues < budget ? g->issues : budget;
	enum wb_status status = wb_launch_forward(p->launch, &most, &p->where, d);
	if (status == WB_OK && p->where.stops == WB_STOP_COUNT && most.issues != g->issues)
		p->where.stops = 0;
	return status;
}

/* ---- anywhere ---- */

/* Position of one multiprocessor n issues or cycles ago, if recorded and if no breakpoint can be before. */
static bool known_before(const struct player *p, const struct wb_goal *g, uint64_t *position)
{
	const struct record *r = &p->record;
	uint64_t here = record_mp_before(r, g->mp, p->where.issue), there;
	if (!g->one_mp || g->stops & ~(unsigned)WB_STOP_BREAK || !g->issues == !g->cycles || !in_record(p, g))
		return false;
	uint64_t cycle = here ? record_mp_at(r, g->mp, here - 1)->cycle : 0;
	if (g->issues)
		there = here > g->issues ? here - g->issues : 0;
	else
		there = cycle >= g->cycles ? record_mp_find(r, g->mp, cycle - g->cycles + 1) : 0;
	*position = there ? r->mp[g->mp].event[there - 1] + 1 : 0;
	return true;
}

enum wb_status player_back(struct player *p, const struct wb_goal *g, struct wb_diag *d)
{
	struct wb_where here = p->where;
	uint64_t position;
	if (known_before(p, g, &position))
		return player_goto(p, position, d);
	if (splits_are_known(p, g)) {
		position = next_split(p, g->mp, true);
		p->where.stops = WB_STOP_START;
		return position ? player_goto(p, position, d) : WB_OK;
	}
	enum wb_status status = wb_launch_back(p->launch, g, &p->where, d);
	bool counted = (g->issues || g->cycles) && !g->one_warp; /* then the start is as good a place as any */
	if (status != WB_OK || counted || !(p->where.stops & WB_STOP_START) ||
	    p->where.stops & ~(unsigned)WB_STOP_START)
		return status;
	status = wb_launch_goto(p->launch, here.issue, &p->where, d);
	here.stops = WB_STOP_START;
	p->where = here;
	return status;
}

enum wb_status player_goto(struct player *p, uint64_t issue, struct wb_diag *d)
{
	return wb_launch_goto(p->launch, issue, &p->where, d);
}

enum wb_status player_goto_place(struct player *p, uint64_t issue, uint64_t cycle, struct wb_diag *d)
{
	char later[40];
	const struct wb_goal wait = {.issues = 1, .when = later};
	enum wb_status status = player_goto(p, issue, d);

	snprintf(later, sizeof later, "cycle>=%" PRIu64, cycle);
	while (status == WB_OK && issue && p->where.issue == issue && !p->where.over && p->where.last.cycle < cycle)
		status = wb_launch_forward(p->launch, &wait, &p->where, d);
	return status == WB_OK && p->where.issue > issue ? player_goto(p, issue, d) : status;
}

enum wb_status player_goto_cycle(struct player *p, int mp, uint64_t cycle, struct wb_diag *d)
{
	uint64_t index = record_find(&p->record, mp, cycle);
	const struct wb_action *last = &p->where.last;
	if (index < p->record.n)
		return player_goto(p, index + 1, d);
	enum wb_status status = player_goto(p, p->record.n, d);
	while (status == WB_OK && !p->where.over && (last->cycle < cycle || (mp >= 0 && last->mp != (unsigned)mp)))
		status = wb_launch_forward(p->launch, &(struct wb_goal){.issues = 1}, &p->where, d);
	return status;
}

enum wb_status player_show_mp(struct player *p, unsigned mp, uint64_t cycle, struct wb_diag *d)
{
	const struct record_mp *r = &p->record.mp[mp];
	uint64_t k = record_mp_find(&p->record, mp, cycle + 1);
	if (!r->n || p->where.over)
		return WB_OK;
	return player_goto(p, k ? r->event[k - 1] + 1u : r->event[0], d);
}

/* The multiprocessor that issues last: the whole takes as long. */
static unsigned slowest(const struct record *r)
{
	unsigned most = 0;
	uint64_t cycle = 0;
	for (unsigned mp = 0; mp < r->mps; mp++) {
		uint64_t end = r->mp[mp].n ? record_at(r, r->mp[mp].event[r->mp[mp].n - 1])->cycle : 0;
		most = end > cycle ? mp : most;
		cycle = end > cycle ? end : cycle;
	}
	return most;
}

uint64_t player_interesting(const struct player *p)
{
	enum { FAR = 1 << 20 };
	if (!p->record.n)
		return 0;
	const struct record_mp *r = &p->record.mp[slowest(&p->record)];
	uint32_t middle = r->n / 2;
	for (uint32_t i = 0; i < r->n && r->event[i] < FAR; i++)
		if (record_at(&p->record, r->event[i])->flow & WB_FLOW_DIVERGED)
			return r->event[i] + 1u;
	while (middle && r->event[middle - 1] >= FAR)
		middle /= 2;
	return middle ? r->event[middle - 1] + 1u : 0;
}
