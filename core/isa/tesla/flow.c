/* Control flow by a stack of masks, the machine's own, and by immediate post-dominators on the same stack. */
#include "core/trace.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/stage.h"

#include "core/base/rng.h"
#include "mem/warp_sets.h"

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
	flow_push(x, (struct stack_entry){ .type = type, .pc = pc, .mask = mask, .cause = cause });
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

/* Only with a prebrk on the stack, and no quadon on top. */
static bool stack_can_break(const struct exec *x)
{
	const struct tesla_warp *t = tesla_state(x->warp);

	return on_stack(t, PREBREAKS) && t->stack[t->depth - 1].type != ENTRY_QUADON;
}

static void resume(struct exec *x, lane_mask run, uint32_t pc)
{
	lanes_return(x->warp, x->bill, run);
	x->step.next_pc = pc;
}

/* Lanes that wait in `from` for the entry go back to running; the running lanes of the mask are the new active mask. */
static void wake(struct exec *x, const struct stack_entry *e, enum lane_state from)
{
	struct warp *w = x->warp;
	lane_mask run = e->mask & (w->in_state[LANE_RUNS] | w->in_state[from]);

	resume(x, run, e->pc);
}

/* After the last active lane has left: go down the stack until a lane runs, or the warp is done. */
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
				x->step.next_pc = program_behind(x->program, e.pc);
			} else if (lanes_live(w, e.mask)) {
				wake(x, &e, LANE_RUNS);   /* popped by the join at e.pc */
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

bool flow_taken_first(struct exec *x, lane_mask taken, lane_mask fall)
{
	switch (x->rules->diverge) {
	case DIVERGE_FALL: return false;
	case DIVERGE_LARGER: return lanes_count(taken) >= lanes_count(fall);
	case DIVERGE_RANDOM:
		if (x->warp_sets)
			warp_sets_refuse(x->warp_sets, "which way goes first is drawn at random");
		return rng_next(&x->random) & 1;
	default: return true;
	}
}

/* The reconvergence point of lanes that diverge at pc without a joinat: by post-dominators alone. */
static uint32_t reconvergence_of(const struct exec *x, uint32_t pc)
{
	return tesla_by_postdominators(x->rules) ? x->program->reconvergence[pc >> 2] : RECONVERGE_NOWHERE;
}

/* Does the top of the stack wait for lanes at `point` already? Then lanes that diverge again reconverge there as
 * well. */
static bool awaited(const struct exec *x, uint32_t point)
{
	const struct stack_entry *e = top(tesla_state(x->warp));

	if (!e)
		return false;
	return (e->type == ENTRY_JOINAT && e->pc == point) ||
	       (e->type == ENTRY_BRANCH && reconvergence_of(x, e->cause) == point);
}

/* Lanes `run` go to run_pc, the other active lanes to other_pc in their turn. */
static int diverge(struct exec *x, lane_mask run, uint32_t run_pc, uint32_t other_pc)
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

/* As diverge, with both sides reconverging at `point`: an entry waits there for both, and a side that begins there has
 * arrived. */
static int diverge_until(struct exec *x, uint32_t point, lane_mask run, uint32_t run_pc, uint32_t other_pc)
{
	struct warp *w = x->warp;
	bool opens = !awaited(x, point);
	int r = opens ? push(x, ENTRY_JOINAT, point, w->active, x->step.pc) : STEP_OK;

	if (r != STEP_OK)
		return r;
	if (run_pc == point || other_pc == point) {
		lanes_leave(w, run_pc == point ? run : w->active & ~run, LANE_RUNS, x->step.pc);
		x->step.next_pc = run_pc == point ? other_pc : run_pc;
		x->step.flow |= FLOW_DIVERGED;
		return STEP_OK;
	}
	r = diverge(x, run, run_pc, other_pc);
	if (r != STEP_OK && opens)
		pop(x);
	return r;
}

static int split(struct exec *x, lane_mask run, uint32_t run_pc, uint32_t other_pc)
{
	uint32_t point = reconvergence_of(x, x->step.pc);

	return point == RECONVERGE_NOWHERE ? diverge(x, run, run_pc, other_pc)
					   : diverge_until(x, point, run, run_pc, other_pc);
}

static int stack_bra(struct exec *x, lane_mask p, uint32_t target)
{
	struct warp *w = x->warp;
	lane_mask fall = w->active & ~p;

	if (quadon_active(w))
		return exec_fault(x, FAULT_QUADON_ACTIVE, w->active, 0);
	if (!flow_branches(x, p))
		return STEP_OK;
	if (!fall) {
		x->step.next_pc = target;
		return STEP_OK;
	}
	if (flow_taken_first(x, p, fall))
		return split(x, p, target, x->step.next_pc);
	return split(x, fall, x->step.next_pc, target);
}

static int stack_bra_each(struct exec *x, const struct row *target)
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
	return split(x, group, first, x->step.pc);   /* the rest executes the instruction again */
}

