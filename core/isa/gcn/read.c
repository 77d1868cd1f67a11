#include "core/isa/gcn/read.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/bits.h"
#include "core/base/diag.h"
#include "core/isa/gcn/names.h"
#include "core/isa/parse.h"

bool gcn_wrong(struct gcn_reader *r, const char *at, const char *fmt, ...)
{
	char text[200];
	va_list ap;
	if (r->failed)
		return false;
	r->failed = true;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return diag_text(r->d, 1, (int)(at - r->text) + 1, "%s", text);
}

void gcn_blanks(struct gcn_reader *r)
{
	while (isspace((unsigned char)*r->cursor))
		r->cursor++;
}

bool gcn_take(struct gcn_reader *r, char c)
{
	gcn_blanks(r);
	if (r->failed || *r->cursor != c)
		return false;
	r->cursor++;
	return true;
}

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool gcn_take_word(struct gcn_reader *r, const char *word)
{
	size_t n = strlen(word);
	gcn_blanks(r);
	if (r->failed || strncasecmp(r->cursor, word, n) != 0 || is_letter(r->cursor[n]))
		return false;
	r->cursor += n;
	return true;
}

/* How much of the text belongs together, for messages. */
static int piece(const char *at)
{
	int n = 0;
	while (is_letter(at[n]))
		n++;
	return n ? n : *at != 0;
}

bool gcn_expect(struct gcn_reader *r, char c)
{
	if (gcn_take(r, c))
		return true;
	return gcn_wrong(r, r->cursor, *r->cursor ? "found '%.*s', expected '%c'" : "the line ends%.*s, expected '%c'",
			 piece(r->cursor), r->cursor, c);
}

bool gcn_word_text(struct gcn_reader *r, char *word, size_t size)
{
	size_t n = 0;
	gcn_blanks(r);
	if (r->failed)
		return false;
	for (; is_letter(r->cursor[n]) && n + 1 < size; n++)
		word[n] = (char)tolower((unsigned char)r->cursor[n]);
	word[n] = 0;
	if (is_letter(r->cursor[n]))
		return false;
	r->cursor += n;
	return n > 0;
}

/* ---- expressions ---- */

enum { DEPTH = 64 };                /* brackets in brackets */

static bool expression(struct gcn_reader *r, unsigned level, unsigned depth, uint64_t *v);

static bool symbol(struct gcn_reader *r, uint64_t *v)
{
	const char *start = r->cursor;
	int64_t value;
	size_t n = 0;
	while (is_letter(start[n]) || start[n] == '.' || start[n] == '$')
		n++;
	if (!r->symbols || !n || !r->symbols->find(r->symbols->context, start, n, &value))
		return gcn_wrong(r, start, n ? "symbol '%.*s' is not defined" : "found '%.*s', expected an operand",
				 (int)(n ? n : (size_t)piece(start)), start);
	r->cursor += n;
	r->symbolic = true;
	*v = (uint64_t)value;
	return true;
}

static bool plain_number(struct gcn_reader *r, uint64_t *v)
{
	const char *p = r->cursor;
	char *end;
	int base = p[0] == '0' && (p[1] | 32) == 'x' ? 16 : p[0] == '0' && (p[1] | 32) == 'b' ? 2 : 10;
	if (*p == '\'' && p[1] && p[2] == '\'') {
		*v = (unsigned char)p[1];
		r->cursor += 3;
		return true;
	}
	if (!isdigit((unsigned char)*p))
		return symbol(r, v);
	const char *digits = p + (base == 10 ? 0 : 2);
	*v = strtoull(digits, &end, base);
	if (end == digits || !is_letter(*digits) || is_letter(*end))
		return gcn_wrong(r, p, "'%.*s' is no number", piece(p), p);
	r->cursor = end;
	return true;
}

static bool unary(struct gcn_reader *r, unsigned depth, uint64_t *v)
{
	gcn_blanks(r);
	if (!depth)
		return gcn_wrong(r, r->cursor, "more than %d brackets in brackets", DEPTH);
	bool minus = gcn_take(r, '-'), inverse = !minus && gcn_take(r, '~');
	if (minus || inverse || gcn_take(r, '+')) {
		bool read = unary(r, depth - 1, v);
		*v = minus ? 0 - *v : inverse ? ~*v : *v;
		return read;
	}
	if (gcn_take(r, '('))
		return expression(r, 0, depth - 1, v) && gcn_expect(r, ')');
	return plain_number(r, v);
}

