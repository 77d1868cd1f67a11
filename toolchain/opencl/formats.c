/* A copy of the source is made piece by piece: words, comments and literals as they stand, but for literals behind
 * "printf(". */
#include "toolchain/opencl/formats.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/print_text.h"

/* The end of the comment that begins at p; p: there is none. */
static const char *comment_end(const char *p, const char *end)
{
	const char *stop;

	if (end - p < 2 || *p != '/' || (p[1] != '/' && p[1] != '*'))
		return p;
	stop = p[1] == '/' ? memchr(p, '\n', (size_t)(end - p)) : memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);
	return !stop ? end : p[1] == '/' ? stop : stop + 2;
}

/* The end of the literal that begins with the quote at p. */
static const char *literal_end(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote && *p != '\n')
		p += *p == '\\' && end - p > 1 ? 2 : 1;
	return p < end ? p + 1 : end;
}

static const char *blanks_end(const char *p, const char *end)
{
	const char *begin;

	do {
		begin = p;
		while (p < end && isspace((unsigned char)*p))
			p++;
		p = comment_end(p, end);
	} while (p > begin);
	return p;
}

/* Write the conversion at p, a '%', up to its end, which is returned. */
static const char *put_conversion(FILE *out, const char *p, const char *end)
{
	const char *begin = p++, *point, *rest;

	while (p < end && strchr("-+ #0123456789", *p))
		p++;
	point = p;
	if (p < end && *p == '.')
		p++;
	for (rest = p; rest < end && isdigit((unsigned char)*rest); rest++)
		;
	const char *letter = rest;
	while (letter < end && strchr("v0123456789hl", *letter))
		letter++;
	if (letter >= end || (*letter != 'F' && *letter != 'A')) {
		fputc(*begin, out);
		return begin + 1;
	}
	fwrite(begin, 1, (size_t)(point - begin), out);
	fputs("." PRINT_CAPITALS, out);
	fwrite(p, 1, (size_t)(rest - p), out);
	if (p > point && rest == p)
		fputc('0', out);        /* a point alone is a precision of 0 */
	fwrite(rest, 1, (size_t)(letter - rest), out);
	fputc(tolower((unsigned char)*letter), out);
	return letter + 1;
}

static void put_literal(FILE *out, const char *p, const char *end)
{
	while (p < end)
		if ((*p == '%' && end - p > 1 && p[1] == '%') || (*p == '\\' && end - p > 1)) {
			fwrite(p, 1, 2, out);
			p += 2;
		} else if (*p == '%') {
			p = put_conversion(out, p, end);
		} else {
			fputc(*p++, out);
		}
}

/* Write what follows the word printf: a parenthesis and literals. Returns the end. */
static const char *put_call(FILE *out, const char *p, const char *end)
{
	const char *begin = p;

	p = blanks_end(p, end);
	if (p < end && *p == '(') {
		p = blanks_end(p + 1, end);
		fwrite(begin, 1, (size_t)(p - begin), out);
		for (begin = p; p < end && *p == '"'; begin = p) {
			const char *stop = literal_end(p, end);
			put_literal(out, p, stop);
			p = blanks_end(stop, end);
			fwrite(stop, 1, (size_t)(p - stop), out);
		}
	}
	fwrite(begin, 1, (size_t)(p - begin), out);
	return p;
}

static void put_source(FILE *out, const char *p, const char *end)
{
	static const char name[] = "printf";

	while (p < end) {
		const char *begin = p;
		if (isalnum((unsigned char)*p) || *p == '_') {
			while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
				p++;
		} else if (*p == '"' || *p == '\'') {
			p = literal_end(p, end);
		} else {
			p = comment_end(p, end);
			p += p == begin;
		}
		fwrite(begin, 1, (size_t)(p - begin), out);
		if (p - begin == sizeof name - 1 && !memcmp(begin, name, sizeof name - 1))
			p = put_call(out, p, end);
	}
}

bool opencl_formats(struct arena *a, const char **source, size_t *n)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out;

	if (!memmem(*source, *n, "printf", 6))
		return true;
	out = open_memstream(&bytes, &size);
	if (!out)
		return false;
	put_source(out, *source, *source + *n);
	bool whole = !fclose(out) && bytes;
	const char *kept = whole ? arena_memdup(a, bytes, size) : NULL;
	free(bytes);
	if (!kept)
		return false;
	*source = kept;
	*n = size;
	return true;
}
