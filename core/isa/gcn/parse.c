/* Lines of CLRX's syntax to words. An instruction is a mnemonic, the row's operands, and modifiers in any order; the
 * texts decide the encoding among the row's encodings. Rules: spec gcn-text, "Assembler". */
#include "core/isa/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/diag.h"
#include "core/isa/gcn/names.h"
#include "core/isa/gcn/read.h"
#include "core/isa/gcn/text.h"

enum { WORD = 40, EACH_LANE = 0xe4 /* quad_perm:[0,1,2,3] */ };

struct parser {
	struct gcn_reader r;
	const struct gcn_row *row;
	const char *name;
	struct gcn_word w;
	bool vop3, sdwa, dpp;               /* demanded by a modifier */
	bool selected[4];                   /* dst_sel, dst_unused, src0_sel, src1_sel */
	bool has_masks[2], controlled;      /* masks and control of DPP were read */
	bool default_control;               /* _dpp: each lane its own, if no control is read */
	bool literal;                       /* a literal was read */
	struct gcn_operand scalar;          /* the scalar register of a vector instruction */
	bool has_scalar;
};

static unsigned registers(unsigned type)
{
	return gcn_type_bytes[type] / 4u;
}

static uint32_t *field(struct parser *p, enum gcn_field f)
{
	return &p->w.f[f];
}

static bool is_vector(const struct parser *p)
{
	return p->row->encoding >= ENC_VOP1 && p->row->encoding <= ENC_VOP3P;
}

static unsigned generation(const struct parser *p)
{
	return p->w.generation;
}

/* ---- operands and rules for operands ---- */

/* Registers in pairs begin at even numbers, four and more at multiples of four; trap registers need not. */
static bool check_aligned(struct parser *p, const struct gcn_operand *o)
{
	unsigned first, n = gcn_ttmps(p->w.generation, &first);
	unsigned unit = o->count >= 4 ? 4 : o->count >= 2 ? 2 : 1;
	if (o->count < 2 || o->code >= CODE_INT || o->code % unit == 0 ||
	    (o->code >= first && o->code < first + n && o->count == 2))
		return true;
	return gcn_wrong(&p->r, o->begin, "scalar registers from number %u on: expected a multiple of %u", o->code,
			 unit);
}

/* Of vector instructions, scalar registers may lie anywhere in a line of four. */
static bool check_line(struct parser *p, const struct gcn_operand *o)
{
	if (o->count < 2 || o->code >= gcn_sgprs(p->w.generation) || o->code % 4 + o->count <= 4)
		return true;
	return gcn_wrong(&p->r, o->begin, "scalar registers %u to %u lie in two lines of four", o->code,
			 o->code + o->count - 1);
}

static bool check_count(struct parser *p, const struct gcn_operand *o, unsigned count)
{
	if (!o->is_register || o->count == count || (o->code >= CODE_APERTURES && o->code < CODE_V))
		return true;
	return gcn_wrong(&p->r, o->begin, "found %u register%s, expected %u", o->count, o->count == 1 ? "" : "s",
			 count);
}

static bool take_literal(struct parser *p, const struct gcn_operand *o)
{
	if (!o->is_literal)
		return true;
	if (p->literal && *field(p, F_LITERAL) != o->literal)
		return gcn_wrong(&p->r, o->begin, "a second literal: an instruction has space for one");
	*field(p, F_LITERAL) = o->literal;
	p->literal = true;
	return true;
}

/* Refuse an operand that is not `count` registers of a kind, "vector" or "scalar". */
static bool want_registers(struct parser *p, const char *at, const char *kind, unsigned count)
{
	bool scalar = *kind == 's';

	if (count == 1)
		return gcn_wrong(&p->r, at, "expected 1 %s register, %s", kind, scalar ? "as s0" : "v0 to v255");
	return gcn_wrong(&p->r, at, "expected %u %s registers, as %s%u]%s", count, kind, scalar ? "s[4:" : "v[4:",
			 3 + count, scalar && count == 2 ? " or vcc" : "");
}

static bool vector_register(struct parser *p, unsigned count, uint32_t *out)
{
	struct gcn_operand o;
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (!gcn_register(&p->r, &o) || o.code < CODE_V || o.count != count)
		return want_registers(p, at, "vector", count);
	*out = o.code - CODE_V;
	return true;
}

/* A scalar destination, or another operand restricted to registers. */
static bool scalar_register(struct parser *p, unsigned count, uint32_t *out)
{
	struct gcn_operand o;
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (!gcn_register(&p->r, &o) || o.code >= CODE_INT || o.count != count)
		return want_registers(p, at, "scalar", count);
	*out = o.code;
	return is_vector(p) ? check_line(p, &o) : check_aligned(p, &o);
}

static bool scalar_source(struct parser *p, unsigned type, enum gcn_field f)
{
	struct gcn_operand o;
	if (!gcn_source(&p->r, type, false, false, &o))
		return false;
	if (o.code >= CODE_V || o.code == CODE_LDS)
		return gcn_wrong(&p->r, o.begin, "expected a scalar register or a constant");
	*field(p, f) = o.code;
	return check_count(p, &o, registers(type)) && check_aligned(p, &o) && take_literal(p, &o);
}

/* A vector instruction reads a single scalar register, any number of times. */
static bool check_bus(struct parser *p, const struct gcn_operand *o)
{
	if (!o->is_register || o->code > 107)
		return true;
	if (p->has_scalar && p->scalar.code != o->code)
		return gcn_wrong(&p->r, o->begin, "a second scalar register: a vector instruction reads only one");
	p->has_scalar = true;
	p->scalar = *o;
	return true;
}

static bool vector_source(struct parser *p, unsigned i)
{
	struct gcn_operand o;
	unsigned type = p->row->s[i];
	bool condition = i == 2 && (p->row->flags & CARRY_IN);
	if (!gcn_source(&p->r, type, true, !condition, &o))
		return false;
	if (o.code == CODE_LDS && i)
		return gcn_wrong(&p->r, o.begin, "only the first source can be in LDS");
	if (condition && o.code >= CODE_INT)
		return gcn_wrong(&p->r, o.begin, "expected a pair of scalar registers");
	if ((p->row->flags & LANE) && i == 1 && o.code >= CODE_V)
		return gcn_wrong(&p->r, o.begin, "expected a scalar register or a constant");
	*field(p, F_SRC0 + i) = o.code;
	*field(p, F_NEG) |= (uint32_t)o.neg << i;
	*field(p, F_ABS) |= (uint32_t)o.abs << i;
	*field(p, F_SEXT) |= (uint32_t)o.sext << i;
	p->sdwa |= o.sext;
	bool mask64 = i == 1 && (p->row->flags & CLASS64) && o.count == 2;
	return (mask64 || check_count(p, &o, registers(type))) && check_line(p, &o) && check_bus(p, &o) &&
	       take_literal(p, &o);
}

static bool comma(struct parser *p)
{
	return gcn_expect(&p->r, ',');
}

/* ---- numbers ---- */