/* Operators by precedence, as in C. */
static const struct { const char *text; uint8_t level; } operators[] = {
	{ "<<", 3 }, { ">>", 3 }, { "|", 0 }, { "^", 1 }, { "&", 2 }, { "+", 4 }, { "-", 4 }, { "*", 5 }, { "/", 5 },
	{ "%", 5 },
};

static bool apply(struct gcn_reader *r, const char *at, uint64_t *a, uint64_t b)
{
	switch (*at) {
	case '|':
		*a |= b;
		return true;
	case '^':
		*a ^= b;
		return true;
	case '&':
		*a &= b;
		return true;
	case '<':
		*a = b < 64 ? *a << b : 0;
		return true;
	case '>':
		*a = b < 64 ? *a >> b : 0;
		return true;
	case '+':
		*a += b;
		return true;
	case '-':
		*a -= b;
		return true;
	case '*':
		*a *= b;
		return true;
	default:
		if (!b)
			return gcn_wrong(r, at, "a division by 0");
		*a = *at == '/' ? *a / b : *a % b;
		return true;
	}
}

static bool expression(struct gcn_reader *r, unsigned level, unsigned depth, uint64_t *v)
{
	if (!(level > 5 ? unary(r, depth, v) : expression(r, level + 1, depth, v)))
		return false;
	if (level > 5)
		return true;
	for (;;) {
		unsigned i = 0, n = sizeof operators / sizeof *operators;
		uint64_t right;
		gcn_blanks(r);
		while (i < n && (operators[i].level != level ||
				 strncmp(r->cursor, operators[i].text, strlen(operators[i].text)) != 0))
			i++;
		/* "& expcnt(…" and a closing | are no operators */
		if (i == n)
			return true;
		const char *at = r->cursor;
		r->cursor += strlen(operators[i].text);
		if (!expression(r, level + 1, depth, &right) || !apply(r, at, v, right))
			return false;
	}
}

bool gcn_number(struct gcn_reader *r, int64_t *v)
{
	uint64_t u = 0;
	gcn_blanks(r);
	if (r->failed || !expression(r, 0, DEPTH, &u))
		return false;
	*v = (int64_t)u;
	return true;
}

static bool number_within(struct gcn_reader *r, int64_t low, int64_t high, int64_t *v)
{
	gcn_blanks(r);
	const char *at = r->cursor;
	if (!gcn_number(r, v))
		return false;
	if (*v < low || *v > high)
		return gcn_wrong(r, at, "found %lld, expected a number from %lld to %lld", (long long)*v,
				 (long long)low, (long long)high);
	return true;
}

bool gcn_number_in(struct gcn_reader *r, int64_t low, int64_t high, uint32_t *v)
{
	int64_t n;
	if (!number_within(r, low, high, &n))
		return false;
	*v = (uint32_t)n;
	return true;
}

/* ---- registers ---- */

/* "[5]" or "[5:8]" behind a file's letters, or the number. */
static bool numbered(struct gcn_reader *r, const char *at, size_t letters, unsigned base, unsigned most,
		     struct gcn_operand *out)
{
	uint32_t first, last;
	const char *p = at + letters;
	r->cursor = p;
	if (isdigit((unsigned char)*p)) {
		unsigned n = 0;
		for (; isdigit((unsigned char)*r->cursor) && n < 1000; r->cursor++)
			n = n * 10 + (unsigned)(*r->cursor - '0');
		first = last = n;
	} else {
		r->cursor++;    /* the bracket */
		if (!gcn_number_in(r, 0, most - 1, &first))
			return false;
		last = first;
		if (gcn_take(r, ':') && !gcn_number_in(r, first, most - 1, &last))
			return false;
		if (!gcn_expect(r, ']'))
			return false;
	}
	if (last >= most || is_letter(*r->cursor))
		return gcn_wrong(r, at, "'%.*s' is no register; the last is %.*s%u", piece(at), at, (int)letters, at,
				 most - 1);
	out->code = (uint16_t)(base + first);
	out->count = (uint16_t)(last - first + 1);
	return true;
}

