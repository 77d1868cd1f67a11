/* A linker of PTX's text. Brackets divide a text into statements; a symbol is the first name of a statement. The
 * linked text has prototypes first, then variables, then functions, then the parts' lists of files, numbered anew.
 * Sections for debuggers are left out. */
#include "frontends/runtime/link.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART_NAME = 128 };
enum kind { HEADER, FILES, NOTHING, VARIABLE, PROTOTYPE, FUNCTION };
enum linkage { OWN, EXTERNAL, WEAK, STRONG };

/* A statement outside functions, and the symbol. */
struct statement {
	const char *begin, *end;
	unsigned part;
	enum kind kind;
	enum linkage linkage;
	const char *name;
	int length;
	bool sized_by_launch;   /* .extern .shared: each text may declare it */
	bool renamed;
};

struct linking {
	const struct link_part *part;
	size_t nparts;
	struct statement *statement;
	size_t n;
	unsigned *files;        /* of each part: highest number of a file of the parts before */
	bool *renames;          /* of each part: whether a symbol is renamed */
	char *wrong;
	FILE *out;
};

/* ---- reading ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* The end of the token at p: a comment, a string, a word with the sign in front, a number, blanks, or a sign. */
static const char *token_end(const char *p, const char *end)
{
	const char *q = p + 1, *close;

	if (*p == '/' && q < end && *q == '/')
		return (close = memchr(p, '\n', (size_t)(end - p))) ? close : end;
	if (*p == '/' && q < end && *q == '*')
		return (close = memmem(p + 2, (size_t)(end - p - 2), "*/", 2)) ? close + 2 : end;
	if (*p == '"') {
		while (q < end && *q != '"')
			q += *q == '\\' && q + 1 < end ? 2 : 1;
		return q < end ? q + 1 : end;
	}
	if (is_word(*p) || *p == '.' || *p == '%')
		while (q < end && is_word(*q))
			q++;
	else if (isspace((unsigned char)*p))
		while (q < end && isspace((unsigned char)*q))
			q++;
	return q;
}

static bool is(const char *p, const char *end, const char *word)
{
	return (size_t)(end - p) == strlen(word) && !memcmp(p, word, (size_t)(end - p));
}

static bool is_name(const char *p)
{
	return isalpha((unsigned char)*p) || *p == '_' || *p == '$' || *p == '%';
}

/* C++'s names of a source's own variables: a compiler may show such variables to the host. */
static bool is_own_name(const struct statement *s)
{
	return (s->length > 3 && !memcmp(s->name, "_ZL", 3)) || memmem(s->name, (size_t)s->length, "_GLOBAL__N_", 11);
}

static void note_word(struct statement *s, const char *p, const char *q)
{
	static const char *const spaces[] = { ".global", ".const", ".shared", ".local", ".tex", NULL };

	if (is(p, q, ".visible"))
		s->linkage = STRONG;
	else if (is(p, q, ".extern"))
		s->linkage = EXTERNAL;
	else if (is(p, q, ".weak") || is(p, q, ".common"))
		s->linkage = WEAK;
	else if (is(p, q, ".func") || is(p, q, ".entry"))
		s->kind = PROTOTYPE;
	for (const char *const *word = spaces; *word; word++)
		if (s->kind == NOTHING && is(p, q, *word)) {
			s->kind = VARIABLE;
			s->sized_by_launch = s->linkage == EXTERNAL && is(p, q, ".shared");
		}
}

/* The kind of a statement up to the line's end; NOTHING: another statement. */
static enum kind line_kind(const char *p, const char *q)
{
	return is(p, q, ".file") ? FILES :
	       is(p, q, ".version") || is(p, q, ".target") || is(p, q, ".address_size") ? HEADER : NOTHING;
}

/* The statement from p on, where its first word begins. */
static struct statement read_statement(const char *p, const char *end)
{
	struct statement s = { .begin = p, .end = end, .kind = line_kind(p, token_end(p, end)) };
	int depth = 0;

	if (s.kind != NOTHING) {
		const char *line = memchr(p, '\n', (size_t)(end - p));
		s.end = line ? line + 1 : end;
		return s;
	}
	bool is_section = is(p, token_end(p, end), ".section"), body = is_section;
	for (const char *q; p < end; p = q) {
		q = token_end(p, end);
		if (*p == '{' && !depth && s.kind == PROTOTYPE) {
			s.kind = FUNCTION;
			body = true;
		}
		depth += *p == '{' || *p == '(' || *p == '[' ? 1 : *p == '}' || *p == ')' || *p == ']' ? -1 : 0;
		if (!depth && (*p == ';' || (*p == '}' && body))) {
			s.end = q;
			break;
		}
		if (!depth && *p == '.')
			note_word(&s, p, q);
		if (!depth && !s.name && !is_section && is_name(p)) {
			s.name = p;
			s.length = (int)(q - p);
		}
	}
	if (s.kind != NOTHING && !s.name)
		s.kind = NOTHING;
	if (s.kind != NOTHING && is_own_name(&s) && s.linkage != EXTERNAL)
		s.linkage = OWN;
	return s;
}

