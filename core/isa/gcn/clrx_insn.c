/* CLRX: instructions. Names and expressions in a text become registers and numbers, which the assembler of lines
 * (parse.c) reads. A text with names of later lines, or with variables of .regvar, is encoded once for its length and
 * kept for the end; expressions stand in it between marks. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/isa.h"
#include "core/isa/gcn/clrx_impl.h"
#include "core/isa/gcn/names.h"
#include "core/isa/gcn/read.h"
#include "core/isa/gcn/text.h"
#include "core/isa/parse.h"

enum { TEXT = 1024, LATER = CLRX_LATER, LATER_LITERAL = CLRX_LATER_LITERAL, VARIABLE = CLRX_VARIABLE };

struct rewriter {
	struct clrx *c;
	struct clrx_scope *scope;
	const char *p;
	char text[TEXT], kept[TEXT];            /* for the assembler now, and for the end */
	size_t n, nkept;
	bool waits, branch, literal;            /* literal: later values have words of their own */
	bool begins;                            /* an operand, or the value of a modifier, begins */
	bool named, list;                       /* the value of a modifier may be a word; in its brackets [ ] */
	unsigned verbatim;                      /* brackets of hwreg and sendmsg */
	bool addressed;                         /* the literal is half of an address */
	struct clrx_value address;
};

/* ---- registers ---- */

static bool mark(struct clrx *c, const struct clrx_registers *r)
{
	unsigned first = r->code >= CODE_V ? 128 + r->code - CODE_V : r->code;

	for (unsigned i = first; i < first + r->count && (r->code >= CODE_V || i < 128) && i < 384; i++)
		c->used[i / 64] |= 1ull << i % 64;
	return true;
}

static bool index_in(struct clrx *c, struct clrx_scope *scope, const char **p, unsigned most, uint64_t *first,
		     uint64_t *last)
{
	struct clrx_value v;
	const char *at = *p;
	bool known;

	++*p;
	if (!clrx_expression(c, scope, p, &v, &known))
		return false;
	*first = *last = v.number;
	*p = clrx_skip(*p);
	if (known && **p == ':') {
		++*p;
		if (!clrx_expression(c, scope, p, &v, &known))
			return false;
		*last = v.number;
		*p = clrx_skip(*p);
	}
	if (!known || **p != ']')
		return clrx_error(c, at, "found `%.20s`, expected [FIRST:LAST] of known numbers", at);
	++*p;
	return (*first <= *last && *last < most) ||
	       clrx_error(c, at, "registers %" PRIu64 " to %" PRIu64 ", expected 0 to %u, the first not behind the "
			  "last",
			  *first, *last, most - 1);
}

/* s[…], v[…], ttmp[…] */
static bool bracketed(struct clrx *c, struct clrx_scope *scope, const char **p, struct clrx_registers *out, bool *found)
{
	enum gcn_generation g = gcn_generation(&c->target);
	unsigned ttmp, nttmp = gcn_ttmps(g, &ttmp);
	const struct { const char *letters; unsigned base, most; } files[] = {
		{ "ttmp", ttmp, nttmp }, { "s", 0, gcn_sgprs(g) }, { "v", CODE_V, 256 },
	};

	for (unsigned i = 0; i < 3; i++) {
		size_t n = strlen(files[i].letters);
		const char *bracket = *p + n;
		uint64_t first, last;
		if (strncasecmp(*p, files[i].letters, n) || *clrx_skip(bracket) != '[')
			continue;
		*found = true;
		bracket = clrx_skip(bracket);
		if (!index_in(c, scope, &bracket, files[i].most, &first, &last))
			return false;
		*p = bracket;
		*out = (struct clrx_registers){ (uint16_t)(files[i].base + first), (uint16_t)(last - first + 1), NULL };
		return mark(c, out);
	}
	*found = false;
	return true;
}

/* Registers among others: [FIRST:LAST]. */
static bool index_of(struct clrx *c, struct clrx_scope *scope, const char **p, struct clrx_registers *out)
{
	uint64_t first, last;

	if (!index_in(c, scope, p, out->count, &first, &last))
		return false;
	out->code = (uint16_t)(out->code + first);
	out->count = (uint16_t)(last - first + 1);
	return true;
}

