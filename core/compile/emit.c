/* Operations with registers to assembly text. The patterns of ir.def say how each is written; here are the operands,
 * the address registers, branches, and the marks of join and exit. */
#include "core/compile/emit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 240 };

static void append(struct emitter *e, const char *text, size_t n)
{
	if (e->size + n + 8 > e->space) {
		char *more = ptx_new(e->m, 2 * (e->size + n) + 4096);
		if (e->size)
			memcpy(more, e->text, e->size);
		e->text = more;
		e->space = 2 * (e->size + n) + 4096;
	}
	memcpy(e->text + e->size, text, n);
	e->size += n;
	e->text[e->size] = '\0';
}

static void finish_line(struct emitter *e, const char *text)
{
	append(e, text, strlen(text));
	append(e, "\n", 1);
	struct compile_line *l = ptx_push(e->m, &e->lines, &e->nlines, sizeof *l);
	*l = (struct compile_line){ e->line, e->file, e->source_line };
}

void emit_text(struct emitter *e, const char *format, ...)
{
	char text[4096];
	va_list v;

	va_start(v, format);
	vsnprintf(text, sizeof text, format, v);
	va_end(v);
	finish_line(e, text);
}

/* An instruction; `carries`: the form has a field for join and exit. */
static void instruction(struct emitter *e, bool carries, const char *text)
{
	char line[LINE_MAX_BYTES + 16];

	if (e->join && !carries) {
		finish_line(e, "\tjoin (never) nop");
		e->join = false;
	}
	snprintf(line, sizeof line, "\t%s%s", e->join ? "join " : "", text);
	e->last_line = carries && !e->join ? e->size : 0;
	e->join = false;
	finish_line(e, line);
}