static bool add_statement(struct linking *l, struct statement s)
{
	struct statement *grown = l->statement;

	if (!(l->n & (l->n + 1)))
		grown = realloc(l->statement, (2 * l->n + 2) * sizeof *grown);
	if (!grown)
		return false;
	l->statement = grown;
	l->statement[l->n++] = s;
	return true;
}

static bool read_part(struct linking *l, unsigned part)
{
	const char *p = l->part[part].text, *end = p + strnlen(p, l->part[part].size);
	unsigned files = l->files[part];

	while (p < end) {
		if (isspace((unsigned char)*p) || *p == '/') {
			p = token_end(p, end);
			continue;
		}
		struct statement s = read_statement(p, end);
		s.part = part;
		if (!add_statement(l, s))
			return false;
		unsigned number = s.kind == FILES ? l->files[part] + (unsigned)strtoul(p + 5, NULL, 10) : 0;
		files = number > files ? number : files;
		p = s.end;
	}
	if (part + 1 < l->nparts)
		l->files[part + 1] = files;
	return true;
}

/* ---- symbols ---- */

static bool same(const struct statement *a, const struct statement *b)
{
	return a->length == b->length && !memcmp(a->name, b->name, (size_t)a->length);
}

static bool has_symbol(const struct statement *s) { return s->kind >= VARIABLE; }

static bool defines(const struct statement *s)
{
	return s->kind == FUNCTION || (s->kind == VARIABLE && s->linkage != EXTERNAL);
}

static const char *part_name(const struct linking *l, unsigned part, char name[PART_NAME])
{
	const char *said = l->part[part].name;

	snprintf(name, PART_NAME, "text %u", part + 1);
	if (said)
		snprintf(name, PART_NAME, "%.*s", (int)strcspn(said, "\n"), said);
	return name;
}

static bool refuse(struct linking *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct linking *l, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vsnprintf(l->wrong, LINK_WRONG, format, values);
	va_end(values);
	return false;
}

/* The definition for all parts; NULL: no part has a definition. */
static const struct statement *definition(const struct linking *l, const struct statement *of)
{
	const struct statement *found = NULL;

	for (const struct statement *s = l->statement; s < l->statement + l->n; s++)
		if (has_symbol(s) && defines(s) && s->linkage != OWN && same(s, of) &&
		    (!found || (found->linkage == WEAK && s->linkage == STRONG)))
			found = s;
	return found;
}

/* Whether another part's symbol has an own symbol's name, with more right. */
static bool is_taken(const struct linking *l, const struct statement *own)
{
	for (const struct statement *s = l->statement; s < l->statement + l->n; s++)
		if (has_symbol(s) && s->part != own->part && same(s, own) &&
		    (s->linkage != OWN || s->part < own->part))
			return true;
	return false;
}

/* Functions of the host's runtime, without a definition in any text, and prototypes of functions without a call. */
static bool is_of_system(const struct statement *s)
{
	static const char *const names[] = { "vprintf", "malloc", "free", "__assertfail", NULL };

	for (const char *const *name = names; *name; name++)
		if (is(s->name, s->name + s->length, *name))
			return true;
	return s->kind == PROTOTYPE && s->linkage != EXTERNAL;
}

static bool check_symbol(struct linking *l, struct statement *s)
{
	char one[PART_NAME], two[PART_NAME];
	const struct statement *whole;

	if (s->linkage == OWN) {
		s->renamed = is_taken(l, s);
		l->renames[s->part] |= s->renamed;
		return true;
	}
	whole = definition(l, s);
	if (!whole && !s->sized_by_launch && !is_of_system(s))
		return refuse(l, "%.*s is used by %s, and none of the %zu texts defines it", s->length, s->name,
			      part_name(l, s->part, one), l->nparts);
	if (defines(s) && s->linkage == STRONG && whole != s)
		return refuse(l, "%.*s is defined twice, by %s and by %s", s->length, s->name,
			      part_name(l, whole->part, one), part_name(l, s->part, two));
	return true;
}

/* ---- writing ---- */

static bool is_renamed(const struct linking *l, unsigned part, const char *p, int length)
{
	for (const struct statement *s = l->statement; l->renames[part] && s < l->statement + l->n; s++)
		if (s->renamed && s->part == part && s->length == length && !memcmp(s->name, p, (size_t)length))
			return true;
	return false;
}

/* The number of a file behind ".loc", ".file" or "inlined_at"; returns the end. */
static const char *put_number(const struct linking *l, unsigned part, const char *p, const char *end)
{
	const char *digits = p;

	while (digits < end && (*digits == ' ' || *digits == '\t'))
		digits++;
	if (digits == end || !isdigit((unsigned char)*digits))
		return p;
	fprintf(l->out, " %lu", strtoul(digits, NULL, 10) + l->files[part]);
	while (digits < end && isdigit((unsigned char)*digits))
		digits++;
	return digits;
}

