/* An operation with registers as a native instruction: executor, operands and modifiers, which the encoder gives a word
 * (core/isa/encode.h). ir.def has what follows from the operation alone; here are operands, types, conditions,
 * roundings, and the address registers. */
#include <string.h>

#include "core/compile/emit.h"
#include "core/isa/encode.h"
#include "core/isa/tesla/atomic_op.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/tesla.h"

enum { MODIFIERS = 3, TESLA_EXEC_none = 0xff };

/* Slots count from 1; 0: the end. */
struct native { uint8_t exec; struct { uint8_t slot, value; } mod[MODIFIERS]; };

#define M(slot, value) { 1 + MOD_##slot, value }
#define IR(name, exec, slots, flags, ...) { TESLA_EXEC_##exec, { __VA_ARGS__ } },
static const struct native natives[IR_OPS] = {
#include "core/compile/ir.def"
};
#undef M

static void put_modifiers(struct insn *in, const struct native *n)
{
	for (unsigned k = 0; k < MODIFIERS && n->mod[k].slot; k++)
		in->mod[n->mod[k].slot - 1] = n->mod[k].value;
}

/* ---- operands ---- */

static struct opnd register_operand(unsigned reg, unsigned width)
{
	return (struct opnd){ .shape = OPND_REG, .file = FILE_R, .width = (uint8_t)width, .reg = (uint16_t)reg };
}

static struct opnd half_operand(unsigned reg, bool high) { return register_operand(2 * reg + high, 2); }

static struct opnd file_operand(enum tesla_file file, unsigned reg)
{
	static const uint8_t width[] = { [FILE_A] = 2, [FILE_SR] = 4, [FILE_S] = 0 };

	return (struct opnd){ .shape = OPND_REG, .file = file, .width = width[file], .reg = (uint16_t)reg };
}

static struct opnd number_operand(uint32_t bits)
{
	return (struct opnd){ .shape = OPND_IMM, .value = (int32_t)bits };
}

static struct opnd memory_operand(enum tesla_space space, unsigned width, bool is_signed, uint32_t offset)
{
	return (struct opnd){ .shape = OPND_MEM, .file = space, .width = (uint8_t)width, .is_signed = is_signed,
			      .value = (int32_t)offset };
}

/* s[] as a source; a type without a form of its own is a word. */
static struct opnd shared_operand(unsigned type, uint32_t offset)
{
	bool narrow = type == PTX_U8 || type == PTX_U16 || type == PTX_S16;

	return memory_operand(SPACE_S, narrow ? ptx_bytes((enum ptx_type)type) : 4, type == PTX_S16, offset);
}

static void put_source(struct insn *in, unsigned k, struct opnd o)
{
	in->src[k] = o;
	in->nsrc = (uint8_t)(in->nsrc > k ? in->nsrc : k + 1);
}

/* The place of a word of c1[], as bytes. */
static unsigned constant_offset(struct emitter *e, uint32_t bits, bool half)
{
	unsigned i = 0;

	while (i < e->nconstants && e->constant[i] != bits)
		i++;
	if (i >= (half ? C1_HALVES : C1_WORDS)) {
		e->too_many = true;
		return 0;
	}
	if (i == e->nconstants)
		e->constant[e->nconstants++] = bits;
	return 4 * i;
}

static struct opnd constant_operand(struct emitter *e, uint32_t bits, bool half)
{
	struct opnd o = memory_operand(SPACE_C, half ? 2 : 4, false, constant_offset(e, bits, half));

	o.bank = 1;
	return o;
}

static unsigned register_of(const struct source *s) { return s->value->reg + (unsigned)s->sub; }

static unsigned log_bytes(unsigned bytes)
{
	return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 8 ? 3 : bytes == 16 ? 4 : 2;
}

void native_guard(struct insn *in, const struct source *p)
{
	/* Codes of conditions on flags (tesla.def: pcode), for a test and for its opposite. */
	static const uint8_t codes[][2] = {
		[TEST_LG] = { 5, 2 },  [TEST_E] = { 2, 5 },  [TEST_L] = { 1, 14 },
		[TEST_GEU] = { 14, 1 }, [TEST_C] = { 17, 30 }, [TEST_NC] = { 30, 17 },
	};

	if (p->kind != SOURCE_VALUE)
		return;
	in->pred = codes[p->value->test][p->not];
	in->pred_reg = (uint8_t)p->value->reg;
}