static void instructionf(struct emitter *e, bool carries, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void instructionf(struct emitter *e, bool carries, const char *format, ...)
{
	char text[LINE_MAX_BYTES];
	va_list v;

	va_start(v, format);
	vsnprintf(text, sizeof text, format, v);
	va_end(v);
	instruction(e, carries, text);
}

static void put_address(struct emitter *e, const struct source *s, unsigned space, unsigned shift, unsigned bytes,
			uint32_t offset, unsigned steps, char *out, size_t size);

/* ---- operands ---- */

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

static unsigned register_of(const struct source *s) { return s->value->reg + (unsigned)s->sub; }

static const char *guard_code(const struct source *p)
{
	static const char *const codes[][2] = {
		[TEST_LG] = { "lg", "e" },   [TEST_E] = { "e", "lg" }, [TEST_L] = { "l", "geu" },
		[TEST_GEU] = { "geu", "l" }, [TEST_C] = { "c", "nc" }, [TEST_NC] = { "nc", "c" },
	};

	return codes[p->value->test][p->not];
}

static const char *shared_type(unsigned t)
{
	return t == PTX_U16 ? "u16" : t == PTX_S16 ? "s16" : t == PTX_U8 ? "u8" : "b32";
}

static unsigned log_bytes(unsigned bytes)
{
	return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 8 ? 3 : bytes == 16 ? 4 : 2;
}

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

static size_t put_source(struct emitter *e, const struct ir_insn *i, unsigned k, char *out, size_t space)
{
	const struct source *s = &i->src[k];
	unsigned flags = ir_op_info[i->op].flags;
	const char *neg = s->neg && i->op != IR_FMAD ? "neg " : "", *abs = s->abs ? "abs " : "";
	bool half = s->half || (i->op == IR_CVT && ptx_bytes(i->from) == 2) ||
		    (k == 1 && i->op == IR_ST && i->space == SPACE_SHARED && ptx_bytes(i->type) < 4);

	if (i->op == IR_FMAD && k == 2 && s->neg)
		neg = "neg ";
	if (s->load) {
		struct source address = { .kind = s->kind == SOURCE_VALUE ? SOURCE_VALUE : SOURCE_NUMBER,
					  .value = s->value,
					  .sub = s->sub };
		char place[64];
		put_address(e, &address, SPACE_SHARED, s->load->shift, ptx_bytes(s->type), s->bits, 32, place,
			    sizeof place);
		return (size_t)snprintf(out, space, "%s%s%s %s", neg, abs, shared_type(s->type), place);
	}
	if (s->kind == SOURCE_SHARED)
		return (size_t)snprintf(out, space, "%s%s%s s[0x%x]", neg, abs, shared_type(s->type), s->bits);
	if (s->kind == SOURCE_CONST)
		return (size_t)snprintf(out, space, "%s%sc0[0x%x]", neg, abs, s->bits);
	if (s->kind == SOURCE_NUMBER) {
		bool halves = ir_halves(i) && k < 2;
		if (number_fits(i, k))
			return (size_t)snprintf(out, space, "0x%x", k == 1 && s->bits > 127 ? 127 : s->bits);
		if (immediate(i) && k == 1)
			return (size_t)snprintf(out, space, "0x%x", s->bits);
		if (!s->bits && !halves)
			return (size_t)snprintf(out, space, "%s$r124", neg);
		return (size_t)snprintf(out, space, "%s%sc1[0x%x]", neg, abs, constant_offset(e, s->bits, halves));
	}
	if (s->value->class == CLASS_PRED)
		return (size_t)snprintf(out, space, "$c%u", s->value->reg);
	bool whole = flags & PAIR || i->op == IR_DSET || (i->op == IR_CVT && ptx_bytes(i->from) == 8) ||
		     ((i->op == IR_ST || i->op == IR_ATOM || i->op == IR_RED) && k && ptx_bytes(i->type) != 4 &&
		      (i->type == PTX_B64 || i->type == PTX_NONE));
	const char *suffix = half                            ? (s->half == 2 ? "h" : "l")
			     : !whole                        ? ""
			     : s->value->class == CLASS_QUAD ? "q"
							     : "d";
	return (size_t)snprintf(out, space, "%s%s$r%u%s", neg, abs, register_of(s), suffix);
}

static size_t put_result(const struct ir_insn *i, char *out, size_t space)
{
	if (!i->dst)
		return (size_t)snprintf(out, space, "#");
	if (i->op == IR_CVT && i->type == PTX_F16)
		return (size_t)snprintf(out, space, "$r%ul", i->dst->reg);
	return (size_t)snprintf(out, space, "$r%u%s", i->dst->reg,
				i->dst->class == CLASS_QUAD   ? "q"
				: i->dst->class == CLASS_PAIR ? "d"
							      : "");
}

static const char *type_text(const struct ir_insn *i)
{
	static const char *const names[PTX_TYPES] = { [PTX_NONE] = "b128",
						      "b8",
						      "b16",
						      "b32",
						      "b64",
						      "u8",
						      "u16",
						      "u32",
						      "u64",
						      "s8",
						      "s16",
						      "s32",
						      "s64",
						      "f16",
						      "bf16",
						      "f32",
						      "f64",
						      "pred" };

	switch (i->op) {
	case IR_MUL24:
	case IR_MUL24H:
	case IR_MAD24:
	case IR_MAD24H:
	case IR_MAD24HS: return ptx_signed(i->type) ? "s24" : "u24";
	case IR_CVT: /* an unsigned result would clamp negative numbers to 0 */
		return !ptx_float(i->type) && !ptx_float(i->from) && ptx_signed(i->from) ? "s32" : names[i->type];
	default: return names[i->type];
	}
}

static const char *from_text(const struct ir_insn *i)
{
	static const char *const names[PTX_TYPES] = {
		[PTX_B8] = "u8",   [PTX_B16] = "u16", [PTX_B32] = "u32", [PTX_B64] = "u64", [PTX_U8] = "u8",
		[PTX_U16] = "u16", [PTX_U32] = "u32", [PTX_U64] = "u64", [PTX_S8] = "s8",   [PTX_S16] = "s16",
		[PTX_S32] = "s32", [PTX_S64] = "s64", [PTX_F16] = "f16", [PTX_F32] = "f32", [PTX_F64] = "f64",
	};

	return names[i->from];
}

static const char *round_text(const struct ir_insn *i)
{
	static const char *const names[] = { "", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi" };

	if ((i->op == IR_FADD || i->op == IR_FMUL) && immediate(i))
		return "";
	if (i->op == IR_FADD || i->op == IR_FMUL || i->op == IR_DADD || i->op == IR_DMUL || i->op == IR_DFMA)
		return names[i->round ? i->round : ROUND_RN];
	if (i->op == IR_CVT && ptx_float(i->type) && i->type == i->from) /* to an integral value, or as it is */
		return i->round >= ROUND_RNI ? names[i->round] : "";
	if (i->op == IR_CVT && !ptx_float(i->type) && ptx_float(i->from))
		return names[i->round >= ROUND_RNI ? i->round : ROUND_RZI];
	if (i->op == IR_CVT && (i->from == PTX_F16 || (i->type == PTX_F64 && i->from == PTX_F32)))
		return "";
	if (i->op == IR_CVT && ptx_float(i->type))
		return names[i->round ? i->round : ROUND_RN];
	return "";
}

static const char *const cond_text[] = { "never", "l",  "e",  "le",  "g",  "lg",  "ge",  "lge",
					 "u",     "lu", "eu", "leu", "gu", "lgu", "geu", "always" };

static void expand(struct emitter *e, const struct ir_insn *i, const char *pattern, char *out, size_t space)
{
	size_t n = 0;

	if (i->guard.kind == SOURCE_VALUE)
		n += (size_t)snprintf(out, space, "(%s $c%u) ", guard_code(&i->guard), i->guard.value->reg);
	else if (ir_asks(i->op) && i->guard.kind == SOURCE_NUMBER)
		n += (size_t)snprintf(out, space, "(never) ");
	for (const char *p = pattern; *p && n < space - 24; p++) {
		if (*p != '%') {
			if (!(*p == ' ' && n && out[n - 1] == ' '))
				out[n++] = *p;
			continue;
		}
		switch (*++p) {
		case 'd': n += put_result(i, out + n, space - n); break;
		case 'c':
			if (i->flags)
				n += (size_t)snprintf(out + n, space - n,
						      i->op == IR_VOTE || i->op == IR_TOCOND ? "$c%u" : "$c%u ",
						      i->flags->reg);
			break;
		case '0':
		case '1':
		case '2':
		case '3':
			if ((unsigned)(*p - '0') < i->nsrc)
				n += put_source(e, i, (unsigned)(*p - '0'), out + n, space - n);
			break;
		case 'k': n += (size_t)snprintf(out + n, space - n, "%s", cond_text[i->cond]); break;
		case 't': n += (size_t)snprintf(out + n, space - n, "%s", type_text(i)); break;
		case 'u': n += (size_t)snprintf(out + n, space - n, "%s", from_text(i)); break;
		case 'r': n += (size_t)snprintf(out + n, space - n, "%s ", round_text(i)); break;
		case 's': n += (size_t)snprintf(out + n, space - n, i->sat ? "sat " : ""); break;
		case 'o': n += (size_t)snprintf(out + n, space - n, "%s", i->word); break;
		case 'm':
			n += (size_t)snprintf(out + n, space - n, i->src[0].neg != i->src[1].neg ? "neg " : "");
			break;
		case 'n':
			n += (size_t)snprintf(out + n, space - n, "%s%s", i->negate != i->src[0].neg ? "neg " : "",
					      i->absolute ? "abs " : "");
			break;
		default: break;
		}
		if (n && n < space && out[n - 1] == ' ' && n > 1 && out[n - 2] == ' ')
			n--;
	}
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

/* ---- addresses ---- */

static void forget(struct emitter *e, const struct value *v)
{
	if (!v || v->class == CLASS_PRED)
		return;
	for (unsigned a = 1; a < 5; a++)
		if (e->now.address[a].valid && e->now.address[a].reg >= v->reg &&
		    e->now.address[a].reg < v->reg + class_words(v->class))
			e->now.address[a].valid = false;
}

/* $a1 to $a4 with (register << shift) + offset, set here unless an earlier access of the block did. */
static unsigned address_register(struct emitter *e, unsigned reg, unsigned shift, unsigned offset)
{
	unsigned a;

	for (a = 1; a < 5; a++)
		if (e->now.address[a].valid && e->now.address[a].reg == reg && e->now.address[a].shift == shift &&
		    e->now.address[a].offset == offset)
			return a;
	if (reg == 124) { /* $a0 is 0 */
		a = 1 + e->next_address++ % 4;
		instructionf(e, true, "add $a%u 0x0 0x%x", a, offset & 0xffff);
	} else if (offset) {
		unsigned base = address_register(e, reg, shift, 0);
		a = 1 + e->next_address++ % 4;
		if (a == base)
			a = 1 + e->next_address++ % 4;
		instructionf(e, true, "add $a%u $a%u 0x%x", a, base, offset & 0xffff);
	} else {
		a = 1 + e->next_address++ % 4;
		instructionf(e, true, "shl $a%u $r%u 0x%x", a, reg, shift);
	}
	e->now.address[a].valid = true;
	e->now.address[a].reg = reg;
	e->now.address[a].shift = shift;
	e->now.address[a].offset = offset;
	return a;
}

/* "s[$a1+0x10]": an address whose offset field has `steps` steps of the access's size. */
static void put_address(struct emitter *e, const struct source *s, unsigned space, unsigned shift, unsigned bytes,
			uint32_t offset, unsigned steps, char *out, size_t size)
{
	unsigned scaled = space == SPACE_LOCAL ? 0 : log_bytes(bytes), base = 0;
	const char *name = space == SPACE_SHARED ? "s" : space == SPACE_LOCAL ? "l" : e->bank ? "c14" : "c0";
	uint32_t reach = steps << scaled, odd, inside;

	offset &= 0xffff;
	odd = offset & ((1u << scaled) - 1);
	inside = (offset - odd) % reach; /* neighbours share the register with the rest */
	if (s->kind == SOURCE_VALUE)
		base = address_register(e, register_of(s), shift, offset - inside);
	else if (offset - inside)
		base = address_register(e, 124, 0, offset - inside);
	if (base && inside)
		snprintf(out, size, "%s[$a%u+0x%x]", name, base, inside);
	else if (base)
		snprintf(out, size, "%s[$a%u]", name, base);
	else
		snprintf(out, size, "%s[0x%x]", name, inside);
}

static void address_of(struct emitter *e, const struct ir_insn *i, char out[64])
{
	bool small = i->space == SPACE_SHARED && i->op == IR_LD && e->sm < 11;

	e->bank = i->bank;
	if (i->space == SPACE_GLOBAL)
		snprintf(out, 64, "g14[$r%u]", i->src[0].kind == SOURCE_VALUE ? register_of(&i->src[0]) : 124);
	else
		put_address(e, &i->src[0], i->space, i->shift, i->type == PTX_NONE ? 16 : ptx_bytes(i->type), i->offset,
			    small ? 32 : 0x10000, out, 64);
}

static void memory(struct emitter *e, const struct ir_insn *i)
{
	char address[64], guard[24] = "", data[48] = "", more[48] = "", result[24] = "";
	const char *type = type_text(i);
	bool small = i->space == SPACE_SHARED && i->op == IR_LD && e->sm < 11;

	if (i->guard.kind == SOURCE_VALUE)
		snprintf(guard, sizeof guard, "(%s $c%u) ", guard_code(&i->guard), i->guard.value->reg);
	address_of(e, i, address);
	if (i->nsrc > 1)
		put_source(e, i, 1, data, sizeof data);
	if (i->nsrc > 2)
		put_source(e, i, 2, more, sizeof more);
	if (i->dst)
		put_result(i, result, sizeof result);
	switch (i->op) {
	case IR_LD:
		if (i->space == SPACE_SHARED || i->space == SPACE_CONST)
			instructionf(e, true, "%s%s %s %s %s", guard, small ? "mov b32" : "ld", result,
				     i->type == PTX_B32 ? "b32" : type, address);
		else
			instructionf(e, true, "%sld %s %s %s", guard, type, result, address);
		break;
	case IR_ST:
		if (i->space == SPACE_SHARED)
			type = ptx_bytes(i->type) == 1 ? "b8" : ptx_bytes(i->type) == 2 ? "b16" : "b32";
		instructionf(e, true, "%sst %s %s %s", guard, type, address, data);
		break;
	case IR_RED: instructionf(e, true, "%sred %s %s %s", guard, i->word, address, data); break;
	case IR_ATOM:
		instructionf(e, true, "%s%s %s %s %s%s%s", guard, i->word, result, address, data, *more ? " " : "",
			     more);
		break;
	case IR_LDLOCK: instructionf(e, true, "%sld lock $c%u %s b32 %s", guard, i->flags->reg, result, address); break;
	case IR_STUNLOCK: instructionf(e, true, "%sst unlock b32 %s %s", guard, address, data); break;
	default: break;
	}
}

/* ---- instructions ---- */

static void texture(struct emitter *e, const struct ir_insn *i)
{
	char result[48] = "", coords[32] = "", guard[24] = "";
	unsigned reg = i->dst->reg, next = reg;

	if (i->guard.kind == SOURCE_VALUE)
		snprintf(guard, sizeof guard, "(%s $c%u) ", guard_code(&i->guard), i->guard.value->reg);
	for (unsigned k = 0; k < 4; k++)
		snprintf(result + strlen(result), sizeof result - strlen(result), i->mask >> k & 1 ? "%s$r%u" : "%s#",
			 k ? ":" : "", i->mask >> k & 1 ? next++ : 0);
	for (unsigned k = 0; k < i->coords; k++)
		snprintf(coords + strlen(coords), sizeof coords - strlen(coords), "%s$r%u", k ? ":" : "", reg + k);
	bool has_offset = !strstr(i->word, "cube") && strcmp(i->word, "texsize");
	instructionf(e, true, "%s%s live %s $t%u $s%u %s%s", guard, i->word, result, i->offset, i->offset, coords,
		     has_offset ? " 0x0 0x0 0x0" : "");
}

static void move(struct emitter *e, const struct ir_insn *i)
{
	const struct source *s = &i->src[0];
	char guard[24] = "";

	if (i->guard.kind == SOURCE_VALUE)
		snprintf(guard, sizeof guard, "(%s $c%u) ", guard_code(&i->guard), i->guard.value->reg);
	if (s->kind == SOURCE_VALUE && !s->load && register_of(s) == i->dst->reg)
		return;
	if (s->kind == SOURCE_SHARED && !s->load &&
	    s->bits >> log_bytes(ptx_bytes(s->type)) > 31) { /* beyond an operand's field */
		if (e->sm >= 11) {
			instructionf(e, true, "%sld $r%u %s s[0x%x]", guard, i->dst->reg, shared_type(s->type),
				     s->bits);
			return;
		}
		unsigned a = address_register(e, 124, 0, s->bits);
		instructionf(e, true, "%smov b32 $r%u %s s[$a%u]", guard, i->dst->reg, shared_type(s->type), a);
	} else if (s->kind == SOURCE_NUMBER && !s->bits) {
		instructionf(e, true, "%smov b32 $r%u $r124", guard, i->dst->reg);
	} else if (s->kind == SOURCE_NUMBER && *guard) {
		instructionf(e, true, "%sld $r%u b32 c1[0x%x]", guard, i->dst->reg, constant_offset(e, s->bits, false));
	} else if (s->kind == SOURCE_NUMBER) {
		instructionf(e, false, "mov b32 $r%u 0x%x", i->dst->reg, s->bits);
	} else {
		char text[LINE_MAX_BYTES];
		expand(e, i, ir_op_info[IR_MOV].text, text, sizeof text);
		instruction(e, true, text);
	}
}

/* The wait of a warp primitive for the lanes of its mask. The machine looks at the next instruction: nothing may stand
 * between the two. */
static void wait_for_lanes(struct emitter *e, const struct ir_insn *i)
{
	struct ir_insn wait = *i;
	char pattern[16], text[LINE_MAX_BYTES];

	wait.guard = (struct source){ 0 };
	snprintf(pattern, sizeof pattern, "warpsync %%%u", i->nsrc - 1);
	expand(e, &wait, pattern, text, sizeof text);
	instruction(e, true, text);
}

static void one(struct emitter *e, struct ir_insn *i)
{
	const struct ir_op_info *info = &ir_op_info[i->op];
	char text[LINE_MAX_BYTES];

	e->line = i->line;
	e->file = i->file;
	e->source_line = i->source_line;
	if (i->waits)
		wait_for_lanes(e, i);
	if (i->op == IR_MOV) {
		move(e, i);
	} else if (i->op == IR_TEX) {
		texture(e, i);
	} else if (info->flags & MEMORY && i->op != IR_BAR) {
		memory(e, i);
	} else if (info->text) {
		expand(e, i, info->text, text, sizeof text);
		instruction(e, !immediate(i) && i->op != IR_BAR && i->op != IR_TRAP && i->op != IR_BRKPT, text);
	}
	forget(e, i->dst);
}

static bool only_exits(const struct ir_block *b) { return b->end == END_EXIT && !b->head && !b->join && b->nfrom; }

/* Where a jump to the block goes in the end: blocks without an instruction are passed. */
static const struct ir_block *forward(const struct ir_block *b)
{
	for (unsigned steps = 0; steps < 64 && b->end == END_JUMP && !b->head && !b->join && !b->njoinat; steps++)
		b = b->to[0];
	return b;
}

static void label(const struct emitter *e, const struct ir_block *b, char out[32])
{
	snprintf(out, 32, "L%u_%u", e->kernel, b->id);
}

/* The mark of the end, on the block's last instruction or on a nop. */
static void end_thread(struct emitter *e)
{
	if (e->last_line && !e->join) {
		size_t n = e->size - e->last_line - 1;
		append(e, "     ", 5);
		memmove(e->text + e->last_line + 6, e->text + e->last_line + 1, n);
		memcpy(e->text + e->last_line + 1, "exit ", 5);
		e->last_line = 0;
	} else {
		instruction(e, false, "exit (never) nop");
	}
}

static void jump(struct emitter *e, const struct ir_block *to, const struct ir_block *next)
{
	char name[32];

	if (only_exits(to)) {
		end_thread(e);
	} else if (to != next) {
		label(e, to, name);
		instructionf(e, false, "bra #%s", name);
	}
}

static void conditional(struct emitter *e, const struct source *test, bool opposite, const struct ir_block *to)
{
	struct source p = *test;
	char name[32];

	p.not ^= opposite;
	if (only_exits(to)) {
		instructionf(e, false, "(%s $c%u) ret", guard_code(&p), p.value->reg);
		return;
	}
	label(e, to, name);
	instructionf(e, false, "(%s $c%u) bra #%s", guard_code(&p), p.value->reg, name);
}

/* Lanes on the way to `to` end without the others, before a barrier: they run first, so that none waits meanwhile. */
static bool leaves(const struct ir *f, const struct ir_block *b, const struct ir_block *to)
{
	return f->ngather && !b->uniform && to->ending != b->ending;
}

static void end_of_block(struct emitter *e, struct ir_block *b, const struct ir_block *next)
{
	char name[32];

	e->line = b->line;
	e->file = b->file;
	e->source_line = b->source_line;
	for (size_t k = 0; k < b->njoinat; k++) {
		label(e, b->joinat[k], name);
		instructionf(e, false, "joinat #%s", name);
	}
	if (b->end == END_EXIT) {
		end_thread(e);
	} else if (b->end == END_JUMP) {
		const struct ir_block *to = forward(b->to[0]);
		if (e->join && to != next)
			instruction(e, true, "(never) nop");
		jump(e, to, next);
	} else {
		/* The taken side runs first, and a loop of locks may depend on the order: a way back is not turned
		 * around. */
		const struct ir_block *taken = forward(b->to[0]), *other = forward(b->to[1]);
		bool back = graph_dominates(other, b), loops = graph_dominates(taken, b);
		if (leaves(e->f, b, b->to[0]) != leaves(e->f, b, b->to[1])) {
			bool second = leaves(e->f, b, b->to[1]);
			conditional(e, &b->test, second, second ? other : taken);
			jump(e, second ? taken : other, next);
		} else if (b->uniform && graph_dominates(other, b) && other != next && taken != next) {
			conditional(e, &b->test, true, other); /* all lanes agree: the way back is one instruction */
			jump(e, taken, next);
		} else if (only_exits(taken) || !(taken == next || only_exits(other)) || (back && taken != next) ||
			   loops) {
			conditional(e, &b->test, false, taken);
			jump(e, other, next);
		} else {
			conditional(e, &b->test, true, other);
			jump(e, taken, next);
		}
	}
}

static struct ir_block *next_in_text(const struct ir_block *b)
{
	struct ir_block *n = b->next;

	while (n && (only_exits(n) || forward(n) != n))
		n = n->next;
	return n;
}

/* The lock's address register in a block of nothing but the lock's loop, set in the block before. */
static void address_of_lock(struct emitter *e, const struct ir_block *next)
{
	char address[64];

	if (next->head && next->head->op == IR_LDLOCK && next->end == END_BRANCH && next->to[0] == next &&
	    next->nfrom == 2) {
		e->line = next->head->line;
		e->file = next->head->file;
		e->source_line = next->head->source_line;
		address_of(e, next->head, address);
	}
}

/* Address registers at the begin of a block are known where a single block comes before, besides the block itself: a
 * lock's loop sets none. */
static void known_addresses(struct emitter *e, const struct ir_block *b)
{
	const struct ir_block *before = NULL;
	bool lock = b->head && b->head->op == IR_LDLOCK, single = b->nfrom > 0;

	for (size_t k = 0; k < b->nfrom && single; k++) {
		if (lock && b->from[k] == b)
			continue;
		single = !before;
		before = b->from[k];
	}
	e->now = single && before ? e->at_end[before->id] : (struct address_registers){ 0 };
}

void emit(struct ir *f, struct emitter *e)
{
	char name[32];

	e->f = f;
	e->at_end = ptx_new(f->m, (f->nblocks + 1) * sizeof *e->at_end);
	for (struct ir_block *b = f->entry; b; b = next_in_text(b)) {
		known_addresses(e, b);
		e->last_line = 0;
		if (e->join) { /* of a block that has no instruction */
			instruction(e, true, "(never) nop");
			e->last_line = 0;
		}
		label(e, b, name);
		e->line = b->line;
		if (b != f->entry)
			emit_text(e, "%s:", name);
		e->join = b->join;
		for (struct ir_insn *i = b->head; i; i = i->next)
			one(e, i);
		if (b->end == END_JUMP)
			address_of_lock(e, b->to[0]);
		e->at_end[b->id] = e->now;
		end_of_block(e, b, next_in_text(b));
	}
}
