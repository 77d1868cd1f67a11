/* Control flow and emission: the executors, and the handlers of threaded code (core/isa/threaded.h).
 *
 * Handlers cover the usual case: all lanes of the warp's only path branch, or none does, and no scope ends behind the
 * branch. Else the run ends, and the executor and scope.c decide where the warp goes on. A scope that ends behind an
 * instruction without a branch has an entry of its own (scope_end). Compiled for each SIMD level. */
#include "core/isa/pica/exec.h"
#include "core/isa/pica/scope.h"

#define EXEC(name) static int exec_##name(struct exec *x, const struct insn *in)

/* The effect of an instruction on the lanes that take it: changes the path, returns the target. */
typedef uint32_t take_fn(struct pica_warp *s, struct path *p, const struct insn *in);

static inline uint32_t target(const struct insn *in)
{
	return (uint32_t)in->src[0].value;
}

static inline uint32_t behind_target(const struct insn *in)
{
	return target(in) + 4u * in->mod[MOD_NUM];
}

static uint32_t go_on(struct pica_warp *s, struct path *p, const struct insn *in)
{
	return in->pc + 4;
}

static uint32_t go_to_target(struct pica_warp *s, struct path *p, const struct insn *in)
{
	return target(in);
}

static uint32_t enter_call(struct pica_warp *s, struct path *p, const struct insn *in)
{
	push_call(p, behind_target(in), in->pc + 4);
	return target(in);
}

static uint32_t enter_if(struct pica_warp *s, struct path *p, const struct insn *in)
{
	push_if(p, target(in), behind_target(in));
	return in->pc + 4;
}

static uint32_t enter_loop(struct pica_warp *s, struct path *p, const struct insn *in)
{
	push_loop(s, p, in->pc + 4, target(in) + 4, s->uniforms->i[in->src[1].reg]);
	return in->pc + 4;
}

/* Lanes of `taken` do `yes`, the others `no`; if both exist, the path becomes two. */
static int branch(struct exec *x, const struct insn *in, lane_mask taken, take_fn *yes, take_fn *no, bool breaks)
{
	struct pica_warp *s = pica_state(x->warp);
	lane_mask rest = s->now.lanes & ~taken;
	uint32_t next = in->pc + 4;
	bool groups = pica_groups(x);

	x->step.flow = FLOW_BRANCH | (taken ? FLOW_TAKEN : 0) | (taken && rest ? FLOW_DIVERGED : 0);
	if (taken && rest && groups) {
		struct path yes_path = s->now, no_path = s->now;
		yes_path.lanes = taken;
		no_path.lanes = rest;
		path_advance(s, &no_path, next, no(s, &no_path, in), false);
		path_advance(s, &yes_path, next, yes(s, &yes_path, in), breaks);
		return split_groups(x, yes_path, no_path);
	}
	if (taken && rest) {
		struct path *other = &s->waiting[s->nwaiting++];
		*other = s->now;
		other->lanes = rest;
		other->cause = s->now.cause = in->pc;
		s->now.lanes = taken;
		lanes_leave(x->warp, rest, LANE_RUNS, in->pc);
		path_advance(s, other, next, no(s, other, in), false);
	}
	if (taken)
		path_advance(s, &s->now, next, yes(s, &s->now, in), breaks);
	else
		path_advance(s, &s->now, next, no(s, &s->now, in), false);
	return choose_path(x);
}

/* Lanes with a true condition on the flags. */
static lane_mask holds(const struct exec *x, const struct insn *in)
{
	const struct pica_warp *s = pica_state(x->warp);
	unsigned cond = in->mod[MOD_COND];
	lane_mask cx = cond & 8 ? s->flag[0] : ~s->flag[0], cy = cond & 4 ? s->flag[1] : ~s->flag[1], m;

	switch (cond & 3) {
	case 0:  m = cx | cy; break;
	case 1:  m = cx & cy; break;
	case 2:  m = cx; break;
	default: m = cy;
	}
	return m & s->now.lanes;
}

static lane_mask uniform_set(const struct exec *x, const struct insn *in)
{
	const struct pica_warp *s = pica_state(x->warp);

	return bool_lanes(s, in->src[1].reg) & s->now.lanes;
}

/* Lanes that take a JMPU, which may ask for the opposite. */
static lane_mask jumps_by_uniform(const struct exec *x, const struct insn *in)
{
	lane_mask set = uniform_set(x, in);

	return in->mod[MOD_NUM] & 1 ? pica_state(x->warp)->now.lanes & ~set : set;
}

EXEC(nop)
{
	return STEP_OK;
}

static void read_lane(const struct row *rows, int lane, uint32_t words[ROWS_VECTORS])
{
	for (int i = 0; i < ROWS_VECTORS; i++)
		words[i] = rows[i].lane[lane];
}

