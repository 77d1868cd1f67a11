/* The options of a run as one table: option.def expands to `rows`, and defaults, parsing, names and help walk the rows.
 * A value has two forms: the caller's text, NULL for the default, and the parsed number, so that a run never parses
 * text again. */
#include "device/config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/host_floats.h"
#include "core/base/near.h"
#include "core/diverge/reconverge.h"
#include "inspect/public_diag.h"

/* "auto|WORD|…", the words of language.def. */
#define LANGUAGE(word, endings, sniff, make) "|" word
static const char format_words[] = "auto"
#include "toolchain/language.def"
;
#define FORMAT_WORDS format_words

enum kind { SWITCH, NUMBER, CHOICE, TEXT, LIST };

static const struct row {
	struct wb_option_info info;
	enum kind kind;
} rows[OPTIONS] = {
#define SWITCH_KIND WB_OPT_SWITCH
#define NUMBER_KIND WB_OPT_NUMBER
#define CHOICE_KIND WB_OPT_CHOICE
#define TEXT_KIND WB_OPT_TEXT
#define LIST_KIND WB_OPT_TEXT
#ifdef WB_NO_HELP       /* the module of a page shows no help of options */
#define HELP(text) ""
#else
#define HELP(text) text
#endif
#define OPTION(id, name, kind, argument, fallback, group, help) \
	[OPT_##id] = { { name, argument, fallback, group, HELP(help), kind##_KIND, kind == LIST }, kind },
#include "device/option.def"
#undef OPTION
};

const struct wb_option_info *wb_option(unsigned index)
{
	return index < OPTIONS ? &rows[index].info : NULL;
}

const char *wb_reconverge_name(unsigned index, bool *counted)
{
	const struct reconverge *r = reconverge_at(index);

	if (counted)
		*counted = r && r->counted;
	return r ? r->word : NULL;
}

const char *wb_reconverge_text(unsigned index)
{
	const struct reconverge *r = reconverge_at(index);

	return r ? r->help : NULL;
}

/* Index of `word` among the alternatives of "a|b|c", or −1. */
static int alternative(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (int i = 0; *list; i++) {
		size_t len = strcspn(list, "|");
		if (len == n && !memcmp(list, word, n))
			return i;
		list += len + (list[len] == '|');
	}
	return -1;
}

static bool parse_number(const struct row *r, const char *text, int64_t *out, struct diag *d)
{
	char *end;

	if (alternative(r->info.argument, text) > 0) {   /* "none", "exact" stand after the N */
		*out = NUMBER_NONE;
		return true;
	}
	if (!strncmp(r->info.argument, "BYTES", 5)) {
		uint64_t bytes = UINT64_MAX;
		if (!wb_size(text, &bytes) || bytes > INT64_MAX)
			return diag_set(d, DIAG_USAGE, "--%s: found \"%s\", expected bytes such as 4096, 0x1000 or 4K",
					r->info.name, text);
		*out = (int64_t)bytes;
		return true;
	}
	errno = 0;
	unsigned long long v = strtoull(text, &end, 0);
	if (text[0] < '0' || text[0] > '9' || *end || errno || v > INT64_MAX)
		return diag_set(d, DIAG_USAGE, "--%s: found \"%s\", expected %s with N a decimal or 0x number",
				r->info.name, text, r->info.argument);
	*out = (int64_t)v;
	return true;
}

/* Whether the text is several alternatives, with commas between them. */
static bool is_list(const char *alternatives, const char *text)
{
	char one[32];
	size_t n;

	if (!strchr(text, ','))
		return false;
	for (;; text += n + 1) {
		n = strcspn(text, ",");
		snprintf(one, sizeof one, "%.*s", (int)n, text);
		if (alternative(alternatives, one) < 0)
			return false;
		if (!text[n])
			return true;
	}
}

static bool parse(const struct row *r, const char *text, int64_t *out, struct diag *d)
{
	int i;

	switch (r->kind) {
	case NUMBER:
		return parse_number(r, text, out, d);
	case CHOICE:
		i = alternative(r->info.argument, text);
		*out = i;
		if (i < 0 && is_list(r->info.argument, text))
			return diag_set(d, DIAG_USAGE, "--%s: found \"%s\", expected one of %s; `warpbeam compare FILE "
					"--%s %s` runs each, for policy and reconverge, and `warpbeam sweep FILE` for "
					"any option", r->info.name, text, r->info.argument, r->info.name, text);
		return i >= 0 ||
		       diag_set(d, DIAG_USAGE, "--%s: found \"%s\", expected %s", r->info.name, text, r->info.argument);
	case SWITCH:
		i = alternative("off|on", text);
		*out = i;
		return i >= 0 || diag_set(d, DIAG_USAGE, "--%s: found \"%s\", expected on or off", r->info.name, text);
	default:
		*out = 0;
		return true;
	}
}

void config_defaults(struct wb_config *c)
{
	*c = (struct wb_config){ .files = NULL };
	for (int i = 0; i < OPTIONS; i++) {
		c->value[i].number = NUMBER_NONE;
		if (rows[i].info.fallback[0])
			parse(&rows[i], rows[i].info.fallback, &c->value[i].number, NULL);
	}
}

struct wb_config *wb_config_new(void)
{
	struct wb_config *c = malloc(sizeof *c);

	if (c)
		config_defaults(c);
	return c;
}

void wb_config_free(struct wb_config *c)
{
	if (!c)
		return;
	for (int i = 0; i < OPTIONS; i++)
		free(c->value[i].text);
	free(c);
}

struct wb_config *wb_config_copy(const struct wb_config *c)
{
	struct wb_config *n = wb_config_new();

	for (int i = 0; n && i < OPTIONS; i++) {
		n->value[i].number = c->value[i].number;
		n->value[i].text = c->value[i].text ? strdup(c->value[i].text) : NULL;
		if (c->value[i].text && !n->value[i].text) {
			wb_config_free(n);
			n = NULL;
		}
	}
	if (n) {
		n->files = c->files;
		n->nfiles = c->nfiles;
		n->log = c->log;
		n->log_context = c->log_context;
		n->policy = c->policy;
	}
	return n;
}

void wb_config_files(struct wb_config *c, const struct wb_file *files, size_t n)
{
	c->files = files;
	c->nfiles = n;
}

static int find(const char *name)
{
	for (int i = 0; i < OPTIONS; i++)
		if (!strcmp(rows[i].info.name, name))
			return i;
	return -1;
}

static const char *nearest(const char *name)
{
	unsigned least = UINT_MAX;
	int best = 0;

	for (int i = 0; i < OPTIONS; i++) {
		unsigned d = near_distance(name, strlen(name), rows[i].info.name, strlen(rows[i].info.name));
		if (d < least) {
			least = d;
			best = i;
		}
	}
	return rows[best].info.name;
}

/* Replace, or for a list append a line. */
static bool store(struct config_value *v, const char *text, bool append, struct diag *d)
{
	size_t old = append && v->text ? strlen(v->text) : 0;
	char *p = realloc(old ? v->text : NULL, old + strlen(text) + 2);

	if (!p)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (!old)
		free(v->text);
	else
		p[old++] = '\n';
	strcpy(p + old, text);
	v->text = p;
	return true;
}

enum wb_status wb_config_set(struct wb_config *c, const char *name, const char *value, struct wb_diag *out)
{
	USUAL_FLOATS;
	struct diag d = { 0 };
	int64_t number = 0;
	int i = find(name);

	if (!c) {       /* wb_config_new had no memory */
		diag_set(&d, DIAG_ENV, "out of memory: there is no configuration");
		return public_diag(out, &d);
	}
	if (i < 0) {
		diag_set(&d, DIAG_USAGE, "no option \"%s\"; the nearest is \"%s\"", name, nearest(name));
		return public_diag(out, &d);
	}
	if (!parse(&rows[i], value, &number, &d) || !store(&c->value[i], value, rows[i].kind == LIST, &d))
		return public_diag(out, &d);
	c->value[i].number = number;
	return WB_OK;
}

const char *config_text(const struct wb_config *c, enum option o)
{
	return c->value[o].text ? c->value[o].text : rows[o].info.fallback;
}

bool config_given(const struct wb_config *c, enum option o)
{
	return c->value[o].text != NULL;
}

void wb_config_log(struct wb_config *c, void (*sink)(void *context, const char *text, size_t n), void *context)
{
	c->log = sink;
	c->log_context = context;
}

void config_log(const struct wb_config *c, const char *text, size_t n)
{
	if (c->log && n)
		c->log(c->log_context, text, n);
}

bool config_each(const struct wb_config *c, enum option o, struct arena *a,
		 bool (*take)(void *context, const char *item, struct diag *d), void *context, struct diag *d)
{
	const char *p = config_text(c, o);

	while (*p) {
		size_t n = strcspn(p, "\n");
		char *item = arena_memdup(a, p, n + 1);
		if (!item)
			return diag_set(d, DIAG_ENV, "out of memory");
		item[n] = '\0';
		if (!take(context, item, d))
			return false;
		p += n + (p[n] == '\n');
	}
	return true;
}

const char *wb_config_get(struct wb_config *c, const char *name)
{
	int i = find(name);

	return i < 0 ? NULL : c ? config_text(c, (enum option)i) : rows[i].info.fallback;
}

bool wb_config_given(const struct wb_config *c, const char *name)
{
	int i = find(name);

	return i >= 0 && c && config_given(c, (enum option)i);
}

_Static_assert((int)DIAG_USAGE == WB_USAGE && (int)DIAG_INPUT == WB_INPUT && (int)DIAG_FAULT == WB_FAULT &&
	       (int)DIAG_HANG == WB_HANG && (int)DIAG_INTERNAL == WB_INTERNAL, "the kinds are the statuses");
