/* CLRX: a file to statements, and the small change of texts: names, quotes, strings, commas. A statement ends with its
 * line, or at `;`; comments become blanks, so that columns stay. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/isa/gcn/clrx_impl.h"

/* ---- errors and memory ---- */

bool clrx_no_memory(struct clrx *c)
{
	return diag_set(c->d, DIAG_ENV, "no memory for the assembly");
}

bool clrx_error(struct clrx *c, const char *piece, const char *fmt, ...)
{
	struct text_place place = c->now.position;
	const char *text = c->now.text;
	va_list ap;

	if (piece && text && piece >= text && piece <= text + strlen(text))
		place.column += (int)(piece - text);
	va_start(ap, fmt);
	diag_placev(c->d, place, fmt, ap);
	va_end(ap);
	return false;
}

void *clrx_grow(struct clrx *c, void **table, size_t *count, size_t *capacity, size_t size)
{
	if (*count == *capacity) {
		size_t more = *capacity ? *capacity * 2 : 16;
		void *bigger = arena_alloc(&c->arena, more * size, 16);
		if (!bigger) {
			clrx_no_memory(c);
			return NULL;
		}
		if (*count)
			memcpy(bigger, *table, *count * size);
		*table = bigger;
		*capacity = more;
	}
	return (char *)*table + size * (*count)++;
}

char *clrx_copy(struct clrx *c, const char *from, size_t n)
{
	char *copy = arena_alloc(&c->arena, n + 1, 1);

	if (copy)
		memcpy(copy, from, n);
	else
		clrx_no_memory(c);
	return copy;
}

/* ---- pieces of a statement ---- */

const char *clrx_skip(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

size_t clrx_name_length(const char *p)
{
	size_t n = 0;

	if (isdigit((unsigned char)*p))
		return 0;
	while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '.' || p[n] == '$')
		n++;
	return n;
}

bool clrx_word_is(const char *p, size_t n, const char *word)
{
	/* most words of a table differ in the first letter */
	return n ? (*p | 32) == (*word | 32) && strlen(word) == n && !strncasecmp(p, word, n) : !*word;
}

const char *clrx_quoted_end(const char *p)
{
	for (const char *q = p + 1; *q; q++) {
		if (*q == '\\' && q[1])
			q++;
		else if (*q == *p)
			return q + 1;
	}
	return NULL;
}

bool clrx_comma(struct clrx *c, const char **p, bool *more)
{
	*p = clrx_skip(*p);
	*more = **p == ',';
	if (!*more && **p)
		return clrx_error(c, *p, "found `%.20s`, expected a comma or the end of the line", *p);
	if (*more)
		*p = clrx_skip(*p + 1);
	return true;
}

bool clrx_ends(struct clrx *c, const char *p)
{
	p = clrx_skip(p);
	return !*p || clrx_error(c, p, "found `%.20s`, expected the end of the line", p);
}

/* The character behind a backslash at *p; *p moves behind. */
static char escaped(const char **p)
{
	static const char letters[] = "abtnvfr", values[] = "\a\b\t\n\v\f\r";
	const char *found = strchr(letters, **p);
	unsigned v = 0;

	if (found && **p)
		return (*p)++, values[found - letters];
	if (**p == 'x' && isxdigit((unsigned char)(*p)[1])) {
		for ((*p)++; isxdigit((unsigned char)**p); (*p)++)
			v = v * 16 + (unsigned)(isdigit((unsigned char)**p) ? **p - '0' : (**p | 32) - 'a' + 10);
		return (char)v;
	}
	if (**p >= '0' && **p <= '7') {
		for (int i = 0; i < 3 && **p >= '0' && **p <= '7'; i++, (*p)++)
			v = v * 8 + (unsigned)(**p - '0');
		return (char)v;
	}
	return *(*p)++;
}

bool clrx_string(struct clrx *c, const char **p, char **out, size_t *n)
{
	const char *end = **p == '"' ? clrx_quoted_end(*p) : NULL, *from = *p + 1;

	if (!end)
		return clrx_error(c, *p, "found `%.20s`, expected a text in double quotes", *p);
	if (!(*out = clrx_copy(c, from, (size_t)(end - from))))
		return false;
	for (*n = 0; from < end - 1;) {
		if (*from == '\\') {
			from++;
			(*out)[(*n)++] = escaped(&from);
		} else {
			(*out)[(*n)++] = *from++;
		}
	}
	(*out)[*n] = '\0';
	*p = end;
	return true;
}

