/* Tesla's handlers of control flow, and the table of all handlers of a SIMD level.
 *
 * Control flow has handlers for the usual case: all lanes branch or none does, a join finds all lanes of its entry.
 * Where lanes diverge, the run ends and the rules of flow.c decide where the warp goes on; possible faults, and
 * dependence on more state, take the slow path. */
#include "core/diverge.h"
#include "core/isa/table.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/run.h"
#include "core/isa/tesla/lock.h"
#include "core/isa/tesla/native_flow.h"

static int handler_push(HANDLER_PARAMETERS)
{
	if (!tesla_push(op, x, active))
		HANDLER_CALL(SIMD_NAME(threaded_slow), op, x, reg, active);
	HANDLER_NEXT(op, x, reg, active);
}

/* Under policies over groups of lanes. */
static int handler_push_lanes(HANDLER_PARAMETERS)
{
	if (__builtin_expect(!flow_lanes_push(x, op->arg, (uint32_t)op->in->src[0].value), 0))
		HANDLER_CALL(SIMD_NAME(threaded_slow), op, x, reg, active);
	HANDLER_NEXT(op, x, reg, active);
}

/* depth: of the stack behind the instruction. */
static inline void add_detail(struct exec *x, uint32_t active, uint32_t executed, unsigned flow, uint32_t depth)
{
	if (x->trace)
		trace_add_detail(x->trace, &(struct trace_detail){
			.active = active, .executed = executed, .gone_lanes = lanes_gone(x->warp),
			.flow = (uint8_t)flow, .depth = (uint16_t)depth,
		});
}

/* The instruction has executed with outcome r: which lanes go on? */
static inline int settle(struct exec *x, int r)
{
	r = x->program->flow->settle ? x->program->flow->settle(x, r) : r;
	x->warp->pc = x->step.next_pc;
	return r;
}

/* Call the instruction's executor, for lanes p that pass the guard; instructions that can fault are excluded before. */
static int steer(const struct threaded_op *op, struct exec *x, uint32_t active, uint32_t p)
{
	int r;

	threaded_end_behind(op, x, active);
	threaded_begin_step(op, x, active, active);
	x->guard = p;
	r = op->in->exec(x, op->in);
	exec_count_branch(x);
	r = settle(x, r);
	if (x->rules->detailed)
		add_detail(x, active, active, x->step.flow, tesla_stack(x->warp, 0, NULL));
	return r;
}

/* Lanes diverge: the stack must have space for the pushed entries. */
static __attribute__((noinline)) int handler_diverge(HANDLER_PARAMETERS)
{
	int r;

	if (tesla_state(x->warp)->depth + 2 > x->rules->stack_depth)
		HANDLER_CALL(SIMD_NAME(threaded_slow), op, x, reg, active);
	r = steer(op, x, active, op_lanes(op, reg, active));
	HANDLER_RESUME(r, x, reg);
}

static int handler_branch(HANDLER_PARAMETERS)
{
	uint32_t p = op_lanes(op, reg, active);

	if (p && p != active)
		HANDLER_CALL(handler_diverge, op, x, reg, active);
	threaded_count_branch(op, x, p);
	if (!p)
		HANDLER_NEXT(op, x, reg, active);
	HANDLER_BRANCH(op, x, reg, active);
}

/* Under a policy over groups of lanes: the branch back of a loop that waits for a change of memory. */
static int handler_spin(HANDLER_PARAMETERS)
{
	int r;

	if (!op_lanes(op, reg, active)) {
		threaded_count_branch(op, x, false);
		HANDLER_NEXT(op, x, reg, active);
	}
	r = steer(op, x, active, op_lanes(op, reg, active));
	HANDLER_RESUME(r, x, reg);
}

/* Lanes break, or return. */
static __attribute__((noinline)) int handler_leave_some(HANDLER_PARAMETERS)
{
	int r;

	if (op->in->row->exec == TESLA_EXEC_brk && !x->program->flow->can_break(x))
		HANDLER_CALL(SIMD_NAME(threaded_slow), op, x, reg, active);
	r = steer(op, x, active, op_lanes(op, reg, active));
	HANDLER_RESUME(r, x, reg);
}

static int handler_leave(HANDLER_PARAMETERS)
{
	if (op_lanes(op, reg, active))
		HANDLER_CALL(handler_leave_some, op, x, reg, active);
	threaded_count_branch(op, x, false);
	HANDLER_NEXT(op, x, reg, active);
}

/* The exit marker, behind its instruction. */
static int handler_exit(HANDLER_PARAMETERS)
{
	int r;

	threaded_end_behind(op, x, active);
	threaded_begin_step(op, x, active, active);
	r = settle(x, x->program->flow->exit(x, active));
	HANDLER_RESUME(r, x, reg);
}