/* A name of registers, with an index or not. */
static bool named_registers(struct clrx *c, struct clrx_scope *scope, const char **p, struct clrx_registers *out)
{
	size_t n = clrx_path_length(*p);
	struct clrx_symbol *s = n ? clrx_find(c, scope, *p, n) : NULL;

	if (!s || s->kind != SYMBOL_REGISTERS)
		return false;
	*out = s->registers;
	*p += n;
	return **p != '[' || index_of(c, scope, p, out);
}

bool clrx_registers(struct clrx *c, struct clrx_scope *scope, const char **p, struct clrx_registers *out)
{
	struct gcn_reader r = { .text = *p, .cursor = *p, .generation = gcn_generation(&c->target) };
	struct gcn_operand o;
	bool found;

	*out = (struct clrx_registers){ 0 };
	if (!isalpha((unsigned char)**p) && **p != '_' && **p != ':' && **p != '.')
		return false;
	if (!bracketed(c, scope, p, out, &found) || found)
		return found && !c->d->kind;
	if (!gcn_register(&r, &o))
		return named_registers(c, scope, p, out);
	*p = r.cursor;
	*out = (struct clrx_registers){ o.code, o.count, NULL };
	if (**p == '[' && !index_of(c, scope, p, out))
		return false;
	return mark(c, out);
}

/* ---- texts ---- */

static bool put(struct rewriter *r, const char *text, size_t n, bool now, bool later)
{
	if (r->n + n + 1 > TEXT || r->nkept + n + 1 > TEXT)
		return clrx_error(r->c, NULL, "the instruction is longer than %d letters", TEXT);
	if (now)
		memcpy(r->text + r->n, text, n), r->n += n;
	if (later)
		memcpy(r->kept + r->nkept, text, n), r->nkept += n;
	r->text[r->n] = r->kept[r->nkept] = '\0';
	return true;
}

static bool put_text(struct rewriter *r, const char *text)
{
	return put(r, text, strlen(text), true, true);
}

static bool copy(struct rewriter *r, size_t n)
{
	bool ok = put(r, r->p, n, true, true);

	r->p += n;
	return ok;
}

static unsigned number_of_variable(const struct clrx *c, const struct clrx_variable *v)
{
	unsigned number = 0;

	for (const struct clrx_variable *o = c->variables; o != v; o = o->next)
		number++;
	return number;
}

static bool put_registers(struct rewriter *r, const struct clrx_registers *registers)
{
	const struct gcn_word w = { .generation = gcn_generation(&r->c->target) };
	char text[48];
	struct gcn_printer printer = { .t = { .buf = text, .size = sizeof text }, .w = &w,
					.manner = &gcn_manner_clrx };
	const struct clrx_variable *v = registers->variable;
	unsigned code = registers->code;

	if (v)
		code += r->c->final ? v->code : v->vector ? CODE_V : 0;
	gcn_put_source(&printer, code, registers->count);
	if (!v)
		return put_text(r, text);
	r->waits = true;
	if (!put(r, text, strlen(text), true, false))
		return false;
	snprintf(text, sizeof text, "%c%06x%03x%03x", VARIABLE, number_of_variable(r->c, v) & 0xffffff,
		 registers->code & 0xfffu, registers->count & 0xfffu);
	return put(r, text, strlen(text), false, true);
}

/* A variable in a kept text. */
static bool kept_variable(struct rewriter *r)
{
	struct clrx_registers registers;
	unsigned number, offset, count;

	if (sscanf(r->p + 1, "%6x%3x%3x", &number, &offset, &count) != 3)
		return false;
	r->p += 13;
	registers.variable = r->c->variables;
	while (number--)
		registers.variable = registers.variable->next;
	registers.code = (uint16_t)offset;
	registers.count = (uint16_t)count;
	r->begins = r->named = false;
	return put_registers(r, &registers);
}

/* ---- operands ---- */

/* Half of an address, the lower if nothing is said: the word is filled when the memory has its place. */
static bool put_address(struct rewriter *r, const char *at, struct clrx_value v)
{
	if (!r->c->chosen.separate_layout && r->c->chosen.format != FORMAT_AMDCL2)
		return clrx_error(r->c, at, "the address is not known here: s_getpc_b64 and a distance, as in PLACE-., "
				  "make it");
	r->addressed = true;
	r->address = v;
	return put_text(r, "lit(0)");
}

static bool put_value(struct rewriter *r, const char *at, struct clrx_value v, bool literal)
{
	char text[40];

	if (v.section != SECTION_NONE && r->c->sections.list[v.section].kind != SECTION_CODE)
		return put_address(r, at, v);
	snprintf(text, sizeof text, literal ? "lit(%" PRId64 ")" : "%" PRId64, (int64_t)v.number);
	return put_text(r, text);
}

