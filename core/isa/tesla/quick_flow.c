/* The functions of records that do more than arithmetic, and the loop over records. */
#include "core/isa/table.h"
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/quick.h"
#include "core/isa/tesla/run.h"
#include "core/isa/tesla/lock.h"

/* ---- leaving a run of records ---- */

/* The warp stays before op with outcome r: all before it is billed. */
static int stay(const struct record *op, struct exec *x, uint32_t active, int r)
{
	record_close(x, op->pc, op->issue, active);
	x->warp->pc = op->pc;
	return r;
}

/* A run ends behind op, which is billed with it. */
static inline void close_behind(const struct record *op, struct exec *x, uint32_t active)
{
	record_close(x, op->behind, op->issue + 1, active);
}

/* Where the warp's pc is, in the layout that the budget allows; NULL: nowhere, or no budget. Who asks for one
 * instruction wants to know all that it costs. */
static const struct record *resume(struct exec *x)
{
	const struct quick *quick = x->program->quick;
	const struct record *op;

	if (x->left <= x->reserve || x->warp->pc >= x->program->code_bytes)
		return NULL;
	op = quick->on[x->warp->pc >> 2];
	return x->left > 1 && op->run <= x->left ? op : quick->one[x->warp->pc >> 2];
}

/* A new run begins at op, unless the budget is used up. */
#define BEGIN(op, x, reg) do { \
		const struct record *begin_ = (op); \
		(x)->begun = begin_; \
		RECORD_GO(begin_, x, reg, (uint32_t)(x)->warp->active); \
	} while (0)

/* After outcome r: where the warp stands, if it can go on and the budget allows. */
#define RESUME(r, x, reg) do { \
		int outcome_ = (r); \
		const struct record *at_ = outcome_ == STEP_OK ? resume(x) : NULL; \
		if (!at_) \
			return outcome_; \
		BEGIN(at_, x, reg); \
	} while (0)

/* ---- records ---- */

static int record_stop(RECORD_PARAMETERS)
{
	return stay(op, x, active, STEP_OK);
}

static int record_go(RECORD_PARAMETERS)
{
	stay(op, x, active, STEP_OK);
	op = op->target;
	if (op->run > x->left)
		return STEP_OK;
	BEGIN(op, x, reg);
}

/* What the loop that does everything makes of the instruction. */
static int record_careful(RECORD_PARAMETERS)
{
	int r;

	stay(op, x, active, STEP_OK);
	r = SIMD_NAME(tesla_step)(x);
	RESUME(r, x, reg);
}

static int record_careful_floats(RECORD_PARAMETERS)
{
	unsigned mode = denormals_on();
	int r;

	stay(op, x, active, STEP_OK);
	r = SIMD_NAME(tesla_step)(x);
	denormals_restore(mode);
	RESUME(r, x, reg);
}

static void begin_step(const struct record *op, struct exec *x, uint32_t active, uint32_t executed)
{
	struct step *s = &x->step;

	s->insn = op->in;
	s->pc = op->pc;
	s->next_pc = op->behind;
	s->active = active;
	s->executed = executed;
	s->flow = 0;
	s->accesses = 0;
	record_place(op, x);
}

