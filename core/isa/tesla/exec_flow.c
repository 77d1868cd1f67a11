/* Executors of control flow, barriers and the instructions that do nothing. */
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/flow.h"

static uint32_t target(const struct insn *in)
{
	return (uint32_t)in->src[0].value;
}

EXEC(bra)
{
	return flow_bra(x, x->guard, target(in));
}

EXEC(bra_c)
{
	return flow_bra_each(x, &x->operand[0]);
}

EXEC(call)
{
	return flow_call(x, target(in), in->mod[MOD_LIM]);
}

EXEC(ret)
{
	return flow_ret(x, x->guard);
}

EXEC(prebrk)
{
	return flow_prebrk(x, target(in));
}

EXEC(brk)
{
	return flow_brk(x, x->guard);
}

EXEC(joinat)
{
	return flow_joinat(x, target(in));
}

EXEC(preret)
{
	return flow_preret(x, target(in), in->mod[MOD_LIM]);
}

EXEC(quadon)
{
	return flow_quadon(x);
}

EXEC(quadpop)
{
	return flow_quadpop(x);
}

/* The counters hold 6 bits, 7 on GT200 and later (envytools mp.xml). */
static uint32_t counter_limit(const struct exec *x)
{
	return x->program->target.features & FEAT_SM12 ? 127 : 63;
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

EXEC(bar)
{
	struct warp *w = x->warp;
	uint64_t waited = x->block->barrier[in->mod[MOD_OP]].waiting;
	bool waits;

	if (w->active != (w->launched & ~w->in_state[LANE_EXITED]))
		exec_notice(x, NOTICE_BARRIER_DIVERGED);
	waits = barrier_arrive(x->block, w, in->mod[MOD_OP], in->mod[MOD_INC], in->mod[MOD_WAIT],
			       warps_needed(x, in->src[0].value), counter_limit(x));
	if (waited & ~x->block->barrier[in->mod[MOD_OP]].waiting)
		x->progress++;
	return waits ? STEP_BARRIER : STEP_OK;
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
	return STEP_OK;
}

EXEC(graphics)
{
	return exec_fault(x, FAULT_UNSUPPORTED, x->warp->active, 0);
}
