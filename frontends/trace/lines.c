/* Exports of one line an event, and folded stacks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "frontends/trace/export.h"
#include "frontends/trace/json_text.h"

static bool jsonl_begin(struct export *x)
{
	json_t *o = json_pack("{s:s, s:o, s:i, s:i, s:i, s:i}", "schema", "warpbeam.events/1", "kernel",
			      json_text(x->t->kernel), "mps", (int)x->t->mps, "slots", (int)x->t->slots, "lanes",
			      (int)x->t->lanes, "issue_cycles", (int)x->t->issue_cycles);
	char *text = o ? json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
	bool ok = text;

	if (text)
		fprintf(x->f, "%s\n", text);
	free(text);
	json_decref(o);
	return ok;
}

static bool jsonl_event(struct export *x, const struct wb_event *e)
{
	char line[1024];

	wb_event_text(e, true, line, sizeof line);
	fprintf(x->f, "%s\n", line);
	return true;
}

static void no_end(struct export *x)
{
	(void)x;
}

const struct export_format export_jsonl = {"jsonl", jsonl_begin, jsonl_event, no_end};

/* A value may be several words, which commas part elsewhere. */
static void put_value(FILE *f, char *text)
{
	for (char *p = text; (p = strchr(p, ',')); *p = ' ')
		;
	fprintf(f, ",%s", text);
}

static bool csv_begin(struct export *x)
{
	const char *name;

	fputs("event", x->f);
	for (unsigned i = 0; (name = wb_event_field(NULL, i, NULL, 0)); i++)
		fprintf(x->f, ",%s", name);
	fputc('\n', x->f);
	return true;
}

static bool csv_event(struct export *x, const struct wb_event *e)
{
	char text[128];

	fputs(wb_event_name(e->kind), x->f);
	for (unsigned i = 0; wb_event_field(e, i, text, sizeof text); i++)
		put_value(x->f, text);
	fputc('\n', x->f);
	return true;
}

const struct export_format export_csv = {"csv", csv_begin, csv_event, no_end};

/* ---- folded stacks: where lane slots were lost, by the splits that were open ---- */

struct weight { char *stack; uint64_t lost; UT_hash_handle hh; };

struct folded {
	struct splits *slot;
	struct weight *all;
	char *text;                     /* stack to look up */
	size_t size, n;
	uint64_t bytes;
};

/* Append a frame's name; a `;` in the name would end the frame. */
static bool put_frame(struct folded *s, const char *name)
{
	size_t length = strlen(name);

	if (s->n + length + 2 > s->size) {
		char *grown = realloc(s->text, s->size = 2 * (s->n + length) + 256);
		if (!grown)
			return false;
		s->text = grown;
	}
	for (size_t i = 0; i <= length; i++)
		s->text[s->n + i] = name[i] == ';' ? ',' : name[i];
	s->n += length;
	return true;
}

static bool put_split(struct folded *s, const struct trace *t, uint32_t pc)
{
	char at[16];
	uint32_t begins;
	const char *label = trace_label(t, pc, &begins);

	snprintf(at, sizeof at, "@0x%x", pc);
	if (s->n + 2 > s->size || !s->n)
		return false;
	s->text[s->n++] = ';';
	return put_frame(s, label ? label : "pc") && put_frame(s, at);
}

/* The entry of the stack in s->text; NULL: the host has no memory. */
static struct weight *weight_of(struct folded *s)
{
	struct weight *w;

	HASH_FIND_STR(s->all, s->text, w);
	if (w || !(w = calloc(1, sizeof *w)))
		return w;
	if (!(w->stack = strdup(s->text))) {
		free(w);
		return NULL;
	}
	HASH_ADD_KEYPTR(hh, s->all, w->stack, s->n, w);
	if (!w->hh.tbl) {
		free(w->stack);
		free(w);
		return NULL;
	}
	s->bytes += sizeof *w + s->n;
	return w;
}

static bool lose(struct folded *s, const struct trace *t, const struct splits *open, const struct wb_event *e)
{
	/* An arrival at a join executes nothing. */
	uint64_t executed = e->flow & WB_FLOW_REJOIN ? 0 : e->executed;
	uint64_t lost = t->lanes - (uint64_t)__builtin_popcountll(executed);
	struct weight *w;
	bool ok;

	if (!lost)
		return true;
	s->n = 0;
	ok = put_frame(s, *t->kernel ? t->kernel : "?");
	for (unsigned i = 0; i < open->n && ok; i++)
		ok = put_split(s, t, open->open[i].pc);
	w = ok ? weight_of(s) : NULL;
	if (w)
		w->lost += lost;
	return w;
}

static int by_stack(const struct weight *a, const struct weight *b)
{
	return strcmp(a->stack, b->stack);
}

static bool folded_begin(struct export *x)
{
	struct folded *s = x->state = calloc(1, sizeof *s);

	if (s)
		s->slot = calloc((size_t)x->t->mps * x->t->slots, sizeof *s->slot);
	if (s && s->slot)
		return true;
	free(s);
	x->state = NULL;
	return false;
}

static bool folded_event(struct export *x, const struct wb_event *e)
{
	struct folded *s = x->state;
	struct splits *open = &s->slot[e->mp * x->t->slots + e->slot];
	struct split closed;
	bool ok;

	if (e->kind == WB_EVENT_WARP_END)
		open->n = 0;
	if (e->kind != WB_EVENT_ISSUE)
		return true;
	ok = lose(s, x->t, open, e);
	while (splits_close(open, e, &closed))
		;
	splits_open(open, e);
	return ok && s->bytes <= x->most_bytes;
}

static void folded_end(struct export *x)
{
	struct folded *s = x->state;
	struct weight *w, *next;

	if (!s->all)
		x->note = "no lane slot was lost, so there is no stack to write";
	HASH_SORT(s->all, by_stack);
	HASH_ITER(hh, s->all, w, next) {
		fprintf(x->f, "%s %" PRIu64 "\n", w->stack, w->lost);
		HASH_DEL(s->all, w);
		free(w->stack);
		free(w);
	}
	free(s->slot);
	free(s->text);
	free(s);
	x->state = NULL;
}

const struct export_format export_folded = {"folded", folded_begin, folded_event, folded_end};
