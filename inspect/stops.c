/* A breakpoint is a pc, a condition or both, for the warp that acted last; a watch is an expression whose value is
 * compared with that of the turn before. All of them are evaluated after each turn of a launch that is stepped
 * (inspect/walk.c). */
#include "inspect/stops.h"

#include <stdlib.h>
#include <string.h>

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
	struct condition condition;
	uint32_t block, warp;           /* a watch's own */
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
	return diag_set(d, DIAG_USAGE, "found \"%s\", expected a label, or a pc below 0x%x that is a multiple of 4",
			name, l->plan.code.code_bytes);
}

static bool parse_break(const struct wb_launch *l, struct stop *s, struct diag *d)
{
	const char *text = s->text + strspn(s->text, " "), *rest = text;

	if (strncmp(text, "if ", 3)) {
		size_t n = strcspn(text, " ");
		if (!find_place(l, text, n, &s->pc, d))
			return false;
		s->has_pc = true;
		rest = text + n + strspn(text + n, " ");
		if (!*rest)
			return true;
	}
	if (strncmp(rest, "if ", 3))
		return diag_set(d, DIAG_USAGE, "found \"%s\", expected \"if EXPRESSION\"", rest);
	s->has_condition = true;
	return condition_parse(&s->condition, l, rest + 3, d);
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

/* ---- evaluating ---- */

/* Has the watched expression another value than when it was last evaluated? */
static bool changed(const struct wb_launch *l, struct stop *s)
{
	uint64_t value = 0;
	bool there = condition_value(&s->condition, l, s->block, s->warp, &value);
	bool is = there != s->there || value != s->value;

	s->there = there;
	s->value = value;
	return is;
}

static bool reached(const struct wb_launch *l, const struct stop *s)
{
	const struct wb_action *did = &l->watch->last;
	struct wb_warp w;
	uint64_t v;

	if (s->has_pc &&
	    (!wb_launch_find_warp(l, did->block, did->warp, &w) || w.pc != s->pc || w.waits == WB_WAIT_DONE))
		return false;
	return !s->has_condition || (condition_value(&s->condition, l, did->block, did->warp, &v) && v);
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
	struct diag d = { 0 };
	struct condition c;

	if (condition_parse(&c, l, expression, &d) && !condition_value(&c, l, block, warp, value))
		diag_set(&d, DIAG_USAGE, "\"%s\" names something that is not there now", expression);
	return d.kind == DIAG_OK ? WB_OK : public_diag(wd, &d);
}
