/* The engine's threaded code for every ISA (core/isa/threaded.h): the loop that enters it, the slow path, and the
 * handlers that link chains. Compiled once for each SIMD level. */
#include "core/isa/threaded.h"

#include "core/diverge.h"
#include "core/isa.h"

/* Machines of another width have levels with names of their own. */
#define DECLARE(level) THREADED_OF_LEVEL(level)
DECLARE(SIMD_LEVEL)

/* ---- the slow path ---- */

/* Leave an instruction in the warp's trace, with a detail for recorders where a segment does not suffice. */
static void leave_trace(struct exec *x, const struct insn *in, lane_mask active)
{
	const struct isa_ops *isa = x->program->target.isa;
	const struct step *s = &x->step;

	trace_step(x->trace, x->warp, s->pc + in->length, active);
	if (x->trace->all->detailed && !insn_by_all(in))
		trace_add_detail(x->trace, &(struct trace_detail){
			.active = s->active, .executed = s->executed, .gone_lanes = lanes_gone(x->warp),
			.flow = s->flow, .depth = isa->stack ? (uint16_t)isa->stack(x->warp, 0, NULL) : 0,
		});
}

int SIMD_NAME(threaded_step)(struct exec *x)
{
	const struct insn *in = exec_begin(x);
	lane_mask active = x->warp->active, helper = x->warp->helper;   /* masks before the instruction */
	uint64_t issues = x->warp->issues;
	int r;

	if (!in)
		return exec_fault(x, FAULT_PC_OUT_OF_RANGE, x->warp->active, x->warp->pc);
	r = x->program->threaded->execute(x, in);
	/* a fault of the marker: the instruction itself has executed */
	if (r == STEP_FAULT && x->warp->issues != issues) {
		threaded_bill(x, x->step.pc, x->step.pc + in->length, x->step.active, helper);
		x->instructions++;
		if (x->step.accesses)
			x->hooks.access(x);
	}
	if (r == STEP_LOCKED || r == STEP_FAULT)
		return r;
	if (x->step.flow & FLOW_REJOIN)
		x->bill->pc[x->warp->pc >> 2].rejoins++;
	else
		threaded_bill(x, x->step.pc, x->step.pc + in->length, x->step.active, helper);
	if (x->step.accesses)
		x->hooks.access(x);
	x->instructions++;
	x->special.cycle += CYCLES_AN_ISSUE;
	x->run.remaining--;
	if (x->program->threaded->settle)
		r = x->program->threaded->settle(x, r);
	if (x->trace)
		leave_trace(x, in, active);
	x->warp->pc = x->step.next_pc;
	return r;
}

int SIMD_NAME(threaded_slow)(HANDLER_PARAMETERS)
{
	int r;

	threaded_stay(op, x, active, STEP_OK);
	r = SIMD_NAME(threaded_step)(x);
	HANDLER_RESUME(r, x, reg);
}

/* ---- links ---- */

/* In a call to the instruction (x->run.leashed) the next follows at once. */
static int stop(HANDLER_PARAMETERS)
{
	threaded_stay(op, x, active, STEP_OK);
	if (!x->run.leashed)
		return STEP_OK;
	HANDLER_RESUME(STEP_OK, x, reg);
}

static int jump(HANDLER_PARAMETERS)
{
	threaded_stay(op, x, active, STEP_OK);
	op = op->target;
	if (op->run > x->run.remaining)
		return STEP_OK;
	HANDLER_BEGIN(op, x, reg);
}

static int nop(HANDLER_PARAMETERS)
{
	HANDLER_NEXT(op, x, reg, active);
}

/* ---- the loop ---- */

int SIMD_NAME(threaded_enter)(const struct threaded_op *op, struct exec *x)
{
	row_mask active = (row_mask)x->warp->active;
	int r;

	x->run.begun = op;
	r = (active == ROW_ALL ? op->full : op->partial)(op, x, (char *)x->warp->reg, active);
	while (!HANDLERS_JUMP && r == HANDLER_RETURNED) {
		op = x->run.next;
		active = (row_mask)x->run.next_active;
		r = (active == ROW_ALL ? op->full : op->partial)(op, x, (char *)x->warp->reg, active);
	}
	return r;
}

/* A call is over, with outcome r. */
static inline int ended(struct exec *x, int r)
{
	const struct threaded_code *code = x->program->threaded;

	if (r == STEP_DONE && code->ended)
		code->ended(x);
	return r;
}

/* Until the budget is used up, or another run would exceed the turn. */
static __attribute__((noinline)) int go_on(struct exec *x)
{
	int r = STEP_OK;

	while (r == STEP_OK && x->run.remaining) {
		const struct threaded_op *op = threaded_entry(x, x->program->threaded->on);
		if (op && op->run > x->run.remaining + x->run.spare)
			break;
		op = op ? threaded_allowed(x, op) : NULL;
		/* on the slow path, a pc outside the code faults */
		r = op ? SIMD_NAME(threaded_enter)(op, x) : SIMD_NAME(threaded_step)(x);
	}
	return r;
}

int SIMD_NAME(threaded_run)(struct exec *x, uint64_t budget)
{
	const struct threaded_op *op = threaded_entry(x, x->program->threaded->on);
	int r = STEP_OK;

	x->run.remaining = budget;
	if (__builtin_expect(op && budget > 1 && op->run <= budget && !x->run.single, 1))
		r = SIMD_NAME(threaded_enter)(op, x);
	if (r == STEP_BARRIER)
		return r;
	return ended(x, r == STEP_OK ? go_on(x) : r);
}

static int run_precise(struct exec *x, uint64_t budget)
{
	int r = STEP_OK;

	x->run.remaining = budget;
	while (r == STEP_OK && !threaded_over(x))
		r = SIMD_NAME(threaded_step)(x);
	x->run.over = r != STEP_OK || threaded_too_long(x);
	return ended(x, r);
}

const struct threaded_level SIMD_NAME(threaded) = {
	.jump = jump, .stop = stop, .slow = SIMD_NAME(threaded_slow), .nop = nop,
	.run = SIMD_NAME(threaded_run), .run_precise = run_precise,
};
