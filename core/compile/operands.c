/* Operands of PTX instructions: registers, special registers, numbers and parameters as sources of operations; results
 * to registers, under a guard; and the refusal of an instruction. */
#include "core/compile/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

/* ---- refusals ---- */

void lower_fail(struct lowering *l, const struct ptx_insn *n, const char *format, ...)
{
	char text[300];
	va_list v;

	va_start(v, format);
	vsnprintf(text, sizeof text, format, v);
	va_end(v);
	ptx_fail(l->m, n->line, n->column, "%s", text);
}

const char *spelled(struct lowering *l, const struct ptx_insn *n)
{
	char text[160] = "";

	for (unsigned i = 0; i < n->nwords; i++) {
		char word[40];
		text_clean(n->word[i], strlen(n->word[i]), "", word, sizeof word);
		if (strlen(text) + strlen(word) + 2 < sizeof text)
			strcat(strcat(text, i ? "." : ""), word);
	}
	return arena_strdup(l->m->arena, text);
}

void lower_needs(struct lowering *l, const struct ptx_insn *n, unsigned sm, const char *what)
{
	const struct ir_target *t = &l->f->target;

	if (t->sm < sm)
		lower_fail(l, n, "%s needs sm_%u (%s is sm_%u)", what ? what : spelled(l, n), sm, t->chip->name, t->sm);
}

void lower_never(struct lowering *l, const struct ptx_insn *n, const char *what, const char *why)
{
	lower_fail(l, n, "%s is not in sm_1x: %s", what ? what : spelled(l, n), why);
}

/* ---- operands ---- */

static uint32_t variable(struct lowering *l, const struct ptx_reg *r)
{
	return (l->base + r->index) * 4 + (r->type == PTX_PRED);
}

static struct source read_reg(struct lowering *l, struct ptx_reg *r, unsigned word)
{
	r->reader = r->reader ? r->reader : l->insn;
	return ir_read(l->f, l->f->current, variable(l, r) + 2 * word);
}

struct source extended(struct lowering *l, enum ptx_type t, struct source s)
{
	return ptx_bytes(t) < 4 && t != PTX_NONE ? ir_cvt(l->f, PTX_U32,
							  t == PTX_B16 || ptx_half(t) ? PTX_U16
							  : t == PTX_B8                ? PTX_U8
										       : t,
							  ROUND_NONE, s)
						 : s;
}

struct source shared_word(struct ir *f, uint32_t offset, enum ptx_type t)
{
	struct ir_insn *i = ir_insn(f, IR_LDPARAM);

	i->type = t;
	i->offset = offset;
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	i->dst->zeros = t == PTX_U16 ? 0xffff0000 : t == PTX_U8 ? 0xffffff00 : 0;
	return of(i->dst);
}

static struct source special_word(struct lowering *l, enum ir_op op, unsigned number_of)
{
	struct ir_insn *i = ir_insn(l->f, op);

	i->number = (uint8_t)number_of;
	i->dst = ir_value(l->f, CLASS_WORD);
	i->dst->def = i;
	return of(i->dst);
}

/* The packed thread index: value of $r0 when the thread begins. */
static struct source packed_tid(struct lowering *l) { return ir_read(l->f, l->f->current, 0); }

/* The loader writes the addresses of .global variables, and of the handles of textures, to c14[]. */
struct source global_address(struct lowering *l, const struct ptx_var *v)
{
	struct ir_insn *i = ir_insn(l->f, IR_LD);

	i->type = PTX_B32;
	i->space = SPACE_CONST;
	i->bank = 14;
	i->offset = v->space == SPACE_TEX ? v->handle : v->offset;
	i->nsrc = 1;
	i->src[0] = number(0);
	i->dst = ir_value(l->f, CLASS_WORD);
	i->dst->def = i;
	return of(i->dst);
}

struct source lane_number(struct lowering *l)
{
	return OP(l->f, AND, special_word(l, IR_PHYSID, 0), number(0xff));
}

/* The lane's bit, and the bits below and above. */
static struct source lanes_beside(struct lowering *l, enum special which)
{
	struct ir *f = l->f;
	struct source lane = lane_number(l), none = number(0);

