/* A breakpoint is a pc, a condition or both, for the warp that acted last; a watch is an expression whose value is
 * compared with the previous turn's. Both are evaluated after each turn of a stepped launch (inspect/walk.c). */
#include "inspect/stops.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/host_floats.h"
#include "inspect/condition.h"
#include "inspect/launch.h"
#include "inspect/watch.h"

struct stop {
	int id;
	enum wb_stop kind;
	char *text;
	uint64_t hits;
	bool has_pc, has_condition;
	uint32_t pc;
	unsigned line;                  /* source line of the breakpoint's text; 0: set by label or pc */
	unsigned code_line;             /* that line, or the next with instructions; 0: set by label or pc */
	struct condition condition;
	uint32_t block, warp;           /* the watch's warp */
	bool there;                     /* a watch's value, as last evaluated */
	uint64_t value;
};

struct stops {
	int last_id;
	unsigned n;
	struct stop *stop;
};

void stops_free(struct wb_launch *l)
{
	if (!l->stops)
		return;
	for (unsigned i = 0; i < l->stops->n; i++)
		free(l->stops->stop[i].text);
	free(l->stops->stop);
	free(l->stops);
	l->stops = NULL;
}

/* ---- setting ---- */

/* "LABEL", "#LABEL" or "0x48" of n characters. */
static bool find_place(const struct wb_launch *l, const char *text, size_t n, uint32_t *pc, struct diag *d)
{
	char name[64], *end;
	unsigned long v;

	if (n >= sizeof name)
		n = sizeof name - 1;
	memcpy(name, text, n);
	name[n] = '\0';
	v = strtoul(name, &end, 0);
	*pc = (uint32_t)v;
	if (n && !*end && v < l->plan.code.code_bytes && v % 4 == 0)
		return true;
	if (wb_launch_label(l, name + (name[0] == '#'), pc))
		return true;
	return diag_set(d, DIAG_USAGE, "found \"%s\", expected a label, a line such as :12, or a pc below 0x%x that "
			"is a multiple of 4",
			name, l->plan.code.code_bytes);
}

/* A source line as place: `n` characters, the length of an optional file name, and the line. n 0: not a source line. */
struct line_place {
	size_t n, file;
	unsigned long line;
};

/* "FILE:12", ":12" or "line 12", before a blank or the end. */
static struct line_place line_place(const char *text)
{
	struct line_place p = { .file = strcspn(text, " ") };
	const char *digits = text + p.file;
	char *end;

	if (!strncmp(text, "line ", 5)) {
		p.file = 0;
		digits = text + 5 + strspn(text + 5, " ");
	} else {
		while (digits > text && isdigit((unsigned char)digits[-1]))
			digits--;
		if (digits == text || digits[-1] != ':')
			return (struct line_place){ 0 };
		p.file = (size_t)(digits - 1 - text);
	}
	p.line = isdigit((unsigned char)*digits) ? strtoul(digits, &end, 10) : 0;
	if (!isdigit((unsigned char)*digits) || (*end && *end != ' '))
		return (struct line_place){ 0 };
	p.n = (size_t)(end - text);
	return p;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The file with the lines of the program, without folders: the program itself, or what a compiler made it from. */
static const char *source_file(const struct wb_launch *l)
{
	const struct image *im = l->plan.image;

	return base_name(im->source_name ? im->source_name : im->file);
}

/* Is the text the name of the launch's source, with or without folders? */
static bool names_source(const struct wb_launch *l, const char *text, size_t n)
{
	const char *file = source_file(l);

	for (size_t i = n; i > 0; i--)
		if (text[i - 1] == '/') {
			text += i;
			n -= i;
			break;
		}
	return !n || (strlen(file) == n && !strncmp(file, text, n));
}

static unsigned long source_lines(const char *text)
{
	unsigned long n = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");
		text += length + (text[length] == '\n');
		n++;
	}
	return n;
}