EXEC(end)
{
	const struct stream *stream = x->program->stream;
	const struct pica_build *build = x->program->build;
	struct pica_warp *s = pica_state(x->warp);

	FOR_SET_LANES(reg, stream && stream->out ? (uint64_t)s->uniforms->writes : 0)
		build->give(stream->out + (size_t)ROWS_VECTORS * s->first_thread + 4 * reg,
			    output_rows(x->warp) + 4 * reg, s->now.lanes);
	if (stream && stream->in && s->nwaiting == 0 && !pica_receives(x->program))     /* the next warp's */
		pica_prefetch(stream->in + (size_t)ROWS_VECTORS * (s->first_thread + LANES), s->uniforms->reads);
	lanes_leave(x->warp, s->now.lanes, LANE_EXITED, in->pc);
	s->now.lanes = 0;
	x->progress++;
	return choose_path(x);
}

static int leave_loop(struct exec *x, const struct insn *in, lane_mask lanes)
{
	if (lanes && !pica_state(x->warp)->now.scopes.nloop)    /* the console hangs */
		return exec_fault(x, FAULT_STACK_UNDERFLOW, lanes, 0);
	return branch(x, in, lanes, go_on, go_on, true);
}

EXEC(break)
{
	return leave_loop(x, in, x->warp->active);
}

EXEC(breakc)
{
	return leave_loop(x, in, holds(x, in));
}

EXEC(call)
{
	return branch(x, in, x->warp->active, enter_call, go_on, false);
}

EXEC(callc)
{
	return branch(x, in, holds(x, in), enter_call, go_on, false);
}

EXEC(callu)
{
	return branch(x, in, uniform_set(x, in), enter_call, go_on, false);
}

EXEC(ifc)
{
	return branch(x, in, holds(x, in), enter_if, go_to_target, false);
}

EXEC(ifu)
{
	return branch(x, in, uniform_set(x, in), enter_if, go_to_target, false);
}

EXEC(jmpc)
{
	return branch(x, in, holds(x, in), go_to_target, go_on, false);
}

EXEC(jmpu)
{
	return branch(x, in, jumps_by_uniform(x, in), go_to_target, go_on, false);
}

EXEC(loop)
{
	return branch(x, in, x->warp->active, enter_loop, go_on, false);
}

EXEC(unknown)
{
	return exec_fault(x, FAULT_ILLEGAL_OPCODE, x->warp->active, 0);
}

EXEC(setemit)
{
	struct geometry *g = pica_state(x->warp)->geometry;
	lane_mask m = x->step.executed;

	if (!g)
		return exec_unknown(x, in);
	FOR_SET_LANES(l, m) {
		g->vertex.lane[l] = in->mod[MOD_VERTEX];
		g->prim.lane[l] = in->mod[MOD_PRIM];
		g->winding.lane[l] = in->mod[MOD_WINDING];
	}
	return STEP_OK;
}

static void emit_primitive(const struct exec *x, const struct geometry *g, int lane)
{
	const struct stream *stream = x->program->stream;
	uint32_t words[3][ROWS_VECTORS];

	if (!stream || !stream->primitive)
		return;
	for (int v = 0; v < 3; v++)
		read_lane(g->vertices[v], lane, words[v]);
	stream->primitive(stream->context, pica_state(x->warp)->first_thread + (uint32_t)lane, g->winding.lane[lane],
			  words[0]);
}

/* The outputs become a vertex, and the other bank becomes the outputs: components not written before the next EMIT have
 * the value of the EMIT before the present (spec pica 17). */
EXEC(emit)
{
	struct geometry *g = pica_state(x->warp)->geometry;
	struct row *out = output_rows(x->warp);

	if (!g)
		return exec_unknown(x, in);
	FOR_SET_LANES(l, x->step.executed) {
		for (int i = 0; i < ROWS_VECTORS; i++) {
			uint32_t v = out[i].lane[l];
			g->vertices[g->vertex.lane[l]][i].lane[l] = v;
			out[i].lane[l] = g->bank[i].lane[l];
			g->bank[i].lane[l] = v;
		}
		if (g->prim.lane[l])
			emit_primitive(x, g, l);
	}
	x->progress++;
	return STEP_OK;
}

/* ---- handlers ---- */

/* Whatever the executor does with the paths. */
static int flow(HANDLER_PARAMETERS)
{
	int r;

	threaded_end_behind(op, x, active);
	threaded_begin_step(op, x, active, active);
	r = op->in->exec(x, op->in);
	exec_count_branch(x);
	x->warp->pc = x->step.next_pc;
	HANDLER_RESUME(r, x, reg);
}