/* A number within the range of its bits, which become the field's. */
static bool read_number(struct parser *p, struct gcn_number n, enum gcn_field f)
{
	uint32_t v;
	if (!gcn_number_in(&p->r, gcn_number_least(n), gcn_number_most(n), &v))
		return false;
	*field(p, f) = v & (uint32_t)((1ull << n.bits) - 1);
	return true;
}

static struct gcn_number number_of(const struct parser *p, enum gcn_field f)
{
	return gcn_field_number(p->w.generation, p->row, f);
}

/* ---- scalar ---- */

static bool read_target(struct parser *p)
{
	uint32_t pc = p->r.symbols ? p->r.symbols->pc : 0;
	int64_t to;
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (!gcn_number(&p->r, &to))
		return false;
	int32_t distance = (int32_t)((uint32_t)to - pc - 4);
	struct gcn_number n = gcn_operand_number(T_REL);
	if (distance % 4 || distance / 4 < gcn_number_least(n) || distance / 4 > gcn_number_most(n))
		return gcn_wrong(&p->r, at, "0x%x is out of a branch's reach", (unsigned)to);
	*field(p, F_IMM) = (uint16_t)(distance / 4);
	p->r.symbolic = true;
	return true;
}

static bool read_hwreg(struct parser *p)
{
	char word[WORD];
	uint32_t id = 64, first, size;
	if (!gcn_take_word(&p->r, "hwreg"))
		return gcn_wrong(&p->r, p->r.cursor, "expected hwreg(NAME, FIRST, SIZE)");
	if (!gcn_expect(&p->r, '('))
		return false;
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (gcn_take(&p->r, '@')) {
		if (!gcn_number_in(&p->r, 0, 63, &id))
			return false;
	} else if (gcn_word_text(&p->r, word, sizeof word)) {
		const char *name = strncmp(word, "hwreg_", 6) == 0 ? word + 6 : word;
		name = strcmp(name, "dbg0") == 0 ? "ib_dbg0" : name;
		for (unsigned i = 0; i < 64; i++) {
			const char *full = gcn_hwreg(p->w.generation, i);
			const char *brief = full && strncmp(full, "sq_shader_", 10) == 0 ? full + 10 : full;
			if (full && (strcmp(full, name) == 0 || strcmp(brief, name) == 0))
				id = i;
		}
	}
	if (id == 64)
		return gcn_wrong(&p->r, at, "unknown hardware register; write @ and its number");
	if (!comma(p) || !gcn_number_in(&p->r, 0, 31, &first) || !comma(p) || !gcn_number_in(&p->r, 1, 32, &size) ||
	    !gcn_expect(&p->r, ')'))
		return false;
	*field(p, F_IMM) = id | first << 6 | (size - 1) << 11;
	return true;
}

/* " :0x…" behind counters or a message: all 16 bits, for the disassembler's texts of words with further bits. */
static bool read_whole(struct parser *p)
{
	return !gcn_take(&p->r, ':') || gcn_number_in(&p->r, 0, 0xffff, field(p, F_IMM));
}

static bool read_waitcnt(struct parser *p)
{
	bool wide = p->w.generation == GCN_14;
	uint32_t vm = wide ? 63 : 15, exp = 7, lgkm = 15, *counter;
	gcn_blanks(&p->r);
	if (isdigit((unsigned char)*p->r.cursor) || *p->r.cursor == '(')
		return gcn_number_in(&p->r, 0, 0xffff, field(p, F_IMM));
	if (*p->r.cursor != ':')
		do {
			if (gcn_take_word(&p->r, "vmcnt"))
				counter = &vm;
			else if (gcn_take_word(&p->r, "expcnt"))
				counter = &exp;
			else if (gcn_take_word(&p->r, "lgkmcnt"))
				counter = &lgkm;
			else
				return gcn_wrong(&p->r, p->r.cursor, "expected vmcnt(), expcnt() or lgkmcnt()");
			uint32_t most = counter == &vm ? (wide ? 63 : 15) : counter == &exp ? 7 : 15;
			if (!gcn_expect(&p->r, '(') || !gcn_number_in(&p->r, 0, most, counter) ||
			    !gcn_expect(&p->r, ')'))
				return false;
		} while (gcn_take(&p->r, '&') || gcn_take(&p->r, ',') || isalpha((unsigned char)*p->r.cursor));
	*field(p, F_IMM) = (vm & 15) | exp << 4 | lgkm << 8 | (vm >> 4) << 14;
	return read_whole(p);
}

static bool message_id(struct parser *p, uint32_t *id)
{
	char word[WORD];
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (gcn_take(&p->r, '@'))
		return gcn_number_in(&p->r, 0, 15, id);
	if (gcn_word_text(&p->r, word, sizeof word)) {
		const char *name = strncmp(word, "msg_", 4) == 0 ? word + 4 : word;
		name = strcmp(name, "sysmsg") == 0 ? "system" : name;
		for (unsigned i = 0; i < 16; i++)
			if (gcn_message(p->w.generation, i) && strcmp(gcn_message(p->w.generation, i), name) == 0) {
				*id = i;
				return true;
			}
	}
	return gcn_wrong(&p->r, at, "unknown message; write @ and its number");
}

static bool number_of_name(const char *const names[], unsigned n, const char *name, uint32_t *number)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0) {
			*number = i;
			return true;
		}
	return false;
}

static bool message_operation(struct parser *p, uint32_t *op)
{
	char word[WORD];
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (gcn_take(&p->r, '@'))
		return gcn_number_in(&p->r, 0, 3, op);
	if (gcn_word_text(&p->r, word, sizeof word)) {
		const char *name = strncmp(word, "gs_", 3) == 0 ? word + 3 : word;
		name = strncmp(name, "op_", 3) == 0 ? name + 3 : name;
		if (strcmp(name, "emit") == 0 && strncasecmp(p->r.cursor, "-cut", 4) == 0) {
			p->r.cursor += 4;
			name = "emit-cut";
		}
		name = strcmp(name, "emit_cut") == 0 ? "emit-cut" : name;
		if (number_of_name(gcn_operations, 4, name, op))
			return true;
	}
	return gcn_wrong(&p->r, at, "expected nop, cut, emit or emit-cut");
}

static bool read_message(struct parser *p)
{
	uint32_t id = 0, op = 0, stream = 0;
	gcn_blanks(&p->r);
	if (isdigit((unsigned char)*p->r.cursor))
		return gcn_number_in(&p->r, 0, 0xffff, field(p, F_IMM));
	if (!gcn_take_word(&p->r, "sendmsg"))
		return gcn_wrong(&p->r, p->r.cursor, "expected sendmsg(…)");
	if (!gcn_expect(&p->r, '(') || !message_id(p, &id))
		return false;
	bool geometry = id == 2 || id == 3;
	if (geometry && (!comma(p) || !message_operation(p, &op)))
		return false;
	if (geometry && op && gcn_take(&p->r, ',') && !gcn_number_in(&p->r, 0, 3, &stream))
		return false;
	*field(p, F_IMM) = id | op << 4 | stream << 8;
	return gcn_expect(&p->r, ')') && read_whole(p);
}

