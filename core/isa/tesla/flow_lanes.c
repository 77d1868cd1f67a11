/* Control flow without a stack of masks (spec tesla-semantics, "Reconvergence policies for study"): the machine's
 * reasons to split and to meet, for lanes in groups (core/diverge/groups.h). Each lane has a pc and a stack of
 * break and return targets; a policy decides which group runs. */
#include <string.h>

#include "core/diverge.h"
#include "core/diverge/groups.h"
#include "core/diverge/reconverge.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/lock.h"
#include "core/isa/tesla/stage.h"
#include "core/state_check.h"
#include "mem/warp_sets.h"

enum { BREAKS = 1 << MEETING_BREAK, RETURNS = 1 << MEETING_CALL | 1 << MEETING_LIMITED };

struct lane_paths {
	lane_mask before_quadon;
	uint64_t in_quadon;
	/* Lanes behind a warpsync and before a warp primitive, with their words: `asking` wait there; `party` have met;
	 * `owed` of them have yet to execute the primitive. */
	lane_mask asking, party, owed;
	struct row asked, answered;     /* words of lanes that wait, of the party */
	struct groups groups;           /* last: the lanes' stacks follow */
};

size_t flow_lanes_bytes(const struct rules *rules)
{
	return offsetof(struct lane_paths, groups) + groups_bytes(rules, LANES);
}

void flow_lanes_start(struct tesla_warp *t, const struct rules *rules, void *memory)
{
	t->paths = memory;
	memset(t->paths, 0, offsetof(struct lane_paths, groups));
	groups_start(&t->paths->groups, rules, LANES);
}

unsigned flow_lanes_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out)
{
	const struct groups *g = &tesla_state(w)->paths->groups;
	struct group_view view = { 0 };
	unsigned n = g->words > 1 ? groups_view(g, w, level, &view) : 0;

	if (out && level < n)
		*out = (struct isa_stack_entry){ .name = view.name, .pc = view.pc, .mask = view.lanes };
	return n;
}

#ifndef __wasm__
bool flow_lanes_check(struct state_check *c, const struct lane_paths *p, const struct rules *rules,
		      const struct warp *read)
{
	lane_mask all = lanes_first(LANES);
	uint64_t in_quadon;

	STATE_GET(c, &p->in_quadon, &in_quadon);
	STATE_MASK(c, p->before_quadon, read->launched, "lanes before a quadon");
	STATE_ANY(c, p->in_quadon);
	STATE_MASK(c, p->asking, all, "lanes before a warp primitive");
	STATE_MASK(c, p->party, all, "lanes before a warp primitive");
	STATE_MASK(c, p->owed, all, "lanes before a warp primitive");
	STATE_ANY(c, p->asked);
	STATE_ANY(c, p->answered);
	groups_check(c, &p->groups, rules, read->active, read->launched);
	return in_quadon;
}
#endif

static struct lane_paths *paths_of(const struct exec *x)
{
	return tesla_state(x->warp)->paths;
}

/* Lanes have met behind a warpsync: what they ask and say now holds until all have executed their primitives. */
static void met(const struct crossing *c, lane_mask lanes)
{
	struct lane_paths *p = tesla_state(c->warp)->paths;

	p->party = p->owed = p->asking & lanes;
	p->asking &= ~lanes;
	FOR_SET_LANES(l, p->party)
		p->answered.lane[l] = p->asked.lane[l];
}

static struct crossing crossing_of(struct exec *x)
{
	return (struct crossing){
		.warp = x->warp, .bill = x->bill, .program = x->program, .rules = x->rules, .step = &x->step,
		.groups = &paths_of(x)->groups, .progress = x->progress, .met = met,
	};
}

static int quadon_fault(struct exec *x)
{
	return exec_fault(x, FAULT_QUADON_ACTIVE, x->warp->active, 0);
}

/* ---- which lanes go on ---- */

/* Every unfinished lane has reached a bar: the warp arrives, by the bar of the last group, and all go on. */
static int arrive(struct exec *x, struct crossing *c, int r)
{
	uint32_t pc;
	bool apart;

	if (!groups_unpark(c, &pc, &apart))
		return r;
	int waits = flow_barrier(x, program_at(x->program, pc), apart);
	groups_choose(c);
	return waits == STEP_OK ? r : waits;
}

/* Another order of warps could choose other lanes: a trace made before its cycle may be wrong. */
static void note_progress(struct exec *x, const struct crossing *c)
{
	if (c->by_progress && x->warp_sets)
		warp_sets_refuse(x->warp_sets, "a group of lanes gives way until other lanes have done something");
}

static int choose(struct exec *x, int r)
{
	struct crossing c = crossing_of(x);

	if (groups_go_on(&c))
		return r;
	c.holders = lock_holders(x);
	groups_choose(&c);
	note_progress(x, &c);
	if (!x->warp->active)
		r = arrive(x, &c, r);
	tesla_state(x->warp)->joined = c.groups->passed;
	c.groups->passed = 0;
	return x->warp->active ? r : STEP_DONE;
}

