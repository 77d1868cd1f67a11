/* Handlers for every instruction that leaves EXEC and the pc alone: the call of its executor, and handlers that make a
 * source for another handler. And the table of executors of a SIMD
 * level. */
#include "core/isa/gcn/exec.h"
#include "core/isa/loop.h"

THREADED_OF_LEVEL(gcn_base)
THREADED_OF_LEVEL(gcn_avx2)
THREADED_OF_LEVEL(gcn_avx512)
extern const struct threaded_level threaded_gcn_base, threaded_gcn_avx2, threaded_gcn_avx512;

static int handler_exec(HANDLER_PARAMETERS)
{
	lane_mask off;
	int r;

	threaded_begin_step(op, x, active, active);
	r = op->in->exec(x, op->in);
	if (__builtin_expect(r != STEP_OK, 0))
		return threaded_stay(op, x, active, r);
	off = active & ~x->step.executed;
	if (__builtin_expect(off != 0, 0))
		x->bill->pc[op->pc >> 2].predicated += (unsigned)lanes_count(off);
	if (x->step.accesses)
		x->hooks.access(x);
	HANDLER_NEXT(op, x, reg, active);
}

#define MAKE(i) \
	static int handler_make_##i(HANDLER_PARAMETERS) \
	{ \
		struct row *to = &gcn_warp_at(reg)->made[i]; \
		const struct row *from; \
		x->step.active = x->step.executed = active; \
		from = SIMD_NAME(gcn_make)(x, op->in, i, 0, to); \
		if (from != to) \
			*to = *from; \
		HANDLER_NEXT(op, x, reg, active); \
	}
MAKE(0)
MAKE(1)
MAKE(2)

/* One word for all lanes, in src[0]. */
static int handler_make_word(HANDLER_PARAMETERS)
{
	const uint32_t *word = (const uint32_t *)op_src(op, 0, reg);
	struct row *to = op_row(reg, op->dst);

	FOR_VECTORS(v)
		row_set_vec(to, v, vec_all(*word));
	HANDLER_NEXT(op, x, reg, active);
}

/* ---- control flow ---- */

/* The run ends behind a write of EXEC; rows with EXEC_OPERAND or MASK_OP cannot fault. */
static int handler_write_exec(HANDLER_PARAMETERS)
{
	int r;

	threaded_end_behind(op, x, active);
	threaded_begin_step(op, x, active, active);
	r = op->in->exec(x, op->in);
	exec_count_branch(x);
	x->warp->pc = x->step.next_pc;
	HANDLER_RESUME(r, x, reg);
}

/* gcn_threaded.write_exec */
static void change_exec(const struct threaded_op *op, struct exec *x, uint64_t v)
{
	x->step.pc = op->pc;
	x->step.flow = 0;
	gcn_write_exec(x, v);
	exec_count_branch(x);
}

/* Behind a handler of scalar arithmetic, as the last entry of the instruction. */
static int handler_take_exec(HANDLER_PARAMETERS)
{
	const uint32_t *word = (const uint32_t *)((uintptr_t)reg + GCN_NEXT_EXEC);
	uint64_t v = (uint64_t)word[1] << 32 | word[0];
	const struct threaded_op *next = op + 1;

	if (v == active && !threaded_noted(x))
		HANDLER_NEXT(op, x, reg, active);
	threaded_end_behind(op, x, active);
	if (v != active)
		change_exec(op, x, v);
	x->warp->pc = op->behind;
	/* a link to another chain, or a turn that ends soon */
	if (!next->in || x->run.single || x->run.remaining <= next->run)
		HANDLER_RESUME(STEP_OK, x, reg);
	HANDLER_BEGIN(next, x, reg);
}

static int handler_branch(HANDLER_PARAMETERS)
{
	HANDLER_BRANCH(op, x, reg, active);
}

#define CONDITIONAL(name, condition) \
	static int handler_##name(HANDLER_PARAMETERS) \
	{ \
		const struct gcn_warp *g = gcn_warp_at(reg); \
		bool taken = condition; \
		threaded_count_branch(op, x, taken); \
		if (taken) \
			HANDLER_BRANCH(op, x, reg, active); \
		HANDLER_NEXT(op, x, reg, active); \
	}
GCN_CONDITIONS(CONDITIONAL)

/* ---- for observers: an instruction at a time, each followed by a call ---- */

static int run_observed(struct exec *x, uint64_t budget)
{
	struct tally *tally = x->tally;
	int r = STEP_OK;

	x->tally = NULL;        /* observers want all accesses */
	for (x->run.remaining = budget; r == STEP_OK && !threaded_over(x);) {
		r = SIMD_PASTE(threaded_step_gcn, SIMD_LEVEL)(x);
		if (r != STEP_FAULT && x->hooks.executed)
			x->hooks.executed(x);
	}
	x->tally = tally;
	x->run.over = r != STEP_OK || threaded_too_long(x);
	return r;
}

/* ---- the level ---- */

static const struct gcn_executor executors[GCN_EXEC_COUNT] = {
#define SCALAR(name, class) [GCN_EXEC_##name] = { .fn = exec_##name##_base },
#define SOP_WORD(name, class) [GCN_EXEC_##name] = { .fn = exec_##name##_base, .sop = SOP_HANDLER(name) },
#define SOP_WIDE(name, class) \
	[GCN_EXEC_##name] = { .fn = exec_##name##_base, .sop = SOP_HANDLER(name), .sop_wide = true },
#define SOP_SAVE(name, class) \
	[GCN_EXEC_##name] = { \
		.fn = exec_##name##_base, .sop = SOP_HANDLER(name), .sop_wide = true, .sop_saves = true, \
	},
#define IDLE(name, class) [GCN_EXEC_##name] = { .fn = exec_idle_base },
#define BRANCH(name, class) [GCN_EXEC_##name] = { .fn = exec_##name##_base, .branch = handler_##name },
#define LANES(name, class) [GCN_EXEC_##name] = { .fn = SIMD_NAME(exec_##name) },
#define HANDLED(name, class) \
	[GCN_EXEC_##name] = { .fn = SIMD_NAME(exec_##name), .handlers = &SIMD_NAME(handlers_##name) },
#include "core/isa/gcn/gcn.def"
};

#define ENGINE SIMD_PASTE(threaded_gcn, SIMD_LEVEL)
const struct gcn_level SIMD_NAME(gcn_level) = {
	.executor = executors, .exec = handler_exec, .make = { handler_make_0, handler_make_1, handler_make_2 },
	.make_word = handler_make_word,
	.jump = handler_branch, .write_exec = handler_write_exec, .take_exec = handler_take_exec,
	.run_observed = run_observed, .engine = &ENGINE,
#ifndef __wasm__
	.change_exec = change_exec,
#endif
};