static bool at_end(struct parser *p)
{
	gcn_blanks(&p->r);
	return !*p->r.cursor;
}

static bool read_immediate(struct parser *p, unsigned type)
{
	switch (type) {
	case T_REL:
		return read_target(p);
	case T_WAIT:
		return read_waitcnt(p);
	case T_MSG:
		return read_message(p);
	case T_HWREG:
		return read_hwreg(p);
	case T_ZERO:
		if (at_end(p))
			return true;
		break;
	default:
		break;
	}
	return read_number(p, gcn_operand_number(type), F_IMM);
}

static bool read_sopk(struct parser *p)
{
	const struct gcn_row *r = p->row;
	unsigned type = r->d != T___ ? r->d : r->s[1];
	bool last = r->s[0] == T_HWREG && r->d == T___;
	if (!last && (!scalar_register(p, registers(type), field(p, F_DST)) || !comma(p)))
		return false;
	if (!read_immediate(p, r->s[0]))
		return false;
	if (!last)
		return true;
	if (!comma(p))
		return false;
	if (r->s[1] != T_IMM32)
		return scalar_register(p, registers(type), field(p, F_DST));
	p->literal = true;
	return read_number(p, gcn_operand_number(T_IMM32), F_LITERAL);
}

static bool read_scalar(struct parser *p)
{
	const struct gcn_row *r = p->row;
	if (r->encoding == ENC_SOPP)
		return read_immediate(p, r->s[0]);
	if (r->encoding == ENC_SOPK)
		return read_sopk(p);
	bool first = true;
	if (r->d != T___) {
		if (!scalar_register(p, registers(r->d), field(p, F_DST)))
			return false;
		first = false;
	}
	for (unsigned i = 0; i < 2; i++) {
		if (r->s[i] == T___)
			continue;
		if (!first && !comma(p))
			return false;
		first = false;
		if (r->s[i] == T_IMM8 ? !read_number(p, gcn_operand_number(T_IMM8), F_SRC0 + i)
				      : !scalar_source(p, r->s[i], F_SRC0 + i))
			return false;
	}
	return true;
}

/* ---- scalar memory ---- */

static bool read_smem_offset(struct parser *p)
{
	struct gcn_operand o;
	struct gcn_number n = number_of(p, F_OFFSET), wide = number_of(p, F_LITERAL);
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (gcn_register(&p->r, &o)) {
		if (o.count != 1 || o.code >= CODE_INT)
			return gcn_wrong(&p->r, at, "expected one scalar register or an offset");
		*field(p, F_OFFSET) = o.code;
		return true;
	}
	bool literal = wide.bits && gcn_take_word(&p->r, "lit");
	if (p->row->s[0] == T_B128 && !wide.bits)       /* "20-bit unsigned offset" of buffers (LLVM), also in 1.4 */
		n.sign = SIGN_UNSIGNED;
	if ((literal && !gcn_expect(&p->r, '(')) || !read_number(p, wide.bits ? wide : n, F_OFFSET) ||
	    (literal && !gcn_expect(&p->r, ')')))
		return false;
	if (literal || *field(p, F_OFFSET) > gcn_number_most(n)) {
		*field(p, F_LITERAL) = *field(p, F_OFFSET);
		*field(p, F_OFFSET) = CODE_LITERAL;
		p->literal = true;
	} else {
		*field(p, F_IMM_FLAG) = 1;
	}
	return true;
}

static bool read_smem(struct parser *p)
{
	const struct gcn_row *r = p->row;
	unsigned data = gcn_smem_data(r);
	if (data == T_IMM8) {
		if (!gcn_number_in(&p->r, 0, 127, field(p, F_DST)))
			return false;
	} else if (data != T___ && !scalar_register(p, registers(data), field(p, F_DST))) {
		return false;
	}
	if (r->s[0] == T___)
		return true;
	if (data != T___ && !comma(p))
		return false;
	return scalar_register(p, registers(r->s[0]), field(p, F_SBASE)) && comma(p) && read_smem_offset(p);
}

/* ---- vector ---- */

/* vcc or, in VOP3, another pair. */
static bool carry_register(struct parser *p, enum gcn_field f)
{
	if (!scalar_register(p, 2, field(p, f)))
		return false;
	p->vop3 |= *field(p, f) != CODE_VCC;
	return true;
}

static bool read_literal_operand(struct parser *p, unsigned type)
{
	struct gcn_operand o;
	if (!comma(p) || !gcn_source(&p->r, type, true, false, &o))
		return false;
	if (o.is_register)
		return gcn_wrong(&p->r, o.begin, "expected a number");
	if (!o.is_literal)
		o.literal = (uint32_t)gcn_constant(o.code, type);
	o.is_literal = true;
	return take_literal(p, &o);
}

static bool read_vector_sources(struct parser *p)
{
	const struct gcn_row *r = p->row;
	bool first = r->d == T___;
	for (unsigned i = 0; i < 3; i++) {
		bool short_only = r->flags & (LITERAL1 | LITERAL2);
		if (r->s[i] == T___)
			continue;
		if ((i == 1 && (r->flags & LITERAL1)) || (i == 2 && (r->flags & LITERAL2))) {
			if (!read_literal_operand(p, r->s[i]))
				return false;
			continue;
		}
		if (!first && !comma(p))
			return false;
		first = false;
		if (!vector_source(p, i))
			return false;
		if (i == 2 && (r->flags & CARRY_IN) && *field(p, F_SRC2) != CODE_VCC)
			p->vop3 = true;
		if (i == 2 && short_only)
			*field(p, F_SRC1) = *field(p, F_SRC2);
	}
	return true;
}

static bool read_attribute(struct parser *p, uint32_t *attribute, uint32_t *channel)
{
	char word[WORD];
	unsigned n;
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (!gcn_word_text(&p->r, word, sizeof word) || sscanf(word, "attr%u", &n) != 1 || n > 63 ||
	    !gcn_take(&p->r, '.') || !*p->r.cursor || !strchr("xyzw", tolower((unsigned char)*p->r.cursor)))
		return gcn_wrong(&p->r, at, "expected an attribute like attr0.x");
	*attribute = n;
	*channel = (uint32_t)(strchr("xyzw", tolower((unsigned char)*p->r.cursor++)) - "xyzw");
	return true;
}

static bool read_parameter(struct parser *p, uint32_t *n)
{
	static const char *const names[] = { "p10", "p20", "p0" };
	for (*n = 0; *n < 3; ++*n)
		if (gcn_take_word(&p->r, names[*n]))
			return true;
	return gcn_wrong(&p->r, p->r.cursor, "expected p10, p20 or p0");
}

static bool read_interpolation(struct parser *p)
{
	bool moves = strstr(p->name, "_mov_") != NULL, wide = p->row->encoding == ENC_VOP3;
	uint32_t attribute = 0, channel = 0, v = 0;
	if (!vector_register(p, 1, field(p, F_DST)) || !comma(p) ||
	    !(moves ? read_parameter(p, &v) : vector_register(p, 1, &v)) || !comma(p) ||
	    !read_attribute(p, &attribute, &channel))
		return false;
	if (!wide) {
		*field(p, F_SRC0) = v;
		*field(p, F_ATTRIBUTE) = attribute;
		*field(p, F_CHANNEL) = channel;
		return true;
	}
	*field(p, F_SRC0) = attribute | channel << 6;
	*field(p, F_SRC1) = moves ? v : CODE_V + v;
	return p->row->s[2] == T___ || (comma(p) && vector_source(p, 2));
}