/* ---- addresses ---- */

/* $a1 to $a4 with (register << shift) + offset, set here unless an earlier access of the block did. */
static unsigned address_register(struct emitter *e, unsigned reg, unsigned shift, unsigned offset)
{
	struct insn in = native_insn(offset || reg == TESLA_ZERO ? TESLA_EXEC_add_a : TESLA_EXEC_shl_a);
	unsigned a, base = 0;

	for (a = 1; a < 5; a++)
		if (e->now.address[a].valid && e->now.address[a].reg == reg && e->now.address[a].shift == shift &&
		    e->now.address[a].offset == offset)
			return a;
	if (reg != TESLA_ZERO && offset)
		base = address_register(e, reg, shift, 0);
	a = 1 + e->next_address++ % 4;
	if (a == base)
		a = 1 + e->next_address++ % 4;
	in.dst = file_operand(FILE_A, a);
	if (in.row->exec == TESLA_EXEC_add_a) { /* $a0 is 0 */
		put_source(&in, 0, file_operand(FILE_A, base));
		put_source(&in, 1, number_operand(offset & 0xffff));
	} else {
		put_source(&in, 0, register_operand(reg, 4));
		put_source(&in, 1, number_operand(shift));
	}
	emit_insn(e, CARRIES, &in);
	e->now.address[a].valid = true;
	e->now.address[a].reg = reg;
	e->now.address[a].shift = shift;
	e->now.address[a].offset = offset;
	return a;
}

/* An address whose offset field has `steps` steps of the access's size `bytes`, as register and offset of *o. */
static void put_address(struct emitter *e, const struct source *s, unsigned shift, unsigned bytes, uint32_t offset,
			unsigned steps, struct opnd *o)
{
	unsigned scaled = o->file == SPACE_L ? 0 : log_bytes(bytes), base = 0;
	uint32_t reach = steps << scaled, odd, inside;

	offset &= 0xffff;
	odd = offset & ((1u << scaled) - 1);
	inside = (offset - odd) % reach; /* neighbours share the register with the rest */
	if (s->kind == SOURCE_VALUE)
		base = address_register(e, register_of(s), shift, offset - inside);
	else if (offset - inside)
		base = address_register(e, TESLA_ZERO, 0, offset - inside);
	o->addr_reg = (uint8_t)base;
	o->value = (int32_t)inside;
}

/* Steps of the field for the offset of a load from s[] by a mov, on chips without a load. */
enum { OPERAND_STEPS = 32, ALL_STEPS = 0x10000 };

static bool loads_by_mov(const struct emitter *e, const struct ir_insn *i)
{
	return i->space == SPACE_SHARED && i->op == IR_LD && e->sm < 11;
}

/* The operand in memory of an access. */
static struct opnd address_of(struct emitter *e, const struct ir_insn *i)
{
	static const uint8_t spaces[] = { [SPACE_GLOBAL] = SPACE_G, [SPACE_SHARED] = SPACE_S, [SPACE_LOCAL] = SPACE_L,
					  [SPACE_CONST] = SPACE_C };
	unsigned bytes = i->type == PTX_NONE ? 16 : ptx_bytes((enum ptx_type)i->type);
	bool of_type = i->op == IR_LD || (i->op == IR_ST && i->space != SPACE_SHARED);
	bool is_signed = of_type && bytes < 4 && ptx_signed((enum ptx_type)i->type);
	struct opnd o = memory_operand(spaces[i->space], bytes, is_signed, 0);

	if (i->space == SPACE_GLOBAL) {
		o.bank = 14;
		o.reg = (uint16_t)(i->src[0].kind == SOURCE_VALUE ? register_of(&i->src[0]) : TESLA_ZERO);
		return o;
	}
	o.bank = i->space == SPACE_CONST && i->bank ? 14 : 0;
	put_address(e, &i->src[0], i->shift, bytes, i->offset, loads_by_mov(e, i) ? OPERAND_STEPS : ALL_STEPS, &o);
	return o;
}

