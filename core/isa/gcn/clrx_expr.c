/* CLRX: expressions of 64-bit numbers and of places in sections, with GNU's order of operators: first * / % and
 * shifts, then & | ^ !, then + and -, then comparisons (true is -1), then && and ||, last ?:. A place may move by a
 * number, and two places of one section have a distance; other operations are for numbers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa/gcn/clrx_impl.h"

enum { DEPTH = 64, SAVED = CLRX_SAVED, SAVED_LETTERS = 6 };

struct reader {
	struct clrx *c;
	struct clrx_scope *scope;
	const char *p;
	bool unknown;                           /* a name of a later line */
};

enum operator {
	OP_NONE, OP_MUL, OP_DIV, OP_UDIV, OP_MOD, OP_UMOD, OP_SHL, OP_SHR, OP_SAR, OP_AND, OP_OR, OP_XOR, OP_ORNOT,
	OP_ADD, OP_SUB, OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_ULT, OP_ULE, OP_UGT, OP_UGE, OP_LAND, OP_LOR,
};

/* The longest texts first. */
static const struct { const char *text; uint8_t op, level; } operators[] = {
	{ ">>>", OP_SAR, 5 }, { "<=@", OP_ULE, 2 }, { ">=@", OP_UGE, 2 }, { "//", OP_UDIV, 5 }, { "%%", OP_UMOD, 5 },
	{ "<<", OP_SHL, 5 }, { ">>", OP_SHR, 5 }, { "==", OP_EQ, 2 }, { "!=", OP_NE, 2 }, { "<>", OP_NE, 2 },
	{ "<=", OP_LE, 2 }, { ">=", OP_GE, 2 }, { "<@", OP_ULT, 2 }, { ">@", OP_UGT, 2 }, { "&&", OP_LAND, 1 },
	{ "||", OP_LOR, 1 }, { "*", OP_MUL, 5 }, { "/", OP_DIV, 5 }, { "%", OP_MOD, 5 }, { "&", OP_AND, 4 },
	{ "|", OP_OR, 4 }, { "^", OP_XOR, 4 }, { "!", OP_ORNOT, 4 }, { "+", OP_ADD, 3 }, { "-", OP_SUB, 3 },
	{ "<", OP_LT, 2 }, { ">", OP_GT, 2 },
};
enum { LEVEL_FIRST = 1, LEVEL_LAST = 5 };

static bool choice(struct reader *r, unsigned depth, struct clrx_value *v);

static struct clrx_value number(uint64_t n)
{
	return (struct clrx_value){ n, SECTION_NONE, HALF_WHOLE };
}

/* ---- operands ---- */

bool clrx_is_float(const char *p)
{
	bool hexadecimal = *p == '0' && (p[1] | 32) == 'x';
	const char *digits = hexadecimal ? p + 2 : p;

	if (!isdigit((unsigned char)*p) && !(*p == '.' && isdigit((unsigned char)p[1])))
		return false;
	while (hexadecimal ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits))
		digits++;
	if (*digits == '.')
		return true;
	return (*digits | 32) == (hexadecimal ? 'p' : 'e') &&
	       isdigit((unsigned char)digits[1 + (digits[1] == '+' || digits[1] == '-')]);
}

static bool read_character(struct reader *r, struct clrx_value *v)
{
	const char *end = clrx_quoted_end(r->p);
	char *text, quoted[CLRX_WORD];
	const char *p = quoted;
	size_t n, length = end ? (size_t)(end - r->p) : 0;

	if (length < 3 || length >= sizeof quoted)
		return clrx_error(r->c, r->p, "found `%.20s`, expected a character such as 'a'", r->p);
	memcpy(quoted, r->p, length);
	quoted[0] = quoted[length - 1] = '"';
	quoted[length] = '\0';
	if (!clrx_string(r->c, &p, &text, &n))
		return false;
	if (n != 1)
		return clrx_error(r->c, r->p, "found `%.*s`, expected one character in quotes", (int)length, r->p);
	*v = number((unsigned char)*text);
	r->p = end;
	return true;
}

/* The name of the label `3:` that comes next, or came last; returns its length. */
static size_t put_local(struct clrx *c, const char *digits, size_t n, bool next, char *out, size_t size)
{
	struct clrx_symbol *counter;

	HASH_FIND(hh, c->names.locals, digits, (unsigned)n, counter);
	return (size_t)snprintf(out, size, "::$%.*s$%llu", (int)(n < 24 ? n : 24), digits,
				(unsigned long long)((counter ? counter->value.number : 0) + next));
}