static bool named(struct gcn_reader *r, const char *word, struct gcn_operand *out)
{
	static const struct { const char *name; uint16_t code;
	} singles[] = {
		{ "m0", CODE_M0 },
		{ "vccz", CODE_VCCZ },
		{ "execz", CODE_EXECZ },
		{ "scc", CODE_SCC },
		{ "lds", CODE_LDS },
		{ "lds_direct", CODE_LDS },
		{ "src_lds_direct", CODE_LDS },
		{ "src_vccz", CODE_VCCZ },
		{ "src_execz", CODE_EXECZ },
		{ "src_scc", CODE_SCC },
	};
	for (const struct gcn_named *n = gcn_named; n->name; n++) {
		size_t len = strlen(n->name);
		const char *rest = word + len;
		if (!(n->generations >> r->generation & 1) || strncmp(word, n->name, len) != 0 ||
		    (*rest && strcmp(rest, "_lo") != 0 && strcmp(rest, "_hi") != 0))
			continue;
		out->code = (uint16_t)(n->code + (strcmp(rest, "_hi") == 0));
		out->count = *rest ? 1 : 2;
		return true;
	}
	for (unsigned i = 0; i < sizeof singles / sizeof *singles; i++)
		if (strcmp(word, singles[i].name) == 0) {
			out->code = singles[i].code;
			out->count = 1;
			return true;
		}
	for (unsigned code = CODE_APERTURES; code < CODE_APERTURES + 5; code++) {
		const char *name = gcn_aperture(r->generation, code);
		const char *own = strncmp(word, "src_", 4) == 0 ? word + 4 : word;
		if (name && strcmp(own, name) == 0) {
			out->code = (uint16_t)code;
			out->count = 1;
			return true;
		}
	}
	return false;
}

bool gcn_register(struct gcn_reader *r, struct gcn_operand *out)
{
	static const struct { const char *letters; uint8_t n; } files[] = { { "ttmp", 4 }, { "s", 1 }, { "v", 1 } };
	char word[40];
	gcn_blanks(r);
	const char *at = r->cursor;
	*out = (struct gcn_operand){ .begin = at, .is_register = true };
	for (unsigned i = 0; i < 3 && !r->failed; i++) {
		unsigned first, count = gcn_ttmps(r->generation, &first);
		char next = strncasecmp(at, files[i].letters, files[i].n) == 0 ? at[files[i].n] : 0;
		if (next != '[' && !isdigit((unsigned char)next))
			continue;
		return numbered(r, at, files[i].n, i == 0 ? first : i == 1 ? 0 : CODE_V,
				i == 0 ? count : i == 1 ? gcn_sgprs(r->generation) : 256, out);
	}
	if (gcn_word_text(r, word, sizeof word) && named(r, word, out))
		return true;
	r->cursor = at;
	return false;
}

/* ---- constants ---- */

static bool is_float(const char *p)
{
	p += *p == '-';
	if (!isdigit((unsigned char)*p) || (p[0] == '0' && strchr("xXbB", p[1]) && p[1]))
		return false;
	while (isdigit((unsigned char)*p))
		p++;
	return *p == '.' || ((*p | 32) == 'e' && (isdigit((unsigned char)p[1]) || ((p[1] == '-' || p[1] == '+') &&
									       isdigit((unsigned char)p[2]))));
}

uint16_t gcn_half(double v)
{
	uint16_t sign = signbit(v) ? 0x8000 : 0;
	int e;
	double m = frexp(fabs(v), &e);      /* m in [0.5, 1) */
	if (isnan(v))
		return 0x7e00;
	if (v == 0)
		return sign;
	if (isinf(v) || e > 16)
		return sign | 0x7c00;
	int bits = e < -13 ? 11 - (-13 - e) : 11;       /* remaining bits of the significand */
	double scaled = bits < 0 ? 0 : nearbyint(ldexp(m, bits));
	double whole = e < -13 ? scaled : scaled + ldexp(e + 13, 10);
	return whole >= 0x7c00 ? sign | 0x7c00 : (uint16_t)(sign | (uint16_t)whole);
}

/* The 32 bits of a float in an operand of the type: of a double the upper half, rounded. */
static uint32_t float_bits(const struct gcn_reader *r, double v, enum gcn_type type, bool vector)
{
	if (vector && type == T_F64 && !r->old_floats)
		return (uint32_t)((f64_bits(v) + 0x80000000) >> 32);
	return type == T_F16 ? gcn_half(v) : f32_bits((float)v);
}

