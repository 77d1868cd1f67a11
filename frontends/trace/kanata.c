/* Konata's format, Kanata 0004: an instruction begins when its warp begins to wait for it; lane 1 shows the wait. */
#include <inttypes.h>
#include <stdlib.h>

#include "frontends/trace/trace.h"

/* The cycle in which the warp began to wait for this issue. */
static uint64_t begins(const struct wb_event *e)
{
	return e->waited < e->cycle ? e->cycle - e->waited : 0;
}

static int by_beginning(const void *a, const void *b)
{
	const struct wb_event *s = a, *t = b;
	if (begins(s) != begins(t))
		return begins(s) < begins(t) ? -1 : 1;
	return s->cycle != t->cycle ? s->cycle < t->cycle ? -1 : 1 : (s->slot > t->slot) - (s->slot < t->slot);
}

/* All issues of the trace, numbered as they begin: the format requires numbers in the order of the file. */
static struct wb_event *issues(struct trace *t, size_t *n, struct wb_diag *d)
{
	struct wb_event e, *list = NULL;
	size_t cap = 0;
	*n = 0;
	while (trace_next(t, &e, d)) {
		if (e.kind != WB_EVENT_ISSUE)
			continue;
		if (*n == cap) {
			struct wb_event *grown = realloc(list, (cap = 2 * cap + 1024) * sizeof *list);
			if (!grown)
				break;
			list = grown;
		}
		list[(*n)++] = e;
	}
	if (*n)
		qsort(list, *n, sizeof *list, by_beginning);
	return list;
}

static void instruction(struct timeline *l, const struct trace *t, const struct wb_event *e, uint64_t id)
{
	const struct trace_code *code = trace_at(t, (uint32_t)e->pc);
	uint64_t start = begins(e), end = e->cycle + t->issue_cycles;
	const char *reason = wb_reason((unsigned)e->reason);
	timeline_add(l, start, "I\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, id, id, e->mp * t->slots + e->slot);
	timeline_add(l, start, "L\t%" PRIu64 "\t0\tb%" PRIu64 ".w%" PRIu64 " 0x%" PRIx64 " %s", id, e->block, e->warp,
		     e->pc, code && code->text ? code->text : "?");
	timeline_add(l, start, "L\t%" PRIu64 "\t1\tlanes 0x%0*" PRIx64 " depth %" PRIu64, id, (int)t->lanes / 4,
		     e->executed, e->depth);
	if (start < e->cycle) {
		timeline_add(l, start, "S\t%" PRIu64 "\t1\t%s", id, reason ? reason : "?");
		timeline_add(l, e->cycle, "E\t%" PRIu64 "\t1\t%s", id, reason ? reason : "?");
	}
	timeline_add(l, e->cycle, "S\t%" PRIu64 "\t0\tX", id);
	timeline_add(l, end, "E\t%" PRIu64 "\t0\tX", id);
	timeline_add(l, end, "R\t%" PRIu64 "\t%" PRIu64 "\t0", id, id);
}

bool export_kanata(struct trace *t, FILE *f, struct wb_diag *d)
{
	struct timeline l = {0};
	size_t n;
	struct wb_event *list = issues(t, &n, d);
	uint64_t now;
	for (size_t i = 0; i < n; i++)
		instruction(&l, t, &list[i], i);
	free(list);
	timeline_sort(&l);
	now = l.n ? l.line[0].cycle : 0;
	fprintf(f, "Kanata\t0004\nC=\t%" PRIu64 "\n", now);
	for (size_t i = 0; i < l.n; i++) {
		if (l.line[i].cycle != now)
			fprintf(f, "C\t%" PRIu64 "\n", l.line[i].cycle - now);
		now = l.line[i].cycle;
		fprintf(f, "%s\n", l.line[i].text ? l.line[i].text : "");
	}
	timeline_free(&l);
	return d->status == WB_OK;
}