/* "3f", "3b": the symbol of the next or the last label `3:`. */
static bool read_local(struct reader *r, const char *digits, size_t n, bool forward, struct clrx_value *v)
{
	struct clrx_symbol *found;
	char text[CLRX_WORD];

	if (r->c->final)
		return clrx_error(r->c, digits, "no label `%.*s:` follows", (int)n, digits);
	found = clrx_find(r->c, r->c->names.root, text,
			  put_local(r->c, digits, n, forward, text, sizeof text));
	if (found)
		*v = found->value;
	else if (!forward)
		return clrx_error(r->c, digits, "there is no label `%.*s:` before", (int)n, digits);
	r->unknown |= !found;
	return true;
}

static bool read_number(struct reader *r, struct clrx_value *v)
{
	const char *p = r->p, *digits = p;
	char *end;
	int base = 10;
	size_t n = strspn(p, "0123456789");

	if ((p[n] == 'f' || p[n] == 'b') && !isalnum((unsigned char)p[n + 1]) && p[n + 1] != '_' &&
	    !(n == 1 && *p == '0' && p[n] == 'b' && (p[2] == '0' || p[2] == '1'))) {
		r->p += n + 1;
		return read_local(r, p, n, p[n] == 'f', v);
	}
	if (*p == '0' && (p[1] | 32) == 'x')
		base = 16, digits += 2;
	else if (*p == '0' && (p[1] | 32) == 'b')
		base = 2, digits += 2;
	else if (*p == '0')
		base = 8;
	*v = number(strtoull(digits, &end, base));
	if (end == digits || isalnum((unsigned char)*end) || *end == '_')
		return clrx_error(r->c, p, "found `%.20s`, expected a number", p);
	r->p = end;
	return true;
}

static bool nested(struct reader *r, const struct clrx_symbol *s, unsigned depth, struct clrx_value *v)
{
	struct reader inner = { .c = r->c, .scope = s->scope, .p = s->text };
	bool ok = choice(&inner, depth, v);

	r->unknown |= inner.unknown;
	return ok && (!*clrx_skip(inner.p) || clrx_error(r->c, r->p, "the symbol's expression is `%.60s`", s->text));
}

static bool read_symbol(struct reader *r, unsigned depth, struct clrx_value *v)
{
	struct clrx *c = r->c;
	size_t n = clrx_path_length(r->p);
	const char *name = r->p;
	struct clrx_symbol *s;

	if (!n)
		return clrx_error(c, name, *name ? "found `%.20s`, expected an expression" : "the line ends%s, "
				  "expected an expression", name);
	r->p += n;
	if (n == 1 && *name == '.') {
		*v = (struct clrx_value){ c->sections.list[c->here].size, c->here, HALF_WHOLE };
		if (c->sections.list[c->here].kind == SECTION_ABSOLUTE)
			v->section = SECTION_NONE;
		return true;
	}
	s = clrx_find(c, r->scope, name, n);
	if (!s) {
		r->unknown = true;
		if (!c->final)
			return clrx_await(c, name, n);
		if (n > 3 && name[2] == '$')
			return clrx_error(c, NULL, "no label `%.*s:` follows", (int)strcspn(name + 3, "$"), name + 3);
		return clrx_error(c, name, "nobody defines the symbol `%.*s`", (int)n, name);
	}
	if (s->kind == SYMBOL_TEXT)
		return nested(r, s, depth, v);
	if (s->kind != SYMBOL_VALUE)
		return clrx_error(c, name, "`%.*s` names registers, expected a number", (int)n, name);
	*v = s->value;
	return true;
}

static bool read_saved(struct reader *r, struct clrx_value *v)
{
	char digits[SAVED_LETTERS + 1];
	unsigned long i;

	memcpy(digits, r->p + 1, SAVED_LETTERS);
	digits[SAVED_LETTERS] = '\0';
	i = strtoul(digits, NULL, 16);
	if (i >= r->c->names.values.count)
		return clrx_error(r->c, r->p, "expected an expression");
	*v = r->c->names.values.list[i];
	r->p += 1 + SAVED_LETTERS;
	return true;
}

static bool need_number(struct reader *r, const char *at, const struct clrx_value *v)
{
	return r->unknown || v->section == SECTION_NONE ||
	       clrx_error(r->c, at, "a place of a section cannot be an operand here: places move by numbers, and two "
			  "of one section have a distance");
}