static bool read_vector(struct parser *p)
{
	const struct gcn_row *r = p->row;
	if (r->encoding == ENC_VINTRP || (r->flags & INTERP))
		return read_interpolation(p);
	if (r->encoding == ENC_VOPC) {
		if (!scalar_register(p, 2, field(p, F_DST)))
			return false;
	} else if (r->flags & SDST) {
		if (!scalar_register(p, registers(r->d), field(p, F_DST)))
			return false;
	} else if (r->d != T___ && !vector_register(p, registers(r->d), field(p, F_DST))) {
		return false;
	}
	if ((r->flags & CARRY_OUT) && (!comma(p) || !carry_register(p, F_SDST)))
		return false;
	return read_vector_sources(p);
}

/* ---- memory ---- */

static bool read_ds(struct parser *p)
{
	const struct gcn_row *r = p->row;
	static const uint8_t places[] = { F_VADDR, F_DATA0, F_DATA1 };
	bool first = true;
	if (r->d != T___) {
		if (!vector_register(p, registers(r->d), field(p, F_DST)))
			return false;
		first = false;
	}
	for (unsigned i = 0; i < 3; i++) {
		if (r->s[i] == T___)
			continue;
		if ((!first && !comma(p)) || !vector_register(p, registers(r->s[i]), field(p, places[i])))
			return false;
		first = false;
	}
	return true;
}

/* The modifiers decide the number of data and address registers, checked behind the modifiers. */
struct buffer {
	struct gcn_operand data, address;
};

static bool any_vector(struct parser *p, struct gcn_operand *o)
{
	if (gcn_register(&p->r, o) && o->code >= CODE_V)
		return true;
	return gcn_wrong(&p->r, p->r.cursor, "expected vector registers");
}

static bool read_buffer(struct parser *p, struct buffer *b)
{
	const struct gcn_row *r = p->row;
	struct gcn_operand o;
	if (r->flags & BARE)
		return true;
	if (!(r->flags & RSRC)) {
		if (!any_vector(p, &b->data) || !comma(p) || !any_vector(p, &b->address) || !comma(p))
			return false;
		*field(p, F_DATA0) = b->data.code - CODE_V;
		*field(p, F_VADDR) = b->address.code - CODE_V;
	}
	if (!scalar_register(p, 4, field(p, F_SRSRC)) || !comma(p) || !gcn_source(&p->r, T_B32, false, false, &o))
		return false;
	if (o.is_literal || o.code >= CODE_V || o.code == CODE_LDS)
		return gcn_wrong(&p->r, o.begin, "expected a scalar register or an inline constant, as a literal has "
				 "no place here");
	*field(p, F_SOFFSET) = o.code;
	return check_count(p, &o, 1);
}

static bool check_buffer(struct parser *p, const struct buffer *b)
{
	unsigned data = gcn_data_registers(p->w.generation, p->row) + *field(p, F_TFE);
	unsigned address = (*field(p, F_OFFEN) && *field(p, F_IDXEN)) || *field(p, F_ADDR64) ? 2 : 1;
	if (p->row->flags & (BARE | RSRC))
		return true;
	return check_count(p, &b->data, data) && check_count(p, &b->address, address);
}

static bool read_flat(struct parser *p, struct gcn_operand *address)
{
	const struct gcn_row *r = p->row;
	bool segment = r->encoding != ENC_FLAT, scratch = r->encoding == ENC_SCRATCH, off;
	struct gcn_operand data = { .count = 0 };
	if (r->d != T___) {
		if (!any_vector(p, &data) || !comma(p))
			return false;
		*field(p, F_DST) = data.code - CODE_V;
	}
	*address = (struct gcn_operand){ .begin = p->r.cursor };
	off = scratch && gcn_take_word(&p->r, "off");
	if (!off) {
		if (!any_vector(p, address))
			return false;
		*field(p, F_VADDR) = address->code - CODE_V;
	}
	if (r->s[0] != T___ && (!comma(p) || !vector_register(p, registers(r->s[0]), field(p, F_DATA0))))
		return false;
	bool none = true;
	if (segment) {
		if (!comma(p))
			return false;
		none = gcn_take_word(&p->r, "off");
		if (none)
			*field(p, F_SADDR) = 127;
		else if (!scalar_register(p, scratch ? 1 : 2, field(p, F_SADDR)))
			return false;
	}
	if (off && none)
		return gcn_wrong(&p->r, address->begin, "expected an address, in a vector or a scalar register");
	if (data.count && data.count != registers(r->d)) {      /* one more with tfe, left to check_flat */
		*address = data.count == registers(r->d) + 1u ? *address : data;
		*field(p, F_TFE) = 1;
	}
	return off || check_count(p, address, scratch || (segment && !none) ? 1 : 2);
}

/* ---- modifiers ---- */

/* ":N" behind a modifier's name; 1 without a number. */
static bool optional_value(struct parser *p, uint32_t *v)
{
	int64_t n = 1;
	if (gcn_take(&p->r, ':') && !gcn_number(&p->r, &n))
		return false;
	*v = n != 0;
	return true;
}

/* "[a,b]": a bit for each source, the first for bit 0; or a number of bits. */
static bool bits_of(struct parser *p, unsigned n, uint32_t *bits)
{
	int64_t v;
	if (!gcn_expect(&p->r, ':'))
		return false;
	if (!gcn_take(&p->r, '[')) {
		if (!gcn_number(&p->r, &v))
			return false;
		*bits = (uint32_t)v & ((1u << n) - 1);
		return true;
	}
	*bits = 0;
	for (unsigned i = 0; i < n; i++) {
		if ((i && !comma(p)) || !gcn_number(&p->r, &v))
			return false;
		*bits |= (uint32_t)(v != 0) << i;
	}
	return gcn_expect(&p->r, ']');
}

static unsigned count_sources(const struct parser *p)
{
	unsigned n = 0;
	for (unsigned i = 0; i < 3; i++)
		n += p->row->s[i] != T___ && !(i == 2 && (p->row->flags & CARRY_IN));
	return n;
}

static bool known_name(struct parser *p, const char *const *names, unsigned n, const char *what, uint32_t *v)
{
	char word[WORD];
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (!gcn_word_text(&p->r, word, sizeof word))
		return gcn_wrong(&p->r, at, "expected %s", what);
	for (*v = 0; *v < n; ++*v)
		if (strcmp(word, names[*v]) == 0)
			return true;
	return gcn_wrong(&p->r, at, "'%s' is no %s", word, what);
}

/* "byte_0" for "byte0". */
static bool is_selector(const char *word, const char *name)
{
	size_t n = strlen(word);
	return n > 2 && word[n - 2] == '_' && strncmp(word, name, n - 2) == 0 &&
	       strcmp(name + n - 2, word + n - 1) == 0;
}