static int stack_joinat(struct exec *x, uint32_t target)
{
	return push(x, ENTRY_JOINAT, target, x->warp->active, 0);
}

static int stack_prebrk(struct exec *x, uint32_t target)
{
	return push(x, ENTRY_PREBREAK, target, x->warp->active, 0);
}

/* The cause of the end of all active lanes: the branch at which waiting lanes diverged from the active lanes, if both
 * could have reconverged. */
static uint32_t end_cause(struct exec *x)
{
	const struct stack_entry *e = top(tesla_state(x->warp));

	if (!e || e->type != ENTRY_BRANCH || !x->program->reconvergence ||
	    x->program->reconvergence[e->cause >> 2] == RECONVERGE_NOWHERE)
		return x->step.pc;
	x->bill->unreconverged[e->cause >> 2] += (unsigned)lanes_count(x->warp->active);
	return e->cause;
}

/* Lanes p stop until their loop or call is over. */
static int leave_and_unwind(struct exec *x, lane_mask p, enum lane_state to)
{
	struct warp *w = x->warp;

	if (quadon_active(w))
		return exec_fault(x, FAULT_QUADON_ACTIVE, w->active, 0);
	if (p && p != w->active)
		x->step.flow |= FLOW_DIVERGED;
	if (to == LANE_EXITED)
		stage_give(x, p);
	lanes_leave(w, p, to, to == LANE_EXITED && p == w->active ? end_cause(x) : x->step.pc);
	return w->active ? STEP_OK : unwind(x);
}

static int stack_brk(struct exec *x, lane_mask p)
{
	if (!flow_branches(x, p))
		return STEP_OK;
	if (!on_stack(tesla_state(x->warp), PREBREAKS))
		return exec_fault(x, FAULT_STACK_UNDERFLOW, p, 0);
	return leave_and_unwind(x, p, LANE_BROKE);
}

static int stack_preret(struct exec *x, uint32_t target, bool limited)
{
	int r = push(x, limited ? ENTRY_CALL_LIMITED : ENTRY_CALL, target, x->warp->active, 0);

	if (r == STEP_OK && limited)
		tesla_state(x->warp)->limited_calls++;
	return r;
}

static uint32_t stack_limited_calls(const struct exec *x)
{
	return tesla_state(x->warp)->limited_calls;
}

static int stack_ret(struct exec *x, lane_mask p)
{
	bool called = on_stack(tesla_state(x->warp), CALLS);

	if (!flow_branches(x, p))
		return STEP_OK;
	if (!called)
		x->progress++;                          /* ends threads, like exit */
	return leave_and_unwind(x, p, called ? LANE_RETURNED : LANE_EXITED);
}

static int stack_exit(struct exec *x, lane_mask lanes)
{
	x->progress++;
	return leave_and_unwind(x, lanes, LANE_EXITED);
}

void flow_lend_quads(struct exec *x)
{
	lane_mask quads = x->warp->active;

	quads = (quads | quads >> 1 | quads >> 2 | quads >> 3) & 0x1111111111111111ull;
	lanes_lend(x->warp, x->bill, quads * 15);
}

static int stack_quadon(struct exec *x)
{
	int r = push(x, ENTRY_QUADON, 0, x->warp->active, 0);

	if (r == STEP_OK)
		flow_lend_quads(x);
	return r;
}