void native_address(struct emitter *e, const struct ir_insn *i)
{
	address_of(e, i);
}

/* ---- sources and results ---- */

/* The word of an immediate form, if the instruction has that form with these registers. */
static bool immediate(const struct ir_insn *i)
{
	const struct source *n = &i->src[1];

	if (i->guard.kind || i->flags || i->nsrc < 2 || n->kind != SOURCE_NUMBER || !i->dst || i->dst->reg > 63 ||
	    (i->src[0].kind == SOURCE_VALUE && !i->src[0].load && register_of(&i->src[0]) > 63) || i->src[0].abs ||
	    i->src[0].kind == SOURCE_NUMBER)
		return false;
	if (ir_halves(i) && i->src[0].kind == SOURCE_VALUE && !i->src[0].load && register_of(&i->src[0]) > 31)
		return false; /* the field names halves of the first 32 registers */
	/* The field of an s[] operand is shorter in these, and has no $a4. */
	if (i->src[0].kind == SOURCE_SHARED ? i->src[0].bits >> log_bytes(ptx_bytes((enum ptx_type)i->src[0].type)) > 15
					    : i->src[0].load != NULL)
		return false;
	if (ir_immediate(i))
		return true;
	switch (i->op) {
	case IR_MAD16:
	case IR_MAD24:
	case IR_FMAD: /* the sum takes the place of the third source; of 24 bits only unsigned words have the form */
		return i->src[2].kind == SOURCE_VALUE && register_of(&i->src[2]) == i->dst->reg && !i->sat &&
		       !(i->op == IR_MAD24 && i->type == PTX_S32) &&
		       !(i->op == IR_MAD16 && i->type == PTX_S16 && n->bits >> 16);
	default: return false;
	}
}

static bool number_fits(const struct ir_insn *i, unsigned k)
{
	return i->op == IR_SHL || i->op == IR_SHR || i->op == IR_SAR ? k == 1 : i->op == IR_MOV;
}

static struct opnd number_source(struct emitter *e, const struct ir_insn *i, unsigned k)
{
	uint32_t bits = i->src[k].bits;
	bool halves = ir_halves(i) && k < 2;

	if (number_fits(i, k))
		return number_operand(k == 1 && bits > 127 ? 127 : bits);
	if (k == 1 && immediate(i))
		return number_operand(bits);
	return !bits && !halves ? register_operand(TESLA_ZERO, 4) : constant_operand(e, bits, halves);
}

/* The register of a value: whole, or half, or with the others of a pair or quad. */
static struct opnd value_source(const struct ir_insn *i, unsigned k)
{
	const struct source *s = &i->src[k];
	unsigned from = i->op == IR_CVT ? ptx_bytes((enum ptx_type)i->from) : 0;
	unsigned bytes = ptx_bytes((enum ptx_type)i->type);
	bool stores = i->op == IR_ST || i->op == IR_ATOM || i->op == IR_RED;

	if (s->value->class == CLASS_PRED)
		return file_operand(FILE_C, s->value->reg);
	if (s->half || from == 2 || (k == 1 && i->op == IR_ST && i->space == SPACE_SHARED && bytes < 4))
		return half_operand(register_of(s), s->half == 2);
	if (ir_op_info[i->op].flags & PAIR || i->op == IR_DSET || from == 8 ||
	    (stores && k && (i->type == PTX_B64 || i->type == PTX_NONE)))
		return register_operand(register_of(s), s->value->class == CLASS_QUAD ? 16 : 8);
	return register_operand(register_of(s), 4);
}

static struct opnd source_operand(struct emitter *e, const struct ir_insn *i, unsigned k)
{
	const struct source *s = &i->src[k];

	if (s->load) {
		struct source address = { .kind = s->kind == SOURCE_VALUE ? SOURCE_VALUE : SOURCE_NUMBER,
					  .value = s->value, .sub = s->sub };
		struct opnd o = shared_operand(s->type, 0);
		put_address(e, &address, s->load->shift, ptx_bytes((enum ptx_type)s->type), s->bits, OPERAND_STEPS, &o);
		return o;
	}
	switch (s->kind) {
	case SOURCE_SHARED: return shared_operand(s->type, s->bits);
	case SOURCE_CONST: return memory_operand(SPACE_C, 4, false, s->bits);
	case SOURCE_NUMBER: return number_source(e, i, k);
	default: return value_source(i, k);
	}
}