static bool read_selector(struct parser *p, enum gcn_field f, unsigned which)
{
	static const char *const brief[] = { "b0", "b1", "b2", "b3", "w0", "w1", "dw" };
	char word[WORD];
	if (!gcn_expect(&p->r, ':'))
		return false;
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	p->sdwa = p->selected[which] = true;
	if (gcn_take(&p->r, '@'))
		return gcn_number_in(&p->r, 0, 6, field(p, f));
	if (gcn_word_text(&p->r, word, sizeof word))
		for (unsigned i = 0; i < 7; i++)
			if (strcmp(word, brief[i]) == 0 || is_selector(word, gcn_selectors[i])) {
				*field(p, f) = i;
				return true;
			}
	p->r.cursor = at;
	return known_name(p, gcn_selectors, 8, "selector: byte0 to byte3, word0, word1 or dword", field(p, f));
}

static bool read_scale(struct parser *p, bool divides)
{
	uint32_t v;
	if (!gcn_expect(&p->r, ':') || !gcn_number_in(&p->r, 2, divides ? 2 : 4, &v))
		return false;
	if (v == 3)
		return gcn_wrong(&p->r, p->r.cursor, "expected mul:2, mul:4 or div:2");
	*field(p, F_OMOD) = divides ? 3 : v == 2 ? 1 : 2;
	p->vop3 |= true;
	return true;
}

static bool read_lane_pattern(struct parser *p)
{
	uint32_t v[4], n;
	p->dpp = p->controlled = true;
	*field(p, F_DPP_CTRL) = 0;
	if (!gcn_expect(&p->r, ':') || !gcn_expect(&p->r, '['))
		return false;
	for (n = 0; n < 4; n++) {
		if ((n && !comma(p)) || !gcn_number_in(&p->r, 0, 3, &v[n]))
			return false;
		*field(p, F_DPP_CTRL) |= v[n] << 2 * n;
	}
	return gcn_expect(&p->r, ']');
}

/* "bound_ctrl", "bound_ctrl:0", "bound_ctrl:0:N". */
static bool read_bound_control(struct parser *p)
{
	int64_t v = 1, which;
	p->dpp = true;
	if (gcn_take(&p->r, ':') && (!gcn_number(&p->r, &which) || (gcn_take(&p->r, ':') && !gcn_number(&p->r, &v))))
		return false;
	*field(p, F_BOUND_CTRL) = v != 0;
	return true;
}

/* Controls of DPP; *known: `word` names a control. */
static bool read_control(struct parser *p, const char *word, bool *known)
{
	uint32_t n;
	*known = true;
	if (strcmp(word, "quad_perm") == 0)
		return read_lane_pattern(p);
	if (strcmp(word, "bound_ctrl") == 0)
		return read_bound_control(p);
	if (strcmp(word, "bank_mask") == 0 || strcmp(word, "row_mask") == 0) {
		bool row = *word == 'r';
		p->dpp = p->has_masks[row] = true;
		return gcn_expect(&p->r, ':') && gcn_number_in(&p->r, 0, 15, field(p, row ? F_ROW_MASK : F_BANK_MASK));
	}
	for (unsigned i = 0; i < 3; i++)
		if (strcmp(word, gcn_row_controls[i]) == 0) {
			p->dpp = p->controlled = true;
			if (!gcn_expect(&p->r, ':') || !gcn_number_in(&p->r, 1, 15, &n))
				return false;
			*field(p, F_DPP_CTRL) = 0x100 + (i << 4) + n;
			return true;
		}
	if (strcmp(word, "row_hmirror") == 0)
		word = "row_half_mirror";
	for (const struct gcn_control *c = gcn_controls; c->name; c++)
		if (strcmp(word, c->name) == 0) {
			p->dpp = p->controlled = true;
			*field(p, F_DPP_CTRL) = c->code;
			return strncmp(word, "wave_", 5) || !gcn_take(&p->r, ':') || gcn_number_in(&p->r, 1, 1, &n);
		}
	if (strcmp(word, "row_bcast") == 0) {
		p->dpp = p->controlled = true;
		if (!gcn_expect(&p->r, ':') || !gcn_number_in(&p->r, 15, 31, &n))
			return false;
		*field(p, F_DPP_CTRL) = n == 15 ? 0x142 : 0x143;
		return n == 15 || n == 31 || gcn_wrong(&p->r, p->r.cursor, "expected row_bcast:15 or row_bcast:31");
	}
	if (strcmp(word, "dppctrl") == 0) {
		p->dpp = p->controlled = true;
		return gcn_expect(&p->r, ':') && gcn_number_in(&p->r, 0, 511, field(p, F_DPP_CTRL));
	}
	*known = false;
	return true;
}

static bool read_set(struct parser *p, enum gcn_field f, bool *used)
{
	uint32_t bits;
	if (!bits_of(p, count_sources(p), &bits))
		return false;
	*field(p, f) |= bits;
	*used |= bits != 0;
	return true;
}

/* op_sel of VOP3 has the destination behind the sources. */
static bool read_halves(struct parser *p)
{
	unsigned n = p->row->flags & INTERP ? 3 : count_sources(p);
	uint32_t bits;
	bool packed = p->row->encoding == ENC_VOP3P;
	if (!bits_of(p, n + !packed, &bits))
		return false;
	*field(p, F_OPSEL) = packed ? bits : (bits & ((1u << n) - 1)) | (bits >> n) << 3;
	p->vop3 |= !packed;
	return true;
}

/* Modifiers of SDWA and DPP, from GCN 1.2 on. */
static bool lanes_modifier(struct parser *p, const char *word, const char *at)
{
	bool known;

	if (p->w.generation < GCN_12)
		return gcn_wrong(&p->r, at, "unknown modifier '%s'", word);
	if (strcmp(word, "sext") == 0)
		return read_set(p, F_SEXT, &p->sdwa);
	if (strcmp(word, "dst_sel") == 0)
		return read_selector(p, F_DST_SEL, 0);
	if (strcmp(word, "src0_sel") == 0)
		return read_selector(p, F_SRC0_SEL, 2);
	if (strcmp(word, "src1_sel") == 0)
		return read_selector(p, F_SRC1_SEL, 3);
	if (strcmp(word, "dst_unused") == 0 || strcmp(word, "dst_un") == 0) {
		p->sdwa = p->selected[1] = true;
		if (!gcn_expect(&p->r, ':'))
			return false;
		gcn_blanks(&p->r);
		p->r.cursor += strncasecmp(p->r.cursor, "unused_", 7) == 0 ? 7 : 0;
		return known_name(p, gcn_unused, 4, "way: pad, sext or preserve",
							    field(p, F_DST_UNUSED));
	}
	if (strcmp(word, "sdwa") == 0)
		return p->sdwa = true;
	if (strcmp(word, "dpp") == 0)
		return p->dpp = true;
	return read_control(p, word, &known) && (known || gcn_wrong(&p->r, at, "unknown modifier '%s'", word));
}

