/* GCN's part of native code (core/isa/native.h): an entry means what its handlers do. */
#include "core/isa/native_enter.h"

#include "core/isa/gcn/exec.h"
#include "core/isa/gcn/native.h"

extern const char *const gcn_native_lines[];

/* Rows of handled.def, by executor. */
enum lane_kind { LANE_NONE, LANE_WORDS, LANE_ROUNDED, LANE_FLOATS, LANE_CARRY, LANE_PAIR, LANE_COMPARE };
#undef VALU_HANDLED
#undef VALU_CARRY_HANDLED
#undef VALU_PAIR
#undef VALU_COMPARE_HANDLED
#undef VALU
static const struct { enum lane_kind kind; unsigned sources; } lanes[GCN_EXEC_COUNT] = {
#define VALU_HANDLED(name, sources, expression) [GCN_EXEC_##name] = { LANE_WORDS, sources },
#define VALU VALU_HANDLED
#define VALU_ORDER VALU_HANDLED
#define VALU_F32(name, sources, expression) [GCN_EXEC_##name] = { LANE_ROUNDED, sources },
#define VALU_F32_HANDLED(name, sources, expression) [GCN_EXEC_##name] = { LANE_FLOATS, sources },
#define VALU_CARRY_HANDLED(name, expression) [GCN_EXEC_##name] = { LANE_CARRY, 2 },
#define VALU_PAIR(name, sources, expression) [GCN_EXEC_##name] = { LANE_PAIR, sources },
#define VALU_COMPARE_HANDLED(name, type, expression) [GCN_EXEC_##name] = { LANE_COMPARE, 2 },
#define HANDLED_INT
#define HANDLED_FLOAT
#define HANDLED_MOVE
#include "core/isa/gcn/handled.def"
};

static const char *const names[GCN_EXEC_COUNT] = {
#define EVERY(name, class) [GCN_EXEC_##name] = #name,
#include "core/isa/gcn/gcn.def"
};

static const char *const conditions[GCN_EXEC_COUNT] = {
#define CONDITION(name, condition) [GCN_EXEC_##name] = "gcn_" #name,
GCN_CONDITIONS(CONDITION)
};

static struct native_place number(uint64_t n)
{
	return (struct native_place){ .where = NATIVE_NUMBER, .number = n };
}

static struct native_place at(enum native_where where, uintptr_t offset)
{
	return (struct native_place){ .where = where, .offset = (intptr_t)offset };
}

static uintptr_t scalar_offset(unsigned code)
{
	return offsetof(struct gcn_warp, s) + 4u * code - (uintptr_t)GCN_WARP_BYTES;
}

static struct native_place scalar(unsigned code)
{
	return at(NATIVE_IN_BITS, scalar_offset(code));
}

/* ---- operations on lanes ---- */

/* A row, or with `word` a word for all lanes: of the wavefront, or an immediate. */
static struct native_place source(const struct threaded_op *op, unsigned i, bool word)
{
	const struct row_place *p = &op->src[i];

	return !p->mask ? number(*(const uint32_t *)p->offset) : at(word ? NATIVE_IN_WORD : NATIVE_IN_ROW, p->offset);
}

/* The mask of carries-in (gcn_carry_in). */
static struct native_place carry_in(const struct insn *in)
{
	const struct opnd *o = &in->src[2];

	if (!(gcn_row_of(in)->flags & CARRY_IN))
		return number(0);
	return o->shape == OPND_IMM ? number(o->value != 0) :
	       scalar(o->shape == OPND_REG && o->file == FILE_S ? o->reg : CODE_VCC);
}

/* A pair of rows, or a small number (is_pair of bind.c). */
static void take_pair(struct native_meaning *m, const struct threaded_op *op, unsigned i)
{
	bool small = op->in->src[i].shape == OPND_IMM;

	m->in[2] = source(op, i, false);
	m->in[3] = small ? number(0) : at(NATIVE_IN_ROW, op->src[i].offset + sizeof(struct row));
}

static struct native_meaning lane(const struct threaded_op *op, bool word)
{
	const struct insn *in = op->in;
	enum lane_kind kind = lanes[in->row->exec].kind;
	struct native_meaning m = {
		.kind = NATIVE_LANE, .name = names[in->row->exec], .floats = kind == LANE_FLOATS,
		.number = in->mod[MOD_CONDITION],
	};

