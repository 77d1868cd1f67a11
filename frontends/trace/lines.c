/* Exports of one line an event, and folded stacks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "frontends/trace/trace.h"

bool export_jsonl(struct trace *t, FILE *f, struct wb_diag *d)
{
	struct wb_event e;
	char line[1024];
	fprintf(f,
		"{\"schema\":\"warpbeam.events/1\","
		"\"kernel\":\"%s\",\"mps\":%u,\"slots\":%u,\"lanes\":%u,\"issue_cycles\":%u}\n",
		t->kernel, t->mps, t->slots, t->lanes, t->issue_cycles);
	while (trace_next(t, &e, d)) {
		wb_event_text(&e, true, line, sizeof line);
		fprintf(f, "%s\n", line);
	}
	return d->status == WB_OK;
}

/* A value may be several words, which commas part elsewhere. */
static void put_value(FILE *f, char *text)
{
	for (char *p = text; (p = strchr(p, ',')); *p = ' ')
		;
	fprintf(f, ",%s", text);
}

bool export_csv(struct trace *t, FILE *f, struct wb_diag *d)
{
	struct wb_event e;
	const char *name;
	char text[128];
	fputs("event", f);
	for (unsigned i = 0; (name = wb_event_field(NULL, i, NULL, 0)); i++)
		fprintf(f, ",%s", name);
	fputc('\n', f);
	while (trace_next(t, &e, d)) {
		fputs(wb_event_name(e.kind), f);
		for (unsigned i = 0; wb_event_field(&e, i, text, sizeof text); i++)
			put_value(f, text);
		fputc('\n', f);
	}
	return d->status == WB_OK;
}

/* ---- folded stacks: where lane slots were lost, by the splits that were open ---- */

struct weight { char *stack; uint64_t lost; UT_hash_handle hh; };

static size_t frame(const struct trace *t, uint32_t pc, char *text, size_t size)
{
	uint32_t at;
	const char *label = trace_label(t, pc, &at);
	return (size_t)snprintf(text, size, ";%s@0x%x", label ? label : "pc", pc);
}

static void lose(struct weight **all, const struct trace *t, const struct splits *s, const struct wb_event *e)
{
	char text[1024];
	/* An arrival at a join executes nothing. */
	uint64_t executed = e->flow & WB_FLOW_REJOIN ? 0 : e->executed;
	uint64_t lost = t->lanes - (uint64_t)__builtin_popcountll(executed);
	size_t n = (size_t)snprintf(text, sizeof text / 2, "%s", t->kernel);
	struct weight *w;
	if (!lost)
		return;
	for (unsigned i = 0; i < s->n && n < sizeof text - 128; i++)
		n += frame(t, s->open[i].pc, text + n, sizeof text - n);
	HASH_FIND_STR(*all, text, w);
	if (!w && (w = calloc(1, sizeof *w))) {
		w->stack = strdup(text);
		HASH_ADD_KEYPTR(hh, *all, w->stack, strlen(w->stack), w);
	}
	if (w)
		w->lost += lost;
}

static int by_stack(const struct weight *a, const struct weight *b)
{
	return strcmp(a->stack, b->stack);
}

bool export_folded(struct trace *t, FILE *f, struct wb_diag *d)
{
	struct splits *slots = calloc((size_t)t->mps * t->slots, sizeof *slots);
	struct weight *all = NULL, *w, *next;
	struct wb_event e;
	struct split closed;
	while (slots && trace_next(t, &e, d)) {
		struct splits *s = &slots[e.mp * t->slots + e.slot];
		if (e.kind == WB_EVENT_WARP_END)
			s->n = 0;
		if (e.kind != WB_EVENT_ISSUE)
			continue;
		lose(&all, t, s, &e);
		while (splits_close(s, &e, &closed))
			;
		splits_open(s, &e);
	}
	if (!all && d->status == WB_OK)
		t->note = "no lane slot was lost, so there is no stack to write";
	HASH_SORT(all, by_stack);
	HASH_ITER(hh, all, w, next) {
		fprintf(f, "%s %" PRIu64 "\n", w->stack, w->lost);
		HASH_DEL(all, w);
		free(w->stack);
		free(w);
	}
	free(slots);
	return d->status == WB_OK;
}