static bool vector_modifier(struct parser *p, const char *word, const char *at)
{
	bool packed = p->row->encoding == ENC_VOP3P;
	uint32_t n;
	if (strcmp(word, "mul") == 0 || strcmp(word, "div") == 0)
		return read_scale(p, *word == 'd');
	if (strcmp(word, "omod") == 0) {
		if (!gcn_expect(&p->r, ':') || !gcn_number_in(&p->r, 0, 3, field(p, F_OMOD)))
			return false;
		p->vop3 |= *field(p, F_OMOD) != 0;
		return true;
	}
	if (strcmp(word, "clamp") == 0) {
		if (!optional_value(p, field(p, F_CLAMP)))
			return false;
		p->vop3 |= *field(p, F_CLAMP) != 0;
		return true;
	}
	if (strcmp(word, "abs") == 0 && !packed)
		return read_set(p, F_ABS, &p->vop3);
	if (strcmp(word, "neg") == 0 || (packed && strcmp(word, "neg_lo") == 0))
		return read_set(p, F_NEG, &p->vop3);
	if (packed && strcmp(word, "neg_hi") == 0)
		return read_set(p, F_NEG_HI, &p->vop3);
	if (strcmp(word, "op_sel") == 0 && p->w.generation == GCN_14)
		return read_halves(p);
	if (packed && strcmp(word, "op_sel_hi") == 0)
		return bits_of(p, count_sources(p), field(p, F_OPSEL_HI));
	if (strcmp(word, "vop3") == 0) {
		if (!optional_value(p, &n))
			return false;
		p->vop3 |= n;
		return true;
	}
	if (strcmp(word, "high") == 0 && (p->row->flags & INTERP)) {
		*field(p, F_SRC0) |= 0x100;
		return true;
	}
	return lanes_modifier(p, word, at);
}

static bool read_format_part(struct parser *p)
{
	char word[WORD];
	gcn_blanks(&p->r);
	const char *at = p->r.cursor;
	if (strncasecmp(p->r.cursor, "buf_data_format_", 16) == 0)
		p->r.cursor += 16;
	else if (strncasecmp(p->r.cursor, "buf_num_format_", 15) == 0)
		p->r.cursor += 15;
	if (gcn_word_text(&p->r, word, sizeof word)) {
		if (number_of_name(gcn_data_formats, 16, word, field(p, F_DFMT)) ||
		    number_of_name(gcn_number_formats, 8, word, field(p, F_NFMT)))
			return true;
	}
	return gcn_wrong(&p->r, at, "unknown format; write @ and its number");
}

static bool read_format(struct parser *p)
{
	if (!gcn_expect(&p->r, ':') || !gcn_expect(&p->r, '['))
		return false;
	for (unsigned i = 0; i < 2 && (!i || gcn_take(&p->r, ',')); i++) {
		int64_t v;
		if (!gcn_take(&p->r, '@')) {
			if (!read_format_part(p))
				return false;
			continue;
		}
		if (!gcn_number(&p->r, &v))
			return false;
		*field(p, i ? F_NFMT : F_DFMT) = (uint32_t)v & (i ? 7 : 15);
	}
	return gcn_expect(&p->r, ']');
}

/* Modifiers of one bit, by field. */
static const struct { const char *name; uint8_t field; } flags[] = {
	{ "offen", F_OFFEN }, { "idxen", F_IDXEN }, { "addr64", F_ADDR64 }, { "glc", F_GLC }, { "slc", F_SLC },
	{ "tfe", F_TFE }, { "lds", F_LDS }, { "nv", F_NV }, { "gds", F_GDS }, { "unorm", F_UNORM }, { "da", F_DA },
	{ "r128", F_R128 }, { "a16", F_R128 }, { "lwe", F_LWE }, { "d16", F_D16 }, { "done", F_DONE },
	{ "compr", F_COMPR }, { "vm", F_VM },
};

static uint32_t layout_mask(const struct parser *p, enum gcn_field f)
{
	return gcn_field_mask(p->w.generation, p->w.layout, f);
}

static bool offset_modifier(struct parser *p, const char *word, bool *known)
{
	struct gcn_number n = number_of(p, F_OFFSET);
	uint32_t other = *field(p, F_OFFSET);
	int64_t whole;
	bool pair = p->row->flags & PAIR, flat = p->w.layout == LAYOUT_FLAT, smem = p->row->encoding == ENC_SMEM;
	const char *name = flat ? "inst_offset" : "offset";
	bool half = pair && (strcmp(word, "offset0") == 0 || strcmp(word, "offset1") == 0);
	*known = n.bits && (half || (!pair && (strcmp(word, name) == 0 || (flat && strcmp(word, "offset") == 0))));
	if (!*known)
		return true;
	if (!gcn_expect(&p->r, ':'))
		return false;
	if (half) {
		unsigned shift = word[6] == '1' ? 8 : 0;
		if (!read_number(p, n, F_OFFSET))
			return false;
		*field(p, F_OFFSET) = *field(p, F_OFFSET) << shift | (other & 255u << (8 - shift));
		return true;
	}
	if (smem) {     /* the register read is the one beside the offset */
		if (!layout_mask(p, F_SOE))
			return gcn_wrong(&p->r, p->r.text, "this chip has a register or an offset, not both");
		if (*field(p, F_IMM_FLAG))
			return gcn_wrong(&p->r, p->r.text, "a second offset beside the first: expected a scalar "
					 "register before offset:");
		*field(p, F_SOFFSET) = other;
		*field(p, F_SOE) = *field(p, F_IMM_FLAG) = 1;
	}
	if (p->row->encoding != ENC_MUBUF && p->row->encoding != ENC_MTBUF)
		return read_number(p, n, F_OFFSET);
	/* CLRX takes the low bits of a buffer's offset */
	const char *at = p->r.cursor;
	if (!gcn_number(&p->r, &whole))
		return false;
	if (whole < 0 || whole > UINT32_MAX) {
		p->r.cursor = at;
		return read_number(p, n, F_OFFSET);
	}
	*field(p, F_OFFSET) = (uint32_t)gcn_number_value(n, (uint32_t)whole);
	return true;
}

static bool memory_modifier(struct parser *p, const char *word, const char *at)
{
	bool known;
	uint32_t v;
	if (!offset_modifier(p, word, &known) || known)
		return known && !p->r.failed;
	if (strcmp(word, "format") == 0 && p->w.layout == LAYOUT_MTBUF)
		return read_format(p);
	if (strcmp(word, "dmask") == 0 && p->w.layout == LAYOUT_MIMG)
		return gcn_expect(&p->r, ':') && gcn_number_in(&p->r, 0, 15, field(p, F_DMASK));
	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
		if (strcmp(word, flags[i].name) == 0 && layout_mask(p, flags[i].field)) {
			if (!optional_value(p, &v))
				return false;
			*field(p, flags[i].field) = v;
			return true;
		}
	return gcn_wrong(&p->r, at, "unknown modifier '%s'", word);
}

