/* The CALL, IF and LOOP stacks of each path, and the choice of the running path (seed 003, "Control Flow"; spec pica
 * 14, 15). Under a policy over groups of lanes (core/diverge/groups.h), groups take the place of waiting paths: the
 * stacks of a group aside are in waiting[] at the group's lowest lane. */
#include "core/isa/pica/scope.h"

#include <string.h>

/* Space for one more entry; a full stack loses its oldest entry, like a ring. */
static void *push(void *base, size_t size, uint32_t *n, uint32_t depth)
{
	char *entry = base;

	if (*n == depth) {
		memmove(entry, entry + size, size * (depth - 1));
		--*n;
	}
	return entry + size * (*n)++;
}

#define PUSH(stack, count, depth) ((__typeof__(&(stack)[0]))push(stack, sizeof *(stack), &(count), depth))
#define POP(stack, count) ((stack)[--(count)] = (__typeof__((stack)[0])){ 0 })

void push_call(struct path *p, uint32_t end, uint32_t back)
{
	struct scopes *s = &p->scopes;
	__typeof__(&s->call[0]) c = PUSH(s->call, s->ncall, CALL_DEPTH);

	c->end = end;
	c->back = back;
}

void push_if(struct path *p, uint32_t end, uint32_t to)
{
	struct scopes *s = &p->scopes;
	__typeof__(&s->cond[0]) c = PUSH(s->cond, s->nif, IF_DEPTH);

	c->end = end;
	c->to = to;
}

void push_loop(struct pica_warp *w, struct path *p, uint32_t first, uint32_t end, const uint8_t xyz[3])
{
	struct scopes *s = &p->scopes;
	struct row start;

	if (s->nloop == LOOP_DEPTH)
		for (int i = 1; i < LOOP_DEPTH; i++)
			row_blend(&w->outer_loop[i - 1], &w->outer_loop[i], p->lanes);
	__typeof__(&s->loop[0]) l = PUSH(s->loop, s->nloop, LOOP_DEPTH);
	l->begin = first;
	l->end = end;
	l->remaining = xyz[0];
	l->step = xyz[2];
	row_blend(&w->outer_loop[s->nloop - 1], &w->address[2], p->lanes);
	FOR_LANES(i)
		start.lane[i] = xyz[1];
	row_blend(&w->address[2], &start, p->lanes);
}

/* Up to four calls may end at once; the fourth does not return. */
static bool end_calls(struct scopes *s, uint32_t next, uint32_t *pc)
{
	int n = 0;

	for (; n < 4 && s->ncall && s->call[s->ncall - 1].end == next; n++) {
		if (n < 3)
			*pc = next = s->call[s->ncall - 1].back;
		POP(s->call, s->ncall);
	}
	return n > 0;
}

/* aL advances at each end of the body and at a break, and is restored only inside a surrounding loop. */
static void end_loop(struct pica_warp *w, struct path *p, bool broke)
{
	struct scopes *s = &p->scopes;
	__typeof__(&s->loop[0]) l = &s->loop[s->nloop - 1];
	struct row al;

	FOR_LANES(i)
		al.lane[i] = w->address[2].lane[i] + l->step;
	row_blend(&w->address[2], &al, p->lanes);
	if (!broke && l->remaining) {
		l->remaining--;
		p->pc = l->begin;
		return;
	}
	p->pc = l->end;
	if (s->nloop > 1)
		row_blend(&w->address[2], &w->outer_loop[s->nloop - 1], p->lanes);
	POP(s->loop, s->nloop);
}

void path_advance(struct pica_warp *w, struct path *p, uint32_t next, uint32_t jump, bool broke)
{
	struct scopes *s = &p->scopes;

	p->pc = jump;
	end_calls(s, next, &p->pc);
	if (s->nif && s->cond[s->nif - 1].end == next) {
		p->pc = s->cond[s->nif - 1].to;
		POP(s->cond, s->nif);
	}
	if (s->nloop && (broke || s->loop[s->nloop - 1].end == next))
		end_loop(w, p, broke);
}

static bool same_place(const struct path *a, const struct path *b)
{
	return a->pc == b->pc && memcmp(&a->scopes, &b->scopes, sizeof a->scopes) == 0;
}

static uint32_t depth(const struct path *p)
{
	return p->scopes.ncall + p->scopes.nif + p->scopes.nloop;
}

static bool goes_first(const struct path *a, const struct path *b)
{
	uint32_t deep_a = depth(a), deep_b = depth(b);

	return deep_a != deep_b ? deep_a > deep_b : a->pc < b->pc;
}

static struct path take_waiting(struct pica_warp *w, unsigned i)
{
	struct path p = w->waiting[i];

	w->waiting[i] = w->waiting[--w->nwaiting];
	return p;
}

