/* Lines and tokens. */
#include "core/isa/pica/line.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool name_char(const struct spelling *s, int c, bool first)
{
	return isalpha(c) || (c && strchr(s->name_signs, c)) || (!first && isdigit(c));
}

static bool comment_begins(const struct spelling *s, const char *p, const char *end)
{
	return (*p && strchr(s->comments, *p)) || (s->slashes && *p == '/' && p + 1 < end && p[1] == '/');
}

static int scan_number(const char *p, const char *end, bool *real)
{
	const char *start = p;

	*real = false;
	while (p < end && (isdigit((unsigned char)*p) || *p == '.')) {
		*real |= *p == '.';
		p++;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		const char *exp = p + 1;
		if (exp < end && (*exp == '+' || *exp == '-'))
			exp++;
		if (exp < end && isdigit((unsigned char)*exp)) {
			*real = true;
			for (p = exp; p < end && isdigit((unsigned char)*p); p++)
				;
		}
	}
	return (int)(p - start);
}

static struct token scan_token(const struct spelling *s, const char *p, const char *end)
{
	static const struct { char text[3]; enum token_kind kind; } pair[] = {
		{ "&&", TOKEN_AND }, { "||", TOKEN_OR }, { "==", TOKEN_EQ }, { "!=", TOKEN_NE }, { "<=", TOKEN_LE },
		{ ">=", TOKEN_GE },
	};
	struct token t = { .text = p, .length = 1, .kind = TOKEN_CHAR, .c = *p };

	if (name_char(s, (unsigned char)*p, true)) {
		t.kind = TOKEN_NAME;
		while (p + t.length < end && name_char(s, (unsigned char)p[t.length], false))
			t.length++;
	} else if (isdigit((unsigned char)*p) || (*p == '.' && p + 1 < end && isdigit((unsigned char)p[1]))) {
		t.kind = TOKEN_NUMBER;
		t.length = scan_number(p, end, &t.real);
	} else if (*p == '"' && p + 1 < end && memchr(p + 1, '"', (size_t)(end - p - 1))) {
		t.kind = TOKEN_STRING;
		t.length = (int)((const char *)memchr(p + 1, '"', (size_t)(end - p - 1)) - p) + 1;
	} else {
		for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
			if (end - p >= 2 && memcmp(p, pair[i].text, 2) == 0) {
				t.kind = pair[i].kind;
				t.length = 2;
			}
		}
	}
	return t;
}

bool line_scan(struct line *line, const char **text, const char *end, struct diag *d)
{
	const char *start = *text, *stop = memchr(start, '\n', (size_t)(end - start)), *p = start;
	int n = 0;

	stop = stop ? stop : end;
	*text = stop < end ? stop + 1 : end;
	line->cursor = line->token;
	while (true) {
		while (p < stop && isspace((unsigned char)*p))
			p++;
		if (p >= stop || comment_begins(line->spelling, p, stop))
			break;
		line->token[n] = scan_token(line->spelling, p, stop);
		line->token[n].column = (int)(p - start) + 1;
		p += line->token[n].length;
		if (++n == LINE_TOKENS)
			return line_error(line, &line->token[n - 1], d, "the line has more than %d parts",
					  LINE_TOKENS - 1);
	}
	line->token[n] = (struct token){ .kind = TOKEN_END, .column = (int)(p - start) + 1, .text = "" };
	return true;
}

struct text_place line_place(const struct line *line, const struct token *t)
{
	return (struct text_place){ line->file, line->number, t->column };
}

bool line_error(const struct line *line, const struct token *t, struct diag *d, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	diag_placev(d, line_place(line, t), fmt, list);
	va_end(list);
	return false;
}

const char *token_show(const struct token *t, char *buffer, size_t size)
{
	if (t->kind == TOKEN_END)
		return "the end of the line";
	snprintf(buffer, size, "`%.*s`", t->length, t->text);
	return buffer;
}

bool line_expected(const struct line *line, const struct token *t, struct diag *d, const char *what)
{
	char found[40];

	return line_error(line, t, d, "expected %s, found %s", what, token_show(t, found, sizeof found));
}

bool token_is(const struct token *t, char c)
{
	return t->kind == TOKEN_CHAR && t->c == c;
}

bool token_named(const struct token *t, const char *name)
{
	return t->kind == TOKEN_NAME && (size_t)t->length == strlen(name) &&
	       memcmp(t->text, name, (size_t)t->length) == 0;
}

bool token_mnemonic(const struct token *t, const char *name)
{
	return t->kind == TOKEN_NAME && (size_t)t->length == strlen(name) &&
	       strncasecmp(t->text, name, (size_t)t->length) == 0;
}

int token_int(const struct token *t)
{
	int value = 0;

	for (int i = 0; i < t->length && value < 0xffff; i++)
		value = 10 * value + t->text[i] - '0';
	return value < 0xffff ? value : 0xffff;
}

bool line_take(struct line *line, char c)
{
	if (!token_is(line->cursor, c))
		return false;
	line->cursor++;
	return true;
}

bool line_expect(struct line *line, char c, const char *after, struct diag *d)
{
	char found[40];

	if (line_take(line, c))
		return true;
	return line_error(line, line->cursor, d, "expected `%c` after %s, found %s", c, after,
			  token_show(line->cursor, found, sizeof found));
}

bool line_ends(struct line *line, struct diag *d)
{

	if (line->cursor->kind == TOKEN_END)
		return true;
	return line_expected(line, line->cursor, d, "the end of the statement");
}
