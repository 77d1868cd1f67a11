/* The state string: wb1:k=ifelse;c=128;w=3;pane=stack;zoom=4;theme=print */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/view.h"

struct text {
	char *to;
	size_t size, n;
};

static void put(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(t->to + t->n, t->size - t->n, fmt, ap);
	va_end(ap);
	t->n = n > 0 && t->n + (size_t)n < t->size ? t->n + (size_t)n : t->size - 1;
}

/* A name in a state: short, without the sign that ends a pair, cut between characters. */
static void put_name(struct text *t, const char *name)
{
	enum { NAME = 80 };
	size_t n = strlen(name);
	if (n > NAME)
		for (n = NAME; n && ((unsigned char)name[n] & 0xc0) == 0x80;)
			n--;
	for (size_t i = 0; i < n; i++)
		put(t, "%c", name[i] == ';' ? ',' : name[i]);
}

/* Everything that differs from the view one begins with; i is the exact position where a cycle has several issues. */
void state_format(char *text, size_t size, const struct model *m, const struct view *v)
{
	struct text t = {text, size, 0};
	put(&t, "wb1:k=");
	put_name(&t, m->report->launch.kernel ? m->report->launch.kernel : "");
	put(&t, ";c=%" PRIu64 ";i=%" PRIu64, m->where.began ? m->where.last.cycle : 0, m->where.issue);
	if (v->slot >= 0)
		put(&t, ";w=%d", v->slot);
	if (v->mp >= 0)
		put(&t, ";mp=%d", v->mp);
	if (v->pc >= 0)
		put(&t, ";pc=%#" PRIx64, v->pc);
	if (v->thread)
		put(&t, ";thread=%" PRIu64, v->thread - 1);
	put(&t, ";pane=%s", pane_name(v->focus));
	if (v->alone)
		put(&t, ";alone=1");
	for (size_t i = 0; i < sizeof v->front / sizeof *v->front; i++)
		if (v->front[i] != PANES && v->front[i] != v->focus)
			put(&t, ";front=%s", pane_name(v->front[i]));
	if (v->zoom)
		put(&t, ";zoom=%d", v->zoom);
	if (v->left_cycle >= 0)
		put(&t, ";left=%" PRId64, v->left_cycle);
	if (v->open)
		put(&t, ";open=%d", v->open == OPEN_YES);
	if (v->colour)
		put(&t, ";colour=%s", colour_by_name(v->colour));
	if (v->heat)
		put(&t, ";heat=%s", heat_name(v->heat));
	for (int i = 0; i < WATCHES; i++)
		if (v->watch[i].name[0])
			put(&t, ";watch=%s/%c", v->watch[i].name, v->watch[i].format);
	put(&t, ";theme=%s", themes[v->theme].name);
}