/* The inline constant with exactly the value; 0: none. 1/(2π) is compared as a binary32. */
static unsigned float_code(const struct gcn_reader *r, double v, enum gcn_type type)
{
	static const double values[] = { 0.5, -0.5, 1, -1, 2, -2, 4, -4 };
	if (r->old_floats && type == T_F16)
		return 0;
	for (unsigned i = 0; i < 8; i++)
		if (v == values[i])
			return CODE_FLOAT + i;
	if (v == 0 && !signbit(v))
		return CODE_INT;
	return f32_bits((float)v) == 0x3e22f983 && r->generation >= GCN_12 ? CODE_1_2PI : 0;
}

static unsigned number_code(int64_t n)
{
	return n >= 0 && n <= 64 ? (unsigned)(CODE_INT + n) : n < 0 && n >= -16 ? (unsigned)(CODE_NEGATIVE - 1 - n) : 0;
}

static bool constant(struct gcn_reader *r, enum gcn_type type, bool vector, bool literal, struct gcn_operand *out)
{
	unsigned code;
	gcn_blanks(r);
	if (is_float(r->cursor)) {
		char *end;
		double v = strtod(r->cursor, &end);
		r->cursor = end;
		code = float_code(r, v, type);
		out->literal = float_bits(r, v, type, vector);
	} else {
		struct gcn_number n = gcn_operand_number(T_IMM32);
		int64_t v;
		if (!number_within(r, gcn_number_least(n), gcn_number_most(n), &v))
			return false;
		/* of 64 bits, 0xffffffff is not -1 */
		code = number_code(gcn_type_bytes[type] > 4 ? v : (int32_t)v);
		out->literal = (uint32_t)v;
	}
	out->is_literal = literal || !code;
	out->code = (uint16_t)(out->is_literal ? CODE_LITERAL : code);
	return true;
}

static bool plain_source(struct gcn_reader *r, enum gcn_type type, bool vector, struct gcn_operand *out)
{
	const char *at = r->cursor;
	if (gcn_register(r, out))
		return true;
	*out = (struct gcn_operand){ .begin = at };
	if (gcn_take_word(r, "lit")) {
		if (!gcn_expect(r, '(') || !constant(r, type, vector, true, out))
			return false;
		return gcn_expect(r, ')');
	}
	return constant(r, type, vector, false, out);
}

/* Is a minus a modifier, with no number behind? */
static bool negates(const struct gcn_reader *r)
{
	const char *p = r->cursor;
	if (*p != '-')
		return false;
	for (p++; isspace((unsigned char)*p); p++)
		;
	return isalpha((unsigned char)*p) || *p == '_' || *p == '|' || *p == '-';
}

static bool registers_only(struct gcn_reader *r, struct gcn_operand *out)
{
	if (gcn_register(r, out))
		return true;
	return gcn_wrong(r, r->cursor, "found '%.*s', expected a register: the absolute value of a constant is written "
			 "as a constant, or with abs:", piece(r->cursor), r->cursor);
}

bool gcn_source(struct gcn_reader *r, enum gcn_type type, bool vector, bool modified, struct gcn_operand *out)
{
	bool neg = false, abs = false, sext = false, ok;
	gcn_blanks(r);
	const char *at = r->cursor;
	if (modified && gcn_take_word(r, "sext") && (sext = true) && !gcn_expect(r, '('))
		return false;
	gcn_blanks(r);
	if (modified && negates(r)) {
		neg = true;
		r->cursor++;
	}
	gcn_blanks(r);
	if (modified && gcn_take_word(r, "abs")) {
		abs = true;
		ok = gcn_expect(r, '(') && registers_only(r, out) && gcn_expect(r, ')');
	} else if (modified && gcn_take(r, '|')) {
		abs = true;
		ok = registers_only(r, out) && gcn_expect(r, '|');
	} else {
		ok = plain_source(r, type, vector, out);
	}
	if (!ok || (sext && !gcn_expect(r, ')')))
		return false;
	out->begin = at;
	out->neg = neg;
	out->abs = abs;
	out->sext = sext;
	return true;
}
