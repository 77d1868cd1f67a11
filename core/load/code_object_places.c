/* Places of values, from the DWARF expressions that LLVM writes for AMDGPU.
 *
 * clang ends the expression of each variable with the variable's address space: DW_OP_constu 1, DW_OP_swap,
 * DW_OP_xderef (1: private, 2: local memory). The end is right while the variable has an address: "DW_OP_fbreg 8, …"
 * is byte 8 of the frame. When LLVM keeps the variable in a register or knows its value, the end stays, as in
 * "DW_OP_bregx VGPR3 0, …" or "DW_OP_lit4, …, DW_OP_stack_value", though the number before the end is the value itself.
 * So an address is what begins with the frame or a symbol; anything else before such an end is a value. */
#include "core/load/code_object_debug.h"

#include <stdio.h>

enum { STACK_MOST = 16, OPS_MOST = 1 << 20, PLACES_MOST = 1 << 18 };

/* Numbers of registers. A wavefront's private memory is interleaved: the frame's register counts bytes of 64 lanes. */
enum { SGPR0 = 32, SGPR64 = 1088, VGPR0 = 2560, LANES_LOG2 = 6 };
enum { AMD_SPACE_PRIVATE = 1, AMD_SPACE_LOCAL = 2, AMD_SPACE_NONE = -1 };

bool debug_register(uint64_t number, char name[10])
{
	const char *file = "s";
	uint64_t n = number - SGPR0;

	if (number >= VGPR0 && number < VGPR0 + 256) {
		file = "v";
		n = number - VGPR0;
	} else if (number >= SGPR64 && number < SGPR64 + 42) {
		n = 64 + number - SGPR64;
	} else if (number < SGPR0 || number >= SGPR0 + 64) {
		return false;
	}
	snprintf(name, 10, "%s%u", file, (unsigned)n);
	return true;
}

/* ---- operations ---- */

/* A piece of an expression under translation. */
struct piece {
	struct object *o;
	Dwarf_Attribute *location;
	const struct frame *frame;
	uint32_t begin;         /* index of its first operation */
	unsigned depth;         /* numbers on the stack */
	bool in_frame;          /* the number on top counts from the frame */
	bool no_memory;
};

static bool emit(struct piece *p, struct place_op op, unsigned pops)
{
	struct source_variables *v = p->o->variables;
	struct place_op *to;

	if (p->depth < pops || p->depth - pops + 1 > STACK_MOST || v->nops >= OPS_MOST)
		return false;
	p->depth += 1 - pops;
	to = image_push(&p->o->im->arena, &v->ops, &v->nops);
	if (!to) {
		p->no_memory = true;
		return false;
	}
	*to = op;
	return true;
}

static bool number(struct piece *p, int64_t n)
{
	return emit(p, (struct place_op){ .code = PLACE_NUMBER, .number = n }, 0);
}

static bool apply(struct piece *p, enum place_code code, unsigned pops)
{
	return emit(p, (struct place_op){ .code = (uint8_t)code }, pops);
}

/* Push a register plus an offset. */
static bool based(struct piece *p, uint64_t reg, int64_t offset)
{
	struct place_op op = { .code = PLACE_REGISTER };

	return debug_register(reg, op.reg) && emit(p, op, 0) &&
	       (!offset || (number(p, offset) && apply(p, PLACE_ADD, 2)));
}

static bool in_frame(struct piece *p, int64_t offset)
{
	p->in_frame = true;
	if (p->frame->reg < 0)
		return number(p, offset);
	return based(p, (uint64_t)p->frame->reg, 0) && number(p, LANES_LOG2) && apply(p, PLACE_SHR, 2) &&
	       number(p, offset) && apply(p, PLACE_ADD, 2);
}

/* The address of DW_OP_addr, or of the table of addresses. */
static bool address_of(const struct piece *p, const Dwarf_Op *op, Dwarf_Addr *address)
{
	Dwarf_Attribute entry;

	*address = op->number;
	return op->atom == DW_OP_addr ||
	       (!dwarf_getlocation_attr(p->location, op, &entry) && !dwarf_formaddr(&entry, address));
}

