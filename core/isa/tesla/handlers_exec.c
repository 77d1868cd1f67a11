/* Tesla's handlers that call an instruction's executor, and the fetch of operands in memory. */
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/run.h"

/* STEP_OK, or the warp stays before op. fetched: operands are fetched already. */
static inline int execute(const struct threaded_op *op, struct exec *x, char *reg, uint32_t active, bool fetched)
{
	const struct insn *in = op->in;
	int r = STEP_OK;

	threaded_begin_step(op, x, active, op_lanes(op, reg, active));
	if (in->fetch && !fetched)
		r = SIMD_NAME(tesla_fetch)(x, in);
	if (r == STEP_OK)
		r = in->exec(x, in);
	if (__builtin_expect(r != STEP_OK, 0))
		return threaded_stay(op, x, active, r);
	op_bill_predicated(op, x, active, (uint32_t)x->step.executed);
	if (x->step.accesses)
		x->hooks.access(x);
	return STEP_OK;
}

int SIMD_NAME(handler_exec)(HANDLER_PARAMETERS)
{
	int r = execute(op, x, reg, active, false);

	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_exec_fetched)(HANDLER_PARAMETERS)
{
	int r = execute(op, x, reg, active, true);

	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	HANDLER_NEXT(op, x, reg, active);
}

/* As handler_exec, for executors with the host's floats. */
int SIMD_NAME(handler_exec_floats)(HANDLER_PARAMETERS)
{
	unsigned mode = denormals_on();
	int r = execute(op, x, reg, active, false);

	denormals_restore(mode);
	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_exec_fetched_floats)(HANDLER_PARAMETERS)
{
	unsigned mode = denormals_on();
	int r = execute(op, x, reg, active, true);

	denormals_restore(mode);
	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	HANDLER_NEXT(op, x, reg, active);
}

/* Fetch operands from memory, for the next entry's arithmetic. */
int SIMD_NAME(handler_fetch)(HANDLER_PARAMETERS)
{
	int r;

	threaded_begin_step(op, x, active, op_lanes(op, reg, active));
	r = SIMD_NAME(tesla_fetch)(x, op->in);
	if (__builtin_expect(r != STEP_OK, 0))
		return threaded_stay(op, x, active, r);
	if (x->step.accesses)
		x->hooks.access(x);
	HANDLER_NEXT(op, x, reg, active);
}
