/* The functions of records that do more than arithmetic, and the loop over records. */
#include "core/isa/table.h"
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/run.h"
#include "core/isa/tesla/lock.h"

/* ---- leaving a run of records ---- */

/* The warp stays before op with outcome r: all before it is billed. */
static int stay(const struct threaded_op *op, struct exec *x, uint32_t active, int r)
{
	threaded_end_run(x, op->pc, op->issue, active);
	x->warp->pc = op->pc;
	return r;
}

/* A run ends behind op, which is billed with it. */
static inline void close_behind(const struct threaded_op *op, struct exec *x, uint32_t active)
{
	threaded_end_run(x, op->behind, op->issue + 1, active);
}

/* Where the warp's pc is, in the layout that the budget allows; NULL: nowhere, or no budget. Who asks for one
 * instruction wants to know all that it costs. */
static const struct threaded_op *resume(struct exec *x)
{
	const struct threaded_code *code = x->program->threaded;
	const struct threaded_op *op;

	if (!x->left || x->warp->pc >= x->program->code_bytes)
		return NULL;
	op = code->on[x->warp->pc >> 2];
	return x->left > 1 && op->run <= x->left ? op : code->one[x->warp->pc >> 2];
}

/* A new run begins at op, unless the budget is used up. */
#define BEGIN(op, x, reg) do { \
		const struct threaded_op *begin_ = (op); \
		(x)->begun = begin_; \
		HANDLER_GO(begin_, x, reg, (uint32_t)(x)->warp->active); \
	} while (0)

/* After outcome r: where the warp stands, if it can go on and the budget allows. */
#define RESUME(r, x, reg) do { \
		int outcome_ = (r); \
		const struct threaded_op *at_ = outcome_ == STEP_OK ? resume(x) : NULL; \
		if (!at_) \
			return outcome_; \
		BEGIN(at_, x, reg); \
	} while (0)

/* ---- records ---- */

static int handler_stop(HANDLER_PARAMETERS)
{
	return stay(op, x, active, STEP_OK);
}

static int handler_go(HANDLER_PARAMETERS)
{
	stay(op, x, active, STEP_OK);
	op = op->target;
	if (op->run > x->left)
		return STEP_OK;
	BEGIN(op, x, reg);
}

/* What the loop that does everything makes of the instruction. */
static int handler_slow(HANDLER_PARAMETERS)
{
	int r;

	stay(op, x, active, STEP_OK);
	r = SIMD_NAME(tesla_step)(x);
	RESUME(r, x, reg);
}

static int handler_slow_floats(HANDLER_PARAMETERS)
{
	unsigned mode = denormals_on();
	int r;

	stay(op, x, active, STEP_OK);
	r = SIMD_NAME(tesla_step)(x);
	denormals_restore(mode);
	RESUME(r, x, reg);
}

static void begin_step(const struct threaded_op *op, struct exec *x, uint32_t active, uint32_t executed)
{
	struct step *s = &x->step;

	s->insn = op->in;
	s->pc = op->pc;
	s->next_pc = op->behind;
	s->active = active;
	s->executed = executed;
	s->flow = 0;
	s->accesses = 0;
	threaded_locate(op, x);
}

/* STEP_OK, or the warp stays before op. fetched: its operands have been. */
static inline int execute(const struct threaded_op *op, struct exec *x, char *reg, uint32_t active, bool fetched)
{
	const struct insn *in = op->in;
	uint32_t off;
	int r = STEP_OK;

	begin_step(op, x, active, op_lanes(op, reg, active));
	if (in->fetch && !fetched)
		r = SIMD_NAME(tesla_fetch)(x, in);
	if (r == STEP_OK)
		r = in->exec(x, in);
	if (__builtin_expect(r != STEP_OK, 0))
		return stay(op, x, active, r);
	off = active & ~(uint32_t)x->step.executed;
	if (off)
		x->bill->pc[op->pc >> 2].predicated += (unsigned)__builtin_popcount(off);
	if (x->step.accesses)
		x->observe(x);
	return STEP_OK;
}

int SIMD_NAME(handler_exec)(HANDLER_PARAMETERS)
{
	int r = execute(op, x, reg, active, false);

	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	HANDLER_NEXT(op, x, reg, active);
}

