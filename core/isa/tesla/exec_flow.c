/* Executors of control flow, barriers and the instructions that do nothing. */
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/flow.h"

static uint32_t target(const struct insn *in)
{
	return (uint32_t)in->src[0].value;
}

static const struct flow_ops *flow_of(const struct exec *x)
{
	return x->program->flow;
}

EXEC(bra)
{
	return flow_of(x)->bra(x, x->guard, target(in));
}

EXEC(bra_c)
{
	return flow_of(x)->bra_each(x, &tesla_state(x->warp)->fetched[0]);
}

EXEC(call)
{
	bool limited = in->mod[MOD_LIM];
	int r;

	x->step.flow |= FLOW_BRANCH;
	if (limited && flow_of(x)->limited_calls(x) >= x->rules->call_limit)
		return STEP_OK;                         /* skipped: falls through */
	r = flow_of(x)->preret(x, x->step.next_pc, limited);
	if (r == STEP_OK) {
		x->step.next_pc = target(in);
		x->step.flow |= FLOW_TAKEN;
	}
	return r;
}

EXEC(ret)
{
	return flow_of(x)->ret(x, x->guard);
}

EXEC(prebrk)
{
	return flow_of(x)->prebrk(x, target(in));
}

EXEC(brk)
{
	return flow_of(x)->brk(x, x->guard);
}

EXEC(joinat)
{
	return flow_of(x)->joinat(x, target(in));
}

EXEC(preret)
{
	return flow_of(x)->preret(x, target(in), in->mod[MOD_LIM]);
}

EXEC(quadon)
{
	return flow_of(x)->quadon(x);
}

EXEC(quadpop)
{
	return flow_of(x)->quadpop(x);
}

EXEC(bar)
{
	return flow_of(x)->bar(x, in);
}

EXEC(trap)
{
	return exec_fault(x, FAULT_TRAP, x->warp->active, 0);
}

EXEC(brkpt)
{
	return x->guard ? STEP_BREAK : STEP_OK;
}

EXEC(nop)
{
	return STEP_OK;
}

EXEC(pmevent)
{
	x->counts.event[(uint32_t)in->src[0].value % PM_EVENTS] += x->step.executed != 0;
	return STEP_OK;
}