static void put_result(struct insn *in, const struct ir_insn *i)
{
	if (!i->dst)
		in->dst = (struct opnd){ .shape = OPND_SINK };
	else if (i->op == IR_CVT && i->type == PTX_F16)
		in->dst = half_operand(i->dst->reg, false);
	else
		in->dst = register_operand(i->dst->reg, i->dst->class == CLASS_QUAD   ? 16
						      : i->dst->class == CLASS_PAIR ? 8
										    : 4);
}

/* Source k of the operation as source `place` of the instruction, with its sign. */
static void take_source(struct emitter *e, const struct ir_insn *i, unsigned k, unsigned place, struct insn *in)
{
	const struct source *s = &i->src[k];

	put_source(in, place, source_operand(e, i, k));
	if (s->neg && (i->op != IR_FMAD || k == 2) && k < 3)
		in->mod[MOD_NEG1 + k] = 1;
	if (s->abs && k < 2)
		in->mod[MOD_ABS1 + k] = 1;
}

/* ---- modifiers ---- */

static uint8_t round_number(enum rounding r)
{
	static const uint8_t numbers[] = { [ROUND_RN] = 0, [ROUND_RZ] = 3, [ROUND_RM] = 1, [ROUND_RP] = 2,
					   [ROUND_RNI] = 0, [ROUND_RZI] = 3, [ROUND_RMI] = 1, [ROUND_RPI] = 2 };

	return numbers[r];
}

static void put_signs(struct insn *in, bool is_signed)
{
	in->mod[MOD_SIGN1] = in->mod[MOD_SIGN2] = is_signed;
}

/* Kinds, widths and signs of a conversion's number and result. */
static void conversion(const struct ir_insn *i, struct insn *in)
{
	static const uint8_t execs[2][2] = { { TESLA_EXEC_cvt_i2i, TESLA_EXEC_cvt_i2f },
					     { TESLA_EXEC_cvt_f2i, TESLA_EXEC_cvt_f2f } };
	enum ptx_type to = (enum ptx_type)i->type, from = (enum ptx_type)i->from;
	bool floats = ptx_float(to), of_floats = ptx_float(from);

	in->row = isa_row_with(&tesla_table, execs[of_floats][floats]);
	if (!floats && !of_floats && ptx_signed(from)) /* an unsigned result would clamp negative numbers to 0 */
		to = PTX_S32;
	in->mod[MOD_SRC_BYTES] = (uint8_t)ptx_bytes(from);
	in->mod[MOD_DST_BYTES] = (uint8_t)ptx_bytes(to);
	in->mod[MOD_SIGN1] = ptx_signed(from);
	in->mod[MOD_SIGN2] = ptx_signed(to);
	in->mod[MOD_NEG1] = i->negate != i->src[0].neg;
	in->mod[MOD_ABS1] = i->absolute;
	if (of_floats && floats && i->type == i->from) { /* to an integral value, or as it is */
		in->mod[MOD_RINT] = i->round >= ROUND_RNI;
		in->mod[MOD_ROUND] = i->round >= ROUND_RNI ? round_number((enum rounding)i->round) : 0;
	} else if (of_floats && !floats) {
		in->mod[MOD_ROUND] = round_number(i->round >= ROUND_RNI ? (enum rounding)i->round : ROUND_RZI);
	} else if (floats && from != PTX_F16 && !(to == PTX_F64 && from == PTX_F32)) {
		in->mod[MOD_ROUND] = round_number((enum rounding)i->round);
	}
}