static void put_statement(const struct linking *l, const struct statement *s, bool is_defined)
{
	for (const char *p = s->begin, *q; p < s->end; p = q) {
		q = token_end(p, s->end);
		if (is_defined && is(p, q, ".extern"))
			continue;
		fwrite(p, 1, (size_t)(q - p), l->out);
		if (is_name(p) && is_renamed(l, s->part, p, (int)(q - p)))
			fprintf(l->out, "__own_%u", s->part);
		if (is(p, q, ".loc") || is(p, q, ".file") || is(p, q, "inlined_at"))
			q = put_number(l, s->part, q, s->end);
	}
	fputc('\n', l->out);
}

/* Whether a declaration is the symbol's first. */
static bool is_first(const struct linking *l, const struct statement *s)
{
	for (const struct statement *p = l->statement; p < s; p++)
		if (p->kind == s->kind && has_symbol(p) && same(p, s) && p->linkage != OWN)
			return false;
	return true;
}

static void put_kind(const struct linking *l, enum kind kind)
{
	for (const struct statement *s = l->statement; s < l->statement + l->n; s++) {
		if (s->kind != kind)
			continue;
		const struct statement *whole = has_symbol(s) && s->linkage != OWN ? definition(l, s) : NULL;
		bool kept = !has_symbol(s) || s->linkage == OWN || (whole && kind != PROTOTYPE ? whole == s
											       : is_first(l, s));
		if (kept)
			put_statement(l, s, whole);
	}
}

/* The highest number behind a word of the parts' headers. */
static unsigned long highest(const struct linking *l, const char *word, const char *sign)
{
	unsigned long most = 0;

	for (const struct statement *s = l->statement; s < l->statement + l->n; s++) {
		const char *at = s->kind == HEADER ? memmem(s->begin, (size_t)(s->end - s->begin), sign, strlen(sign))
						   : NULL;
		if (at && !strncmp(s->begin, word, strlen(word))) {
			unsigned long v = strtoul(at + strlen(sign), NULL, 10);
			most = v > most ? v : most;
		}
	}
	return most;
}

/* Versions have one digit behind the point: 6.5 is 65. */
static unsigned long version(const struct linking *l)
{
	unsigned long most = 0;

	for (const struct statement *s = l->statement; s < l->statement + l->n; s++)
		if (s->kind == HEADER && !strncmp(s->begin, ".version", 8)) {
			char *point;
			unsigned long v = 10 * strtoul(s->begin + 8, &point, 10);
			v += *point == '.' ? strtoul(point + 1, NULL, 10) : 0;
			most = v > most ? v : most;
		}
	return most;
}

static char *put_all(struct linking *l)
{
	unsigned long size = highest(l, ".address_size", " "), v = version(l);
	char *text = NULL;
	size_t bytes;

	l->out = open_memstream(&text, &bytes);
	if (!l->out)
		return NULL;
	fprintf(l->out, ".version %lu.%lu\n.target sm_%lu\n", v / 10, v % 10, highest(l, ".target", "sm_"));
	if (size)
		fprintf(l->out, ".address_size %lu\n", size);
	put_kind(l, PROTOTYPE);
	put_kind(l, VARIABLE);
	put_kind(l, FUNCTION);
	put_kind(l, FILES);
	if (!fclose(l->out))
		return text;
	free(text);
	return NULL;
}

char *link_texts(const struct link_part *part, size_t n, char wrong[LINK_WRONG])
{
	struct linking l = { .part = part, .nparts = n, .wrong = wrong };
	bool good;
	char *text;

	*wrong = '\0';
	l.files = calloc(n, sizeof *l.files);
	l.renames = calloc(n, sizeof *l.renames);
	good = l.files && l.renames;
	for (unsigned i = 0; good && i < n; i++)
		good = read_part(&l, i);
	for (struct statement *s = l.statement; good && s < l.statement + l.n; s++)
		good = !has_symbol(s) || check_symbol(&l, s);
	text = good ? put_all(&l) : NULL;
	free(l.files);
	free(l.renames);
	free(l.statement);
	return text;
}

bool link_read(const char *p, const char *end, struct link_part *part)
{
	enum { MARK = sizeof LINK_MARK - 1 };

	if (end - p < MARK || memcmp(p, LINK_MARK, MARK))
		return false;
	*part = (struct link_part){ p, strnlen(p, (size_t)(end - p)), p + MARK };
	return memchr(p, '\n', part->size);
}

bool link_find(const char *p, const char *end, struct link_part *part)
{
	while (p < end && (p = memmem(p, (size_t)(end - p), LINK_MARK, sizeof LINK_MARK - 1))) {
		if (link_read(p, end, part))
			return true;
		p++;
	}
	return false;
}

void link_variables(const struct link_part *part, link_name_fn *each, void *context)
{
	for (const char *p = part->text, *end = p + part->size; p < end; ) {
		if (isspace((unsigned char)*p) || *p == '/') {
			p = token_end(p, end);
			continue;
		}
		struct statement s = read_statement(p, end);
		if (s.kind == VARIABLE && defines(&s) && s.linkage != OWN)
			each(context, s.name, s.length);
		p = s.end;
	}
}

char *link_own_name(const char *name, size_t part)
{
	char *own;

	return asprintf(&own, "%s__own_%zu", name, part) < 0 ? NULL : own;
}