static int stack_quadpop(struct exec *x)
{
	struct warp *w = x->warp;

	if (!top(tesla_state(w)))
		return exec_fault(x, FAULT_STACK_UNDERFLOW, w->active, 0);
	if (!quadon_active(w))
		return exec_fault(x, FAULT_STACK_MISMATCH, w->active, 0);
	lanes_give_back(w, w->active & ~pop(x).mask);
	return STEP_OK;
}

void flow_switch_path(struct exec *x)
{
	struct stack_entry e = pop(x);

	lanes_leave(x->warp, x->warp->active, LANE_RUNS, e.cause);
	wake(x, &e, LANE_RUNS);
}

/* A path has reached a join: the next pending path runs, or all have arrived and *merged. */
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
		flow_switch_path(x);
	}
	return STEP_OK;
}

static int stack_join(struct exec *x, bool *executes)
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

static int no_joinat(struct exec *x, uint32_t target)
{
	return STEP_OK;
}

/* A join at a reconvergence point: the path has arrived if the top of the stack waits for lanes here. */
static int ipdom_join(struct exec *x, bool *executes)
{
	*executes = true;
	if (tesla_state(x->warp)->joined)
		return STEP_OK;
	while (*executes && awaited(x, x->step.pc))
		arrive(x, executes);
	if (!*executes)
		x->step.flow |= FLOW_REJOIN;
	return STEP_OK;
}

/* The counters hold 6 bits, 7 on GT200 and later (envytools mp.xml). */
uint32_t flow_counter_limit(const struct program *p)
{
	return p->target.features & FEAT_SM12 ? 127 : 63;
}

bool flow_bar_of_all(const struct insn *in)
{
	return (in->src[0].value == -1 || in->src[0].value == 0xfff) && in->mod[MOD_INC] && in->mod[MOD_WAIT];
}

/* How many warps release the barrier, 0 for all: `all` and 0xfff, the only values compilers emit, mean all. */
static uint32_t warps_needed(const struct exec *x, int32_t count)
{
	if (count == -1 || count == 0xfff)
		return 0;
	if (x->rules->bar_unit == BAR_THREADS)
		count = (count + LANES - 1) / LANES;
	return count ? (uint32_t)count : 1;
}

static const char not_for_all[] = "a barrier is not for all warps of a block";

int flow_trace_barrier(struct exec *x, uint32_t run, unsigned barrier)
{
	if (x->block->nwarps > flow_counter_limit(x->program))
		x->trace->refused = not_for_all;
	trace_barrier(x->trace, run, barrier);
	x->warp->status = WARP_AT_BARRIER;
	x->warp->waits_for = (uint8_t)barrier;
	return STEP_BARRIER;
}

int flow_barrier(struct exec *x, const struct insn *in, bool diverged)
{
	struct barrier *b = &x->block->barrier[in->mod[MOD_OP]];
	uint64_t waited = b->waiting;
	bool waits;

	if (diverged)
		exec_notice(x, NOTICE_BARRIER_DIVERGED);
	if (x->trace && !flow_bar_of_all(in))
		x->trace->refused = not_for_all;
	if (x->trace)
		return flow_trace_barrier(x, x->step.run, in->mod[MOD_OP]);
	waits = barrier_arrive(x->block, x->warp, in->mod[MOD_OP], in->mod[MOD_INC], in->mod[MOD_WAIT],
			       warps_needed(x, in->src[0].value), flow_counter_limit(x->program));
	if (waited & ~b->waiting)
		x->progress++;
	return waits ? STEP_BARRIER : STEP_OK;
}

/* A warp arrives whatever the mask. */
static int stack_bar(struct exec *x, const struct insn *in)
{
	const struct warp *w = x->warp;

	return flow_barrier(x, in, w->active != (w->launched & ~w->in_state[LANE_EXITED]));
}

#define COMMON \
	.bra = stack_bra, .bra_each = stack_bra_each, .prebrk = stack_prebrk, .brk = stack_brk, \
	.preret = stack_preret, .limited_calls = stack_limited_calls, .ret = stack_ret, \
	.quadon = stack_quadon, .quadpop = stack_quadpop, .bar = stack_bar, .exit = stack_exit, \
	.can_break = stack_can_break

const struct flow_ops flow_stack = { COMMON, .joinat = stack_joinat, .join = stack_join };
const struct flow_ops flow_ipdom = { COMMON, .joinat = no_joinat, .join = ipdom_join };