/* A symbol: an offset in local memory, or a place beside the code. */
static bool symbol(struct piece *p, const Dwarf_Op *op, int space)
{
	Dwarf_Addr address;

	if (!address_of(p, op, &address))
		return false;
	if (space == AMD_SPACE_LOCAL)
		return number(p, (int64_t)address);
	return emit(p, (struct place_op){ .code = PLACE_CODE, .number = (int64_t)(address - p->o->code_at) }, 0);
}

static bool load(struct piece *p, enum place_space space, unsigned bytes)
{
	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		return false;
	p->in_frame = false;
	return emit(p, (struct place_op){ .code = PLACE_LOAD, .space = (uint8_t)space, .number = bytes }, 1);
}

/* Keep the bits of a base type. */
static bool convert(struct piece *p, const Dwarf_Op *op)
{
	Dwarf_Attribute a;
	Dwarf_Die type;
	Dwarf_Word encoding = 0;
	bool is_signed;
	int bytes;

	if (op->number == 0)
		return p->depth > 0;
	if (dwarf_getlocation_die(p->location, op, &type) || (bytes = dwarf_bytesize(&type)) < 1 || bytes > 8 ||
	    dwarf_formudata(dwarf_attr(&type, DW_AT_encoding, &a), &encoding))
		return false;
	is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return emit(p, (struct place_op){ .code = is_signed ? PLACE_SIGN_EXTEND : PLACE_ZERO_EXTEND,
					  .number = 8 * bytes }, 1);
}

static bool is_constant(const Dwarf_Op *op, int64_t *n)
{
	*n = (int64_t)op->number;
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		*n = op->atom - DW_OP_lit0;
	else if (op->atom < DW_OP_const1u || op->atom > DW_OP_consts)
		return false;
	return true;
}

static bool translate_op(struct piece *p, const Dwarf_Op *op, int space)
{
	static const struct { uint8_t atom, code, pops; } plain[] = {
		{ DW_OP_plus, PLACE_ADD, 2 }, { DW_OP_minus, PLACE_SUB, 2 }, { DW_OP_mul, PLACE_MUL, 2 },
		{ DW_OP_and, PLACE_AND, 2 }, { DW_OP_or, PLACE_OR, 2 }, { DW_OP_xor, PLACE_XOR, 2 },
		{ DW_OP_shl, PLACE_SHL, 2 }, { DW_OP_shr, PLACE_SHR, 2 }, { DW_OP_shra, PLACE_SAR, 2 },
		{ DW_OP_neg, PLACE_NEG, 1 }, { DW_OP_not, PLACE_NOT, 1 },
	};
	int64_t n;

	if (is_constant(op, &n))
		return number(p, n);
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (op->atom == plain[i].atom)
			return apply(p, plain[i].code, plain[i].pops);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return based(p, op->atom - DW_OP_breg0, (int64_t)op->number);
	switch (op->atom) {
	case DW_OP_regx: return based(p, op->number, 0);
	case DW_OP_bregx: return based(p, op->number, (int64_t)op->number2);
	case DW_OP_fbreg: return in_frame(p, (int64_t)op->number);
	case DW_OP_addr:
	case DW_OP_addrx: return symbol(p, op, space);
	case DW_OP_plus_uconst: return number(p, (int64_t)op->number) && apply(p, PLACE_ADD, 2);
	case DW_OP_dup: return p->depth && emit(p, (struct place_op){ .code = PLACE_DUP }, 0);
	case DW_OP_deref: return p->in_frame ? load(p, SPACE_LOCAL, 4) : load(p, SPACE_GLOBAL, 8);
	case DW_OP_deref_size: return load(p, p->in_frame ? SPACE_LOCAL : SPACE_GLOBAL, (unsigned)op->number);
	case DW_OP_convert: return convert(p, op);
	default: return false;
	}
}

/* ---- pieces ---- */

/* Cut off DW_OP_stack_value, and the address space of clang. */
static size_t without_end(const Dwarf_Op *op, size_t n, int *space, bool *is_value)
{
	int64_t constant;

	*space = AMD_SPACE_NONE;
	*is_value = n && op[n - 1].atom == DW_OP_stack_value;
	n -= *is_value;
	if (n > 3 && op[n - 1].atom == DW_OP_xderef && op[n - 2].atom == DW_OP_swap &&
	    is_constant(&op[n - 3], &constant)) {
		*space = (int)constant;
		n -= 3;
	}
	return n;
}

