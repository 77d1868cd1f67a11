/* Binds executors to a decoded program and translates it into threaded code (core/isa/translate.h). Illegal
 * instructions are found here: executors count on existing registers. */
#include "core/base/arena.h"
#include "core/isa/gcn/exec.h"
#include "core/isa/gcn/launch.h"
#include "core/isa/gcn/native.h"
#include "core/isa/gcn/run.h"
#include "core/isa/translate.h"
#include "core/isa/loop.h"
#include "core/isa/simd_built.h"

enum { OPS_AN_INSTRUCTION = 4 };        /* three sources and the work */

struct binding {
	struct translator engine;       /* first: a pointer to either is a pointer to both */
	const struct gcn_level *level;
	const struct rules *rules;
	bool indexes;                   /* the program has s_set_gpr_idx_on */
};

#define LEVEL(index, level) [index] = &gcn_level_##level,
static const struct gcn_level *const levels[SIMD_LEVELS] = { SIMD_BUILT(LEVEL) };
#undef LEVEL

static const struct gcn_executor *executor_of(const struct binding *b, const struct insn *in)
{
	return &b->level->executor[in->row->exec];
}

/* ---- instructions that do not run ---- */

static int illegal(struct exec *x, const struct insn *in)
{
	return exec_fault(x, FAULT_ILLEGAL_OPCODE, x->warp->active, 0);
}

static int not_emulated(struct exec *x, const struct insn *in)
{
	return exec_fault(x, FAULT_NOT_EMULATED, x->warp->active, 0);
}

static bool beyond(const struct program *p, const struct opnd *o)
{
	unsigned words = o->width > 4 ? (o->width + 3u) / 4 : 1;

	if (o->shape != OPND_REG)
		return false;
	return o->file == FILE_ILLEGAL || (o->file == FILE_V && o->reg + words > p->nreg);
}

static exec_fn *refusal(const struct program *p, const struct insn *in)
{
	if (!in->row || beyond(p, &in->dst))
		return illegal;
	for (int i = 0; i < ISA_MAX_SRC; i++)
		if (beyond(p, &in->src[i]))
			return illegal;
	return NULL;
}

/* ---- properties of instructions ---- */

static bool is_vector(const struct insn *in)
{
	switch (gcn_row_of(in)->encoding) {
	case ENC_VOP1:
	case ENC_VOP2:
	case ENC_VOPC:
	case ENC_VOP3:
	case ENC_VOP3P:
		return true;
	default:
		return false;
	}
}

/* Sources of a vector instruction other than unmodified vector registers: bit i. */
static uint8_t made_sources(const struct insn *in)
{
	unsigned form = in->mod[MOD_FORM], made = 0;
	bool packed = gcn_row_of(in)->encoding == ENC_VOP3P;

	for (unsigned i = 0; i < 3; i++) {
		const struct opnd *o = &in->src[i];
		bool plain = o->shape == OPND_REG && o->file == FILE_V;
		if (o->shape != OPND_NONE && (!plain || (form == FORM_DPP && !i) || (form == FORM_SDWA && i < 2)))
			made |= 1u << i;
	}
	if (!packed)
		made |= in->mod[MOD_NEG] | in->mod[MOD_ABS];
	if (form == FORM_VOP3 && !packed)
		made |= in->mod[MOD_OPSEL] & 7;
	return (uint8_t)made & 7;
}

/* Does the instruction go elsewhere, wait, or write EXEC? */
static bool steers(const struct insn *in)
{
	return gcn_row_of(in)->flags & STEERS || gcn_writes_exec(in);
}

static void bind_one(const struct program *p, struct insn *in, const struct binding *b)
{
	exec_fn *refused = refusal(p, in);

	in->guard = GUARD_ALWAYS;
	in->fetch = in->acts = 0;
	if (!refused && !executor_of(b, in)->fn)
		refused = not_emulated;
	in->refused = refused != NULL;
	in->straight = !refused && !steers(in);
	in->exec = refused ? refused : executor_of(b, in)->fn;
	if (refused)
		return;
	if (in->mod[MOD_FORM] == FORM_DPP && is_vector(in))
		in->guard = GUARD_LANES;
	if (!is_vector(in))
		return;
	in->fetch = made_sources(in);
	if (b->indexes) {
		in->acts = GCN_ACTS_INDEXED;
		in->fetch = 7;
	}
}

/* ---- threaded code ---- */

static struct row_place place_of(const struct insn *in, int i)
{
	const struct opnd *o = &in->src[i];

