/* The slow path of Tesla's threaded code: any instruction with all of its parts: join marker, guard, operands in
 * memory, executor, exit marker. And program.run_observed, the loop for callers that need every step complete. */
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/lock.h"
#include "core/isa/tesla/run.h"
#include "core/isa/tesla/threaded.h"

/* Lanes of m that pass the guard. */
static lane_mask passing(const struct exec *x, const struct insn *in, lane_mask m)
{
	return m & nibbles_in(&tesla_state(x->warp)->c[in->pred_reg & 3], in->guard_set);
}

static lane_mask quad_lanes(const struct insn *in)
{
	return in->lane_mask * 0x11111111ull;
}

/* The lanes that execute: the guard either turns lanes off or is an operand. */
static void apply_guard(struct exec *x, const struct insn *in)
{
	lane_mask active = x->warp->active;

	x->guard = in->guard == GUARD_ALWAYS ? active : passing(x, in, active);
	x->step.executed = (in->guard == GUARD_LANES ? x->guard : active) & quad_lanes(in);
}

/* Bill lanes turned off. */
static inline void bill_off(struct exec *x)
{
	lane_mask off = x->step.active & ~x->step.executed;

	if (off)
		bill_predicated(x->bill, x->step.pc, off, x->warp->helper);
}

/* Everything but the executor: for an instruction with a marker, a notice or an effect on masks. */
static int slow_path(struct exec *x, const struct insn *in)
{
	struct warp *w = x->warp;
	struct tesla_warp *t = tesla_state(w);
	bool executes = true;
	int r = STEP_OK;

	if (in->acts & MARK_JOIN)
		r = x->program->flow->join(x, &executes);
	if (r != STEP_OK || !executes)
		return r;
	t->joined = in->acts & MARK_JOIN;
	x->step.active = w->active;
	if (in->loose && x->rules->strict)
		return exec_fault(x, FAULT_LOOSE_BITS, w->active, 0);
	apply_guard(x, in);
	if (in->fetch)
		r = SIMD_NAME(tesla_fetch)(x, in);
	if (r != STEP_OK)
		return r;
	w->issues++;
	r = in->exec(x, in);
	if (r == STEP_LOCKED || r == STEP_FAULT) {
		w->issues--;
		return r;
	}
	t->joined = false;
	if (in->loose || in->undoc)
		exec_notice_word(x, in);
	bill_off(x);
	if (x->step.flow & FLOW_BRANCH)
		exec_count_branch(x);
	if (in->acts & MARK_JOIN && x->rules->join == JOIN_PER_PATH && r == STEP_OK)
		r = flow_join_after(x);
	if (in->acts & MARK_EXIT && (r == STEP_OK || r == STEP_BREAK))
		r = x->program->flow->exit(x, x->warp->active);
	return r;
}

static inline int plain(struct exec *x, const struct insn *in)
{
	int r = in->exec(x, in);

	x->warp->issues += r == STEP_OK;
	return r;
}

/* The usual instructions that are not plain. */
static inline int straight(struct exec *x, const struct insn *in)
{
	int r;

	if (in->guard == GUARD_LANES)
		x->step.executed = passing(x, in, x->step.active);
	r = in->fetch ? SIMD_NAME(tesla_fetch)(x, in) : STEP_OK;
	if (r == STEP_OK)
		r = plain(x, in);
	if (r == STEP_OK)
		bill_off(x);
	return r;
}

/* threaded_code.execute. Most executors want the host's usual float mode. */
int SIMD_NAME(tesla_execute)(struct exec *x, const struct insn *in)
{
	unsigned mode = in->floats ? denormals_on() : 0;
	int r = in->plain ? plain(x, in) : in->straight ? straight(x, in) : slow_path(x, in);

	if (in->floats)
		denormals_restore(mode);
	return r;
}

unsigned SIMD_NAME(tesla_host_enter)(void)
{
	return denormals_off();
}

void SIMD_NAME(tesla_host_leave)(unsigned mode)
{
	denormals_restore(mode);
}

/* ---- groups of lanes ---- */

/* Turns are as long as the budget, to the instruction, with whatever the lanes do. */
int SIMD_NAME(tesla_run_lanes)(struct exec *x, uint64_t budget)
{
	int r = STEP_OK;

	x->run.remaining = budget;
	x->run.spare = RUN_MAX;
	flow_lanes_leash(x);
	while (r == STEP_OK && x->run.remaining + x->run.held) {
		if (x->run.remaining) {
			r = SIMD_NAME(threaded_run)(x, x->run.remaining);
			continue;
		}
		x->run.remaining = x->run.held;
		x->run.held = 0;
		r = SIMD_NAME(threaded_step)(x);
		if (r == STEP_DONE)
			lock_warp_done(x);
	}
	flow_lanes_unleash(x);
	return r;
}

/* ---- an instruction at a time, for observers ---- */


/* Arithmetic by its handler: the step lacks only operands in memory, fetched as for the executor. */
static int step_by_handler(struct exec *x, const struct threaded_op *op)
{
	const struct insn *in = exec_begin(x);
	struct warp *w = x->warp;
	int r;

	x->step.executed = op_lanes(op, (const char *)w->reg, (uint32_t)w->active);
	if (in->fetch) {
		r = SIMD_NAME(tesla_fetch)(x, in);
		if (r != STEP_OK)
			return r;
		if (x->step.accesses)
			x->hooks.access(x);
		op++;
	}
	r = SIMD_NAME(threaded_enter)(op, x);
	if (r == STEP_OK && x->program->flow->settle) {
		r = x->program->flow->settle(x, r);
		x->warp->pc = x->step.next_pc;
	}
	return r;
}

/* Execute an instruction; x->step is complete. */
static int step(struct exec *x)
{
	const struct threaded_op *op = threaded_single(x);

	return op && op->computes ? step_by_handler(x, op) : SIMD_NAME(threaded_step)(x);
}

int SIMD_NAME(tesla_run_observed)(struct exec *x, uint64_t budget)
{
	struct tally *tally = x->tally;
	int r = STEP_OK;

	x->tally = NULL;        /* all accesses go to the hook */
	x->run.remaining = budget;
	if (x->program->flow->settle)
		x->run.spare = RUN_MAX;
	while (r == STEP_OK && !threaded_over(x)) {
		r = step(x);
		if (r != STEP_LOCKED && r != STEP_FAULT && x->hooks.executed)
			x->hooks.executed(x);
	}
	x->tally = tally;
	x->run.over = r != STEP_OK || threaded_too_long(x);
	if (r == STEP_DONE)
		lock_warp_done(x);
	return r;
}