/* An atomic's operation and type by its word. */
static void put_atomic(struct insn *in, const char *word)
{
	static const struct { const char *word; uint8_t op, type; } rows[] = {
		{ "add u64", ATOMIC_ADD, 4 },   { "add u32", ATOMIC_ADD, 6 },   { "inc u32", ATOMIC_INC, 6 },
		{ "dec u32", ATOMIC_DEC, 6 },   { "max u32", ATOMIC_MAX, 6 },   { "max s32", ATOMIC_MAX, 7 },
		{ "min u32", ATOMIC_MIN, 6 },   { "min s32", ATOMIC_MIN, 7 },   { "and b32", ATOMIC_AND, 6 },
		{ "or b32", ATOMIC_OR, 6 },     { "xor b32", ATOMIC_XOR, 6 },   { "exch b32", ATOMIC_EXCH, 6 },
		{ "exch b64", ATOMIC_EXCH, 4 }, { "cas b32", ATOMIC_CAS, 6 },   { "cas b64", ATOMIC_CAS, 4 },
	};

	word += strncmp(word, "ld ", 3) ? 0 : 3;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (!strcmp(word, rows[k].word)) {
			in->mod[MOD_OP] = rows[k].op;
			in->mod[MOD_TYPE] = rows[k].type;
			in->src[0].is_signed = rows[k].type == 7;
		}
}

/* The number of a word in a list that NULL ends; of the NULL: the word is absent. */
static uint8_t number_in(const char *const *list, const char *word)
{
	uint8_t n = 0;

	while (list[n] && strcmp(list[n], word))
		n++;
	return n;
}

/* The type of an access to g[] or l[] (tesla.h: MOD_TYPE). */
static uint8_t access_type(const struct ir_insn *i)
{
	switch (i->type) {
	case PTX_U8: return 0;
	case PTX_S8: return 1;
	case PTX_U16: return 2;
	case PTX_S16: return 3;
	case PTX_B64: return 4;
	case PTX_NONE: return 5;
	case PTX_B32: return 6;
	default: return 7;       /* no row has bits for the number */
	}
}

/* ---- instructions ---- */

/* The executor of an access: of loads and stores by the space, as ir.def says of others. */
static unsigned access_exec(const struct emitter *e, const struct ir_insn *i)
{
	bool near = i->space == SPACE_SHARED || i->space == SPACE_CONST, local = i->space == SPACE_LOCAL;

	if (i->op == IR_ST)
		return near ? TESLA_EXEC_st_s : local ? TESLA_EXEC_st_l : TESLA_EXEC_st_g;
	if (i->op != IR_LD)
		return natives[i->op].exec;
	if (!near)
		return local ? TESLA_EXEC_ld_l : TESLA_EXEC_ld_g;
	return i->space == SPACE_CONST ? TESLA_EXEC_ld_c : loads_by_mov(e, i) ? TESLA_EXEC_mov : TESLA_EXEC_ld_s;
}

static void memory(struct emitter *e, const struct ir_insn *i)
{
	bool plain = i->op == IR_LD || i->op == IR_ST, far = i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL;
	bool stores = i->op == IR_ST || i->op == IR_STUNLOCK;
	struct opnd place = address_of(e, i);
	struct insn in = native_insn(access_exec(e, i));

	native_guard(&in, &i->guard);
	put_modifiers(&in, &natives[i->op]);
	if (plain && far)
		in.mod[MOD_TYPE] = access_type(i);
	if (stores) {
		in.dst = place;
		put_source(&in, 0, source_operand(e, i, 1));
	} else {
		put_source(&in, 0, place);
	}
	if (i->dst)
		put_result(&in, i);
	if (i->op == IR_LDLOCK)
		in.flags_dst = (uint8_t)i->flags->reg;
	if (i->op == IR_RED || i->op == IR_ATOM) {
		put_atomic(&in, i->word);
		for (unsigned k = 1; k < i->nsrc; k++)
			put_source(&in, k, source_operand(e, i, k));
	}
	emit_insn(e, CARRIES, &in);
}

static struct opnd run_operand(unsigned reg, unsigned count, unsigned mask)
{
	return (struct opnd){ .shape = OPND_VECTOR, .file = FILE_R, .width = 4, .count = (uint8_t)count,
			      .mask = (uint8_t)mask, .reg = (uint16_t)(mask ? reg : 0) };
}