	if (o->shape == OPND_IMM)
		return (struct row_place){ 0, (uintptr_t)&o->value };
	if (o->shape == OPND_REG && o->file == FILE_S)
		return (struct row_place){ UINTPTR_MAX, offsetof(struct gcn_warp, s) + 4u * o->reg -
							(uintptr_t)GCN_WARP_BYTES };
	return (struct row_place){ UINTPTR_MAX, (o->shape == OPND_NONE ? in->dst.reg : o->reg) * sizeof(struct row) };
}

static struct row_place made_place(int i)
{
	return (struct row_place){ UINTPTR_MAX, offsetof(struct gcn_warp, made) + (size_t)i * sizeof(struct row) -
						(uintptr_t)GCN_WARP_BYTES };
}

/* Entries for an instruction's own handlers, behind entries that make sources. */
static int own_handlers(const struct binding *b, const struct insn *in, const struct gcn_handlers *own,
			struct threaded_op *to)
{
	/* the mask of carries-in is no row */
	unsigned fetch = in->fetch & (gcn_row_of(in)->flags & CARRY_IN ? 3 : 7);
	bool word = (fetch & 1) && gcn_is_word(in, 0);
	struct threaded_op *work;
	int n = 0;

	for (int i = word; i < 3; i++)
		n += fetch >> i & 1;
	work = &to[n];
	n = 0;
	for (int i = 0; i < 3; i++) {
		work->src[i] = place_of(in, i);
		if (!(fetch >> i & 1) || (word && !i))
			continue;
		work->src[i] = made_place(i);
		to[n].full = to[n].partial = gcn_is_word(in, i) ? b->level->make_word : b->level->make[i];
		to[n].src[0] = place_of(in, i);
		to[n].dst = work->src[i].offset;
		n++;
	}
	work->full = word ? own->full_word : own->full;
	work->partial = word ? own->partial_word : own->partial;
	work->dst = in->dst.reg * sizeof(struct row);
	return n + 1;
}

/* Is the source a pair of vector registers, or a small number, above whose word there are zeros? */
static bool is_pair(const struct insn *in, unsigned i)
{
	enum { SMALL_MOST = 64 };
	const struct opnd *o = &in->src[i];
	bool modified = (in->mod[MOD_NEG] | in->mod[MOD_ABS]) >> i & 1;

	return !(in->fetch >> i & 1) ||
	       (o->shape == OPND_IMM && !modified && o->value >= 0 && o->value <= SMALL_MOST);
}

static bool has_own(const struct insn *in, const struct gcn_executor *e)
{
	return e->handlers && e->handlers->full && !in->acts && !gcn_modifies_result(in) && in->guard == GUARD_ALWAYS &&
	       (e->handlers->masks || in->dst.file == FILE_V) &&
	       (!e->handlers->pair || is_pair(in, e->handlers->pair));
}

/* The place of a source of scalar arithmetic, in units of a word or a pair; a number stands in the place of an address.
 * False: a special register, or a number that is no address. */
static bool scalar_source(const struct insn *in, int i, bool wide, struct row_place *to)
{
	const struct opnd *o = &in->src[i];

	if (o->shape == OPND_REG) {
		*to = place_of(in, i);
		return o->file == FILE_S && (!wide || (o->width > 4 && o->reg + 1 < GCN_SCALARS));
	}
	*to = (struct row_place){ 0, (uintptr_t)(intptr_t)o->value };
	return o->shape == OPND_NONE || !wide || (o->width > 4 && o->shape == OPND_IMM &&
	       gcn_immediate_wide(o, (enum gcn_type)gcn_row_of(in)->s[i]) == (uint64_t)(int64_t)o->value);
}

/* The entry of scalar arithmetic with a handler; false: the executor is called. */
static bool scalar_entry(const struct insn *in, const struct gcn_executor *e, struct threaded_op *to)
{
	const struct opnd *d = &in->dst;

	if (!e->sop || !scalar_source(in, 0, e->sop_wide, &to->src[0]) ||
	    !scalar_source(in, 1, e->sop_wide, &to->src[1]))
		return false;
	if (d->shape != OPND_NONE &&
	    (d->shape != OPND_REG || d->file != FILE_S || d->reg + e->sop_wide >= GCN_SCALARS ||
	     (d->width > 4) != e->sop_wide))
		return false;
	to->dst = offsetof(struct gcn_warp, s) + 4u * d->reg - (uintptr_t)GCN_WARP_BYTES;
	to->full = to->partial = e->sop;
	return true;
}

