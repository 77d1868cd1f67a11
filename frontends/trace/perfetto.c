/* Chrome trace JSON for Perfetto: 1 cycle = 1 µs, process = multiprocessor, thread = warp slot. */
#include <inttypes.h>
#include <stdlib.h>

#include <jansson.h>

#include "frontends/trace/trace.h"

struct slot {
	struct splits splits;           /* arrows from them to where they end wait for that end */
	bool waits;                     /* at a barrier or for a lock, and has not issued since */
	struct wb_event since;
};

struct perfetto {
	FILE *f;
	struct trace *t;
	struct slot *slot;
	uint64_t ids;
	bool any;
};

static void begin(struct perfetto *p, const struct wb_event *e, const char *phase, uint64_t ts)
{
	fprintf(p->f, "%s{\"ph\":\"%s\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"ts\":%" PRIu64, p->any ? ",\n" : "\n",
		phase, e->mp, e->slot, ts);
	p->any = true;
}

static void name(struct perfetto *p, const char *text)
{
	json_t *s = json_string(text);
	char *quoted = s ? json_dumps(s, JSON_ENCODE_ANY) : NULL;
	fprintf(p->f, ",\"name\":%s", quoted ? quoted : "\"?\"");
	free(quoted);
	json_decref(s);
}

static void threads(struct perfetto *p)
{
	for (uint32_t mp = 0; mp < p->t->mps; mp++) {
		struct wb_event e = {.mp = mp};
		begin(p, &e, "M", 0);
		fprintf(p->f, ",\"name\":\"process_name\",\"args\":{\"name\":\"MP %u\"}}", mp);
		for (e.slot = 0; e.slot < p->t->slots; e.slot++) {
			begin(p, &e, "M", 0);
			fprintf(p->f, ",\"name\":\"thread_name\",\"args\":{\"name\":\"slot %02u\"}}", (unsigned)e.slot);
			begin(p, &e, "M", 0);
			fprintf(p->f, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}",
				(unsigned)e.slot);
		}
	}
}

static void span(struct perfetto *p, const struct wb_event *e, uint64_t from, uint64_t to, const char *reason)
{
	p->ids++;
	begin(p, e, "b", from);
	fprintf(p->f, ",\"cat\":\"%s\",\"id\":%" PRIu64 ",\"name\":\"%s\"}", reason, p->ids, reason);
	begin(p, e, "e", to);
	fprintf(p->f, ",\"cat\":\"%s\",\"id\":%" PRIu64 ",\"name\":\"%s\"}", reason, p->ids, reason);
}

/* What the warp waited for before the issue, as an async span with an id of its own. */
static void wait(struct perfetto *p, const struct wb_event *e)
{
	const char *reason = wb_reason((unsigned)e->reason);
	if (e->waited && e->waited <= e->cycle && reason)
		span(p, e, e->cycle - e->waited, e->cycle, reason);
}

/* Waits that last when the record ends. */
static void endless(struct perfetto *p, uint64_t end)
{
	for (size_t i = 0; i < (size_t)p->t->mps * p->t->slots; i++) {
		const struct wb_event *since = &p->slot[i].since;
		if (p->slot[i].waits)
			span(p, since, since->cycle, end > since->cycle ? end : since->cycle + 1,
			     since->kind == WB_EVENT_LOCK_WAIT ? "lock" : "barrier");
	}
}

static void arrow(struct perfetto *p, const struct wb_event *e, uint64_t from)
{
	p->ids++;
	begin(p, e, "s", from);
	fprintf(p->f, ",\"cat\":\"join\",\"id\":%" PRIu64 ",\"name\":\"join\"}", p->ids);
	begin(p, e, "f", e->cycle);
	fprintf(p->f, ",\"cat\":\"join\",\"id\":%" PRIu64 ",\"bp\":\"e\",\"name\":\"join\"}", p->ids);
}

static void divergence(struct perfetto *p, const struct wb_event *e)
{
	struct splits *s = &p->slot[e->mp * p->t->slots + e->slot].splits;
	struct split closed;
	while (splits_close(s, e, &closed))
		arrow(p, e, closed.cycle);
	splits_open(s, e);
	if (e->flow & WB_FLOW_DIVERGED) {
		begin(p, e, "i", e->cycle);
		fprintf(p->f, ",\"s\":\"t\",\"name\":\"divergence\"}");
	}
}

static void issue(struct perfetto *p, const struct wb_event *e)
{
	const struct trace_code *code = trace_at(p->t, (uint32_t)e->pc);
	int lanes = __builtin_popcountll(e->executed);
	wait(p, e);
	begin(p, e, "X", e->cycle);
	name(p, code && code->text ? code->text : "?");
	fprintf(p->f,
		",\"dur\":%u,\"args\":{\"pc\":\"0x%" PRIx64 "\",\"mask\":\"0x%0*" PRIx64
		"\",\"lanes\":%d,\"block\":%" PRIu64 ",\"warp\":%" PRIu64 ",\"depth\":%" PRIu64 "}}",
		p->t->issue_cycles, e->pc, (int)p->t->lanes / 4, e->executed, lanes, e->block, e->warp, e->depth);
	begin(p, e, "C", e->cycle);
	fprintf(p->f, ",\"name\":\"lanes\",\"args\":{\"lanes\":%d}}", lanes);
	divergence(p, e);
}

bool export_perfetto(struct trace *t, FILE *f, struct wb_diag *d)
{
	struct perfetto p = {.f = f, .t = t, .slot = calloc((size_t)t->mps * t->slots, sizeof *p.slot)};
	struct wb_event e;
	uint64_t end = 0;
	if (!p.slot)
		return false;
	fputs("{\"traceEvents\":[", f);
	threads(&p);
	while (trace_next(t, &e, d)) {
		if (e.kind == WB_EVENT_ISSUE)
			issue(&p, &e);
		struct slot *s = &p.slot[e.mp * t->slots + e.slot];
		if (e.kind == WB_EVENT_WARP_END)
			s->splits.n = 0;
		if (e.kind == WB_EVENT_ISSUE || e.kind == WB_EVENT_WARP_END)
			s->waits = false;
		if (!s->waits && (e.kind == WB_EVENT_LOCK_WAIT || e.kind == WB_EVENT_BARRIER_WAIT)) {
			s->waits = true;
			s->since = e;
		}
		end = e.cycle > end ? e.cycle : end;
	}
	endless(&p, end);
	fputs("\n]}\n", f);
	free(p.slot);
	return d->status == WB_OK;
}