static bool put_expression(struct rewriter *r)
{
	const char *from = r->p, *settled;
	struct clrx_value v;
	bool known;
	char text[40];

	if (!clrx_expression(r->c, r->scope, &r->p, &v, &known))
		return false;
	r->begins = r->named = false;
	while (r->p > from && isspace((unsigned char)r->p[-1]))
		r->p--;                         /* a blank separates modifiers */
	if (known)
		return put_value(r, from, v, false);
	r->waits = true;
	snprintf(text, sizeof text, r->literal ? "lit(%u)" : "%u",
		 r->branch ? (unsigned)r->c->sections.list[r->c->here].size : 0);
	if (!(settled = clrx_settle(r->c, r->scope, from, r->p)) || !put(r, text, strlen(text), true, false))
		return false;
	text[0] = r->literal ? LATER_LITERAL : LATER;
	return put(r, text, 1, false, true) && put(r, settled, strlen(settled), false, true) &&
	       put(r, text, 1, false, true);
}

/* An expression in a kept text: all names are known now. */
static bool kept_expression(struct rewriter *r)
{
	char mark_letter = *r->p;
	const char *from = ++r->p;
	struct clrx_value v;
	bool known;

	if (!clrx_expression(r->c, r->scope, &r->p, &v, &known) || *r->p != mark_letter)
		return r->c->d->kind ? false : clrx_error(r->c, NULL, "the instruction has an expression that does not "
							  "end");
	r->p++;
	r->begins = r->named = false;
	return put_value(r, from, v, mark_letter == LATER_LITERAL);
}

static bool is_inline(double v)
{
	static const double values[] = { 0, 0.5, -0.5, 1, -1, 2, -2, 4, -4, 0.15915494 };

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (v >= values[i] && v <= values[i])
			return true;
	return false;
}

/* A float in C's spelling. CLRX's suffix says the width; the bits of a half are a literal. */
static bool put_float(struct rewriter *r)
{
	char *end, text[48];
	double v = strtod(r->p, &end);

	r->p = end;
	r->begins = r->named = false;
	if (*end && strchr("slhSLH", *end) && !isalnum((unsigned char)end[1])) {
		r->p++;
		if ((*end | 32) == 'h' && !is_inline(v)) {
			snprintf(text, sizeof text, "lit(%u)", gcn_half(v));
			return put_text(r, text);
		}
	}
	snprintf(text, sizeof text, "%.17g", v);
	if (!strpbrk(text, ".en"))
		strcat(text, ".0");
	return put_text(r, text);
}