/* Entries of scalar arithmetic on EXEC; 0: none. */
static int exec_entries(const struct binding *b, const struct insn *in, const struct gcn_executor *e,
			struct threaded_op *to)
{
	bool to_exec = in->dst.shape == OPND_REG && in->dst.file == FILE_S && in->dst.reg == CODE_EXEC;

	if (!e->sop_wide || to_exec == e->sop_saves || in->guard != GUARD_ALWAYS || !scalar_entry(in, e, to))
		return 0;
	/* others may want the former EXEC, which is not at GCN_NEXT_EXEC */
	if (to_exec && !(gcn_row_of(in)->flags & MASK_OP))
		return 0;
	if (to_exec)
		to->dst = GCN_NEXT_EXEC;
	to[1].full = to[1].partial = b->level->take_exec;
	return 2;
}

/* Does the wavefront wait or end? */
static bool waits(const struct insn *in)
{
	return in->row->exec == GCN_EXEC_s_barrier || in->row->exec == GCN_EXEC_s_endpgm;
}

/* The handler of an instruction that steers and cannot fault; NULL: none. */
static handler_fn *steering_handler(const struct binding *b, const struct insn *in)
{
	if (gcn_row_of(in)->flags & (EXEC_OPERAND | MASK_OP) || waits(in))
		return b->level->write_exec;
	return in->row->exec == GCN_EXEC_s_branch ? b->level->jump : executor_of(b, in)->branch;
}

/* translator.instruction */
static int entries(struct translator *t, const struct insn *in, bool alone, struct threaded_op *to)
{
	struct binding *b = (struct binding *)t;
	const struct gcn_executor *e = in->refused ? NULL : executor_of(b, in);
	handler_fn *steer = e ? steering_handler(b, in) : NULL;

	if (e && insn_by_all(in) && has_own(in, e))
		return own_handlers(b, in, e->handlers, to);
	if (e && in->straight && insn_by_all(in) && scalar_entry(in, e, to))
		return 1;
	if (e && !in->straight && !b->rules->detailed) {
		int n = exec_entries(b, in, e, to);
		if (n)
			return n;
	}
	if (e && in->straight && (in->guard == GUARD_ALWAYS || !b->rules->detailed)) {
		to->full = to->partial = b->level->exec;
	} else if (e && !in->straight && !b->rules->detailed && steer) {
		to->full = to->partial = steer;
		to->jumps = in->src[0].shape == OPND_TARGET;
		to->waits = waits(in);
	} else {
		translate_slow(t, to);
	}
	return 1;
}

/* threaded_code.execute */
static int execute(struct exec *x, const struct insn *in)
{
	lane_mask off;
	int r;

	x->warp->issues++;
	r = in->exec(x, in);
	if (r == STEP_FAULT) {
		x->warp->issues--;
		return r;
	}
	off = x->step.active & ~x->step.executed;
	if (off)
		x->bill->pc[x->step.pc >> 2].predicated += (unsigned)lanes_count(off);
	exec_count_branch(x);
	return r;
}

static bool translate(struct program *p, struct binding *b, struct arena *a)
{
	struct gcn_threaded *code = ARENA_NEW(a, struct gcn_threaded);

	if (!code)
		return false;
	code->code.execute = execute;
	code->level = b->level;
#ifndef __wasm__
	code->mode = gcn_mode(gcn_launch_of(p)->rsrc1);
	code->order_keeps = gcn_generation(&p->target) < GCN_14;
	code->write_exec = b->level->change_exec;
#endif
	p->threaded = &code->code;
	b->engine = (struct translator){
		.p = p, .rules = b->rules, .arena = a, .level = b->level->engine, .instruction = entries,
		.ops = OPS_AN_INSTRUCTION,
	};
	return translate_program(&b->engine, &code->code);
}

static bool has_executor(const struct program *p, unsigned exec)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++)
		if (p->insn[i].row && p->insn[i].row->exec == exec)
			return true;
	return false;
}

bool gcn_bind(struct program *p, unsigned simd, const struct rules *rules, struct arena *a)
{
	const struct gcn_level *level = levels[simd];
	struct binding *b = ARENA_NEW(a, struct binding);

	if (!b)
		return false;
	*b = (struct binding){
		.level = level, .rules = rules, .indexes = has_executor(p, GCN_EXEC_s_set_gpr_idx_on),
	};
	for (uint32_t i = 0; i < p->code_bytes / 4; i++)
		bind_one(p, &p->insn[i], b);
	p->run = rules->inspected ? level->run_observed :
		 rules->slow_path ? level->engine->run_precise : level->engine->run;
	p->run_observed = level->run_observed;
	p->traces = true;
	return translate(p, b, a);
}
