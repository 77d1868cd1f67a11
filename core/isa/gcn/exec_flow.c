/* Control flow: branches, calls by address, forks and joins with a stack in SGPRs, barriers, the end; and what waits or
 * signals. Sources: "AMD GCN3 Instruction Set Architecture", chapters 4 and 12; spec gcn for forks. */
#include "core/diverge.h"
#include "core/isa/gcn/exec.h"

/* ---- branches of the whole wavefront ---- */

static int branch(struct exec *x, const struct insn *in, bool taken)
{
	x->step.flow = FLOW_BRANCH | (taken ? FLOW_TAKEN : 0);
	if (taken)
		x->step.next_pc = (uint32_t)in->src[0].value;
	return STEP_OK;
}

EXEC(s_branch)
{
	x->step.next_pc = (uint32_t)in->src[0].value;
	return STEP_OK;
}

#define CONDITIONAL(name, condition) \
	EXEC(name) \
	{ \
		const struct gcn_warp *g = gcn_warp(x->warp); \
		return branch(x, in, condition); \
	}
GCN_CONDITIONS(CONDITIONAL)

/* ---- by address ---- */

/* The warp goes on at an address of its code; the lowest two bits do not count. */
static int go(struct exec *x, uint64_t address)
{
	uint64_t pc = (address & ~3ull) - gcn_warp(x->warp)->code;

	if (pc >= x->program->code_bytes)
		return exec_fault(x, FAULT_PC_OUT_OF_RANGE, x->warp->active, address);
	x->step.next_pc = (uint32_t)pc;
	return STEP_OK;
}

static uint64_t address_of(const struct exec *x, uint32_t pc)
{
	return gcn_warp(x->warp)->code + pc;
}

EXEC(s_setpc_b64)
{
	return go(x, gcn_scalar_wide(x, in, 0));
}

EXEC(s_swappc_b64)
{
	uint64_t back = address_of(x, x->step.next_pc);
	int r = go(x, gcn_scalar_wide(x, in, 0));

	if (r == STEP_OK)
		gcn_write_pair(x, in->dst.reg, back);
	return r;
}

EXEC(s_call_b64)
{
	gcn_write_pair(x, in->dst.reg, address_of(x, x->step.next_pc));
	x->step.next_pc = (uint32_t)in->src[0].value;
	return STEP_OK;
}

/* ---- forks: the smaller side runs first. An entry is { EXEC, address } at SGPR[4 × CSP], CSP is in MODE ---- */

enum { FORK_ENTRIES = 7 };      /* what 3 bits count */

static unsigned csp(const struct gcn_warp *g)
{
	return g->mode >> MODE_CSP;
}

static void set_csp(struct gcn_warp *g, unsigned n)
{
	g->mode = (g->mode & ((1u << MODE_CSP) - 1)) | n << MODE_CSP;
}

/* Lanes of `pass` go to `target`, the others on. */
static int fork_lanes(struct exec *x, uint64_t mask, uint64_t target)
{
	struct gcn_warp *g = gcn_warp(x->warp);
	uint64_t active = x->warp->active, pass = mask & active, fail = active & ~mask;
	bool fail_first = lanes_count(fail) < lanes_count(pass);
	unsigned n = csp(g);
	int r = STEP_OK;

	if (pass && fail && n == FORK_ENTRIES)
		return exec_fault(x, FAULT_STACK_OVERFLOW, active, 0);
	if (pass == active || (fail != active && !fail_first))
		r = go(x, target);
	if (r != STEP_OK)
		return r;
	x->step.flow = FLOW_BRANCH | (pass ? FLOW_TAKEN : 0);
	if (!pass || !fail)
		return STEP_OK;
	gcn_write_pair(x, 4 * n, fail_first ? pass : fail);
	gcn_write_pair(x, 4 * n + 2, fail_first ? target : address_of(x, x->step.pc + x->step.insn->length));
	set_csp(g, n + 1);
	if (n + 1 > x->counts.deepest_stack)
		x->counts.deepest_stack = n + 1;
	x->step.flow |= FLOW_DIVERGED | FLOW_PUSH;
	gcn_write_exec(x, fail_first ? fail : pass);
	return STEP_OK;
}

EXEC(s_cbranch_g_fork)
{
	return fork_lanes(x, gcn_scalar_wide(x, in, 0), gcn_scalar_wide(x, in, 1));
}

EXEC(s_cbranch_i_fork)
{
	const struct gcn_warp *g = gcn_warp(x->warp);

	return fork_lanes(x, gcn_pair(g, in->src[1].reg), address_of(x, (uint32_t)in->src[0].value));
}

EXEC(s_cbranch_join)
{
	struct gcn_warp *g = gcn_warp(x->warp);
	unsigned n = csp(g);
	int r;

	if (n == gcn_scalar(x, in, 0)) {
		x->step.flow = FLOW_MERGED;
		return STEP_OK;
	}
	if (!n)
		return exec_fault(x, FAULT_STACK_UNDERFLOW, x->warp->active, 0);
	r = go(x, gcn_pair(g, 4 * n - 2));
	if (r != STEP_OK)
		return r;
	x->step.flow = FLOW_POP;
	set_csp(g, n - 1);
	gcn_write_exec(x, gcn_pair(g, 4 * n - 4));
	return STEP_OK;
}

/* ---- the block ---- */

/* The wavefront ends, whatever its EXEC. */
EXEC(s_endpgm)
{
	struct warp *w = x->warp;
	lane_mask strange = w->active & ~w->launched;

	if (strange)
		lanes_give_back(w, strange);
	lanes_leave(w, w->active, LANE_EXITED, in->pc);
	x->progress++;
	return STEP_DONE;
}

/* The guest aborts, with a number: clang's __builtin_trap is 2. */
EXEC(s_trap)
{
	return exec_fault(x, FAULT_TRAP, x->warp->active, (uint32_t)in->src[0].value);
}

EXEC(s_barrier)
{
	struct warp *w = x->warp;

	if (w->active != (w->launched & ~w->in_state[LANE_EXITED]))
		exec_notice(x, NOTICE_BARRIER_DIVERGED);
	if (x->trace) {
		trace_barrier(x->trace, x->step.run, 0);
		w->status = WARP_AT_BARRIER;
		w->waits_for = 0;
		return STEP_BARRIER;
	}
	if (barrier_wait_all(x->block, w, 0, UINT32_MAX))
		return STEP_BARRIER;
	if (!barrier_arrive(x->block, w, 0, true, true, 0, UINT32_MAX))
		x->progress++;
	return w->status == WARP_AT_BARRIER ? STEP_BARRIER : STEP_OK;
}

/* ---- what changes nothing here: waiting costs time, and messages have no receiver ---- */

EXEC(idle)
{
	return STEP_OK;
}