static bool read_modifiers(struct parser *p)
{
	bool vector = is_vector(p), memory = p->row->encoding >= ENC_DS || p->row->encoding == ENC_SMEM;
	char word[WORD];
	while (!at_end(p)) {
		const char *at = p->r.cursor;
		if ((!vector && !memory) || !gcn_word_text(&p->r, word, sizeof word))
			return gcn_wrong(&p->r, at, "found '%.*s', expected the end of the line",
					 (int)strcspn(at, " \t"), at);
		if (!(vector ? vector_modifier(p, word, at) : memory_modifier(p, word, at)))
			return false;
	}
	return !p->r.failed;
}

/* ---- encodings ---- */

static bool short_sources_fit(const struct parser *p)
{
	const struct gcn_row *r = p->row;
	const uint32_t *f = p->w.f;
	if (r->encoding == ENC_VOP1 || r->s[1] == T___ || (r->flags & LITERAL2))
		return true;
	return r->flags & LANE ? f[F_SRC1] < CODE_V : f[F_SRC1] >= CODE_V;
}

static bool use_vop3(struct parser *p)
{
	const struct gcn_row *r = p->row;
	if (p->literal)
		return gcn_wrong(&p->r, p->r.text,
				 "the modifiers or sources need the 64-bit form, and the 64-bit form has no literal");
	if (r->flags & (LITERAL1 | LITERAL2))
		return gcn_wrong(&p->r, p->r.text, "the modifiers or sources need a 64-bit form, and %s has none",
				 p->name);
	bool carry = r->flags & CARRY_OUT;
	if (carry && p->w.generation < GCN_12 && *field(p, F_CLAMP))
		return gcn_wrong(&p->r, p->r.text, "%s has no clamp", p->name);
	if (carry && *field(p, F_ABS))
		return gcn_wrong(&p->r, p->r.text, "%s takes no absolute values", p->name);
	p->w.layout = carry ? LAYOUT_VOP3B : LAYOUT_VOP3;
	*field(p, F_OP) = gcn_vop3_op(p->w.generation, r);
	return true;
}

static bool second_source(struct parser *p, unsigned i, bool scalars)
{
	uint32_t *v = field(p, F_SRC0 + i);
	if (p->row->s[i] == T___)
		return true;
	if (*v < CODE_V && (!scalars || *v == CODE_LITERAL))
		return gcn_wrong(&p->r, p->r.text, "source %u must be a vector register here", i);
	if (*v < CODE_V)
		*field(p, F_SCALAR) |= 1u << i;
	*v &= 255;
	return true;
}

static bool use_second(struct parser *p)
{
	const struct gcn_row *r = p->row;
	bool wide = p->w.generation == GCN_14, compare = r->encoding == ENC_VOPC;
	if (r->encoding > ENC_VOPC || (p->sdwa && p->dpp) || p->literal || (r->flags & (LITERAL1 | LITERAL2 | LANE)))
		return gcn_wrong(&p->r, p->r.text, "%s cannot have these modifiers together", p->name);
	if (p->w.generation < GCN_12)
		return gcn_wrong(&p->r, p->r.text, "this chip has no SDWA and DPP");
	if (p->dpp && (*field(p, F_OMOD) || *field(p, F_CLAMP)))
		return gcn_wrong(&p->r, p->r.text, "DPP has no clamp, mul and div");
	if (!wide && *field(p, F_OMOD))
		return gcn_wrong(&p->r, p->r.text, "SDWA of this chip has no mul and div");
	p->w.second = p->dpp ? LAYOUT_DPP : compare && wide ? LAYOUT_SDWAB : LAYOUT_SDWA;
	if (compare && *field(p, F_DST) != CODE_VCC) {
		if (p->w.second != LAYOUT_SDWAB)
			return gcn_wrong(&p->r, p->r.text, "the destination must be vcc here");
		*field(p, F_SDST) = *field(p, F_DST);
		*field(p, F_SD) = 1;
	}
	if ((r->flags & CARRY_OUT && *field(p, F_SDST) != CODE_VCC) ||
	    (r->flags & CARRY_IN && *field(p, F_SRC2) != CODE_VCC))
		return gcn_wrong(&p->r, p->r.text, "carries must be in vcc here");
	for (unsigned i = 0; i < 2; i++)
		if (!second_source(p, i, p->sdwa && wide))
			return false;
	if (p->dpp) {
		if (!p->controlled && (p->has_masks[0] || p->has_masks[1] || p->default_control))
			*field(p, F_DPP_CTRL) = EACH_LANE;
		*field(p, F_BANK_MASK) = p->has_masks[0] ? *field(p, F_BANK_MASK) : 15;
		*field(p, F_ROW_MASK) = p->has_masks[1] ? *field(p, F_ROW_MASK) : 15;
		return true;
	}
	*field(p, F_DST_SEL) = p->selected[0] ? *field(p, F_DST_SEL) : SEL_DWORD;
	*field(p, F_SRC0_SEL) = p->selected[2] ? *field(p, F_SRC0_SEL) : SEL_DWORD;
	if (!p->selected[3])
		*field(p, F_SRC1_SEL) = r->s[1] == T___ ? 0 : SEL_DWORD;
	return true;
}

static bool choose_form(struct parser *p)
{
	const struct gcn_row *r = p->row;
	p->w.second = LAYOUT_NONE;
	*field(p, F_OP) = r->op[generation(p)];
	if (!is_vector(p) || r->encoding == ENC_VOP3P || r->encoding == ENC_VOP3) {
		if (r->encoding == ENC_VOP3)
			return use_vop3(p);
		if (r->encoding == ENC_VOP3P && p->literal)
			return gcn_wrong(&p->r, p->r.text, "a literal has no place in a 64-bit form");
		if (p->literal)
			p->w.second = LAYOUT_LITERAL;
		return true;
	}
	if (p->sdwa || p->dpp)
		return use_second(p);
	if (p->vop3 || *field(p, F_NEG) || *field(p, F_ABS) || !short_sources_fit(p) ||
	    (r->encoding == ENC_VOPC && *field(p, F_DST) != CODE_VCC))
		return use_vop3(p);
	*field(p, F_SRC1) &= r->flags & LANE ? ~0u : 255;
	if (p->literal)
		p->w.second = LAYOUT_LITERAL;
	return true;
}

/* Images: data, address, T#, S#. Of addresses the first register counts, as the image says how many there are. */
static bool read_image(struct parser *p, struct gcn_operand *data)
{
	struct gcn_operand address, image;
	if (!any_vector(p, data) || !comma(p) || !any_vector(p, &address) || !comma(p))
		return false;
	*field(p, F_DATA0) = data->code - CODE_V;
	*field(p, F_VADDR) = address.code - CODE_V;
	if (!gcn_register(&p->r, &image) || image.code >= CODE_V)
		return gcn_wrong(&p->r, image.begin, "expected the scalar registers of an image");
	if ((image.count != 8 && (image.count != 4 || generation(p) == GCN_14)) || image.code % 4)
		return gcn_wrong(&p->r, image.begin, "found %u scalar registers, expected %s from a multiple of 4 on",
				 image.count, generation(p) == GCN_14 ? "8" : "8, or 4 with r128,");
	*field(p, F_SRSRC) = image.code;
	*field(p, F_R128) = image.count == 4;
	if (p->row->flags & SAMPLER)
		return comma(p) && scalar_register(p, 4, field(p, F_SSAMP));
	return true;
}