	for (unsigned i = 0; i < lanes[in->row->exec].sources; i++)
		m.in[i] = source(op, i, word && !i);
	if (kind == LANE_PAIR)
		take_pair(&m, op, lanes[in->row->exec].sources - 1);
	if (kind == LANE_CARRY)
		m.in[4] = carry_in(in);
	if (kind == LANE_COMPARE) {
		m.out[0] = scalar(in->dst.shape == OPND_REG ? in->dst.reg : CODE_VCC);
		return m;
	}
	m.out[0] = at(NATIVE_IN_ROW, op->dst);
	if (kind == LANE_PAIR)
		m.out[1] = at(NATIVE_IN_ROW, op->dst + sizeof(struct row));
	if ((kind == LANE_PAIR || kind == LANE_CARRY) && in->flags_dst != FLAGS_NONE)
		m.out[2] = scalar(in->flags_dst);
	return m;
}

/* Masks go to SGPRs and vcc: writes past the last register are lost, and carries-in of numbers are a bit or all. */
static bool has_lane(const struct gcn_threaded *code, const struct threaded_op *op)
{
	const struct insn *in = op->in;
	const struct opnd *carry = &in->src[2];
	enum lane_kind kind = lanes[in->row->exec].kind;
	bool rounds = code->mode >> MODE_ROUND_32 & 3;

	if ((kind == LANE_FLOATS || kind == LANE_ROUNDED) && rounds)
		return false;
	if (kind == LANE_COMPARE && in->dst.shape == OPND_REG && (in->dst.file != FILE_S || in->dst.reg >= CODE_M0))
		return false;
	if (kind == LANE_CARRY && gcn_row_of(in)->flags & CARRY_IN && carry->shape == OPND_IMM && carry->value &&
	    carry->value != -1)
		return false;
	return in->flags_dst == FLAGS_NONE || in->flags_dst < CODE_M0;
}

/* The entry of the instruction's own handlers, at or behind op. */
static const struct threaded_op *work_of(const struct threaded_op *op)
{
	while (op[1].in == op->in)
		op++;
	return op;
}

/* A row for the instruction's own handlers. */
static struct native_meaning made(const struct gcn_threaded *code, const struct threaded_op *op, const char *name,
				  struct native_place from, uint32_t keep, uint32_t flip)
{
	if (!has_lane(code, work_of(op)))
		return (struct native_meaning){ .kind = NATIVE_STEP };
	return (struct native_meaning){
		.kind = NATIVE_LANE, .name = name, .in = { from, number(keep), number(flip) },
		.out = { at(NATIVE_PASSING, op->dst) },
	};
}

/* A source as named by the instruction, of 32 bits. False: another kind. */
static bool named(const struct insn *in, unsigned i, struct native_place *to)
{
	const struct opnd *o = &in->src[i];

	if (o->width > 4)
		return false;
	if (o->shape == OPND_IMM)
		*to = number((uint32_t)o->value);
	else if (o->shape == OPND_REG && o->file == FILE_V)
		*to = at(NATIVE_IN_ROW, o->reg * sizeof(struct row));
	else if (o->shape == OPND_REG && o->file == FILE_S)
		*to = at(NATIVE_IN_WORD, scalar_offset(o->reg));
	else
		return false;
	return true;
}

/* gcn_make of a float of 32 bits with another sign, else a step. */
static struct native_meaning made_sign(const struct gcn_threaded *code, const struct threaded_op *op, unsigned i)
{
	const struct insn *in = op->in;
	const uint32_t sign = 0x80000000;
	struct native_place from;
	bool absolute = in->mod[MOD_ABS] >> i & 1, negative = in->mod[MOD_NEG] >> i & 1;

	if (in->acts || in->mod[MOD_FORM] != FORM_VOP3 || in->mod[MOD_OPSEL] || gcn_row_of(in)->s[i] != T_F32 ||
	    gcn_row_of(in)->encoding == ENC_VOP3P || !named(in, i, &from))
		return (struct native_meaning){ .kind = NATIVE_STEP };
	return made(code, op, "sign", from, absolute ? ~sign : ~0u, negative ? sign : 0);
}