/* The first instruction of the line, or of the next line with instructions. */
static bool find_line(const struct wb_launch *l, const char *text, struct line_place p, struct stop *s, struct diag *d)
{
	const struct image_kernel *k = l->plan.kernel;
	const char *source = l->plan.image->source, *file = source_file(l);
	const struct image_line *found = NULL;
	unsigned last = 0;

	for (size_t i = 0; i < k->nlines; i++) {
		last = k->lines[i].line > last ? k->lines[i].line : last;
		if (k->lines[i].line >= p.line && (!found || k->lines[i].line < found->line))
			found = &k->lines[i];
	}
	if (!last)
		return diag_set(d, DIAG_USAGE, "found \"%.*s\", expected a label or a pc: the program does not say "
				"from which lines its instructions come", (int)p.n, text);
	if (source && p.file && !names_source(l, text, p.file))
		return diag_set(d, DIAG_USAGE, "found \"%.*s\", expected a line of %s, such as %s:%u or :%u", (int)p.n,
				text, file, file, last, last);
	if (!p.line || (source && p.line > source_lines(source)))
		return diag_set(d, DIAG_USAGE, "found line %lu, expected one from 1 to %lu, the last of %s", p.line,
				source ? source_lines(source) : last, file);
	if (!found)
		return diag_set(d, DIAG_USAGE, "found line %lu, expected one up to %u: no later line of %s has "
				"instructions", p.line, last, file);
	s->pc = found->pc;
	s->line = (unsigned)p.line;
	s->code_line = found->line;
	return true;
}

/* Whether the variables of a condition have values at an instruction of the breakpoint. */
static bool condition_can_hold(const struct wb_launch *l, const struct stop *s, struct diag *d)
{
	const struct image_kernel *k = l->plan.kernel;

	for (size_t i = 0; s->code_line && i < k->nlines; i++)
		if (k->lines[i].line == s->code_line && condition_fits(&s->condition, l, k->lines[i].pc, NULL))
			return true;
	return condition_fits(&s->condition, l, s->pc, d);
}

static bool parse_break(const struct wb_launch *l, struct stop *s, struct diag *d)
{
	const char *text = s->text + strspn(s->text, " "), *rest = text;

	if (strncmp(text, "if ", 3)) {
		struct line_place line = line_place(text);
		size_t n = line.n ? line.n : strcspn(text, " ");
		if (line.n ? !find_line(l, text, line, s, d) : !find_place(l, text, n, &s->pc, d))
			return false;
		s->has_pc = true;
		rest = text + n + strspn(text + n, " ");
		if (!*rest)
			return true;
	}
	if (strncmp(rest, "if ", 3))
		return diag_set(d, DIAG_USAGE, "found \"%s\", expected \"if EXPRESSION\"", rest);
	s->has_condition = true;
	return condition_parse(&s->condition, l, rest + 3, d) &&
	       (!s->has_pc || condition_can_hold(l, s, d));
}

static bool parse_stop(const struct wb_launch *l, struct stop *s, struct diag *d)
{
	if (s->kind != WB_STOP_WATCH)
		return parse_break(l, s, d);
	s->has_condition = true;
	return condition_parse(&s->condition, l, s->text, d);
}

static struct stop *new_stop(struct wb_launch *l)
{
	struct stop *grown;

	if (!l->stops)
		l->stops = calloc(1, sizeof *l->stops);
	grown = l->stops ? realloc(l->stops->stop, (l->stops->n + 1) * sizeof *grown) : NULL;
	if (!grown)
		return NULL;
	l->stops->stop = grown;
	return &grown[l->stops->n];
}

enum wb_status wb_launch_break(struct wb_launch *l, enum wb_stop kind, const char *text, uint32_t block, uint32_t warp,
			       int *id, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };
	struct stop *s;
	char *copy;

	if (kind != WB_STOP_BREAK && kind != WB_STOP_WATCH) {
		diag_set(&d, DIAG_USAGE, "found stop %u, expected WB_STOP_BREAK or WB_STOP_WATCH", (unsigned)kind);
		return public_diag(wd, &d);
	}
	s = new_stop(l);
	copy = s ? strdup(text) : NULL;
	if (!copy) {
		diag_set(&d, DIAG_ENV, "out of memory");
		return public_diag(wd, &d);
	}
	*s = (struct stop){ .id = l->stops->last_id + 1, .kind = kind, .text = copy, .block = block, .warp = warp };
	if (!parse_stop(l, s, &d)) {
		free(copy);
		return public_diag(wd, &d);
	}
	l->stops->last_id++;
	l->stops->n++;
	*id = s->id;
	return WB_OK;
}

