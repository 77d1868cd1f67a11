/* The words of a PTX text. Names may begin with $ % _, a directive with a dot; a name goes on across dots where an
 * opcode or a special register has dots, and the parser splits there. Numbers: decimal, hex, octal, binary, U,
 * 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX, 1.5. Comments are those of C. */
#include "core/compile/lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

static bool name_byte(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static void skip_blanks(struct lexer *x)
{
	while (x->next < x->end) {
		if (*x->next == '\n') {
			x->line++;
			x->line_start = ++x->next;
		} else if (isspace((unsigned char)*x->next)) {
			x->next++;
		} else if (*x->next == '/' && x->next + 1 < x->end && x->next[1] == '/') {
			while (x->next < x->end && *x->next != '\n')
				x->next++;
		} else if (*x->next == '/' && x->next + 1 < x->end && x->next[1] == '*') {
			int line = x->line;
			x->next += 2;
			while (x->next < x->end && !(*x->next == '*' && x->next + 1 < x->end && x->next[1] == '/')) {
				if (*x->next++ == '\n') {
					x->line++;
					x->line_start = x->next;
				}
			}
			if (x->next >= x->end)
				ptx_fail(x->module, line, 1, "found a comment without an end");
			x->next += 2;
		} else {
			return;
		}
	}
}

static _Noreturn void lex_fail(struct lexer *x, const char *text)
{
	ptx_fail(x->module, x->token.line, x->token.column, "%s", text);
}

/* The current token as a message shows it. */
static const char *shown(struct lexer *x)
{
	static const size_t most = 60;
	const struct token *t = &x->token;

	if (t->kind == TOKEN_END)
		return "the end of the file";
	char *text = ptx_new(x->module, most + 8);
	text[0] = '\'';
	text_clean(t->start, t->size < most / 4 ? t->size : most / 4, "", text + 1, most);
	strcat(text, "'");
	return text;
}

_Noreturn void lex_expected(struct lexer *x, const char *what)
{
	ptx_fail(x->module, x->token.line, x->token.column, "found %s, expected %s", shown(x), what);
}

static uint64_t hex_bits(struct lexer *x, unsigned digits)
{
	uint64_t v = 0;
	unsigned n = 0;

	for (; n < digits && x->next < x->end && isxdigit((unsigned char)*x->next); n++, x->next++)
		v = v << 4 | (uint64_t)(isdigit((unsigned char)*x->next) ? *x->next - '0' : (*x->next | 32) - 'a' + 10);
	if (n != digits)
		ptx_fail(x->module, x->line, x->token.column, "found %u hexadecimal digits, expected %u", n, digits);
	return v;
}

/* A decimal fraction of at most 63 characters. */
static bool fraction(struct lexer *x)
{
	char text[64];
	size_t n = 0;
	bool is = false;

	while (x->next + n < x->end && n < sizeof text - 1) {
		char c = x->next[n];
		bool sign = (c == '+' || c == '-') && n && (x->next[n - 1] | 32) == 'e';
		if (!isdigit((unsigned char)c) && c != '.' && (c | 32) != 'e' && !sign)
			break;
		is |= c == '.' || (c | 32) == 'e';
		text[n++] = c;
	}
	text[n] = '\0';
	if (!is)
		return false;
	char *end;
	double d = strtod(text, &end);
	if (end != text + n || n == sizeof text - 1)
		lex_fail(x, "found a fraction that is no number of at most 62 characters, expected one like 1.5e-3");
	memcpy(&x->token.bits, &d, sizeof d);
	x->token.kind = TOKEN_DOUBLE;
	x->next += n;
	return true;
}

static void number(struct lexer *x)
{
	unsigned base = 10;
	uint64_t v = 0;
	char second = x->end - x->next > 1 ? (char)(x->next[1] | 32) : ' ';

	x->token.kind = TOKEN_INT;
	if (*x->next == '0' && (second == 'f' || second == 'd')) {
		x->next += 2;
		x->token.kind = second == 'f' ? TOKEN_FLOAT : TOKEN_DOUBLE;
		x->token.bits = hex_bits(x, second == 'f' ? 8 : 16);
		return;
	}
	if (*x->next == '0' && (second == 'x' || second == 'b')) {
		base = second == 'x' ? 16 : 2;
		x->next += 2;
	} else if (fraction(x)) {
		return;
	} else if (*x->next == '0') {
		base = 8;
	}
	const char *digits = x->next;
	for (; x->next < x->end && isxdigit((unsigned char)*x->next); x->next++) {
		char c = *x->next;
		unsigned digit = (unsigned)(isdigit((unsigned char)c) ? c - '0' : (c | 32) - 'a' + 10);
		if (digit >= base)
			break;
		if (v > (UINT64_MAX - digit) / base)
			lex_fail(x, "found a number of more than 64 bits");
		v = v * base + digit;
	}
	if (x->next == digits)
		lex_fail(x, "found a number without digits");
	x->token.is_unsigned = v > INT64_MAX || (x->next < x->end && (*x->next | 32) == 'u');
	if (x->next < x->end && (*x->next | 32) == 'u')
		x->next++;
	x->token.bits = v;
}

/* Bytes of the sign that parts two pieces of a name; 0: the name ends here. */
static size_t name_goes_on(const struct lexer *x, bool has_dot)
{
	size_t rest = (size_t)(x->end - x->next);

	if (rest > 1 && *x->next == '.' && name_byte(x->next[1]))
		return 1;
	return has_dot && rest > 2 && x->next[0] == ':' && x->next[1] == ':' && name_byte(x->next[2]) ? 2 : 0;
}

void lex_next(struct lexer *x)
{
	struct token *t = &x->token;

	skip_blanks(x);
	*t = (struct token){
		.kind = TOKEN_END, .start = x->next, .line = x->line, .column = (int)(x->next - x->line_start) + 1
	};
	if (x->next >= x->end)
		return;
	char c = *x->next;
	if (isdigit((unsigned char)c)) {
		number(x);
		if (x->next < x->end && name_byte(*x->next))
			lex_fail(x, "found a number with another sign behind, expected a blank or an operator");
	} else if (c == '"') {
		t->kind = TOKEN_STRING;
		t->start = ++x->next;
		while (x->next < x->end && *x->next != '"' && *x->next != '\n')
			x->next += *x->next == '\\' && x->end - x->next > 1 && x->next[1] != '\n' ? 2 : 1;
		t->size = (size_t)(x->next - t->start);
		if (x->next >= x->end || *x->next != '"')
			lex_fail(x, "found a string without an end on the line");
		x->next++;
		return;
	} else if (name_byte(c) || c == '%' || (c == '.' && x->end - x->next > 1 && name_byte(x->next[1]))) {
		t->kind = c == '.' ? TOKEN_DIRECTIVE : TOKEN_NAME;
		for (x->next++; x->next < x->end && name_byte(*x->next); x->next++)
			continue;
		/* "%tid.x", "cvt.rn.f32.s32": a name goes on behind a dot, and "ld.shared::cta" behind "::" */
		bool has_dot = false;
		for (size_t n; (n = name_goes_on(x, has_dot)) && t->kind == TOKEN_NAME; has_dot = true)
			for (x->next += n; x->next < x->end && name_byte(*x->next); x->next++)
				continue;
	} else {
		t->kind = TOKEN_SIGN;
		x->next++;
	}
	t->size = (size_t)(x->next - t->start);
}

bool lex_is(const struct lexer *x, const char *text)
{
	return x->token.kind != TOKEN_STRING && x->token.size == strlen(text) &&
	       !memcmp(x->token.start, text, x->token.size);
}

bool lex_begins(const struct lexer *x, const char *text)
{
	size_t n = strlen(text);

	return x->token.kind != TOKEN_STRING && x->token.size >= n && !memcmp(x->token.start, text, n);
}

void lex_start(struct lexer *x, struct ptx_module *m, const char *text, size_t size)
{
	*x = (struct lexer){ .module = m, .next = text, .end = text + size, .line_start = text, .line = 1 };
	lex_next(x);
}