static int handler_bar(HANDLER_PARAMETERS)
{
	int r;

	threaded_end_behind(op, x, active);
	threaded_begin_step(op, x, active, active);
	r = settle(x, x->program->flow->bar(x, op->in));
	HANDLER_RESUME(r, x, reg);
}

/* ---- the usual case of barriers, ends and joins, without a step for an executor ---- */

#ifdef __wasm__                 /* bytes count in a page */
#define handler_ret_all handler_leave
#define handler_bar_all handler_bar
#define handler_exit_all handler_exit
#define handler_join_apart SIMD_NAME(threaded_slow)
#else
/* End a run behind op where nothing is to be noted (threaded_noted): no call, and no step for an executor. */
static inline void end_alone(const struct threaded_op *op, struct exec *x, row_mask active)
{
	struct warp *w = x->warp;

	w->pc = op->behind;
	threaded_count_behind(op, x, w, active);
}

/* The last warp arrives at a barrier of all unfinished warps. */
static __attribute__((noinline)) int handler_bar_last(HANDLER_PARAMETERS)
{
	struct barrier *bar = &x->block->barrier[op->arg];
	uint64_t waited = bar->waiting;
	bool waits;

	end_alone(op, x, active);
	waits = barrier_arrive(x->block, x->warp, op->arg, true, true, 0, op->flip[0]);
	if (waited & ~bar->waiting)
		x->progress++;
	HANDLER_RESUME(waits ? STEP_BARRIER : STEP_OK, x, reg);
}

/* The last run of a warp that leaves a trace, or the run before a barrier. Returns its number of instructions. */
static inline uint32_t end_traced(const struct threaded_op *op, struct exec *x, row_mask active)
{
	uint32_t n = threaded_count_behind(op, x, x->warp, active);

	trace_run(x->trace, x->warp, n, op->behind);
	x->warp->pc = op->behind;
	return n;
}

/* While the warp leaves a trace, the executor of the block releases barriers. */
static __attribute__((noinline)) int handler_bar_traced(HANDLER_PARAMETERS)
{
	uint32_t n = end_traced(op, x, active);

	return flow_trace_barrier(x, n, op->arg);
}

static __attribute__((noinline)) int handler_exit_traced(HANDLER_PARAMETERS)
{
	end_traced(op, x, active);
	x->progress++;
	lanes_end(x->warp, op->pc);
	return STEP_DONE;
}

/* On a stack or by post-dominators: a ret of a compute program outside of all calls: mostly all lanes end, or none. */
static int handler_ret_all(HANDLER_PARAMETERS)
{
	struct warp *w = x->warp;
	row_mask p = op_lanes(op, reg, active);

	if (p && (p != active || threaded_noted(x) || tesla_state(w)->depth || w->grouped & active))
		HANDLER_CALL(handler_leave_some, op, x, reg, active);
	threaded_count_branch(op, x, p);
	if (!p)
		HANDLER_NEXT(op, x, reg, active);
	end_alone(op, x, active);
	x->progress++;
	lanes_end(w, op->pc);
	return STEP_DONE;
}

/* On a stack or by post-dominators: a barrier of all unfinished warps, number op.arg with op.flip[0] as the counter's
 * maximum. */
static int handler_bar_all(HANDLER_PARAMETERS)
{
	struct warp *w = x->warp;

	if (__builtin_expect(threaded_counted(x) || active != (w->launched & ~w->in_state[LANE_EXITED]), 0))
		HANDLER_CALL(handler_bar, op, x, (char *)w->reg, (row_mask)w->active);
	if (x->trace)
		HANDLER_CALL(handler_bar_traced, op, x, (char *)w->reg, (row_mask)w->active);
	if (!barrier_wait_all(x->block, w, op->arg, op->flip[0]))
		HANDLER_CALL(handler_bar_last, op, x, (char *)w->reg, (row_mask)w->active);
	end_alone(op, x, active);
	return STEP_BARRIER;
}

/* Likewise the exit marker of a compute program. */
static int handler_exit_all(HANDLER_PARAMETERS)
{
	struct warp *w = x->warp;

	if (__builtin_expect(threaded_counted(x) || tesla_state(w)->depth || w->grouped & active, 0))
		HANDLER_CALL(handler_exit, op, x, reg, active);
	if (x->trace)
		HANDLER_CALL(handler_exit_traced, op, x, reg, active);
	end_alone(op, x, active);
	x->progress++;
	lanes_end(w, op->pc);
	return STEP_DONE;
}