bool wb_launch_unbreak(struct wb_launch *l, int id)
{
	for (unsigned i = 0; l->stops && i < l->stops->n; i++) {
		struct stop *s = &l->stops->stop[i];
		if (s->id != id)
			continue;
		free(s->text);
		memmove(s, s + 1, (--l->stops->n - i) * sizeof *s);
		return true;
	}
	return false;
}

bool wb_launch_breaks(const struct wb_launch *l, unsigned index, struct wb_break *out)
{
	const struct stop *s;

	if (!l->stops || index >= l->stops->n)
		return false;
	s = &l->stops->stop[index];
	*out = (struct wb_break){ s->id, s->kind, s->text, s->hits };
	return true;
}

size_t wb_launch_break_place(const struct wb_launch *l, int id, char *text, size_t size)
{
	for (unsigned i = 0; l->stops && i < l->stops->n; i++) {
		const struct stop *s = &l->stops->stop[i];
		unsigned line = (unsigned)kernel_line(l->plan.kernel, s->pc);
		int n = 0;
		if (s->id != id || !s->line)
			continue;
		if (line == s->line)
			n = snprintf(text, size, "line %u, 0x%04x", line, s->pc);
		else
			n = snprintf(text, size, "line %u, 0x%04x: line %u has no instructions", line, s->pc, s->line);
		return n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* ---- evaluating ---- */

/* Whether the watched expression changed since the last evaluation. */
static bool changed(const struct wb_launch *l, struct stop *s)
{
	uint64_t value = 0;
	bool there = condition_value(&s->condition, l, s->block, s->warp, &value);
	bool is = there != s->there || value != s->value;

	s->there = there;
	s->value = value;
	return is;
}

/* Whether a warp that stands at pc has just come to the place: to its pc, or from elsewhere to an instruction of its
 * line, of which a compiler may have made code more than once. A jump backwards within the line counts. */
static bool is_at_place(const struct wb_launch *l, const struct stop *s, const struct wb_action *did, uint32_t pc)
{
	const struct image_kernel *k = l->plan.kernel;

	if (!s->code_line || pc == s->pc)
		return pc == s->pc;
	return kernel_line(k, pc) == (int)s->code_line &&
	       (kernel_line(k, did->pc) != (int)s->code_line || did->pc >= pc);
}

static bool reached(const struct wb_launch *l, const struct stop *s)
{
	const struct wb_action *did = &l->watch->latest;
	struct wb_warp w;

	if (s->has_pc && (!wb_launch_find_warp(l, did->block, did->warp, &w) || w.waits == WB_WAIT_DONE ||
			  !is_at_place(l, s, did, w.pc)))
		return false;
	return !s->has_condition || condition_holds(&s->condition, l, did->block, did->warp);
}

void stops_begin(struct wb_launch *l)
{
	for (unsigned i = 0; l->stops && i < l->stops->n; i++)
		if (l->stops->stop[i].kind == WB_STOP_WATCH)
			changed(l, &l->stops->stop[i]);
}

unsigned stops_met(struct wb_launch *l, unsigned wanted, int *id)
{
	unsigned hit = 0;

	for (unsigned i = 0; l->stops && i < l->stops->n; i++) {
		struct stop *s = &l->stops->stop[i];
		if (!(wanted & s->kind) || !(s->kind == WB_STOP_WATCH ? changed(l, s) : reached(l, s)))
			continue;
		if (!hit)
			*id = s->id;
		hit |= s->kind;
	}
	return hit;
}

void stops_hit(struct wb_launch *l, int id)
{
	for (unsigned i = 0; l->stops && i < l->stops->n; i++)
		l->stops->stop[i].hits += l->stops->stop[i].id == id;
}

enum wb_status wb_launch_value(const struct wb_launch *l, const char *expression, uint32_t block, uint32_t warp,
			       uint64_t *value, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };
	struct condition c;

	if (condition_parse(&c, l, expression, &d) && !condition_value(&c, l, block, warp, value))
		condition_absent(&c, l, block, warp, expression, &d);
	return d.kind == DIAG_OK ? WB_OK : public_diag(wd, &d);
}