static bool check_image(struct parser *p, const struct gcn_operand *data)
{
	unsigned n = (unsigned)__builtin_popcount(*field(p, F_DMASK));
	if (strstr(p->name, "gather4"))
		n = 4;
	n = n ? n : 1;
	if (*field(p, F_D16) && generation(p) == GCN_14)
		n = (n + 1) / 2;
	return check_count(p, data, n + *field(p, F_TFE));
}

static void defaults(struct parser *p)
{
	p->w.layout = gcn_layout_of(p->w.generation, p->row);
	if (p->row->encoding == ENC_VOP3P)
		*field(p, F_OPSEL_HI) = 7;
	if (p->row->encoding == ENC_SCRATCH)
		*field(p, F_SEGMENT) = 1;
	if (p->row->encoding == ENC_GLOBAL)
		*field(p, F_SEGMENT) = 2;
	if (p->row->encoding == ENC_MTBUF)
		*field(p, F_DFMT) = 1;
	if (p->row->encoding == ENC_MIMG)
		*field(p, F_DMASK) = 1;
}

static bool read_instruction(struct parser *p)
{
	struct buffer b;
	struct gcn_operand address, image;
	switch (p->row->encoding) {
	case ENC_SOP1: case ENC_SOP2: case ENC_SOPC: case ENC_SOPK: case ENC_SOPP:
		return read_scalar(p) && read_modifiers(p);
	case ENC_SMEM:
		return read_smem(p) && read_modifiers(p);
	case ENC_DS:
		return read_ds(p) && read_modifiers(p);
	case ENC_MUBUF: case ENC_MTBUF:
		return read_buffer(p, &b) && read_modifiers(p) && check_buffer(p, &b);
	case ENC_FLAT: case ENC_GLOBAL: case ENC_SCRATCH:
		return read_flat(p, &address) && read_modifiers(p);
	case ENC_MIMG:
		return read_image(p, &image) && read_modifiers(p) && check_image(p, &image);
	case ENC_EXP:
		return gcn_wrong(&p->r, p->r.text, "exports can be disassembled, not assembled");
	default:
		return read_vector(p) && read_modifiers(p);
	}
}

/* ---- mnemonics ---- */

/* Other names of integer compares: "ne" for "lg", "t" for "tru". Additions with a carry end in _i32 up to 1.1 and in
 * _u32 in 1.2. */
static void usual_name(char *word, size_t size, enum gcn_generation g)
{
	static const char *const names[][2] = { { "_ne_", "_lg_" }, { "_t_", "_tru_" } };
	static const char *const carries[][2] = {
		{ "v_add_i32", "v_add_u32" }, { "v_sub_i32", "v_sub_u32" }, { "v_subrev_i32", "v_subrev_u32" },
	};
	for (unsigned i = 0; i < 3 && g < GCN_14; i++)
		if (strcmp(word, carries[i][g < GCN_12]) == 0)
			strcpy(word, carries[i][g >= GCN_12]);
	for (unsigned i = 0; i < 2 && (strncmp(word, "v_cmp", 5) == 0 || strncmp(word, "s_cmp", 5) == 0); i++) {
		char *at = strstr(word, names[i][0]), rest[WORD];
		if (!at || strlen(word) + 2 >= size)
			continue;
		strcpy(rest, at + strlen(names[i][0]));
		strcpy(at, names[i][1]);
		strcat(at, rest);
	}
}

static const struct gcn_row *find_row(enum gcn_generation g, const char *word, unsigned *number)
{
	for (unsigned i = 0; i < gcn_table.nrow; i++)
		if (gcn_rows[i].op[g] < NO && strcmp(gcn_table.row[i].text, word) == 0) {
			*number = i;
			return &gcn_rows[i];
		}
	return NULL;
}

/* Drop a mnemonic's word for the encoding, and demand the encoding. */
static void take_suffix(struct parser *p, char *word)
{
	static const char *const suffixes[] = { "_e32", "_e64", "_dpp", "_sdwa" };
	size_t n = strlen(word);
	for (unsigned i = 0; i < 4; i++) {
		size_t length = strlen(suffixes[i]);
		if (n <= length || strcmp(word + n - length, suffixes[i]) != 0 || (i == 1 && *word != 'v'))
			continue;
		word[n - length] = 0;
		p->vop3 = i == 1;
		p->dpp = p->default_control = i == 2;
		p->sdwa = i == 3;
		return;
	}
}

static bool unknown(struct parser *p, const char *at, const char *word)
{
	char chips[80] = "";
	unsigned number;
	for (unsigned g = 0; g < GCN_GENERATIONS; g++)
		if (find_row(g, word, &number))
			snprintf(chips + strlen(chips), sizeof chips - strlen(chips), "%s%s", *chips ? ", " : "",
				 gcn_table.chips[g].name);
	if (*chips)
		return gcn_wrong(&p->r, at, "unknown instruction '%s' for chip %s; for %s it is one", word,
				 gcn_table.chips[p->w.generation].name, chips);
	return gcn_wrong(&p->r, at, "unknown instruction '%s'", word);
}

bool gcn_parse(const struct isa_target *t, const char *text, const struct isa_symbols *symbols, struct isa_code *out,
	       struct diag *d)
{
	enum gcn_generation g = gcn_generation(t);
	struct parser p = { .r = { .text = text, .cursor = text, .generation = g, .symbols = symbols, .d = d,
				   .old_floats = t->syntax & ISA_OLD_FLOATS },
			    .w = { .generation = g } };
	char word[WORD];
	unsigned number = 0;
	gcn_blanks(&p.r);
	const char *at = p.r.cursor;
	if (!gcn_word_text(&p.r, word, sizeof word))
		return gcn_wrong(&p.r, at, "expected an instruction");
	p.row = find_row(g, word, &number);
	if (!p.row) {
		take_suffix(&p, word);
		p.row = find_row(g, word, &number);
	}
	if (!p.row) {
		usual_name(word, sizeof word, g);
		p.row = find_row(g, word, &number);
	}
	if (!p.row)
		return unknown(&p, at, word);
	p.name = gcn_table.row[number].text;
	defaults(&p);
	if (!read_instruction(&p) || !choose_form(&p))
		return false;
	bool wide = p.w.second != LAYOUT_NONE || p.w.layout == LAYOUT_VOP3 || p.w.layout == LAYOUT_VOP3B ||
		    p.w.layout == LAYOUT_VOP3P || p.w.layout == LAYOUT_SMEM || p.w.layout >= LAYOUT_DS;
	*out = (struct isa_code){ .word = gcn_pack(&p.w), .length = wide ? 8 : 4, .row = &gcn_table.row[number],
				  .symbolic = p.r.symbolic };
	struct insn in;
	if (isa_decode_word(t, out->word, &in))
		out->registers = (uint16_t)isa_registers(&in);
	return true;
}