static int handler_exec_fetched(HANDLER_PARAMETERS)
{
	int r = execute(op, x, reg, active, true);

	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	HANDLER_NEXT(op, x, reg, active);
}

/* The same for an executor that computes with the host's floats. */
static int handler_exec_floats(HANDLER_PARAMETERS)
{
	unsigned mode = denormals_on();
	int r = execute(op, x, reg, active, false);

	denormals_restore(mode);
	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	HANDLER_NEXT(op, x, reg, active);
}

static int handler_exec_fetched_floats(HANDLER_PARAMETERS)
{
	unsigned mode = denormals_on();
	int r = execute(op, x, reg, active, true);

	denormals_restore(mode);
	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	HANDLER_NEXT(op, x, reg, active);
}

/* Operands that are in memory, for a record of arithmetic behind this one. */
int SIMD_NAME(handler_fetch)(HANDLER_PARAMETERS)
{
	int r;

	begin_step(op, x, active, op_lanes(op, reg, active));
	r = SIMD_NAME(tesla_fetch)(x, op->in);
	if (__builtin_expect(r != STEP_OK, 0))
		return stay(op, x, active, r);
	if (x->step.accesses)
		x->observe(x);
	HANDLER_NEXT(op, x, reg, active);
}

static int handler_nop(HANDLER_PARAMETERS)
{
	HANDLER_NEXT(op, x, reg, active);
}

/* ---- control flow ---- */

static void push(struct exec *x, enum entry_type type, uint32_t pc, uint32_t active)
{
	struct tesla_warp *t = tesla_state(x->warp);

	t->stack[t->depth++] = (struct stack_entry){ .type = (uint8_t)type, .pc = pc, .mask = active };
	if (t->depth > x->counts.deepest_stack)
		x->counts.deepest_stack = t->depth;
}

static int handler_push(HANDLER_PARAMETERS)
{
	const struct tesla_warp *t = tesla_state(x->warp);

	if (__builtin_expect(t->depth == x->rules->stack_depth, 0))
		HANDLER_CALL(handler_slow, op, x, reg, active);
	push(x, (enum entry_type)op->cond, (uint32_t)op->in->src[0].value, active);
	HANDLER_NEXT(op, x, reg, active);
}

/* By the rules of flow.c, for lanes p that the guard lets through; nothing can go wrong there that has not been asked
 * for before. */
static int steer(const struct threaded_op *op, struct exec *x, uint32_t active, uint32_t p)
{
	const struct flow_ops *flow = x->program->flow;
	const struct insn *in = op->in;
	int r;

	close_behind(op, x, active);
	begin_step(op, x, active, active);
	switch (in->row->exec) {
	case TESLA_EXEC_bra: r = flow->bra(x, p, (uint32_t)in->src[0].value); break;
	case TESLA_EXEC_brk: r = flow->brk(x, p); break;
	default: r = flow->ret(x, p);
	}
	exec_count_branch(x);
	x->warp->pc = x->step.next_pc;
	return r;
}

static inline void count_branch(const struct threaded_op *op, struct exec *x, bool taken)
{
	struct bill_pc *here = &x->bill->pc[op->pc >> 2];

	x->bill->branches++;
	if (taken)
		here->taken++;
	else
		here->not_taken++;
}

/* Lanes part: the stack must have room for what they push. */
static int handler_diverge(HANDLER_PARAMETERS)
{
	int r;

	if (tesla_state(x->warp)->depth + 2 > x->rules->stack_depth)
		HANDLER_CALL(handler_slow, op, x, reg, active);
	r = steer(op, x, active, op_lanes(op, reg, active));
	RESUME(r, x, reg);
}

static int handler_branch(HANDLER_PARAMETERS)
{
	uint32_t p = op_lanes(op, reg, active);
	const struct threaded_op *to;

	if (p && p != active)
		HANDLER_CALL(handler_diverge, op, x, reg, active);
	count_branch(op, x, p);
	if (!p)
		HANDLER_NEXT(op, x, reg, active);
	close_behind(op, x, active);
	to = op->target;
	x->warp->pc = to->pc;
	if (__builtin_expect(to->run > x->left, 0))
		return STEP_OK;
	x->begun = to;
	HANDLER_GO(to, x, reg, active);
}