static void texture(struct emitter *e, const struct ir_insn *i)
{
	static const struct { const char *word; uint8_t exec; bool cube; } rows[] = {
		{ "texauto", TESLA_EXEC_texauto, false },     { "texauto cube", TESLA_EXEC_texauto, true },
		{ "texlod", TESLA_EXEC_texlod, false },       { "texlod cube", TESLA_EXEC_texlod, true },
		{ "texfetch", TESLA_EXEC_texfetch, false },   { "texsize", TESLA_EXEC_texsize, false },
		{ "texgather", TESLA_EXEC_texgather, false }, { "texgather cube", TESLA_EXEC_texgather, true },
	};
	unsigned k = 0, reg = i->dst->reg;

	while (k + 1 < sizeof rows / sizeof *rows && strcmp(rows[k].word, i->word))
		k++;
	struct insn in = native_insn(rows[k].exec);
	native_guard(&in, &i->guard);
	in.mod[MOD_LIVE] = 1;
	in.mod[MOD_CUBE] = rows[k].cube;
	in.mod[MOD_COMPONENT] = i->number;
	in.dst = run_operand(reg, 4, i->mask);
	put_source(&in, 0, rows[k].exec == TESLA_EXEC_texsize ? register_operand(reg, 4)
							      : run_operand(reg, i->coords, (1u << i->coords) - 1));
	put_source(&in, 1, file_operand(FILE_T, i->offset));
	put_source(&in, 2, file_operand(FILE_S, i->offset));
	emit_insn(e, CARRIES | WIDE, &in);
}

/* A word of s[] beyond an operand's field. */
static void far_parameter(struct emitter *e, const struct ir_insn *i, struct insn *in)
{
	struct opnd o = shared_operand(i->src[0].type, i->src[0].bits);

	if (e->sm >= 11) {
		in->row = isa_row_with(&tesla_table, TESLA_EXEC_ld_s);
	} else {
		o.addr_reg = (uint8_t)address_register(e, TESLA_ZERO, 0, i->src[0].bits);
		o.value = 0;
	}
	put_source(in, 0, o);
}

static void move(struct emitter *e, const struct ir_insn *i)
{
	const struct source *s = &i->src[0];
	struct insn in = native_insn(TESLA_EXEC_mov);
	unsigned how = CARRIES;

	if (s->kind == SOURCE_VALUE && !s->load && register_of(s) == i->dst->reg)
		return;
	native_guard(&in, &i->guard);
	in.dst = register_operand(i->dst->reg, 4);
	if (s->kind == SOURCE_SHARED && !s->load && s->bits >> log_bytes(ptx_bytes((enum ptx_type)s->type)) > 31) {
		far_parameter(e, i, &in);
	} else if (s->kind == SOURCE_NUMBER && !s->bits) {
		put_source(&in, 0, register_operand(TESLA_ZERO, 4));
	} else if (s->kind == SOURCE_NUMBER && i->guard.kind == SOURCE_VALUE) {
		in.row = isa_row_with(&tesla_table, TESLA_EXEC_ld_c);
		put_source(&in, 0, constant_operand(e, s->bits, false));
	} else if (s->kind == SOURCE_NUMBER) {
		put_source(&in, 0, number_operand(s->bits));
		how = 0;
	} else {
		take_source(e, i, 0, 0, &in);
	}
	emit_insn(e, how, &in);
}

/* The wait of a warp primitive for the lanes of its mask. The machine looks at the next instruction: nothing may stand
 * between the two. */
static void wait_for_lanes(struct emitter *e, const struct ir_insn *i)
{
	struct insn in = native_insn(TESLA_EXEC_warpsync);

	take_source(e, i, i->nsrc - 1, 1, &in);
	emit_insn(e, CARRIES, &in);
}

