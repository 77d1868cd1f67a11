/* PICA's part of translation (core/isa/translate.h): the handlers of an instruction, and the rows of its operands.
 *
 * Scopes end, and paths wait to be joined, at places that control flow names; all are known before the program runs.
 * Only behind an instruction before such a place is an entry that tests for the event. Where the paths of a warp stand
 * elsewhere, which is rare, the warp goes on one instruction at a time (scope.c), each with such an entry. */
#include "core/isa/translate.h"

#include <stddef.h>

#include "core/base/arena.h"
#include "core/isa/pica/exec.h"

enum { OPS_AN_INSTRUCTION = 5 };        /* three sources to make, the work, the end of a scope */

struct translation {
	struct translator engine;       /* first: a pointer to either is a pointer to both */
	const struct program *p;
	const struct pica_build *build;
	uintptr_t state;                /* offset of the warp's private state from its registers */
	bool *arrivals;                 /* struct pica_code */
};

static bool computes(const struct insn *in)
{
	return in->row->exec < PICA_EXEC_nop;
}

/* ---- places ---- */

static void mark(struct translation *tr, uint32_t pc)
{
	if (pc <= tr->p->code_bytes)
		tr->arrivals[pc / 4] = true;
}

/* Mark the places to which an instruction may send lanes, and the ends of the scopes that the instruction opens. */
static void mark_places(struct translation *tr, const struct insn *in)
{
	uint32_t target = (uint32_t)in->src[0].value;

	mark(tr, in->pc + 4);
	if (in->src[0].shape != OPND_TARGET)
		return;
	mark(tr, target);
	mark(tr, target + 4);
	mark(tr, target + 4u * in->mod[MOD_NUM]);
}

/* ---- operands ---- */

static bool made(const struct insn *in, int i)
{
	bool uniform = in->src[i].reg >= SRC_UNIFORM;

	return in->src[i].shape == OPND_REG && (in->mod[MOD_NEG1 + i] || (uniform && in->mod[MOD_INDEX]));
}

/* The first row of source i. */
static struct row_place place_source(const struct translation *tr, const struct insn *in, int i)
{
	const struct pica_uniforms *shared = tr->p->uniforms;
	unsigned reg = in->src[i].reg;
	size_t uniform = offsetof(struct pica_uniforms, f) + (reg - SRC_UNIFORM) * sizeof shared->f[0];

	if (reg < SRC_UNIFORM)
		return (struct row_place){ UINTPTR_MAX, 4 * reg * sizeof(struct row) };
	if (pica_receives(tr->p))
		return (struct row_place){ UINTPTR_MAX, tr->state + pica_uniforms_offset() + uniform };
	return (struct row_place){ 0, (uintptr_t)shared + uniform };
}

static uintptr_t made_row(const struct translation *tr, int i)
{
	return tr->state + offsetof(struct pica_warp, made) + (size_t)i * sizeof((struct pica_warp *)0)->made[0];
}

/* Does the instruction treat every written component alike, and read no others? */
static bool by_component(unsigned exec)
{
	switch (exec) {
	case PICA_EXEC_add: case PICA_EXEC_mul: case PICA_EXEC_mad: case PICA_EXEC_flr: case PICA_EXEC_max:
	case PICA_EXEC_min: case PICA_EXEC_sge: case PICA_EXEC_slt: case PICA_EXEC_mov:
		return true;
	default:
		return false;
	}
}

/* The rows of the components of an operand in `mask`, by the selector. Returns the number of rows. */
static int select_parts(uint16_t part[4], unsigned mask, unsigned selector)
{
	int n = 0;

	for (int k = 0; k < 4; k++)
		if (mask >> (3 - k) & 1)
			part[n++] = (uint16_t)((selector >> (6 - 2 * k) & 3) * sizeof(struct row));
	return n;
}

enum { IN_ORDER = 0x1b };       /* the selector of x, y, z, w */

/* An entry that makes source i, used in the components of `mask`. */
static void make_source(const struct translation *tr, const struct insn *in, int i, unsigned mask,
			struct threaded_op *to)
{
	bool indexed = in->src[i].reg >= SRC_UNIFORM && in->mod[MOD_INDEX];
	bool by_lanes = pica_receives(tr->p) || tr->engine.rules->preset;

	to->src[0] = place_source(tr, in, i);
	to->dst = made_row(tr, i);
	to->arg = (uint32_t)in->src[i].reg - SRC_UNIFORM;
	to->flips = in->mod[MOD_NEG1 + i];
	to->part[1][0] = (uint16_t)select_parts(to->part[0], mask, in->mod[MOD_SEL1 + i]);
	to->full = to->partial = !indexed ? tr->build->negate : by_lanes ? tr->build->index_lanes : tr->build->index;
}

/* ---- choice of the handler ---- */

/* Is a component of the destination read after it is written, where components are computed one by one? */
static bool rereads(const struct threaded_op *op, const struct insn *in, int sources)
{
	for (int i = 0; i < sources; i++) {
		if (made(in, i) || in->dst.reg < DST_TEMPORARY || in->src[i].reg != in->dst.reg)
			continue;
		for (uint32_t k = 1; k < op->arg; k++)
			for (uint32_t before = 0; before < k; before++)
				if (op->part[i][k] == op->part[3][before])
					return true;
	}
	return false;
}

