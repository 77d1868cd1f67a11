/* Tokens of a text, with their lines and columns for diagnostics. */
#include "core/load/scan.h"

#include <string.h>

void scan_start(struct scan *s, const void *text, size_t size)
{
	*s = (struct scan){ .cursor = text, .end = (const char *)text + size, .line_start = text,
			    .line = 1, .token = "" };
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_mark(char c)
{
	return c == '{' || c == '}' || c == '=';
}

bool scan_next(struct scan *s)
{
	for (; s->cursor < s->end && is_space(*s->cursor); s->cursor++) {
		if (*s->cursor == '\n') {
			s->line++;
			s->line_start = s->cursor + 1;
		}
	}
	s->token = s->cursor;
	s->token_line = s->line;
	s->token_column = (int)(s->cursor - s->line_start) + 1;
	while (s->cursor < s->end && !is_space(*s->cursor) && !is_mark(*s->cursor))
		s->cursor++;
	if (s->cursor == s->token && s->cursor < s->end)
		s->cursor++;
	s->length = (size_t)(s->cursor - s->token);
	return s->length > 0;
}

bool scan_is(const struct scan *s, const char *word)
{
	return s->length == strlen(word) && !memcmp(s->token, word, s->length);
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static bool digits_in(const char *p, size_t n, unsigned base, uint32_t *value)
{
	uint64_t v = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned one = (unsigned)digit(p[i]);
		if (one >= base || v > UINT32_MAX)
			return false;
		v = v * base + one;
	}
	*value = (uint32_t)v;
	return n > 0 && v <= UINT32_MAX;
}

bool scan_number(const struct scan *s, uint32_t *value)
{
	if (s->length > 2 && s->token[0] == '0' && (s->token[1] | 0x20) == 'x')
		return digits_in(s->token + 2, s->length - 2, 16, value);
	return digits_in(s->token, s->length, 10, value);
}

bool scan_hex(const struct scan *s, size_t digits, uint32_t *value)
{
	return s->length == digits && digits_in(s->token, digits, 16, value);
}