/* What an operation's name, type and condition say besides ir.def. */
static void modifiers(const struct ir_insn *i, struct insn *in)
{
	static const char *const ways[] = { "up", "down", "bfly", "idx", NULL };
	static const char *const sums[] = { "add", "min u32", "max u32", "min s32", "max s32", "and", "or", "xor",
					    NULL };
	bool is_signed = ptx_signed((enum ptx_type)i->type);

	switch (i->op) {
	case IR_MIN: case IR_MAX: case IR_SAD: case IR_MUL16: case IR_MAD16: case IR_MUL24: case IR_MUL24H:
	case IR_MAD24: case IR_MAD24H: case IR_MAD24HS:
		put_signs(in, is_signed);
		break;
	case IR_SET:
		put_signs(in, is_signed);
		in->mod[MOD_COND] = i->cond == COND_ALWAYS ? 7 : i->cond;
		break;
	case IR_FSET: case IR_DSET: in->mod[MOD_COND] = i->cond; break;
	case IR_CVT: conversion(i, in); break;
	case IR_FADD: case IR_FMUL: case IR_DADD: case IR_DMUL: case IR_DFMA:
		in->mod[MOD_ROUND] = immediate(i) ? 0 : round_number((enum rounding)i->round);
		break;
	case IR_FMAD: in->mod[MOD_NEG1] = i->src[0].neg != i->src[1].neg; break;
	case IR_VOTE: in->mod[MOD_OP] = strcmp(i->word, "any") ? 2 : 1; break;
	case IR_SHFL: in->mod[MOD_OP] = number_in(ways, i->word); break;
	case IR_REDUX: in->mod[MOD_OP] = number_in(sums, i->word); break;
	default: break;
	}
	if (i->sat)
		in->mod[MOD_SAT] = 1;
}

/* Operands that are no sources of the operation, or stand in other places. */
static void operands(struct emitter *e, const struct ir_insn *i, struct insn *in)
{
	unsigned n = i->nsrc - (i->waits && i->op != IR_REDUX);

	switch (i->op) {
	case IR_VOTE: case IR_TOCOND: in->dst = file_operand(FILE_C, i->flags->reg); break;
	case IR_BAR: case IR_PMEVENT: case IR_TRAP: case IR_BRKPT: case IR_WARPSYNC: break;
	default: put_result(in, i);
	}
	if (i->flags && i->op != IR_VOTE && i->op != IR_TOCOND)
		in->flags_dst = (uint8_t)i->flags->reg;
	switch (i->op) {
	case IR_WARPSYNC: take_source(e, i, 0, 1, in); return;
	case IR_CLOCK: put_source(in, 0, file_operand(FILE_SR, SR_CLOCK)); return;
	case IR_PHYSID: put_source(in, 0, file_operand(FILE_SR, SR_PHYSID)); return;
	case IR_PM: put_source(in, 0, file_operand(FILE_SR, SR_PM0 + i->number)); return;
	case IR_BLOCK: put_source(in, 0, file_operand(FILE_SR, SR_CTAID_X + i->number)); return;
	case IR_PMEVENT: put_source(in, 0, number_operand(i->number)); return;
	case IR_BAR:
		in->mod[MOD_OP] = i->number;
		in->mod[MOD_WAIT] = i->bar_waits;
		put_source(in, 0, number_operand(i->offset ? i->offset : ~0u));
		return;
	case IR_VOTE: case IR_BALLOT: return;
	default: break;
	}
	for (unsigned k = 0; k < n && k < ISA_MAX_SRC; k++)
		take_source(e, i, k, i->op == IR_ADDC && k == 2 ? 3 : k, in);
}

/* How the operation's instruction is appended: immediate forms and control words carry no marks. Saturated sums, and
 * floats with a rounding, are written in long words, though some would fit short ones. */
static unsigned manner(const struct ir_insn *i)
{
	if (immediate(i) || i->op == IR_BAR || i->op == IR_TRAP || i->op == IR_BRKPT)
		return 0;
	return i->op == IR_ADDS || i->op == IR_SUBS || i->op == IR_FADD || i->op == IR_FMUL ? CARRIES | WIDE : CARRIES;
}

void native_operation(struct emitter *e, const struct ir_insn *i)
{
	const struct native *native = &natives[i->op];

	if (i->waits)
		wait_for_lanes(e, i);
	if (native->exec == TESLA_EXEC_none)
		return;
	if (i->op == IR_MOV) {
		move(e, i);
	} else if (i->op == IR_TEX) {
		texture(e, i);
	} else if (ir_op_info[i->op].flags & MEMORY && i->op != IR_BAR) {
		memory(e, i);
	} else {
		struct insn in = native_insn(native->exec);
		native_guard(&in, &i->guard);
		if (ir_asks(i->op) && i->guard.kind == SOURCE_NUMBER)
			in.pred = PRED_NEVER;
		put_modifiers(&in, native);
		operands(e, i, &in);
		modifiers(i, &in);
		emit_insn(e, manner(i), &in);
	}
}