static bool unary(struct reader *r, unsigned depth, struct clrx_value *v)
{
	r->p = clrx_skip(r->p);
	const char *at = r->p;

	if (!depth)
		return clrx_error(r->c, at, "more than %d brackets and signs in each other", DEPTH);
	if (*at && strchr("-~!+", *at)) {
		r->p++;
		if (!unary(r, depth - 1, v) || (*at != '+' && !need_number(r, at, v)))
			return false;
		if (*at != '+')
			v->number = *at == '-' ? -v->number : *at == '~' ? ~v->number : !v->number;
		return true;
	}
	if (*at == '(') {
		r->p++;
		if (!choice(r, depth - 1, v))
			return false;
		r->p = clrx_skip(r->p);
		if (*r->p != ')')
			return clrx_error(r->c, r->p, "found `%.20s`, expected )", r->p);
		r->p++;
		return true;
	}
	if (*at == SAVED)
		return read_saved(r, v);
	if (*at == '\'')
		return read_character(r, v);
	return isdigit((unsigned char)*at) ? read_number(r, v) : read_symbol(r, depth - 1, v);
}

/* ---- operations ---- */

static uint64_t truth(bool b)
{
	return b ? UINT64_MAX : 0;
}

static bool divide(struct reader *r, const char *at, enum operator op, uint64_t a, uint64_t b, uint64_t *out)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	*out = 0;
	if (!b)
		return r->unknown || clrx_error(r->c, at, "a division by 0");
	if (op == OP_UDIV || op == OP_UMOD)
		*out = op == OP_UDIV ? a / b : a % b;
	else if (sb == -1)
		*out = op == OP_DIV ? -a : 0;
	else
		*out = (uint64_t)(op == OP_DIV ? sa / sb : sa % sb);
	return true;
}

static uint64_t compute(enum operator op, uint64_t a, uint64_t b)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (op) {
	case OP_MUL: return a * b;
	case OP_SHL: return b < 64 ? a << b : 0;
	case OP_SHR: return b < 64 ? a >> b : 0;
	case OP_SAR: return (uint64_t)(sa >> (b < 64 ? b : 63));
	case OP_AND: return a & b;
	case OP_OR: return a | b;
	case OP_XOR: return a ^ b;
	case OP_ORNOT: return a | ~b;
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_EQ: return truth(a == b);
	case OP_NE: return truth(a != b);
	case OP_LT: return truth(sa < sb);
	case OP_LE: return truth(sa <= sb);
	case OP_GT: return truth(sa > sb);
	case OP_GE: return truth(sa >= sb);
	case OP_ULT: return truth(a < b);
	case OP_ULE: return truth(a <= b);
	case OP_UGT: return truth(a > b);
	case OP_UGE: return truth(a >= b);
	case OP_LAND: return a && b;
	default: return a || b;
	}
}

/* Half of an address in memory: >>32, or & 0xffffffff, in their spellings. */
static enum clrx_half half_of(enum operator op, const struct clrx_value *b)
{
	bool whole = b->number == 1ull << 32;

	if (b->section != SECTION_NONE)
		return HALF_WHOLE;
	if ((op == OP_SHR && b->number == 32) || ((op == OP_DIV || op == OP_UDIV) && whole))
		return HALF_HIGH;
	return (op == OP_AND && b->number == UINT32_MAX) || ((op == OP_MOD || op == OP_UMOD) && whole) ? HALF_LOW :
	       HALF_WHOLE;
}

/* Places of two sections have a distance when sections have their addresses. */
static bool resolve(const struct clrx *c, struct clrx_value *v)
{
	if (v->section == SECTION_NONE)
		return true;
	if (!c->final || !c->sections.list[v->section].mapped)
		return false;
	v->number += c->sections.list[v->section].address;
	v->section = SECTION_NONE;
	return true;
}