	switch (which) {
	case SPECIAL_LANES_EQ: return OP(f, SHL, number(1), lane);
	case SPECIAL_LANES_LT: return OP(f, SUB, OP(f, SHL, number(1), lane), number(1));
	case SPECIAL_LANES_LE: return OP(f, SUB, OP(f, SHL, number(2), lane), number(1));
	case SPECIAL_LANES_GE: return OP(f, SUB, none, OP(f, SHL, number(1), lane));
	default: return OP(f, SUB, none, OP(f, SHL, number(2), lane));
	}
}

/* %reserved_smem_offset_begin, _end, _cap, _0 and _1. */
static struct source reserved_word(struct lowering *l, const char *name)
{
	uint32_t begin = l->f->layout.reserved;

	switch (name[strlen(name) - 1]) {
	case 'p': return number(RESERVED_BYTES);
	case 'd': return in_space(l, SPACE_SHARED, number(begin + RESERVED_BYTES));
	case '1': return in_space(l, SPACE_SHARED, number(begin + RESERVED_GROUPS));
	default: return in_space(l, SPACE_SHARED, number(begin));
	}
}

static struct source threads_of_block(struct ir *f, unsigned dimension)
{
	return dimension < 3 ? shared_word(f, 2 + 2 * dimension, PTX_U16) : number(0);
}

/* A number of the block or its grid, on chips with special registers for them. */
static struct source block_word(struct ir *f, unsigned number_of)
{
	struct ir_insn *i = ir_insn(f, IR_BLOCK);

	i->number = (uint8_t)number_of;
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	return of(i->dst);
}

static struct source block_of_grid(struct ir *f, unsigned dimension)
{
	if (f->target.lanes && dimension < 3)
		return block_word(f, dimension);
	return dimension < 2 ? shared_word(f, 12 + 2 * dimension, PTX_U16) : number(0);
}

static struct source blocks_of_grid(struct ir *f, unsigned dimension)
{
	if (f->target.lanes && dimension < 3)
		return block_word(f, 3 + dimension);
	return dimension < 2 ? shared_word(f, 8 + 2 * dimension, PTX_U16) : number(1);
}

/* Dimensions of the launch: up to the last with more than one thread, as get_work_dim of OpenCL C on this machine. */
static struct source dimensions_of_launch(struct ir *f)
{
	struct source one = number(1), rows = OP(f, IMUL, threads_of_block(f, 1), blocks_of_grid(f, 1));
	struct source several_rows = ir_set(f, IR_SET, COND_G, PTX_U32, rows, one);
	struct source layers = f->target.lanes ? OP(f, IMUL, threads_of_block(f, 2), blocks_of_grid(f, 2))
					       : threads_of_block(f, 2);
	struct source several_layers = ir_set(f, IR_SET, COND_G, PTX_U32, layers, one);

	return ir_select(f, several_layers, number(3), ir_select(f, several_rows, number(2), one));
}

/* %envreg0 to %envreg9, which NVIDIA's OpenCL driver writes: the first block's number and the first thread's number in
 * each dimension, which are 0 here; the numbers of blocks; the number of dimensions. No manual says so: the source is
 * the driver's code for get_group_id, get_global_id, get_num_groups and get_work_dim beside the OpenCL C
 * (github.com/sudo-team-company/OpenCLDecompiler, tests, PTX 9.0 for sm_61). */
static struct source environment_word(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o)
{
	if (o->component < 6)
		return number(0);
	if (o->component < 9)
		return blocks_of_grid(l->f, o->component - 6u);
	if (o->component > 9)
		lower_never(l, n, o->name, "only %envreg0 to %envreg9 have a known meaning, of OpenCL");
	return dimensions_of_launch(l->f);
}

static struct source get_special(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o)
{
	struct ir *f = l->f;
	struct source s;