/* Make the waiting path with precedence the running path. */
static void switch_path(struct exec *x)
{
	struct pica_warp *w = pica_state(x->warp);
	unsigned best = 0;

	for (unsigned i = 1; i < w->nwaiting; i++)
		if (goes_first(&w->waiting[i], &w->waiting[best]))
			best = i;
	if (w->now.lanes && !goes_first(&w->waiting[best], &w->now))
		return;
	struct path next = take_waiting(w, best);
	if (w->now.lanes) {
		lanes_leave(x->warp, w->now.lanes, LANE_RUNS, w->now.cause);
		w->waiting[w->nwaiting++] = w->now;
	}
	lanes_return(x->warp, x->bill, next.lanes);
	w->now = next;
}

static void merge_paths(struct exec *x)
{
	struct pica_warp *w = pica_state(x->warp);

	for (unsigned i = 0; i < w->nwaiting; ) {
		if (!same_place(&w->waiting[i], &w->now)) {
			i++;
			continue;
		}
		struct path p = take_waiting(w, i);
		lanes_return(x->warp, x->bill, p.lanes);
		w->now.lanes |= p.lanes;
		x->step.flow |= FLOW_MERGED;
	}
}

/* Does a waiting path at the same depth join the running path, or go first, where the running path arrives or
 * passes? */
static bool needs_single_steps(const struct exec *x)
{
	const struct pica_code *code = (const struct pica_code *)x->program->threaded;
	const struct pica_warp *w = pica_state(x->warp);

	for (unsigned i = 0; i < w->nwaiting; i++) {
		const struct path *p = &w->waiting[i];
		if (depth(p) == depth(&w->now) &&
		    (p->pc <= w->now.pc || (p->pc <= x->program->code_bytes && !code->arrivals[p->pc / 4])))
			return true;
	}
	return false;
}

/* ---- groups ---- */

static bool equal_scopes(const struct crossing *c, int a, int b)
{
	const struct pica_warp *w = pica_state(c->warp);

	return !memcmp(&w->waiting[a].scopes, &w->waiting[b].scopes, sizeof w->now.scopes);
}

/* Lanes that part here are to meet at the branch's post-dominator, or where the innermost call returns to. */
static struct crossing crossing_of(struct exec *x)
{
	const struct scopes *s = &pica_state(x->warp)->now.scopes;
	const uint32_t *points = x->program->reconvergence;
	uint32_t point = points ? points[x->step.pc / 4] : RECONVERGE_NOWHERE;

	return (struct crossing){
		.warp = x->warp, .bill = x->bill, .program = x->program, .rules = x->rules, .step = &x->step,
		.groups = pica_groups(x), .alike = equal_scopes, .by_address = true,
		.point = point == RECONVERGE_NOWHERE && s->ncall ? s->call[s->ncall - 1].back : point,
	};
}

static void keep_scopes(struct pica_warp *w, const struct path *p)
{
	if (p->lanes)
		w->waiting[group_lead(p->lanes)].scopes = p->scopes;
}

/* choose_path, by the policy. */
static int choose_group(struct exec *x)
{
	struct pica_warp *w = pica_state(x->warp);
	struct crossing c = crossing_of(x);

	keep_scopes(w, &w->now);
	x->step.next_pc = w->now.pc;
	if (!groups_go_on(&c) || meeting_here(&c))
		groups_choose(&c);
	w->now.lanes = x->warp->active;
	w->now.pc = x->step.next_pc;
	if (w->now.lanes)
		w->now.scopes = w->waiting[group_lead(w->now.lanes)].scopes;
	if (!c.groups->count)
		meetings_end(&c);
	x->run.single = w->single = c.groups->count;
	watch_scopes(w);
	return w->now.lanes ? STEP_OK : STEP_DONE;
}

int split_groups(struct exec *x, struct path taken, struct path rest)
{
	struct pica_warp *w = pica_state(x->warp);
	struct crossing c = crossing_of(x);

	keep_scopes(w, &taken);
	keep_scopes(w, &rest);
	x->step.next_pc = rest.pc;
	groups_split(&c, taken.lanes, taken.pc, true);
	w->now = x->warp->active == taken.lanes ? taken : rest;
	return choose_group(x);
}

int choose_path(struct exec *x)
{
	struct pica_warp *w = pica_state(x->warp);

	if (pica_groups(x))
		return choose_group(x);
	if (w->nwaiting) {
		switch_path(x);
		merge_paths(x);
	}
	x->run.single = w->single = w->nwaiting && needs_single_steps(x);
	watch_scopes(w);
	x->step.next_pc = w->now.pc;
	return w->now.lanes ? STEP_OK : STEP_DONE;
}

int leave_scopes(struct exec *x)
{
	struct pica_warp *w = pica_state(x->warp);

	path_advance(w, &w->now, x->step.next_pc, x->step.next_pc, false);
	return choose_path(x);
}
