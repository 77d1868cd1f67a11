/* A recursive filler: fill() copies lines; @repeat calls it for the lines up to its @end, @NAME for the parameter's
 * text, and {…} writes the value of an expression. Any error clears `ok`, which is checked at the end. */
#include "bench/laboratory/template.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING = 4 };

struct filler {
	const struct blank *blanks;
	long count[NESTING]; /* of the repeats around, innermost last */
	int depth;
	FILE *out;
	bool ok;
};

static const struct blank *find(const struct filler *f, const char *name, size_t n)
{
	for (const struct blank *b = f->blanks; b->name; b++)
		if (strlen(b->name) == n && !memcmp(b->name, name, n))
			return b;
	return NULL;
}

static long term(struct filler *f, const char **p)
{
	const char *name = *p;
	size_t n = 0;
	if (isdigit((unsigned char)*name))
		return strtol(name, (char **)p, 10);
	while (isalpha((unsigned char)name[n]))
		n++;
	*p = name + n;
	if (n == 1 && *name == 'i' && f->depth)
		return f->count[f->depth - 1];
	const struct blank *b = find(f, name, n);
	f->ok = f->ok && b;
	return b ? b->value : 0;
}

static long expression(struct filler *f, const char **p)
{
	long v = term(f, p);
	while (**p && strchr("+-*%", **p)) {
		char op = *(*p)++;
		long w = term(f, p);
		v = op == '+' ? v + w : op == '-' ? v - w : op == '*' ? v * w : w ? v % w : 0;
	}
	return v;
}

static void braces(struct filler *f, const char **p)
{
	const char *close = strchr(*p, '}'), *name = *p + 1;
	const struct blank *b = close ? find(f, name, (size_t)(close - name)) : NULL;
	if (b && b->text) {
		fputs(b->text, f->out);
	} else {
		long v = expression(f, &name);
		fprintf(f->out, !strncmp(name, ":x", 2) ? "%lx" : "%ld", v);
		f->ok = f->ok && close;
	}
	*p = close ? close + 1 : *p + 1;
}

static void fill(struct filler *f, const char *text, const char *end);

/* The line after the @end that closes the repeat whose first line is at p. */
static const char *after_repeat(const char *p, const char *end, const char **inner_end)
{
	for (int depth = 1; p < end; p++) {
		const char *line = p;
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			p = end;
		depth += !strncmp(line, "@repeat", 7);
		depth -= !strncmp(line, "@end", 4);
		*inner_end = line;
		if (!depth)
			return p < end ? p + 1 : end;
	}
	return end;
}

static const char *repeat(struct filler *f, const char *line, const char *end)
{
	const char *count = line + strlen("@repeat "), *inner = strchr(line, '\n') + 1, *inner_end = end;
	const char *after = after_repeat(inner, end, &inner_end);
	long n = expression(f, &count);
	f->ok = f->ok && f->depth < NESTING;
	if (!f->ok)
		return after;
	f->depth++;
	for (long i = 0; i < n; i++) {
		f->count[f->depth - 1] = i;
		fill(f, inner, inner_end);
	}
	f->depth--;
	return after;
}

/* A line "@NAME": its parameter's text, itself a template. */
static void paste(struct filler *f, const char *line, const char *eol)
{
	const struct blank *b = find(f, line + 1, (size_t)(eol - line - 1));
	f->ok = f->ok && b && b->text;
	if (f->ok)
		fill(f, b->text, b->text + strlen(b->text));
}

static void fill(struct filler *f, const char *p, const char *end)
{
	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		if (!strncmp(p, "@repeat ", 8)) {
			p = repeat(f, p, end);
			continue;
		}
		if (*p == '@') {
			paste(f, p, eol);
			p = eol + 1;
			continue;
		}
		while (p < eol) {
			if (*p == '{')
				braces(f, &p);
			else
				fputc(*p++, f->out);
		}
		fputc('\n', f->out);
		p = eol + 1;
	}
}

char *template_fill(const char *text, const struct blank *blanks)
{
	char *result = NULL;
	size_t size = 0;
	struct filler f = {.blanks = blanks, .out = open_memstream(&result, &size), .ok = true};
	if (!f.out)
		return NULL;
	fill(&f, text, text + strlen(text));
	f.ok = fclose(f.out) == 0 && f.ok;
	if (f.ok)
		return result;
	free(result);
	return NULL;
}