	switch (o->special) {
	case SPECIAL_TID:
		if (o->component == 0)
			return ir_cvt(f, PTX_U32, PTX_U16, ROUND_NONE, packed_tid(l));
		if (o->component == 1)
			return OP(f, AND, OP(f, SHR, packed_tid(l), number(16)), number(0x3ff));
		return o->component == 2 ? OP(f, SHR, packed_tid(l), number(26)) : number(0);
	case SPECIAL_NTID: return threads_of_block(f, o->component);
	case SPECIAL_NCTAID: return blocks_of_grid(f, o->component);
	case SPECIAL_CTAID: return block_of_grid(f, o->component);
	case SPECIAL_LANEID: return lane_number(l);
	case SPECIAL_WARPID: return OP(f, AND, OP(f, SHR, special_word(l, IR_PHYSID, 0), number(8)), number(0xff));
	case SPECIAL_SMID: return OP(f, AND, OP(f, SHR, special_word(l, IR_PHYSID, 0), number(16)), number(0xff));
	case SPECIAL_GRIDID: return shared_word(f, 0, PTX_U16);
	case SPECIAL_CLOCK: s = special_word(l, IR_CLOCK, 0); return OP(f, SHL, s, number(1));
	case SPECIAL_CLOCK_HI: return OP(f, SHR, special_word(l, IR_CLOCK, 0), number(31));
	case SPECIAL_PM: return special_word(l, IR_PM, o->component & 3);
	case SPECIAL_LANES_EQ:
	case SPECIAL_LANES_LE:
	case SPECIAL_LANES_LT:
	case SPECIAL_LANES_GE:
	case SPECIAL_LANES_GT: return lanes_beside(l, o->special);
	case SPECIAL_NWARPID: return number(f->target.sm < 12 ? 24 : 32); /* CUDA C Programming Guide 3.2, table G-1 */
	case SPECIAL_RESERVED: return reserved_word(l, o->name);
	case SPECIAL_ENVIRONMENT: return environment_word(l, n, o);
	case SPECIAL_NEVER: break;
	}
	lower_never(l, n, o->name, "the machine has no such register");
}

static struct source number_of(const struct ptx_operand *o, enum ptx_type t)
{
	uint64_t bits = o->bits;

	if (o->kind == OPERAND_DOUBLE && t != PTX_F64 && ptx_bytes(t) != 8) {
		double d;
		memcpy(&d, &bits, sizeof d);
		float f = (float)d;
		uint32_t word;
		memcpy(&word, &f, sizeof f);
		return number(word);
	}
	return number((uint32_t)bits);
}

struct source in_space(struct lowering *l, enum ptx_space space, struct source address)
{
	if (!l->f->lowering.marks_spaces)
		return address;
	struct ir_insn *i = ir_insn(l->f, IR_MOV);
	i->type = PTX_U32;
	i->space = (uint8_t)space;
	i->nsrc = 1;
	i->src[0] = address;
	i->dst = ir_value(l->f, CLASS_WORD);
	i->dst->def = i;
	return of(i->dst);
}

bool is_in_frame(const struct lowering *l, const struct ptx_var *v)
{
	bool own = false;

	for (const struct ptx_var *o = l->func->vars; l->func->recursive && o && !own; o = o->next)
		own = o == v;
	return own && v->space == SPACE_LOCAL;
}

struct source frame_address(struct lowering *l, const struct ptx_var *v)
{
	struct source frame = ir_read(l->f, l->f->current, l->frame_var);

	return in_space(l, SPACE_LOCAL, OP(l->f, ADD, frame, number(v->frame)));
}

/* Of a variable, in the variable's own space; parameters of a kernel are in s[]. */
static struct source variable_address(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o)
{
	const struct ptx_var *v = o->var;
	enum ptx_space space = v->kernel_param ? SPACE_SHARED : v->space;
	uint32_t offset = (uint32_t)o->bits;

	if (space == SPACE_GLOBAL || space == SPACE_TEX)
		return OP(l->f, ADD, global_address(l, v), number(offset));
	if (is_in_frame(l, v))
		return OP(l->f, ADD, frame_address(l, v), number(offset));
	if (space < SPACE_GLOBAL || space > SPACE_CONST)
		lower_fail(l, n, "`%.60s` has no address: expected a variable in .global, .shared, .local or .const, "
			   "or a parameter of the kernel", v->name);
	return in_space(l, space, number(v->offset + offset));
}