/* Whether operations give an address: of the frame or of a symbol, perhaps with an offset. */
static bool is_address(const Dwarf_Op *op, size_t n)
{
	return (n == 1 || (n == 2 && op[1].atom == DW_OP_plus_uconst)) &&
	       (op[0].atom == DW_OP_fbreg || op[0].atom == DW_OP_addr || op[0].atom == DW_OP_addrx);
}

static enum place_space space_of(const struct piece *p, int space)
{
	if (space == AMD_SPACE_LOCAL)
		return SPACE_SHARED;
	return space == AMD_SPACE_PRIVATE || p->in_frame ? SPACE_LOCAL : SPACE_GLOBAL;
}

/* Translate the n operations of a piece; the place's range and bytes are set. False: the host has no memory. */
static bool translate(struct piece *p, const Dwarf_Op *op, size_t n, struct source_place *to)
{
	bool is_value, good = true;
	int space;

	n = without_end(op, n, &space, &is_value);
	to->ops = p->begin = (uint32_t)p->o->variables->nops;
	for (size_t i = 0; good && i < n; i++)
		good = translate_op(p, &op[i], space);
	to->nops = (uint32_t)p->o->variables->nops - to->ops;
	if (!good || p->depth != 1) {
		to->kind = PLACE_UNREADABLE;
		to->nops = 0;
		return !p->no_memory;
	}
	bool in_memory = is_address(op, n) || (space == AMD_SPACE_NONE && op[0].atom != DW_OP_regx);
	to->kind = !is_value && in_memory ? PLACE_MEMORY : PLACE_VALUE;
	to->space = (uint8_t)space_of(p, space);
	if (p->in_frame && to->range.low < p->frame->body)
		to->range.low = p->frame->body;
	return true;
}

static bool add_place(struct object *o, struct source_variable *v, const struct source_place *place)
{
	struct source_place *to;

	if (place->range.low >= place->range.high || o->variables->nplaces >= PLACES_MOST)
		return true;
	to = image_push(&o->im->arena, &o->variables->places, &o->variables->nplaces);
	if (!to)
		return load_no_memory(o->l);
	*to = *place;
	v->nplaces++;
	return true;
}

/* Add the pieces of an expression; a piece without operations is a part that is nowhere. */
static bool add_pieces(struct object *o, Dwarf_Attribute *location, const struct frame *f, struct source_variable *v,
		       struct pc_range range, const Dwarf_Op *op, size_t n)
{
	uint64_t offset = 0;

	for (size_t from = 0, to = 0; from < n; from = to + 1) {
		struct piece p = { .o = o, .location = location, .frame = f };
		struct source_place place = { .range = range, .offset = (uint32_t)offset, .bytes = UINT32_MAX };
		for (to = from; to < n && op[to].atom != DW_OP_piece; to++)
			;
		if (to < n) {
			if (op[to].number > UINT16_MAX)
				return true;
			place.bytes = (uint32_t)op[to].number;
			offset += op[to].number;
		}
		if (to > from && (!translate(&p, op + from, to - from, &place) || !add_place(o, v, &place)))
			return false;
	}
	return true;
}

/* The pcs of a part of a location list; an expression without a list holds in the whole function. */
static struct pc_range range_of(const struct object *o, const struct frame *f, Dwarf_Addr start, Dwarf_Addr end)
{
	if (!start && end == (Dwarf_Addr)-1)
		return f->range;
	if (start < o->code_at || end < start || end - o->code_at > o->code_bytes)
		return (struct pc_range){ 0, 0 };
	return (struct pc_range){ (uint32_t)(start - o->code_at), (uint32_t)(end - o->code_at) };
}

bool debug_places(struct object *o, Dwarf_Attribute *location, const struct frame *f, struct source_variable *to)
{
	Dwarf_Addr base, start, end;
	Dwarf_Op *op;
	size_t n;

	to->places = (uint32_t)o->variables->nplaces;
	for (ptrdiff_t next = 0; (next = dwarf_getlocations(location, next, &base, &start, &end, &op, &n)) > 0;)
		if (!add_pieces(o, location, f, to, range_of(o, f, start, end), op, n))
			return load_no_memory(o->l);
	return true;
}