static bool is_word(const char *p, size_t n)
{
	static const char *const words[] = {
		"off", "offen", "idxen", "addr64", "glc", "slc", "tfe", "lds", "nv", "gds", "unorm", "da", "r128",
		"a16", "lwe", "d16", "done", "compr", "vm", "clamp", "vop3", "vop2", "vop1", "vopc", "sdwa", "dpp",
		"high", "bound_ctrl", "p0", "p10", "p20", "null", "mrtz", "e32", "e64",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (clrx_word_is(p, n, words[i]))
			return true;
	return (n > 4 && !strncasecmp(p, "attr", 4) && isdigit((unsigned char)p[4])) ||
	       (n > 3 && (!strncasecmp(p, "mrt", 3) || !strncasecmp(p, "pos", 3)) && isdigit((unsigned char)p[3])) ||
	       (n > 5 && !strncasecmp(p, "param", 5) && isdigit((unsigned char)p[5]));
}

/* Does a modifier have words as values? */
static bool takes_word(const char *p, size_t n)
{
	static const char *const words[] = { "dst_sel", "src0_sel", "src1_sel", "dst_unused", "dst_un", "format" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (clrx_word_is(p, n, words[i]))
			return true;
	return false;
}

static bool put_constant(struct rewriter *r, const struct clrx_symbol *s, size_t n)
{
	const char *behind = r->p + n;

	r->p = s->text;
	bool ok = clrx_is_float(r->p + (*r->p == '-')) ? put_float(r) : put_text(r, s->text);
	r->p = behind;
	r->begins = false;
	return ok;
}

static bool put_word(struct rewriter *r)
{
	size_t n = clrx_path_length(r->p);
	const char *behind = clrx_skip(r->p + n);
	struct clrx_symbol *s = n ? clrx_find(r->c, r->scope, r->p, n) : NULL;

	if (!n)
		return copy(r, 1);
	if (*behind == '(' && !s) {             /* vmcnt(0), abs(v1), hwreg(mode, 0, 1) */
		r->verbatim += clrx_word_is(r->p, n, "hwreg") || clrx_word_is(r->p, n, "sendmsg");
		r->begins = true;
		r->named = false;
		return put(r, r->p, n, true, true) && (r->p = behind, copy(r, 1));
	}
	if (*behind == ':' && behind[1] != ':' && !r->begins) {        /* offset:12 */
		r->begins = true;
		r->named = takes_word(r->p, n);
		return put(r, r->p, n, true, true) && (r->p = behind, copy(r, 1));
	}
	if (s && s->kind == SYMBOL_CONSTANT)
		return put_constant(r, s, n);
	if (r->verbatim || !r->begins || is_word(r->p, n) || (r->named && !s)) {
		r->begins = r->named = false;
		return copy(r, n);
	}
	return put_expression(r);
}

/* A minus that is a modifier: before a register, an absolute value or another minus. */
static bool negates(struct rewriter *r)
{
	const char *p = clrx_skip(r->p + 1);
	struct clrx_registers registers;

	if (*r->p != '-')
		return false;
	return *p == '|' || *p == '-' || *p == VARIABLE || !strncasecmp(p, "abs(", 4) ||
	       clrx_registers(r->c, r->scope, &p, &registers);
}

/* Punctuation: what begins or ends an operand, a list or an argument. */
static bool put_mark(struct rewriter *r, char letter)
{
	if (letter == ',' || letter == '[' || letter == '&') {
		r->list = r->list || (letter == '[' && r->named);
		r->begins = true;
		r->named = r->list;
	} else if (letter == '|') {
		r->begins = !r->n || r->begins;
	} else if (letter == ')' || letter == ']') {
		r->verbatim -= r->verbatim && letter == ')';
		r->list = r->list && letter != ']';
		r->begins = false;
	}
	return copy(r, 1);
}

static bool put_at(struct rewriter *r)
{
	if (!r->verbatim && !r->named)
		r->p++;
	else if (!copy(r, 1))
		return false;
	return put_expression(r);
}

static bool put_piece(struct rewriter *r)
{
	struct clrx_registers registers;
	char letter = *r->p;

	if (letter == LATER || letter == LATER_LITERAL)
		return kept_expression(r);
	if (letter == VARIABLE)
		return kept_variable(r);
	if (isspace((unsigned char)letter) || strchr(",[&|)]", letter))
		return put_mark(r, letter);
	if (letter == '@')
		return put_at(r);
	if (negates(r) || (r->verbatim && letter == '-' && isalpha((unsigned char)r->p[1])))
		return copy(r, 1);      /* the second: emit-cut */
	if (r->c->d->kind)
		return false;
	if (!r->verbatim && (r->begins || letter == '_') && clrx_registers(r->c, r->scope, &r->p, &registers)) {
		r->begins = r->named = false;
		return put_registers(r, &registers);
	}
	if (r->c->d->kind)
		return false;
	if (r->list && isdigit((unsigned char)letter) && r->p[strspn(r->p, "0123456789")] == '_')
		return copy(r, strspn(r->p, "0123456789_"));
	if (clrx_is_float(letter == '-' || letter == '+' ? r->p + 1 : r->p))
		return put_float(r);
	if (isdigit((unsigned char)letter) || strchr("(~!'+-\001", letter))
		return r->begins || !strchr("(", letter) ? put_expression(r) : copy(r, 1);
	return put_word(r);
}

static bool is_branch(const char *p)
{
	return !strncasecmp(p, "s_branch", 8) || !strncasecmp(p, "s_cbranch", 9) || !strncasecmp(p, "s_call", 6);
}

/* The text of the instruction with the names' values. */
static bool rewrite(struct rewriter *r, struct clrx *c, struct clrx_scope *scope, const char *text, bool literal)
{
	size_t n = 0;

	bool plain = is_branch(text) || !strncasecmp(text, "s_load", 6) || !strncasecmp(text, "s_buffer", 8);

	*r = (struct rewriter){ .c = c, .scope = scope, .p = text, .branch = is_branch(text),
				.literal = literal && !plain, .begins = true };
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	if (!copy(r, n))
		return false;
	while (*r->p)
		if (!put_piece(r))
			return false;
	return true;
}

/* ---- words ---- */

static bool no_symbol(void *context, const char *name, size_t n, int64_t *value)
{
	(void)context, (void)name, (void)n, (void)value;
	return false;
}

static bool encode(struct clrx *c, const char *text, uint32_t pc, struct isa_code *code, struct diag *d)
{
	struct isa_symbols symbols = { no_symbol, NULL, pc };

	return gcn_parse(&c->target, text, &symbols, code, d);
}

static void place_error(struct clrx *c, const char *text, struct diag *d)
{
	struct text_place place = c->now.position;

	if (!strcmp(text, c->now.text) && d->column > 0)
		place.column += d->column - 1;
	diag_place(c->d, place, "%.380s", d->text);
}

/* Note where half of an address belongs. */
static bool relocate(struct clrx *c, const struct rewriter *r, int section, uint32_t offset)
{
	struct clrx_relocation *to;

	if (!r->addressed)
		return true;
	to = CLRX_GROW(c, c->relocations);
	if (to)
		*to = (struct clrx_relocation){ section, r->address.section, offset + 4, r->address.number,
						r->address.half, c->now.position };
	return to != NULL;
}

static bool note_line(struct clrx *c, uint16_t registers)
{
	struct clrx_section *s = &c->sections.list[c->here];
	struct clrx_code_line *line = CLRX_GROW(c, s->lines);
	bool own = !c->now.position.file;

	if (line)
		*line = (struct clrx_code_line){ (uint32_t)s->size, own ? (uint32_t)c->now.position.line : 0,
						 registers };
	return line != NULL;
}

static bool keep(struct clrx *c, const struct rewriter *r, uint32_t length)
{
	struct clrx_fixup *f = CLRX_GROW(c, c->fixups);

	if (!f || !(f->text.text = clrx_copy(c, r->kept, r->nkept)))
		return false;
	f->section = c->here;
	f->offset = (uint32_t)c->sections.list[c->here].size;
	f->size = length;
	f->is_instruction = true;
	f->text.scope = c->names.scope;
	f->text.position = c->now.position;
	return true;
}

bool clrx_instruction(struct clrx *c, const char *text)
{
	struct clrx_section *s = &c->sections.list[c->here];
	struct rewriter r;
	struct isa_code code;
	struct diag d = { 0 };
	bool ok;
	uint8_t bytes[8];

	if (s->kind != SECTION_CODE)
		return clrx_error(c, NULL, "an instruction stands in a section without code: .text comes before");
	if (s->size % 4)
		return clrx_error(c, NULL, "the instruction falls on place 0x%llx, expected a multiple of 4: .align 4 "
				  "comes before", (unsigned long long)s->size);
	if (!rewrite(&r, c, c->names.scope, text, true))
		return false;
	ok = encode(c, r.text, (uint32_t)s->size, &code, r.waits ? NULL : &d);
	if (!ok && r.waits)
		ok = rewrite(&r, c, c->names.scope, text, false) && encode(c, r.text, (uint32_t)s->size, &code, &d);
	if (!ok) {
		if (!c->d->kind)
			place_error(c, r.text, &d);
		return false;
	}
	c->chosen.code_begun = true;
	clrx_put(bytes, 8, code.word);
	return note_line(c, code.registers) && relocate(c, &r, c->here, (uint32_t)s->size) &&
	       (!r.waits || keep(c, &r, code.length)) && clrx_emit(c, bytes, code.length);
}

bool clrx_encode_again(struct clrx *c, const struct clrx_fixup *f)
{
	struct clrx_section *s = &c->sections.list[f->section];
	struct rewriter r;
	struct isa_code code;
	struct diag d = { 0 };

	c->now = (struct clrx_statement){ f->text.text, f->text.position };
	c->here = f->section;
	if (!rewrite(&r, c, f->text.scope, f->text.text, false))
		return false;
	if (!encode(c, r.text, f->offset, &code, &d)) {
		place_error(c, r.text, &d);
		return false;
	}
	if (code.length != f->size)
		return clrx_error(c, NULL, "the instruction has %u bytes with the values of later lines, and %u "
				  "without: define the names before", code.length, f->size);
	clrx_put(s->bytes + f->offset, code.length, code.word);
	for (size_t i = 0; i < s->lines.count; i++)
		if (s->lines.list[i].offset == f->offset)
			s->lines.list[i].registers = code.registers;
	return relocate(c, &r, f->section, f->offset);
}
