#include "frontends/view/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every issue is told; those that are new are kept. */
static void note(void *context, const struct wb_issue *i)
{
	struct player *p = context;
	const struct wb_did *did = i->did;
	if (p->idle || i->issue != p->record.n + 1)
		return;
	record_add(&p->record, &(struct event){.cycle = did->cycle,
					       .active = did->active,
					       .executed = did->executed,
					       .gone = i->gone == UINT64_MAX ? 0 : i->gone,
					       .pc = did->pc,
					       .block = did->block,
					       .warp = (uint16_t)did->warp,
					       .mp = (uint8_t)did->mp,
					       .slot = (uint8_t)did->slot,
					       .flow = (uint8_t)did->flow,
					       .depth = (uint8_t)i->depth,
					       .lanes = (uint8_t)__builtin_popcountll(did->executed)});
}

enum wb_status player_begin(struct player *p, struct wb_launch *launch, struct wb_diag *d)
{
	*p = (struct player){.launch = launch};
	wb_launch_listen(launch, note, p);
	enum wb_status status = wb_launch_start(p->launch, d);
	if (status == WB_OK)
		wb_launch_where(p->launch, &p->at);
	return status;
}

enum wb_status player_open(struct player *p, const struct wb_program *program, const char *kernel,
			   const struct wb_config *config, struct wb_diag *d)
{
	struct wb_launch *launch;
	enum wb_status status = wb_launch_new(program, kernel, config, &launch, d);
	*p = (struct player){.launch = NULL};
	return status == WB_OK ? player_begin(p, launch, d) : status;
}

static void forget_totals(struct totals *t)
{
	free((void *)t->report.pcs);
	free((void *)t->report.branches);
	free((void *)t->report.warps);
	*t = (struct totals){.known = false};
}

void player_close(struct player *p)
{
	wb_launch_free(p->launch);
	record_free(&p->record);
	forget_totals(&p->whole);
	p->launch = NULL;
}

/* ---- forwards ---- */

static void *copy_of(const void *rows, size_t bytes)
{
	void *copy = malloc(bytes + 1);
	return copy ? memcpy(copy, rows, bytes) : NULL;
}

static void remember_totals(struct player *p)
{
	const struct wb_report *r = wb_launch_report(p->launch);
	if (p->whole.known)
		return;
	struct wb_pc *pcs = copy_of(r->pcs, r->npcs * sizeof *pcs);
	struct wb_branch *branches = copy_of(r->branches, r->nbranches * sizeof *branches);
	struct wb_warp_report *warps = copy_of(r->warps, r->nwarps * sizeof *warps);
	p->whole = (struct totals){.known = true, .issues = p->at.issue, .cycles = p->at.cycle, .report = *r};
	struct wb_report *kept = &p->whole.report;
	kept->pcs = pcs;
	kept->branches = branches;
	kept->warps = warps;
	if (!pcs || !branches || !warps) {
		forget_totals(&p->whole);
		return;
	}
	for (unsigned i = 0; i < r->npcs; i++)
		pcs[i].text = pcs[i].label = NULL;
	for (unsigned i = 0; i < r->nbranches; i++)
		branches[i].text = NULL;
	kept->ncounters = kept->nwaits = kept->nwarnings = 0;
}

static enum wb_status move(struct player *p, const struct wb_goal *g, struct wb_diag *d)
{
	enum wb_status status = wb_launch_forward(p->launch, g, &p->at, d);
	if (status == WB_OK && p->at.over)
		remember_totals(p);
	return status;
}

static bool arrived(const struct player *p, const struct wb_goal *g, uint64_t first_cycle, uint64_t issues)
{
	const struct wb_where *at = &p->at;
	unsigned hit = at->stops & ~(unsigned)WB_STOP_COUNT;
	return hit || (g->issues && issues >= g->issues) || (g->cycles && at->cycle >= first_cycle + g->cycles);
}

/* A goal that counts one warp's issues, or cycles, issue by issue: the budget counts all of them. */
static enum wb_status creep(struct player *p, const struct wb_goal *g, uint64_t budget, struct wb_diag *d)
{
	uint64_t first_cycle = p->at.cycle, issues = 0;
	struct wb_goal one = *g;
	enum wb_status status = WB_OK;
	one.issues = 1;
	one.cycles = 0;
	while (budget-- && !p->at.over) {
		status = move(p, &one, d);
		const struct wb_did *did = &p->at.last;
		issues += !g->one_warp || (did->block == g->block && did->warp == g->warp);
		if (status != WB_OK || arrived(p, g, first_cycle, issues))
			return status;
	}
	p->at.stops = p->at.over ? WB_STOP_END : 0;
	return status;
}

enum wb_status player_forward(struct player *p, const struct wb_goal *g, uint64_t budget, struct wb_diag *d)
{
	struct wb_goal most = *g;
	if (g->one_warp || g->cycles || p->at.over || !budget)
		return creep(p, g, budget, d);
	most.issues = g->issues && g->issues < budget ? g->issues : budget;
	enum wb_status status = move(p, &most, d);
	if (status == WB_OK && p->at.stops == WB_STOP_COUNT && most.issues != g->issues)
		p->at.stops = 0;
	return status;
}

/* ---- anywhere ---- */

enum wb_status player_back(struct player *p, const struct wb_goal *g, struct wb_diag *d)
{
	struct wb_where here = p->at;
	enum wb_status status = wb_launch_back(p->launch, g, &p->at, d);
	bool counted = (g->issues || g->cycles) && !g->one_warp; /* then the start is as good a place as any */
	if (status != WB_OK || counted || !(p->at.stops & WB_STOP_START) || p->at.stops & ~(unsigned)WB_STOP_START)
		return status;
	status = wb_launch_goto(p->launch, here.issue, &p->at, d);
	here.stops = WB_STOP_START;
	p->at = here;
	return status;
}

enum wb_status player_goto(struct player *p, uint64_t issue, struct wb_diag *d)
{
	enum wb_status status = WB_OK;
	if (issue < p->at.issue || issue <= p->record.n)
		status = wb_launch_goto(p->launch, issue, &p->at, d);
	if (status == WB_OK && p->at.issue < issue && !p->at.over)
		status = move(p, &(struct wb_goal){.issues = issue - p->at.issue}, d);
	return status;
}

enum wb_status player_goto_cycle(struct player *p, int mp, uint64_t cycle, struct wb_diag *d)
{
	uint64_t index = record_find(&p->record, mp, cycle);
	const struct wb_did *last = &p->at.last;
	if (index < p->record.n)
		return player_goto(p, index + 1, d);
	enum wb_status status = player_goto(p, p->record.n, d);
	while (status == WB_OK && !p->at.over && (last->cycle < cycle || (mp >= 0 && last->mp != (unsigned)mp)))
		status = move(p, &(struct wb_goal){.issues = 1}, d);
	return status;
}

enum wb_status player_survey(struct player *p, uint64_t budget, struct wb_diag *d)
{
	uint64_t from = p->at.issue;
	enum wb_status status = player_forward(p, &(struct wb_goal){.stops = 0}, budget, d);
	return status == WB_OK ? player_goto(p, from, d) : status;
}

uint64_t player_interesting(const struct player *p)
{
	for (uint64_t i = 0; i < p->record.n; i++)
		if (record_at(&p->record, i)->flow & WB_FLOW_DIVERGED)
			return i + 1;
	return p->record.n / 2;
}