static bool wrong(struct wb_diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool wrong(struct wb_diag *d, const char *fmt, ...)
{
	va_list ap;
	*d = (struct wb_diag){.status = WB_USAGE, .offset = -1};
	va_start(ap, fmt);
	vsnprintf(d->text, sizeof d->text, fmt, ap);
	va_end(ap);
	return false;
}

static bool number(const char *text, int64_t least, int64_t most, int64_t *out)
{
	char *end;
	*out = strtoll(text, &end, 0);
	return *text && !*end && *out >= least && *out <= most;
}

static bool parse_pane(const char *value, enum pane *out, struct wb_diag *d)
{
	enum pane p = pane_find(value);
	char names[160] = "";
	for (int i = 0; i < PANES; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
			 pane_name((enum pane)i));
	if (p == PANES)
		return wrong(d, "state: there is no pane '%s'; the panes are %s", value, names);
	*out = p;
	return true;
}

static bool parse_choice(const char *key, const char *value, struct view *v, struct wb_diag *d)
{
	if (!strcmp(key, "theme")) {
		const struct theme *t = theme_find(value);
		v->theme = t ? (int)(t - themes) : v->theme;
		return t ||
		       wrong(d, "state: there is no theme '%s'; dark, light, high-contrast and print are", value);
	}
	if (!strcmp(key, "heat")) {
		v->heat = heat_find(value);
		return v->heat != HEATS ||
		       wrong(d, "state: heat is auto, lost, issues or stalls; found '%s'", value);
	}
	for (int i = 0; i < COLOUR_BYS; i++)
		if (!strcmp(colour_by_name((enum colour_by)i), value)) {
			v->colour = (enum colour_by)i;
			return true;
		}
	return wrong(d, "state: colour is lanes, state, pc, depth or block; found '%s'", value);
}

static bool parse_watch(const char *value, struct view *v, struct wb_diag *d)
{
	const char *slash = strrchr(value, '/');
	size_t n = slash ? (size_t)(slash - value) : strlen(value);
	for (int i = 0; i < WATCHES && n < WATCH_TEXT; i++)
		if (!v->watch[i].name[0]) {
			memcpy(v->watch[i].name, value, n);
			v->watch[i].name[n] = '\0';
			v->watch[i].format = slash && slash[1] ? slash[1] : FORMAT_BY_TYPE;
			return true;
		}
	return wrong(d, "state: at most %d watches of less than %d characters; found '%s'", WATCHES, WATCH_TEXT,
		     value);
}

static bool parse_number(const char *key, const char *value, struct view *v, struct state_place *place,
			 struct wb_diag *d)
{
	int64_t n;
	bool range = !strcmp(key, "zoom");
	if (!number(value, range ? ZOOM_MIN : 0, range ? ZOOM_MAX : INT64_MAX, &n))
		return wrong(d, "state: %s expects a number%s; found '%s'", key, range ? " from -16 to 6" : "", value);
	if (!strcmp(key, "c")) {
		place->has_cycle = true;
		place->cycle = (uint64_t)n;
	} else if (!strcmp(key, "i")) {
		place->has_issue = true;
		place->issue = (uint64_t)n;
	} else if (!strcmp(key, "w")) {
		v->slot = n < SLOTS ? (int)n : SLOTS - 1;
	} else if (!strcmp(key, "mp")) {
		v->mp = n < INT32_MAX ? (int)n : INT32_MAX;
	} else if (!strcmp(key, "pc")) {
		v->pc = n;
	} else if (!strcmp(key, "thread")) {
		v->thread = (uint64_t)n + 1;
	} else if (!strcmp(key, "zoom")) {
		v->zoom = (int)n;
	} else if (!strcmp(key, "left")) {
		v->left_cycle = n;
	} else if (!strcmp(key, "open")) {
		v->open = n ? OPEN_YES : OPEN_NO;
	} else {
		v->alone = n;
	}
	return true;
}

static bool parse_pair(const char *key, const char *value, struct view *v, struct state_place *place,
		       struct wb_diag *d)
{
	static const char *const numbers[] = {
		"c", "i", "w", "mp", "pc", "zoom", "left", "open", "alone", "thread", NULL};
	enum pane p = PANES;
	if (!strcmp(key, "k")) /* names the program for people; which one is shown is the caller's choice */
		return true;
	if (!strcmp(key, "pane") || !strcmp(key, "front")) {
		if (!parse_pane(value, &p, d))
			return false;
		enum pane focus = v->focus;
		view_focus(v, p);
		v->focus = *key == 'f' ? focus : p;
		return true;
	}
	if (!strcmp(key, "theme") || !strcmp(key, "colour") || !strcmp(key, "heat"))
		return parse_choice(key, value, v, d);
	if (!strcmp(key, "watch"))
		return parse_watch(value, v, d);
	for (int i = 0; numbers[i]; i++)
		if (!strcmp(numbers[i], key))
			return parse_number(key, value, v, place, d);
	return wrong(d, "state: unknown key '%s'; k c i w mp pc thread pane alone front zoom left open colour heat "
			"watch theme are known", key);
}

bool state_parse(const char *text, struct view *v, struct state_place *place, struct wb_diag *d)
{
	char copy[512], *at = copy, *pair;
	*place = (struct state_place){.has_cycle = false};
	if (strncmp(text, "wb1:", 4))
		return wrong(d, "state: expected \"wb1:KEY=VALUE;…\", found '%.40s'", text);
	if ((size_t)snprintf(copy, sizeof copy, "%s", text + 4) >= sizeof copy)
		return wrong(d, "state: longer than %zu characters", sizeof copy);
	while ((pair = strsep(&at, ";"))) {
		char *value = strchr(pair, '=');
		if (!*pair)
			continue;
		if (!value)
			return wrong(d, "state: expected KEY=VALUE, found '%s'", pair);
		*value++ = '\0';
		if (!parse_pair(pair, value, v, place, d))
			return false;
	}
	return true;
}