static bool apply(struct reader *r, const char *at, enum operator op, struct clrx_value *a, struct clrx_value b)
{
	bool compares = op == OP_SUB || (op >= OP_EQ && op <= OP_UGE);

	if (r->unknown)
		return true;
	if (a->section != SECTION_NONE && a->half == HALF_WHOLE && half_of(op, &b) != HALF_WHOLE) {
		a->half = half_of(op, &b);
		return true;
	}
	if (compares && a->section != SECTION_NONE && b.section != SECTION_NONE) {
		if (a->section != b.section && (!resolve(r->c, a) || !resolve(r->c, &b))) {
			r->unknown = !r->c->final;
			return r->unknown || clrx_error(r->c, at, "the places lie in two sections, whose distance "
							"is not known");
		}
		*a = number(compute(op, a->number, b.number));
		return true;
	}
	if (op == OP_ADD && a->section == SECTION_NONE && b.section != SECTION_NONE) {
		b.number += a->number;
		*a = b;
		return true;
	}
	if (a->section != SECTION_NONE && b.section == SECTION_NONE && (op == OP_ADD || op == OP_SUB)) {
		a->number = compute(op, a->number, b.number);
		return true;
	}
	if (!need_number(r, at, a) || !need_number(r, at, &b))
		return false;
	if (op >= OP_DIV && op <= OP_UMOD)
		return divide(r, at, op, a->number, b.number, &a->number);
	a->number = compute(op, a->number, b.number);
	return true;
}

static enum operator next_operator(const char *p, unsigned level, size_t *n)
{
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		*n = strlen(operators[i].text);
		if (!strncmp(p, operators[i].text, *n))
			return operators[i].level == level ? (enum operator)operators[i].op : OP_NONE;
	}
	return OP_NONE;
}

static bool binary(struct reader *r, unsigned level, unsigned depth, struct clrx_value *v)
{
	if (level > LEVEL_LAST)
		return unary(r, depth, v);
	if (!binary(r, level + 1, depth, v))
		return false;
	for (;;) {
		size_t n;
		const char *at = clrx_skip(r->p);
		enum operator op = next_operator(at, level, &n);
		struct clrx_value right;
		if (op == OP_NONE)
			return true;
		r->p = at + n;
		if (!binary(r, level + 1, depth, &right) || !apply(r, at, op, v, right))
			return false;
	}
}

static bool choice(struct reader *r, unsigned depth, struct clrx_value *v)
{
	struct clrx_value a = number(0), b = number(0);

	*v = number(0);
	if (!depth)
		return clrx_error(r->c, r->p, "more than %d brackets and signs in each other", DEPTH);
	if (!binary(r, LEVEL_FIRST, depth, v))
		return false;
	r->p = clrx_skip(r->p);
	if (*r->p != '?')
		return true;
	const char *at = r->p++;
	if (!need_number(r, at, v) || !choice(r, depth - 1, &a))
		return false;
	r->p = clrx_skip(r->p);
	if (*r->p != ':')
		return clrx_error(r->c, r->p, "found `%.20s`, expected : and the other choice", r->p);
	r->p++;
	if (!choice(r, depth - 1, &b))
		return false;
	*v = v->number ? a : b;
	return true;
}

bool clrx_expression(struct clrx *c, struct clrx_scope *scope, const char **p, struct clrx_value *out, bool *known)
{
	struct reader r = { .c = c, .scope = scope, .p = *p };

	if (!choice(&r, DEPTH, out))
		return false;
	*p = r.p;
	*known = !r.unknown;
	return true;
}

bool clrx_number(struct clrx *c, const char **p, int64_t *out)
{
	struct clrx_value v;
	const char *at = *p = clrx_skip(*p);
	bool known;

	if (!clrx_expression(c, c->names.scope, p, &v, &known))
		return false;
	if (!known)
		return clrx_error(c, at, "`%.*s` has a name that is not known yet, and is needed here: a definition "
				  "has to come before", (int)(*p - at < 40 ? *p - at : 40), at);
	if (v.section != SECTION_NONE)
		return clrx_error(c, at, "found a place of a section, expected a number");
	*out = (int64_t)v.number;
	return true;
}

/* ---- texts that wait ---- */

static bool save(struct clrx *c, struct clrx_value v, char out[SAVED_LETTERS + 2])
{
	struct clrx_value *to = CLRX_GROW(c, c->names.values);

	if (!to)
		return false;
	*to = v;
	snprintf(out, SAVED_LETTERS + 2, "%c%06zx", SAVED, (c->names.values.count - 1) & 0xffffff);
	return true;
}

/* The length of the name or number at p that stands for a value. */
static size_t operand_length(const char *p)
{
	size_t n = isdigit((unsigned char)*p) ? strspn(p, "0123456789") : clrx_path_length(p);

	if (!isdigit((unsigned char)*p))
		return n;
	if (p[n] == 'f' || p[n] == 'b')
		return n + 1;
	while (isalnum((unsigned char)p[n]))
		n++;
	return n;
}

/* Bytes at p that are settled together; 0: the letter stays. */
static size_t settled_length(const char *p)
{
	if (*p == SAVED)
		return 1 + SAVED_LETTERS;
	return *p == '\'' ? (size_t)(clrx_quoted_end(p) - p) : operand_length(p);
}