static bool reads_destination(const struct insn *in, int sources)
{
	for (int i = 0; i < sources; i++)
		if (!made(in, i) && in->dst.reg >= DST_TEMPORARY && in->src[i].reg == in->dst.reg)
			return true;
	return false;
}

static void choose(const struct translation *tr, const struct insn *in, int sources, struct threaded_op *to)
{
	const struct pica_compute *c = &tr->build->compute[in->row->exec];
	bool fast = c->fast_partial[to->arg] && !tr->engine.rules->preset;

	if (!fast) {
		to->partial = c->partial;
		to->full = rereads(to, in, sources) ? c->partial : c->full;
		return;
	}
	to->partial = c->fast_partial[to->arg];
	to->full = reads_destination(in, sources) ? c->fast_full[to->arg] : c->fast_apart[to->arg];
}

/* The entries of an arithmetic instruction's work. Returns the number of entries. */
static int translate_compute(const struct translation *tr, const struct insn *in, struct threaded_op *to)
{
	unsigned mask = in->mod[MOD_MASK], looks = by_component(in->row->exec) ? mask : 0xf;
	struct threaded_op work = to[0];
	int at = 0, sources = 0;

	for (; sources < 3 && in->src[sources].shape == OPND_REG; sources++) {
		int i = sources;
		if (made(in, i)) {
			make_source(tr, in, i, looks, &to[at++]);
			work.src[i] = (struct row_place){ UINTPTR_MAX, made_row(tr, i) };
			for (int k = 0; k < 4; k++)
				work.part[i][k] = (uint16_t)((size_t)k * sizeof(struct row));
		} else {
			work.src[i] = place_source(tr, in, i);
			select_parts(work.part[i], looks, in->mod[MOD_SEL1 + i]);
		}
	}
	if (in->dst.shape == OPND_REG) {
		work.dst = (in->dst.reg < DST_TEMPORARY ? ROWS_OUTPUT : 0) * sizeof(struct row);
		work.dst += 4 * in->dst.reg * sizeof(struct row);
		work.arg = (uint32_t)select_parts(work.part[3], mask, IN_ORDER);
	}
	choose(tr, in, sources, &work);
	to[at++] = work;
	return at;
}

/* struct translator.instruction. */
static int translate_one(struct translator *t, const struct insn *in, bool alone, struct threaded_op *to)
{
	struct translation *tr = (struct translation *)t;
	handler_fn *flow = tr->build->flow->handler[in->row->exec];
	struct threaded_op behind = to[0];
	int n = 1;

	if (in->loose || t->rules->detailed) {
		translate_slow(t, to);
		return 1;
	}
	if (computes(in)) {
		n = translate_compute(tr, in, to);
	} else if (in->row->exec == PICA_EXEC_nop) {
		to->full = to->partial = t->level->nop;
	} else if (!flow) {
		translate_slow(t, to);
		return 1;
	} else {
		to->full = to->partial = flow;
		to->jumps = in->src[0].shape == OPND_TARGET && in->row->exec != PICA_EXEC_loop;
		if (in->marks & MOVES)
			return 1;
	}
	if (alone || tr->arrivals[behind.behind / 4]) {
		behind.full = behind.partial = tr->build->flow->scope_end;
		behind.pc = behind.behind;
		behind.issue++;
		to[n++] = behind;
	}
	return n;
}

/* The work alone of an arithmetic instruction. */
static const struct threaded_op *translate_work(const struct translation *tr, const struct insn *in)
{
	struct threaded_op *op = ARENA_ARRAY(tr->engine.arena, struct threaded_op, OPS_AN_INSTRUCTION);

	for (int i = 0; op && i < OPS_AN_INSTRUCTION; i++)
		op[i] = (struct threaded_op){ .in = in, .pc = in->pc, .behind = in->pc + in->length };
	if (op) {
		int n = translate_compute(tr, in, op);
		op[n].full = op[n].partial = tr->build->flow->finished;
	}
	return op;
}

bool pica_translate(const struct program *p, struct pica_code *out, const struct pica_build *build,
		    const struct rules *rules, struct arena *a)
{
	struct translation *tr = ARENA_NEW(a, struct translation);
	uint32_t words = p->code_bytes / 4;
	const struct threaded_op **compute = ARENA_ARRAY(a, const struct threaded_op *, words + 1);

	if (!tr)
		return false;
	*tr = (struct translation){
		.engine = { .p = p, .rules = rules, .arena = a, .level = build->flow->engine,
			    .instruction = translate_one, .ops = OPS_AN_INSTRUCTION },
		.p = p, .build = build,
	};
	tr->state = translate_state(pica_warp_bytes(p, rules));
	tr->arrivals = ARENA_ARRAY(a, bool, words + 1);
	if (!compute || !tr->arrivals)
		return false;
	for (uint32_t i = 0; i < words; i++) {
		const struct insn *in = &p->insn[i];
		if (!computes(in))
			mark_places(tr, in);
		else if (!(compute[i] = translate_work(tr, in)))
			return false;
	}
	out->compute = compute;
	out->arrivals = tr->arrivals;
	return translate_program(&tr->engine, &out->engine);
}