static int flow_break(HANDLER_PARAMETERS)
{
	if (!pica_state(x->warp)->now.scopes.nloop)     /* may fault */
		HANDLER_CALL(SIMD_NAME(threaded_slow), op, x, reg, active);
	HANDLER_CALL(flow, op, x, reg, active);
}

/* No path is moved. */
static int emission(HANDLER_PARAMETERS)
{
	int r;

	threaded_begin_step(op, x, active, active);
	r = op->in->exec(x, op->in);
	if (r != STEP_OK)
		return threaded_stay(op, x, active, r);
	HANDLER_NEXT(op, x, reg, active);
}

/* Do all lanes of the warp agree on `taken`, with nothing else to do behind the branch? */
static inline bool is_simple(const struct threaded_op *op, const struct pica_warp *s, lane_mask taken, uint32_t active)
{
	return (!taken || taken == active) && !scope_ends(s, op->behind);
}

/* The path goes to the target. */
#define GO_TO_TARGET(op, x, reg, active) do { \
		pica_state((x)->warp)->now.pc = (op)->target->pc; \
		HANDLER_BRANCH(op, x, reg, active); \
	} while (0)

#define JUMP_IF(name, condition) \
	static int name(HANDLER_PARAMETERS) \
	{ \
		lane_mask taken = (condition); \
		if (!is_simple(op, pica_state(x->warp), taken, active)) \
			HANDLER_CALL(flow, op, x, reg, active); \
		threaded_count_branch(op, x, taken); \
		if (!taken) \
			HANDLER_NEXT(op, x, reg, active); \
		GO_TO_TARGET(op, x, reg, active); \
	}
JUMP_IF(jmpc, holds(x, op->in))
JUMP_IF(jmpu, jumps_by_uniform(x, op->in))

#define CALL_IF(name, condition) \
	static int name(HANDLER_PARAMETERS) \
	{ \
		struct pica_warp *s = pica_state(x->warp); \
		lane_mask taken = (condition); \
		uint32_t end = behind_target(op->in); \
		if (!is_simple(op, s, taken, active) || end == op->behind) \
			HANDLER_CALL(flow, op, x, reg, active); \
		threaded_count_branch(op, x, taken); \
		if (!taken) \
			HANDLER_NEXT(op, x, reg, active); \
		push_call(&s->now, end, op->behind); \
		watch_scopes(s); \
		GO_TO_TARGET(op, x, reg, active); \
	}
CALL_IF(call, active)
CALL_IF(callc, holds(x, op->in))
CALL_IF(callu, uniform_set(x, op->in))

#define IF_ELSE(name, condition) \
	static int name(HANDLER_PARAMETERS) \
	{ \
		struct pica_warp *s = pica_state(x->warp); \
		lane_mask taken = (condition); \
		uint32_t otherwise = op->target->pc; \
		if (!is_simple(op, s, taken, active) || otherwise == op->behind) \
			HANDLER_CALL(flow, op, x, reg, active); \
		threaded_count_branch(op, x, taken); \
		if (!taken) \
			GO_TO_TARGET(op, x, reg, active); \
		push_if(&s->now, otherwise, behind_target(op->in)); \
		watch_scopes(s); \
		HANDLER_NEXT(op, x, reg, active); \
	}
IF_ELSE(ifc, holds(x, op->in))
IF_ELSE(ifu, uniform_set(x, op->in))

/* Between an instruction without a branch and a place where the path may leave a scope, or meet another path. */
static int scope_end(HANDLER_PARAMETERS)
{
	int r;

	if (!scope_ends(pica_state(x->warp), op->pc))
		HANDLER_NEXT(op, x, reg, active);
	threaded_end_run(x, op->pc, op->issue, active);
	x->step.next_pc = op->pc;
	r = leave_scopes(x);
	x->warp->pc = x->step.next_pc;
	HANDLER_RESUME(r, x, reg);
}

static int finished(HANDLER_PARAMETERS)
{
	return STEP_OK;
}

/* insn.exec of arithmetic instructions: the work of the handlers. */
static int compute(struct exec *x, const struct insn *in)
{
	const struct pica_code *code = (const struct pica_code *)x->program->threaded;

	return SIMD_NAME(threaded_enter)(code->compute[in->pc / 4], x);
}

const struct pica_flow SIMD_NAME(pica_flow) = {
	.engine = &SIMD_NAME(threaded),
	.exec = {
#define ENTRY(name, ...) [PICA_EXEC_##name] = exec_##name,
		PICA_EXEC_FLOW(ENTRY)
#undef ENTRY
	},
	.handler = {
#define ENTRY(name, class, traits, handler, meaning) [PICA_EXEC_##name] = handler,
		PICA_EXEC_FLOW(ENTRY)
#undef ENTRY
	},
	.compute = compute, .scope_end = scope_end, .finished = finished,
};