struct source get_of(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t)
{
	switch (o->kind) {
	case OPERAND_REG:
		if ((o->reg->type == PTX_PRED) != (t == PTX_PRED))
			lower_fail(l, n, "an operand of `%s` is %s predicate; expected %s", spelled(l, n),
				   t == PTX_PRED ? "no" : "a", t == PTX_PRED ? "a predicate" : "a register of numbers");
		if (o->reg->type == PTX_PRED) {
			struct source s = read_reg(l, o->reg, 0);
			s.not ^= o->negated;
			return s;
		}
		return read_reg(l, o->reg, 0);
	case OPERAND_INT:
	case OPERAND_FLOAT:
	case OPERAND_DOUBLE: return number_of(o, t);
	case OPERAND_SPECIAL: return get_special(l, n, o);
	case OPERAND_VAR:
		return variable_address(l, n, o);
	case OPERAND_FUNC: return number(o->func->address);
	default:
		lower_fail(l, n, "found an operand of another kind in `%s`, expected a register or a number",
			   spelled(l, n));
	}
}

struct source get(struct lowering *l, const struct words *w, unsigned k, enum ptx_type t)
{
	return get_of(l, w->n, &w->n->operand[k], t);
}

struct wide get_wide_of(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t)
{
	struct wide d = { get_of(l, n, o, t), number(0) };

	if (o->kind == OPERAND_REG && ptx_bytes(o->reg->type) == 8) {
		d.hi = read_reg(l, o->reg, 1);
	} else if (o->kind == OPERAND_SPECIAL && o->special == SPECIAL_CLOCK && ptx_bytes(t) == 8) {
		struct source half = special_word(l, IR_CLOCK, 0); /* of two cycles */
		d = (struct wide){ OP(l->f, SHL, half, number(1)), OP(l->f, SHR, half, number(31)) };
	} else if (o->kind == OPERAND_INT || o->kind == OPERAND_DOUBLE) {
		d = (struct wide){ number((uint32_t)o->bits), number((uint32_t)(o->bits >> 32)) };
	} else if (o->kind == OPERAND_FLOAT && t == PTX_F64) {
		uint32_t word = (uint32_t)o->bits;
		float x;
		memcpy(&x, &word, sizeof x);
		double y = x;
		uint64_t bits;
		memcpy(&bits, &y, sizeof y);
		d = (struct wide){ number((uint32_t)bits), number((uint32_t)(bits >> 32)) };
	}
	return d;
}

struct wide get_wide(struct lowering *l, const struct words *w, unsigned k, enum ptx_type t)
{
	return get_wide_of(l, w->n, &w->n->operand[k], t);
}

struct source pack(struct lowering *l, struct wide d)
{
	ir_resolve(&d.lo);
	ir_resolve(&d.hi);
	if (d.lo.kind == SOURCE_VALUE && d.hi.kind == SOURCE_VALUE && d.lo.value == d.hi.value && d.lo.sub == 0 &&
	    d.hi.sub == 1 && d.lo.value->class == CLASS_PAIR)
		return of(d.lo.value);
	struct ir_insn *i = ir_insn(l->f, IR_PACK);
	i->args = ptx_new(l->m, 2 * sizeof *i->args);
	i->nsrc = 2;
	i->args[0] = d.lo;
	i->args[1] = d.hi;
	i->dst = ir_value(l->f, CLASS_PAIR);
	i->dst->def = i;
	return of(i->dst);
}

struct source get_double(struct lowering *l, const struct words *w, unsigned k)
{
	return pack(l, get_wide(l, w, k, PTX_F64));
}

struct source get_pred(struct lowering *l, const struct words *w, unsigned k)
{
	const struct ptx_operand *o = &w->n->operand[k];

	if (o->kind == OPERAND_INT)
		return number((o->bits != 0) != o->negated);
	if (o->kind != OPERAND_REG || o->reg->type != PTX_PRED)
		lower_fail(l, w->n, "operand %u of `%s`: expected a predicate", k + 1, spelled(l, w->n));
	return get_of(l, w->n, o, PTX_PRED);
}

struct source pred_logic(struct lowering *l, enum ir_op op, struct source a, struct source b)
{
	return ir_pred_of(
		l->f, ir_typed(l->f, op, PTX_U32, 2, (struct source[]){ ir_mask_of(l->f, a), ir_mask_of(l->f, b) }));
}

struct source get_guard(struct lowering *l, const struct ptx_insn *n)
{
	struct source guard = { 0 };

	if (n->guard) {
		guard = read_reg(l, n->guard, 0);
		guard.not ^= n->guard_not;
		ir_resolve(&guard);
	}
	return guard;
}