/* Lanes break, or return. */
static int handler_leave_some(HANDLER_PARAMETERS)
{
	int r;

	if (op->in->row->exec == TESLA_EXEC_brk && !flow_can_break(tesla_state(x->warp)))
		HANDLER_CALL(handler_slow, op, x, reg, active);
	r = steer(op, x, active, op_lanes(op, reg, active));
	RESUME(r, x, reg);
}

static int handler_leave(HANDLER_PARAMETERS)
{
	if (op_lanes(op, reg, active))
		HANDLER_CALL(handler_leave_some, op, x, reg, active);
	count_branch(op, x, false);
	HANDLER_NEXT(op, x, reg, active);
}

/* The marker behind an instruction that it leaves to nobody. */
static int handler_exit(HANDLER_PARAMETERS)
{
	int r;

	close_behind(op, x, active);
	begin_step(op, x, active, active);
	r = x->program->flow->exit(x);
	x->warp->pc = x->step.next_pc;
	RESUME(r, x, reg);
}

static int handler_bar(HANDLER_PARAMETERS)
{
	int r;

	close_behind(op, x, active);
	begin_step(op, x, active, active);
	x->warp->pc = op->behind;
	r = x->program->flow->bar(x, op->in);
	RESUME(r, x, reg);
}

/* A marker that finds all lanes of its entry here. */
static int handler_join(HANDLER_PARAMETERS)
{
	struct tesla_warp *t = tesla_state(x->warp);
	const struct stack_entry *e = t->depth ? &t->stack[t->depth - 1] : NULL;

	if (!e || e->type != ENTRY_JOINAT || lanes_live(x->warp, e->mask) != active)
		HANDLER_CALL(handler_slow, op, x, reg, active);
	t->depth--;
	HANDLER_NEXT(op, x, reg, active);
}

/* ---- the loop ---- */

unsigned SIMD_NAME(tesla_host_enter)(void)
{
	return denormals_off();
}

void SIMD_NAME(tesla_host_leave)(unsigned mode)
{
	denormals_restore(mode);
}

int SIMD_NAME(threaded_enter)(const struct threaded_op *op, struct exec *x)
{
	uint32_t active = (uint32_t)x->warp->active;
	int r;

	x->begun = op;
	r = (active == 0xffffffffu ? op->full : op->some)(op, x, (char *)x->warp->reg, active);
	while (!HANDLERS_JUMP && r == HANDLER_RETURNED) {
		op = x->next;
		active = x->next_active;
		r = (active == 0xffffffffu ? op->full : op->some)(op, x, (char *)x->warp->reg, active);
	}
	return r;
}

int SIMD_NAME(tesla_run)(struct exec *x, uint64_t budget)
{
	const struct threaded_op *op;
	int r = STEP_OK;

	x->left = budget;
	while (r == STEP_OK && x->left) {
		op = resume(x);
		/* a pc outside the code faults */
		r = op ? SIMD_NAME(threaded_enter)(op, x) : SIMD_NAME(tesla_step)(x);
	}
	if (r == STEP_DONE)
		lock_warp_done(x);
	return r;
}

const struct tesla_handlers SIMD_NAME(tesla_handlers) = {
	.words = SIMD_NAME(word_handlers),
	.fetch = SIMD_NAME(handler_fetch), .fetch_uniform = SIMD_NAME(handler_fetch_uniform),
	.fetch_words = SIMD_NAME(handler_fetch_words), .load_shared = SIMD_NAME(handler_load_shared),
	.store_shared = SIMD_NAME(handler_store_shared), .load_run = SIMD_NAME(handler_load_run),
	.store_run = SIMD_NAME(handler_store_run), .nop = handler_nop, .exec = SIMD_NAME(handler_exec),
	.exec_floats = handler_exec_floats, .exec_fetched = handler_exec_fetched,
	.exec_fetched_floats = handler_exec_fetched_floats,
	.slow = handler_slow, .slow_floats = handler_slow_floats, .push = handler_push,
	.branch = handler_branch, .leave = handler_leave, .bar = handler_bar, .join = handler_join,
	.exit = handler_exit,
	.go = handler_go, .stop = handler_stop,
};