/* "3f", whose label is the next `3:`, wherever the text is read. */
static bool is_local(const char *p, size_t n)
{
	return isdigit((unsigned char)*p) && (p[n - 1] == 'f' || p[n - 1] == 'b') && strspn(p, "0123456789") == n - 1;
}

/* A symbol that is a text with later names, and no .eqv: the text stands for the symbol from here on. */
static const char *waiting_text(struct clrx *c, struct clrx_scope *scope, const char *name, size_t n)
{
	struct clrx_symbol *s = clrx_find(c, scope, name, n);

	return s && s->kind == SYMBOL_TEXT && !s->lasting ? s->text : NULL;
}

const char *clrx_settle(struct clrx *c, struct clrx_scope *scope, const char *from, const char *to)
{
	size_t length = (size_t)(to - from), size = length * (SAVED_LETTERS + 2) + 64, n = 0;
	char *text = arena_space(&c->arena, size, 1);

	while (text && from < to) {
		size_t part = settled_length(from);
		struct reader r = { .c = c, .scope = scope, .p = from };
		struct clrx_value v = { 0 };
		char saved[SAVED_LETTERS + 2];
		if (!part) {
			text[n++] = *from++;
			continue;
		}
		if (!unary(&r, DEPTH, &v))
			return NULL;
		if (!r.unknown) {
			if (!save(c, v, saved))
				return NULL;
			memcpy(text + n, saved, 1 + SAVED_LETTERS);
			n += 1 + SAVED_LETTERS;
		} else if (is_local(from, part)) {
			n += put_local(c, from, part - 1, true, text + n, size - n);
		} else {
			const char *other = waiting_text(c, scope, from, part);
			size_t more = other ? strlen(other) + 2 : part;
			if (other && n + more + (size_t)(to - from) * (SAVED_LETTERS + 2) + 64 > size) {
				char *bigger = arena_space(&c->arena, size = 2 * size + 2 * more, 1);
				text = bigger ? memcpy(bigger, text, n) : NULL;
			}
			if (text && other)
				snprintf(text + n, more + 1, "(%s)", other);
			else if (text)
				memcpy(text + n, from, part);
			n += more;
		}
		from += part;
	}
	if (!text) {
		clrx_no_memory(c);
		return NULL;
	}
	return clrx_copy(c, text, n);
}

/* Settle the expressions between marks. */
static const char *settle_marked(struct clrx *c, struct clrx_scope *scope, const char *text)
{
	size_t n = 0, size = 64;
	char *out = NULL;

	for (const char *p = text; *p;) {
		static const char marks[] = { CLRX_LATER, CLRX_LATER_LITERAL, 0 };
		bool marked = *p == CLRX_LATER || *p == CLRX_LATER_LITERAL;
		const char *end = marked ? strchr(p + 1, *p) : p + strcspn(p, marks);
		const char *settled = !marked ? NULL : end ? clrx_settle(c, scope, p + 1, end) : NULL;
		if (marked && !settled)
			return NULL;
		size_t length = marked ? strlen(settled) : (size_t)(end - p);
		char *bigger = arena_space(&c->arena, size += length + 2, 1);
		if (!bigger) {
			clrx_no_memory(c);
			return NULL;
		}
		if (n)
			memcpy(bigger, out, n);
		out = bigger;
		if (marked)
			out[n++] = *p;
		memcpy(out + n, marked ? settled : p, length);
		n += length;
		if (marked)
			out[n++] = *p;
		p = end + marked;
	}
	return clrx_copy(c, out ? out : "", n);
}

bool clrx_settle_again(struct clrx *c)
{
	int here = c->here;

	for (size_t i = 0; i < c->names.waiting.count; i++) {
		struct clrx_symbol *s = c->names.waiting.list[i];
		if (s->kind == SYMBOL_TEXT && !s->lasting &&
		    !(s->text = clrx_settle(c, s->scope, s->text, s->text + strlen(s->text))))
			return false;
	}
	for (size_t i = 0; i < c->fixups.count; i++) {
		struct clrx_fixup *f = &c->fixups.list[i];
		const char *text = f->text.text;
		text = f->is_instruction ? settle_marked(c, f->text.scope, text) :
		       clrx_settle(c, f->text.scope, text, text + strlen(text));
		if (!text)
			return false;
		f->text.text = text;
	}
	c->here = here;
	return true;
}