/* How far the warp may go before the policy is asked again. */
static void leash(struct exec *x)
{
	const struct lane_paths *p = paths_of(x);
	uint64_t all = x->run.remaining + x->run.held, sure = groups_sure(&p->groups, x->warp);

	if (p->in_quadon)
		sure = all;
	x->run.held = all > sure ? all - sure : 0;
	x->run.remaining = all - x->run.held;
	x->run.settled = x->warp->issues;
	x->run.impatient = p->groups.count && !p->in_quadon;
}

/* The warp has gone on up to its issue `issues`. */
static void went_on(struct exec *x, uint64_t issues)
{
	groups_went_on(&paths_of(x)->groups, x->warp, issues - x->run.settled, x->run.impatient);
}

void flow_lanes_leash(struct exec *x)
{
	x->run.leashed = true;
	x->run.held = 0;
	leash(x);
}

void flow_lanes_unleash(struct exec *x)
{
	went_on(x, x->warp->issues);
	x->run.leashed = x->run.impatient = false;
	x->run.held = x->run.settled = 0;
}

static int settle(struct exec *x, int r)
{
	if (x->run.leashed)
		went_on(x, x->warp->issues - !(x->step.flow & FLOW_REJOIN));
	if (!paths_of(x)->in_quadon)
		r = choose(x, r);
	if (x->run.leashed)
		leash(x);
	return r;
}

/* ---- the instructions ---- */

/* Does the smaller side of a split run first? */
static bool by_numbers(const struct exec *x)
{
	return reconverge_policy(x->rules)->smaller_first;
}

/* A loop that waits for a word behind a lock of the machine unlocks in each turn, and has made progress where memory
 * has changed since the turn before, by any warp: lanes p, if not all of the warp, give way or not by that. */
static void forget_unlocks(const struct exec *x, struct crossing *c, lane_mask p)
{
	if (c->groups->changes == x->changes)
		c->groups->began = c->progress;
	c->groups->changes = x->changes;
	c->by_progress |= p != x->warp->active || c->groups->count;
}

static int lanes_bra(struct exec *x, lane_mask p, uint32_t target)
{
	struct crossing c = crossing_of(x);
	lane_mask fall = x->warp->active & ~p;

	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	if (!flow_branches(x, p))
		return STEP_OK;
	if (x->step.insn->acts & ACTS_RETRIES)
		forget_unlocks(x, &c, p);
	if (x->step.insn->acts & ACTS_SPINS)
		groups_spin(&c, p, target);
	else
		groups_split(&c, p, target, fall && !by_numbers(x) && flow_taken_first(x, p, fall));
	note_progress(x, &c);
	return STEP_OK;
}

/* The lanes with the lowest lane's target against the rest, who execute the instruction again. */
static void split_off(struct crossing *c, const struct row *target)
{
	uint32_t to = target->lane[group_lead(c->warp->active)];
	lane_mask group = 0;

	FOR_SET_LANES(l, c->warp->active)
		group |= (lane_mask)(target->lane[l] == to) << l;
	if (group != c->warp->active)
		c->step->next_pc = c->step->pc;
	groups_split(c, group, to, true);
}

static int lanes_bra_each(struct exec *x, const struct row *target)
{
	struct crossing c = crossing_of(x);
	lane_mask left = x->warp->active;

	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	x->step.flow |= FLOW_BRANCH | FLOW_TAKEN;
	x->step.next_pc = target->lane[group_lead(left)];
	if (by_numbers(x)) {
		split_off(&c, target);
		return STEP_OK;
	}
	for (lane_mask group; left; left &= ~group) {
		uint32_t to = target->lane[group_lead(left)];
		group = 0;
		FOR_SET_LANES(l, left)
			group |= (lane_mask)(target->lane[l] == to) << l;
		if (to != x->step.next_pc)
			groups_go(&c, group, to);
	}
	return STEP_OK;
}

bool flow_lanes_push(struct exec *x, unsigned tag, uint32_t pc)
{
	struct crossing c = crossing_of(x);
	uint32_t depth = meeting_push(&c, tag, pc);

	if (depth)
		flow_count_depth(x, depth);
	return depth;
}

static int push(struct exec *x, enum meeting_tag tag, uint32_t pc)
{
	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	return flow_lanes_push(x, tag, pc) ? STEP_OK : exec_fault(x, FAULT_STACK_OVERFLOW, x->warp->active, 0);
}

static int lanes_joinat(struct exec *x, uint32_t target)
{
	return reconverge_policy(x->rules)->markers ? push(x, MEETING_JOIN, target) : STEP_OK;
}

bool flow_lanes_meet(struct exec *x)
{
	struct crossing c = crossing_of(x);

	return !tesla_state(x->warp)->joined && meeting_pass(&c);
}