/* A path of the warp has arrived alone: the other path runs. No instruction issues. */
static __attribute__((noinline)) int handler_join_first(HANDLER_PARAMETERS)
{
	threaded_stay(op, x, active, STEP_OK);
	x->bill->pc[op->pc >> 2].rejoins++;
	x->instructions++;
	x->special.cycle += CYCLES_AN_ISSUE;
	x->run.remaining--;
	if (x->trace)
		trace_step(x->trace, x->warp, op->behind, active);
	flow_switch_path(x);
	x->warp->pc = x->step.next_pc;
	HANDLER_RESUME(STEP_OK, x, reg);
}

/* Both paths have arrived: a run of all lanes begins with the instruction. A trace has the instruction under the mask
 * before. */
static __attribute__((noinline)) int handler_join_apart(HANDLER_PARAMETERS)
{
	struct warp *w = x->warp;
	struct tesla_warp *t = tesla_state(w);
	const struct stack_entry *e = t->depth ? &t->stack[t->depth - 1] : NULL;

	if (e && e->type == ENTRY_BRANCH && !x->rules->detailed)
		HANDLER_CALL(handler_join_first, op, x, reg, active);
	if (!e || e->type != ENTRY_JOINAT || (x->trace && x->trace->all->detailed))
		HANDLER_CALL(SIMD_NAME(threaded_slow), op, x, reg, active);
	threaded_stay(op, x, active, STEP_OK);
	if (x->trace)
		trace_first(x->trace, active, op->behind);
	t->depth--;
	lanes_return(w, x->bill, lanes_live(w, e->mask));
	HANDLER_BEGIN(op + 1, x, reg);
}

#endif

/* A marker with all lanes of its entry present. */
static int handler_join(HANDLER_PARAMETERS)
{
	if (!tesla_join(op, x, active))
		HANDLER_CALL(handler_join_apart, op, x, reg, active);
	HANDLER_NEXT(op, x, reg, active);
}

/* Under a policy that obeys markers. */
static int handler_join_lanes(HANDLER_PARAMETERS)
{
	if (!flow_lanes_meet(x))
		HANDLER_CALL(SIMD_NAME(threaded_slow), op, x, reg, active);
	HANDLER_NEXT(op, x, reg, active);
}

/* ---- details of traces ----
 *
 * A recorder needs, of instructions with a guard or an effect on masks, the lanes that executed and the effect (struct
 * trace_detail). An entry in front adds the detail to the trace, so that such instructions stay on the fast path and in
 * their run. On the slow path threaded_step does. */

static int handler_detail(HANDLER_PARAMETERS)
{
	uint32_t depth = tesla_stack(x->warp, 0, NULL);
	bool pushes = op->arg & FLOW_PUSH;

	if (__builtin_expect(pushes && depth == x->rules->stack_depth, 0))
		HANDLER_CALL(SIMD_NAME(threaded_slow), op, x, reg, active);
	add_detail(x, active, op->in->guard == GUARD_LANES ? op_lanes(op, reg, active) : active, op->arg,
		   depth + pushes);
	HANDLER_NEXT(op, x, reg, active);
}

/* Before a branch. Where lanes diverge, or leave, steer() adds the detail. */
static int handler_detail_branch(HANDLER_PARAMETERS)
{
	uint32_t p = op_lanes(op, reg, active);

	if (!p || (p == active && op->in->row->exec == TESLA_EXEC_bra))
		add_detail(x, active, active, FLOW_BRANCH | (p ? FLOW_TAKEN : 0), tesla_stack(x->warp, 0, NULL));
	HANDLER_NEXT(op, x, reg, active);
}

const struct tesla_handlers SIMD_NAME(tesla_handlers) = {
	.engine = &SIMD_NAME(threaded), .words = SIMD_NAME(word_handlers),
	.fetch = SIMD_NAME(handler_fetch), .fetch_uniform = SIMD_NAME(handler_fetch_uniform),
	.fetch_words = SIMD_NAME(handler_fetch_words), .load_shared = SIMD_NAME(handler_load_shared),
	.store_shared = SIMD_NAME(handler_store_shared), .load_run = SIMD_NAME(handler_load_run),
	.store_run = SIMD_NAME(handler_store_run), .exec = SIMD_NAME(handler_exec),
	.exec_floats = SIMD_NAME(handler_exec_floats), .exec_fetched = SIMD_NAME(handler_exec_fetched),
	.exec_fetched_floats = SIMD_NAME(handler_exec_fetched_floats),
	.push = handler_push,
	.branch = handler_branch, .leave = handler_leave, .bar = handler_bar, .join = handler_join,
	.exit = handler_exit, .bar_all = handler_bar_all, .exit_all = handler_exit_all,
	.ret_all = handler_ret_all,
	.push_lanes = handler_push_lanes, .spin = handler_spin, .join_lanes = handler_join_lanes,
	.steer = steer,
	.detail = handler_detail, .detail_branch = handler_detail_branch,
};