/* STEP_OK, or the warp stays before op. fetched: its operands have been. */
static inline int execute(const struct record *op, struct exec *x, char *reg, uint32_t active, bool fetched)
{
	const struct insn *in = op->in;
	uint32_t off;
	int r = STEP_OK;

	begin_step(op, x, active, record_passing(op, reg, active));
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

int SIMD_NAME(record_exec)(RECORD_PARAMETERS)
{
	int r = execute(op, x, reg, active, false);

	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	RECORD_NEXT(op, x, reg, active);
}

static int record_rest(RECORD_PARAMETERS)
{
	int r = execute(op, x, reg, active, true);

	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	RECORD_NEXT(op, x, reg, active);
}

/* The same for an executor that computes with the host's floats. */
static int record_exec_floats(RECORD_PARAMETERS)
{
	unsigned mode = denormals_on();
	int r = execute(op, x, reg, active, false);

	denormals_restore(mode);
	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	RECORD_NEXT(op, x, reg, active);
}

static int record_rest_floats(RECORD_PARAMETERS)
{
	unsigned mode = denormals_on();
	int r = execute(op, x, reg, active, true);

	denormals_restore(mode);
	if (__builtin_expect(r != STEP_OK, 0))
		return r;
	RECORD_NEXT(op, x, reg, active);
}

/* Operands that are in memory, for a record of arithmetic behind this one. */
int SIMD_NAME(record_fetch)(RECORD_PARAMETERS)
{
	int r;

	begin_step(op, x, active, record_passing(op, reg, active));
	r = SIMD_NAME(tesla_fetch)(x, op->in);
	if (__builtin_expect(r != STEP_OK, 0))
		return stay(op, x, active, r);
	if (x->step.accesses)
		x->observe(x);
	RECORD_NEXT(op, x, reg, active);
}

static int record_nop(RECORD_PARAMETERS)
{
	RECORD_NEXT(op, x, reg, active);
}

/* ---- control flow ---- */

static void push(struct exec *x, enum entry_type type, uint32_t pc, uint32_t active)
{
	struct tesla_warp *t = tesla_state(x->warp);

	t->stack[t->depth++] = (struct stack_entry){ .type = (uint8_t)type, .pc = pc, .mask = active };
	if (t->depth > x->counts.deepest_stack)
		x->counts.deepest_stack = t->depth;
}

static int record_push(RECORD_PARAMETERS)
{
	const struct tesla_warp *t = tesla_state(x->warp);

	if (__builtin_expect(t->depth == x->rules->stack_depth, 0))
		RECORD_CALL(record_careful, op, x, reg, active);
	push(x, (enum entry_type)op->cond, (uint32_t)op->in->src[0].value, active);
	RECORD_NEXT(op, x, reg, active);
}

/* By the rules of flow.c, for lanes p that the guard lets through; nothing can go wrong there that has not been asked
 * for before. */
static int steer(const struct record *op, struct exec *x, uint32_t active, uint32_t p)
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

static inline void count_branch(const struct record *op, struct exec *x, bool taken)
{
	struct bill_pc *here = &x->bill->pc[op->pc >> 2];

	x->bill->branches++;
	if (taken)
		here->taken++;
	else
		here->not_taken++;
}

/* Lanes part: the stack must have room for what they push. */
static int record_part(RECORD_PARAMETERS)
{
	int r;

	if (tesla_state(x->warp)->depth + 2 > x->rules->stack_depth)
		RECORD_CALL(record_careful, op, x, reg, active);
	r = steer(op, x, active, record_passing(op, reg, active));
	RESUME(r, x, reg);
}

static int record_branch(RECORD_PARAMETERS)
{
	uint32_t p = record_passing(op, reg, active);
	const struct record *to;

	if (p && p != active)
		RECORD_CALL(record_part, op, x, reg, active);
	count_branch(op, x, p);
	if (!p)
		RECORD_NEXT(op, x, reg, active);
	close_behind(op, x, active);
	to = op->target;
	x->warp->pc = to->pc;
	if (__builtin_expect(to->run > x->left, 0))
		return STEP_OK;
	x->begun = to;
	RECORD_GO(to, x, reg, active);
}

/* Lanes break, or return. */
static int record_some_leave(RECORD_PARAMETERS)
{
	int r;

	if (op->in->row->exec == TESLA_EXEC_brk && !flow_can_break(tesla_state(x->warp)))
		RECORD_CALL(record_careful, op, x, reg, active);
	r = steer(op, x, active, record_passing(op, reg, active));
	RESUME(r, x, reg);
}

static int record_leave(RECORD_PARAMETERS)
{
	if (record_passing(op, reg, active))
		RECORD_CALL(record_some_leave, op, x, reg, active);
	count_branch(op, x, false);
	RECORD_NEXT(op, x, reg, active);
}

/* The marker behind an instruction that it leaves to nobody. */
static int record_exit(RECORD_PARAMETERS)
{
	int r;

	close_behind(op, x, active);
	begin_step(op, x, active, active);
	r = x->program->flow->exit(x);
	x->warp->pc = x->step.next_pc;
	RESUME(r, x, reg);
}

static int record_bar(RECORD_PARAMETERS)
{
	int r;

	close_behind(op, x, active);
	begin_step(op, x, active, active);
	x->warp->pc = op->behind;
	r = x->program->flow->bar(x, op->in);
	RESUME(r, x, reg);
}

/* A marker that finds all lanes of its entry here. */
static int record_join(RECORD_PARAMETERS)
{
	struct tesla_warp *t = tesla_state(x->warp);
	const struct stack_entry *e = t->depth ? &t->stack[t->depth - 1] : NULL;

	if (!e || e->type != ENTRY_JOINAT || lanes_live(x->warp, e->mask) != active)
		RECORD_CALL(record_careful, op, x, reg, active);
	t->depth--;
	RECORD_NEXT(op, x, reg, active);
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

int SIMD_NAME(record_run)(const struct record *op, struct exec *x)
{
	uint32_t active = (uint32_t)x->warp->active;
	int r;

	x->begun = op;
	r = (active == 0xffffffffu ? op->full : op->some)(op, x, (char *)x->warp->reg, active);
	while (!RECORD_JUMPS && r == RECORD_GO_ON) {
		op = x->next;
		active = x->next_active;
		r = (active == 0xffffffffu ? op->full : op->some)(op, x, (char *)x->warp->reg, active);
	}
	return r;
}

int SIMD_NAME(tesla_run)(struct exec *x, uint64_t budget)
{
	const struct record *op;
	int r = STEP_OK;

	x->left = budget;
	while (r == STEP_OK && x->left > x->reserve) {
		op = resume(x);
		/* a pc outside the code faults */
		r = op ? SIMD_NAME(record_run)(op, x) : SIMD_NAME(tesla_step)(x);
	}
	if (r == STEP_DONE)
		lock_warp_done(x);
	return r;
}

const struct quick_level SIMD_NAME(tesla_quick) = {
	.words = SIMD_NAME(quick_words),
	.fetch = SIMD_NAME(record_fetch), .fetch_alike = SIMD_NAME(record_fetch_alike),
	.fetch_words = SIMD_NAME(record_fetch_words), .load_shared = SIMD_NAME(record_load_shared),
	.store_shared = SIMD_NAME(record_store_shared), .load_run = SIMD_NAME(record_load_run),
	.store_run = SIMD_NAME(record_store_run), .nop = record_nop, .exec = SIMD_NAME(record_exec),
	.exec_floats = record_exec_floats, .rest = record_rest, .rest_floats = record_rest_floats,
	.careful = record_careful, .careful_floats = record_careful_floats, .push = record_push,
	.branch = record_branch, .leave = record_leave, .bar = record_bar, .join = record_join, .exit = record_exit,
	.go = record_go, .stop = record_stop,
};
