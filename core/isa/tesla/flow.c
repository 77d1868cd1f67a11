#include "core/isa/tesla/flow.h"

#include "core/base/rng.h"

static struct stack_entry *top(struct tesla_warp *t)
{
	return t->depth ? &t->stack[t->depth - 1] : NULL;
}

static bool quadon_active(const struct warp *w)
{
	struct stack_entry *e = top(tesla_state(w));

	return e && e->type == ENTRY_QUADON;
}

static int push(struct exec *x, enum entry_type type, uint32_t pc, lane_mask mask, uint32_t cause)
{
	struct tesla_warp *t = tesla_state(x->warp);

	if (quadon_active(x->warp))
		return exec_fault(x, FAULT_QUADON_ACTIVE, x->warp->active, 0);
	if (t->depth == x->rules->stack_depth)
		return exec_fault(x, FAULT_STACK_OVERFLOW, x->warp->active, 0);
	t->stack[t->depth++] = (struct stack_entry){ .type = type, .pc = pc, .mask = mask, .cause = cause };
	if (t->depth > x->counts.deepest_stack)
		x->counts.deepest_stack = t->depth;
	x->step.flow |= FLOW_PUSH;
	return STEP_OK;
}

static struct stack_entry pop(struct exec *x)
{
	struct tesla_warp *t = tesla_state(x->warp);
	struct stack_entry e = t->stack[--t->depth];

	if (e.type == ENTRY_CALL_LIMITED)
		t->limited_calls--;
	x->step.flow |= FLOW_POP;
	return e;
}

static bool on_stack(const struct tesla_warp *t, unsigned types)
{
	for (uint32_t i = 0; i < t->depth; i++)
		if (types >> t->stack[i].type & 1)
			return true;
	return false;
}

enum { CALLS = 1 << ENTRY_CALL | 1 << ENTRY_CALL_LIMITED, PREBREAKS = 1 << ENTRY_PREBREAK };

static void go(struct exec *x, lane_mask run, uint32_t pc)
{
	lanes_return(x->warp, x->bill, run);
	x->step.next_pc = pc;
}

/* Lanes that wait in `from` for this entry go back to running; those of the mask that run are the new active mask. */
static void wake(struct exec *x, const struct stack_entry *e, enum lane_state from)
{
	struct warp *w = x->warp;
	lane_mask run = e->mask & (w->in_state[LANE_RUNS] | w->in_state[from]);

	go(x, run, e->pc);
}

/* After the last active lane has left: go down the stack until some lane runs, or the warp is done. */
static int unwind(struct exec *x)
{
	struct warp *w = x->warp;
	struct tesla_warp *t = tesla_state(w);

	while (!w->active && t->depth) {
		struct stack_entry e = *top(t);
		switch (e.type) {
		case ENTRY_BRANCH:
			pop(x);
			wake(x, &e, LANE_RUNS);
			break;
		case ENTRY_JOINAT:
			if (x->rules->join == JOIN_PER_PATH) {
				pop(x);
				wake(x, &e, LANE_RUNS);
				x->step.next_pc = e.pc + program_at(x->program, e.pc)->length;
			} else if (lanes_live(w, e.mask)) {
				wake(x, &e, LANE_RUNS);   /* the join at e.pc pops it */
			} else {
				pop(x);
			}
			break;
		case ENTRY_PREBREAK:
			pop(x);
			wake(x, &e, LANE_BROKE);
			break;
		case ENTRY_CALL:
		case ENTRY_CALL_LIMITED:
			pop(x);
			wake(x, &e, LANE_RETURNED);
			break;
		default:
			return exec_fault(x, FAULT_QUADON_ACTIVE, e.mask, 0);
		}
	}
	return w->active ? STEP_OK : STEP_DONE;
}

/* Which side of a split runs first: true for the taken one. */
static bool taken_first(struct exec *x, lane_mask taken, lane_mask fall)
{
	switch (x->rules->diverge) {
	case DIVERGE_FALL: return false;
	case DIVERGE_LARGER: return lanes_count(taken) >= lanes_count(fall);
	case DIVERGE_RANDOM: return rng_next(&x->random) & 1;
	default: return true;
	}
}

static int split(struct exec *x, lane_mask run, uint32_t run_pc, uint32_t other_pc)
{
	lane_mask rest = x->warp->active & ~run;
	int r = push(x, ENTRY_BRANCH, other_pc, rest, x->step.pc);

	if (r == STEP_OK) {
		lanes_leave(x->warp, rest, LANE_RUNS, x->step.pc);
		x->step.next_pc = run_pc;
		x->step.flow |= FLOW_DIVERGED;
	}
	return r;
}

int flow_bra(struct exec *x, lane_mask p, uint32_t target)
{
	struct warp *w = x->warp;
	lane_mask fall = w->active & ~p;

	if (quadon_active(w))
		return exec_fault(x, FAULT_QUADON_ACTIVE, w->active, 0);
	x->step.flow |= FLOW_BRANCH | (p ? FLOW_TAKEN : 0);
	if (!p)
		return STEP_OK;
	if (!fall) {
		x->step.next_pc = target;
		return STEP_OK;
	}
	if (taken_first(x, p, fall))
		return split(x, p, target, x->step.next_pc);
	return split(x, fall, x->step.next_pc, target);
}