static void write_word(struct lowering *l, const struct ptx_reg *r, unsigned word, struct source s)
{
	uint32_t var = variable(l, r) + 2 * word;

	if (l->guard.kind && !l->fills)
		s = ir_select(l->f, l->guard, s, ir_read(l->f, l->f->current, var));
	ir_write(l->f, l->f->current, var, s);
}

static const struct ptx_reg *result_reg(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o)
{
	if (o->kind != OPERAND_REG)
		lower_fail(l, n, "the result of `%s`: expected a register", spelled(l, n));
	return o->reg;
}

void put_of(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t, struct source s)
{
	if (o->kind == OPERAND_SINK)
		return;
	const struct ptx_reg *r = result_reg(l, n, o);
	if (r->type == PTX_PRED)
		lower_fail(l, n, "the result of `%s` is a predicate; expected another register", spelled(l, n));
	if (ptx_bytes(r->type) > ptx_bytes(t))
		s = extended(l, t, s);
	write_word(l, r, 0, s);
	if (ptx_bytes(r->type) == 8)
		write_word(l, r, 1, ptx_signed(t) ? OP(l->f, SAR, s, number(31)) : number(0));
}

void put(struct lowering *l, const struct words *w, unsigned k, enum ptx_type t, struct source s)
{
	put_of(l, w->n, &w->n->operand[k], t, s);
}

void put_wide_of(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, struct wide d)
{
	if (o->kind == OPERAND_SINK)
		return;
	const struct ptx_reg *r = result_reg(l, n, o);
	write_word(l, r, 0, d.lo);
	if (ptx_bytes(r->type) == 8)
		write_word(l, r, 1, d.hi);
}

void put_wide(struct lowering *l, const struct words *w, unsigned k, struct wide d)
{
	put_wide_of(l, w->n, &w->n->operand[k], d);
}

void put_double(struct lowering *l, const struct words *w, unsigned k, struct source s)
{
	put_wide(l, w, k, (struct wide){ word_of(s.value, 0), word_of(s.value, 1) });
}

void put_pred(struct lowering *l, const struct ptx_operand *o, struct source p)
{
	struct ir *f = l->f;

	if (o->kind != OPERAND_REG || o->reg->type != PTX_PRED)
		return;
	uint32_t var = variable(l, o->reg);
	if (l->guard.kind)
		p = ir_pred_of(f, ir_select(f, l->guard, ir_mask_of(f, p), ir_mask_of(f, ir_read(f, f->current, var))));
	ir_write(f, f->current, var, p);
}

static uint32_t param_variable(struct lowering *l, struct ptx_var *v, unsigned n)
{
	if (!v->slot) {
		v->slot = (uint32_t)l->f->nvars;
		l->f->nvars += v->size / 4 + 1;
	}
	return (v->slot + n) * 4;
}

/* Word n of a parameter whose address is taken. */
static struct ir_insn *in_memory(struct lowering *l, enum ir_op op, const struct ptx_var *v, unsigned n)
{
	struct ir_insn *i = ir_insn(l->f, op);

	i->space = SPACE_LOCAL;
	i->type = PTX_B32;
	i->offset = v->offset + 4 * n;
	i->src[0] = number(0);
	i->nsrc = op == IR_LD ? 1 : 2;
	return i;
}

struct source param_read(struct lowering *l, struct ptx_var *v, unsigned n)
{
	if (v->space == SPACE_LOCAL) {
		struct ir_insn *i = in_memory(l, IR_LD, v, n);
		i->dst = ir_value(l->f, CLASS_WORD);
		i->dst->def = i;
		return of(i->dst);
	}
	return ir_read(l->f, l->f->current, param_variable(l, v, n));
}

void param_write(struct lowering *l, struct ptx_var *v, unsigned n, struct source s)
{
	if (v->space == SPACE_LOCAL) {
		if (l->guard.kind)
			s = ir_select(l->f, l->guard, s, param_read(l, v, n));
		in_memory(l, IR_ST, v, n)->src[1] = s;
		return;
	}
	uint32_t var = param_variable(l, v, n);

	if (l->guard.kind)
		s = ir_select(l->f, l->guard, s, ir_read(l->f, l->f->current, var));
	ir_write(l->f, l->f->current, var, s);
}