/* ---- a file ---- */

struct cutter {
	struct clrx *c;
	struct clrx_statements *out;
	size_t capacity;
	const char *file, *text, *end;
	char *clean;                            /* the statement so far */
	size_t length, clean_capacity;
	int line, column, begin_line, begin_column;
};

static bool put(struct cutter *k, char letter)
{
	if (k->length + 1 >= k->clean_capacity) {
		size_t more = k->clean_capacity ? 2 * k->clean_capacity : 256;
		char *bigger = realloc(k->clean, more);
		if (!bigger)
			return clrx_no_memory(k->c);
		k->clean = bigger;
		k->clean_capacity = more;
	}
	if (!k->length) {
		k->begin_line = k->line;
		k->begin_column = k->column;
	}
	/* control characters are marks of clrx_insn.c and clrx_expr.c */
	if (k->length || !isspace((unsigned char)letter))
		k->clean[k->length++] = letter < ' ' && letter >= 0 ? ' ' : letter;
	return true;
}

static bool finish_statement(struct cutter *k)
{
	struct clrx_statement *s;

	while (k->length && isspace((unsigned char)k->clean[k->length - 1]))
		k->length--;
	if (!k->length)
		return true;
	s = clrx_grow(k->c, (void **)&k->out->list, &k->out->count, &k->capacity, sizeof *s);
	if (!s || !(s->text = clrx_copy(k->c, k->clean, k->length)))
		return false;
	s->position = (struct text_place){ k->file, k->begin_line, k->begin_column };
	k->length = 0;
	return true;
}

/* A letter at k->text, and the place of the next. */
static void step(struct cutter *k)
{
	if (*k->text++ == '\n') {
		k->line++;
		k->column = 1;
	} else {
		k->column++;
	}
}

/* A string or a character, whole. An apostrophe that closes nothing is a letter. */
static bool put_quoted(struct cutter *k)
{
	const char *p = k->text + 1;
	char quote = *k->text;

	while (p < k->end && *p != quote && *p != '\n')
		p += *p == '\\' && p + 1 < k->end && p[1] != '\n' ? 2 : 1;
	if (p >= k->end || *p == '\n') {
		struct text_place place = { k->file, k->line, k->column };
		if (quote == '"')
			return diag_place(k->c->d, place, "the text in quotes does not end in this line: a \" is "
					  "missing");
		p = k->text;
	}
	while (k->text <= p) {
		if (!put(k, *k->text))
			return false;
		step(k);
	}
	return true;
}

static bool put_comment(struct cutter *k)
{
	struct text_place place = { k->file, k->line, k->column };

	step(k);
	step(k);
	while (k->end - k->text >= 2 && (k->text[0] != '*' || k->text[1] != '/')) {
		if (*k->text == '\n' ? !finish_statement(k) : !put(k, ' '))
			return false;
		step(k);
	}
	if (k->end - k->text < 2)
		return diag_place(k->c->d, place, "the comment is never closed: */ is missing");
	step(k);
	step(k);
	return put(k, ' ') && put(k, ' ');
}

/* A backslash before the end of the line: the line goes on. */
static bool continues(const struct cutter *k)
{
	const char *p = k->text + 1;

	if (*k->text != '\\')
		return false;
	while (p < k->end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p < k->end && *p == '\n';
}

static bool cut(struct cutter *k)
{
	char letter = *k->text;

	if (letter == '"' || letter == '\'')
		return put_quoted(k);
	if (letter == '/' && k->end - k->text > 1 && k->text[1] == '*')
		return put_comment(k);
	if (letter == '#') {
		while (k->text < k->end && *k->text != '\n')
			step(k);
		return true;
	}
	if (continues(k)) {
		while (*k->text != '\n')
			step(k);
		step(k);
		return put(k, ' ');
	}
	bool ends = letter == '\n' || letter == ';';
	if (!(ends ? finish_statement(k) : put(k, letter)))
		return false;
	step(k);
	return true;
}

bool clrx_read_file(struct clrx *c, const char *file, const char *text, size_t n, struct clrx_statements *out)
{
	struct cutter k = { .c = c, .out = out, .file = file, .text = text, .end = text + n, .line = 1, .column = 1 };
	bool ok = true;

	*out = (struct clrx_statements){ NULL, 0 };
	while (ok && k.text < k.end)
		ok = cut(&k);
	ok = ok && finish_statement(&k);
	free(k.clean);
	return ok;
}