int flow_bra_each(struct exec *x, const struct row *target)
{
	struct warp *w = x->warp;
	uint32_t first = target->lane[__builtin_ctzll(w->active)];
	lane_mask group = 0;

	if (quadon_active(w))
		return exec_fault(x, FAULT_QUADON_ACTIVE, w->active, 0);
	FOR_SET_LANES(l, w->active)
		group |= (lane_mask)(target->lane[l] == first) << l;
	x->step.flow |= FLOW_BRANCH | FLOW_TAKEN;
	if (group == w->active) {
		x->step.next_pc = first;
		return STEP_OK;
	}
	return split(x, group, first, x->step.pc);   /* the rest executes this instruction again */
}

int flow_joinat(struct exec *x, uint32_t target)
{
	return push(x, ENTRY_JOINAT, target, x->warp->active, 0);
}

int flow_prebrk(struct exec *x, uint32_t target)
{
	return push(x, ENTRY_PREBREAK, target, x->warp->active, 0);
}

/* Lanes p stop here until their loop or call is over. */
static int leave_and_unwind(struct exec *x, lane_mask p, enum lane_state to)
{
	struct warp *w = x->warp;

	if (quadon_active(w))
		return exec_fault(x, FAULT_QUADON_ACTIVE, w->active, 0);
	if (p && p != w->active)
		x->step.flow |= FLOW_DIVERGED;
	lanes_leave(w, p, to, x->step.pc);
	return w->active ? STEP_OK : unwind(x);
}

int flow_brk(struct exec *x, lane_mask p)
{
	x->step.flow |= FLOW_BRANCH | (p ? FLOW_TAKEN : 0);
	if (!p)
		return STEP_OK;
	if (!on_stack(tesla_state(x->warp), PREBREAKS))
		return exec_fault(x, FAULT_STACK_UNDERFLOW, p, 0);
	return leave_and_unwind(x, p, LANE_BROKE);
}

int flow_call(struct exec *x, uint32_t target, bool limited)
{
	struct tesla_warp *t = tesla_state(x->warp);
	int r;

	x->step.flow |= FLOW_BRANCH;
	if (limited && t->limited_calls >= x->rules->call_limit)
		return STEP_OK;                         /* skipped: falls through */
	r = flow_preret(x, x->step.next_pc, limited);
	if (r == STEP_OK) {
		x->step.next_pc = target;
		x->step.flow |= FLOW_TAKEN;
	}
	return r;
}

int flow_preret(struct exec *x, uint32_t target, bool limited)
{
	int r = push(x, limited ? ENTRY_CALL_LIMITED : ENTRY_CALL, target, x->warp->active, 0);

	if (r == STEP_OK && limited)
		tesla_state(x->warp)->limited_calls++;
	return r;
}

int flow_ret(struct exec *x, lane_mask p)
{
	bool called = on_stack(tesla_state(x->warp), CALLS);

	x->step.flow |= FLOW_BRANCH | (p ? FLOW_TAKEN : 0);
	if (!p)
		return STEP_OK;
	if (!called)
		x->progress++;                          /* it ends threads, like exit */
	return leave_and_unwind(x, p, called ? LANE_RETURNED : LANE_EXITED);
}

int flow_exit(struct exec *x)
{
	x->progress++;
	return leave_and_unwind(x, x->warp->active, LANE_EXITED);
}

int flow_quadon(struct exec *x)
{
	struct warp *w = x->warp;
	lane_mask quads = w->active;
	int r = push(x, ENTRY_QUADON, 0, w->active, 0);

	if (r != STEP_OK)
		return r;
	quads = (quads | quads >> 1 | quads >> 2 | quads >> 3) & 0x1111111111111111ull;
	lanes_lend(w, x->bill, quads * 15);
	return STEP_OK;
}

int flow_quadpop(struct exec *x)
{
	struct warp *w = x->warp;

	if (!top(tesla_state(w)))
		return exec_fault(x, FAULT_STACK_UNDERFLOW, w->active, 0);
	if (!quadon_active(w))
		return exec_fault(x, FAULT_STACK_MISMATCH, w->active, 0);
	lanes_give_back(w, w->active & ~pop(x).mask);
	return STEP_OK;
}

/* One path has arrived: the pending one runs, the lanes that are here first wait, charged to the bra that split them. */
static void switch_path(struct exec *x)
{
	struct stack_entry e = pop(x);

	lanes_leave(x->warp, x->warp->active, LANE_RUNS, e.cause);
	wake(x, &e, LANE_RUNS);
}

/* A path has reached a join: the next pending one runs, or all are here and *merged. */
static int arrive(struct exec *x, bool *merged)
{
	struct warp *w = x->warp;
	struct stack_entry *e = top(tesla_state(w));

	if (!e || (e->type != ENTRY_BRANCH && e->type != ENTRY_JOINAT))
		return exec_fault(x, FAULT_STACK_MISMATCH, w->active, 0);
	*merged = e->type == ENTRY_JOINAT;
	if (*merged) {
		lanes_return(w, x->bill, lanes_live(w, pop(x).mask));
		x->step.flow |= FLOW_MERGED;
	} else {
		switch_path(x);
	}
	return STEP_OK;
}

int flow_join(struct exec *x, bool *executes)
{
	int r;

	*executes = true;
	if (x->rules->join == JOIN_PER_PATH || tesla_state(x->warp)->joined)
		return STEP_OK;
	r = arrive(x, executes);
	if (r == STEP_OK && !*executes)
		x->step.flow |= FLOW_REJOIN;
	return r;
}

int flow_join_after(struct exec *x)
{
	bool merged;

	return arrive(x, &merged);
}