/* At a marker; only under policies that obey markers. */
static int lanes_join(struct exec *x, bool *executes)
{
	struct crossing c = crossing_of(x);

	*executes = true;
	if (tesla_state(x->warp)->joined)
		return STEP_OK;
	if (paths_of(x)->in_quadon || !meeting_join(&c, x->step.pc, executes))
		return exec_fault(x, FAULT_STACK_MISMATCH, x->warp->active, 0);
	if (!*executes)
		x->step.flow |= FLOW_REJOIN;
	return STEP_OK;
}

static int lanes_prebrk(struct exec *x, uint32_t target)
{
	return push(x, MEETING_BREAK, target);
}

static int lanes_brk(struct exec *x, lane_mask p)
{
	struct crossing c = crossing_of(x);
	int level = meeting_nearest(&c, BREAKS);

	if (!flow_branches(x, p))
		return STEP_OK;
	if (level < 0)
		return exec_fault(x, FAULT_STACK_UNDERFLOW, p, 0);
	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	meeting_leave(&c, p, level);
	return STEP_OK;
}

static bool lanes_can_break(const struct exec *x)
{
	struct crossing c = crossing_of((struct exec *)(uintptr_t)x);

	return meeting_nearest(&c, BREAKS) >= 0;
}

static int lanes_preret(struct exec *x, uint32_t target, bool limited)
{
	return push(x, limited ? MEETING_LIMITED : MEETING_CALL, target);
}

static uint32_t lanes_limited_calls(const struct exec *x)
{
	struct crossing c = crossing_of((struct exec *)(uintptr_t)x);

	return meeting_count(&c, MEETING_LIMITED);
}

/* Lanes p are finished. */
static int finish(struct exec *x, lane_mask p)
{
	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	if (p != x->warp->active)
		x->step.flow |= FLOW_DIVERGED;
	x->progress++;
	stage_give(x, p);
	lanes_leave(x->warp, p, LANE_EXITED, x->step.pc);
	return STEP_OK;
}

static int lanes_ret(struct exec *x, lane_mask p)
{
	struct crossing c = crossing_of(x);
	int level = meeting_nearest(&c, RETURNS);

	if (!flow_branches(x, p))
		return STEP_OK;
	if (level < 0)
		return finish(x, p);
	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	meeting_leave(&c, p, level);
	return STEP_OK;
}

static int lanes_exit(struct exec *x, lane_mask lanes)
{
	return finish(x, lanes);
}

static int lanes_quadon(struct exec *x)
{
	struct lane_paths *p = paths_of(x);

	if (p->in_quadon)
		return quadon_fault(x);
	p->in_quadon = true;
	p->before_quadon = x->warp->active;
	flow_lend_quads(x);
	return STEP_OK;
}

static int lanes_quadpop(struct exec *x)
{
	struct warp *w = x->warp;
	struct lane_paths *p = paths_of(x);

	if (!p->in_quadon)
		return exec_fault(x, FAULT_STACK_UNDERFLOW, w->active, 0);
	p->in_quadon = false;
	lanes_give_back(w, w->active & ~p->before_quadon);
	return STEP_OK;
}

/* The group parks; the warp arrives when every unfinished lane has. */
static int lanes_bar(struct exec *x, const struct insn *in)
{
	struct crossing c = crossing_of(x);

	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	return groups_park(&c) ? STEP_OK : flow_barrier(x, in, false);
}

/* ---- warpsync ---- */

static bool lanes_together(const struct exec *x, const struct row *masks)
{
	lane_mask elsewhere = 0;

	FOR_SET_LANES(l, x->step.executed)
		elsewhere |= masks->lane[l];
	return !(lanes_live(x->warp, elsewhere) & ~x->warp->active);
}

static void lanes_await(struct exec *x, const struct row *masks, const struct row *words, lane_mask asking)
{
	struct crossing c = crossing_of(x);
	struct lane_paths *p = paths_of(x);

	FOR_SET_LANES(l, asking)
		p->asked.lane[l] = words->lane[l];
	p->asking |= asking;
	for (lane_mask left = x->step.executed, alike; left; left &= ~alike) {
		uint32_t mask = masks->lane[group_lead(left)];
		alike = 0;
		FOR_SET_LANES(l, left)
			alike |= (lane_mask)(masks->lane[l] == mask) << l;
		groups_await(&c, alike, mask);
	}
}

static lane_mask lanes_asked(struct exec *x, const struct row **words)
{
	struct lane_paths *p = paths_of(x);

	if (!(p->owed & x->step.executed))
		return x->step.executed;
	p->owed &= ~x->step.executed;
	*words = &p->answered;
	return p->party;
}

const struct flow_ops flow_lanes = {
	.bra = lanes_bra, .bra_each = lanes_bra_each, .joinat = lanes_joinat, .prebrk = lanes_prebrk, .brk = lanes_brk,
	.preret = lanes_preret, .limited_calls = lanes_limited_calls, .ret = lanes_ret,
	.quadon = lanes_quadon, .quadpop = lanes_quadpop, .bar = lanes_bar, .join = lanes_join, .exit = lanes_exit,
	.can_break = lanes_can_break, .settle = settle, .together = lanes_together, .await = lanes_await,
	.asked = lanes_asked,
};