/* An executor's call of an instruction without modifiers. False: the call stays. */
static bool called_lane(const struct gcn_threaded *code, const struct threaded_op *op, struct native_meaning *m)
{
	const struct insn *in = op->in;
	enum lane_kind kind = lanes[in->row->exec].kind;
	enum gcn_form form = (enum gcn_form)in->mod[MOD_FORM];

	if ((kind != LANE_WORDS && kind != LANE_ROUNDED) || gcn_modifies_result(in) || in->guard != GUARD_ALWAYS ||
	    form == FORM_SDWA || form == FORM_DPP || in->mod[MOD_OPSEL] || in->mod[MOD_NEG] || in->mod[MOD_ABS] ||
	    in->dst.shape != OPND_REG || in->dst.file != FILE_V || !has_lane(code, op))
		return false;
	*m = (struct native_meaning){ .kind = NATIVE_LANE, .name = names[in->row->exec] };
	for (unsigned i = 0; i < lanes[in->row->exec].sources; i++)
		if (!named(in, i, &m->in[i]))
			return false;
	m->out[0] = at(NATIVE_IN_ROW, in->dst.reg * sizeof(struct row));
	return true;
}

/* ---- scalar arithmetic ---- */

static struct native_place scalar_source(const struct threaded_op *op, unsigned i, bool wide)
{
	const struct row_place *p = &op->src[i];

	if (!p->mask)
		return number(wide ? (uint64_t)(int64_t)(intptr_t)p->offset : (uint32_t)p->offset);
	return at(wide ? NATIVE_IN_PAIR : NATIVE_IN_WORD, p->offset);
}

static struct native_meaning scalar_operation(const struct threaded_op *op, bool wide)
{
	return (struct native_meaning){
		.kind = NATIVE_SCALAR, .name = names[op->in->row->exec],
		.in = { scalar_source(op, 0, wide), scalar_source(op, 1, wide) },
		.out = { at(wide ? NATIVE_IN_PAIR : NATIVE_IN_WORD, op->dst) },
	};
}

/* ---- all ---- */

/* An executor's call: MODE must not change within a path. */
static struct native_meaning call(const struct gcn_threaded *code, const struct threaded_op *op)
{
	unsigned exec = op->in->row->exec;
	struct native_meaning m;
	bool sets_mode = exec == GCN_EXEC_s_setreg_b32 || exec == GCN_EXEC_s_setreg_imm32_b32;

	if (called_lane(code, op, &m))
		return m;
	return (struct native_meaning){
		.kind = sets_mode ? NATIVE_UNKNOWN : op->in->exec == exec_idle_base ? NATIVE_NOTHING : NATIVE_STEP,
	};
}

static struct native_meaning meaning(const struct threaded_code *threaded, const struct threaded_op *op)
{
	const struct gcn_threaded *code = (const struct gcn_threaded *)threaded;
	const struct gcn_level *level = code->level;
	const struct gcn_executor *e = op->in && op->in->row ? &level->executor[op->in->row->exec] : NULL;
	struct native_meaning none = { .kind = NATIVE_UNKNOWN };

	if (!e)
		return none;
	if (op->full == level->make_word)
		return made(code, op, names[GCN_EXEC_v_mov_b32], source(op, 0, true), 0, 0);
	for (unsigned i = 0; i < 3; i++)
		if (op->full == level->make[i])
			return made_sign(code, op, i);
	if (op->full == level->exec)
		return call(code, op);
	if (op->full == level->take_exec)
		return (struct native_meaning){ .kind = NATIVE_MASK, .name = "gcn_take" };
	if (e->sop && op->full == e->sop)
		return scalar_operation(op, e->sop_wide);
	if (e->handlers && (op->full == e->handlers->full || op->full == e->handlers->full_word))
		return has_lane(code, op) ? lane(op, op->full == e->handlers->full_word) :
					    (struct native_meaning){ .kind = NATIVE_STEP };
	if (op->target && (op->full == level->jump || (e->branch && op->full == e->branch)))
		return (struct native_meaning){ .kind = NATIVE_GOES, .name = conditions[op->in->row->exec] };
	return none;
}

static uint32_t number_of(const struct threaded_code *code)
{
	const struct gcn_threaded *gcn = (const struct gcn_threaded *)code;

	return (gcn->mode & GCN_NATIVE_MODE) | (gcn->order_keeps ? GCN_ORDER_KEEPS : 0);
}

const struct native_machine gcn_native = {
	.text = gcn_native_lines, .declines = "gcn_declines", .number = number_of, .enter = native_enter,
	.stepped = native_stepped, .meaning = meaning,
};
