/* Chrome trace JSON for Perfetto: 1 cycle = 1 µs, process = multiprocessor, thread = warp slot. Issues and waits are
 * consecutive slices of the warp's row. */
#include <inttypes.h>
#include <stdlib.h>

#include <jansson.h>

#include "frontends/trace/export.h"
#include "frontends/trace/json_text.h"

struct slot {
	struct splits splits;           /* open splits: an arrow is written at the split's end */
	bool waits;                     /* at a barrier or for a lock, and has not issued since */
	struct wb_event since;
	uint64_t end;                   /* end of the last slice */
};

/* A multiprocessor's counter of executing lanes: not 0 until cycle `until`. */
struct lanes {
	uint64_t until;
	bool any;
};

struct perfetto {
	FILE *f;
	const struct trace *t;
	struct slot *slot;
	struct lanes *lanes;
	uint64_t ids, end;              /* arrows, and the last cycle */
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
	json_t *s = json_text(text);
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

static struct slot *slot_of(const struct perfetto *p, const struct wb_event *e)
{
	return &p->slot[e->mp * p->t->slots + e->slot];
}

static void waiting(struct perfetto *p, const struct wb_event *e, uint64_t from, uint64_t to, const char *reason)
{
	struct slot *s = slot_of(p, e);
	from = from < s->end ? s->end : from;
	if (from >= to)
		return;
	begin(p, e, "X", from);
	fprintf(p->f, ",\"cat\":\"wait\",\"name\":\"%s\",\"dur\":%" PRIu64 ",\"args\":{\"reason\":\"%s\"}}", reason,
		to - from, reason);
	s->end = to;
}

/* The warp's wait before the issue. */
static void wait(struct perfetto *p, const struct wb_event *e)
{
	const char *reason = wb_reason((unsigned)e->reason);
	if (e->waited && e->waited <= e->cycle && reason)
		waiting(p, e, e->cycle - e->waited, e->cycle, reason);
}

/* Waits at the end of the record. */
static void endless(struct perfetto *p, uint64_t end)
{
	for (size_t i = 0; i < (size_t)p->t->mps * p->t->slots; i++) {
		const struct wb_event *since = &p->slot[i].since;
		uint64_t from = since->cycle > p->slot[i].end ? since->cycle : p->slot[i].end;
		if (p->slot[i].waits)
			waiting(p, since, from, end > from ? end : from + 1,
				since->kind == WB_EVENT_LOCK_WAIT ? "lock" : "barrier");
	}
}

static void lanes_are(struct perfetto *p, const struct wb_event *e, uint64_t cycle, int lanes)
{
	begin(p, e, "C", cycle);
	fprintf(p->f, ",\"name\":\"lanes\",\"args\":{\"lanes\":%d}}", lanes);
}

/* An issue of `lanes` lanes; from the end of the previous issue on no lane executed. */
static void count_lanes(struct perfetto *p, const struct wb_event *e, int lanes)
{
	struct lanes *c = &p->lanes[e->mp];
	if (!c->any || c->until < e->cycle)
		lanes_are(p, e, c->until, 0);
	lanes_are(p, e, e->cycle, lanes);
	c->until = e->cycle + p->t->issue_cycles;
	c->any = true;
}

static void no_more_lanes(struct perfetto *p)
{
	for (uint32_t mp = 0; mp < p->t->mps; mp++)
		if (p->lanes[mp].any)
			lanes_are(p, &(struct wb_event){.mp = mp}, p->lanes[mp].until, 0);
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
	struct splits *s = &slot_of(p, e)->splits;
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
	slot_of(p, e)->end = e->cycle + p->t->issue_cycles;
	count_lanes(p, e, lanes);
	divergence(p, e);
}

static void about(struct perfetto *p)
{
	json_t *o = json_pack("{s:o, s:s, s:s, s:i}", "kernel", json_text(p->t->kernel ? p->t->kernel : ""), "version",
			      p->t->writer ? p->t->writer : wb_version(), "unit", "1 us is 1 cycle of the shader clock",
			      "lanes", (int)p->t->lanes);
	char *text = o ? json_dumps(o, JSON_COMPACT) : NULL;
	fprintf(p->f, ",\n\"otherData\":%s", text ? text : "{}");
	free(text);
	json_decref(o);
}

static void perfetto_free(struct export *x)
{
	struct perfetto *p = x->state;

	free(p->slot);
	free(p->lanes);
	free(p);
	x->state = NULL;
}

static bool perfetto_begin(struct export *x)
{
	const struct trace *t = x->t;
	struct perfetto *p = x->state = calloc(1, sizeof *p);

	if (!p)
		return false;
	*p = (struct perfetto){.f = x->f, .t = t, .slot = calloc((size_t)t->mps * t->slots, sizeof *p->slot),
			       .lanes = calloc(t->mps, sizeof *p->lanes)};
	if (!p->slot || !p->lanes) {
		perfetto_free(x);
		return false;
	}
	fputs("{\"traceEvents\":[", x->f);
	threads(p);
	return true;
}

static bool perfetto_event(struct export *x, const struct wb_event *e)
{
	struct perfetto *p = x->state;
	struct slot *s = slot_of(p, e);

	if (e->kind == WB_EVENT_ISSUE)
		issue(p, e);
	if (e->kind == WB_EVENT_WARP_END)
		s->splits.n = 0;
	if (e->kind == WB_EVENT_ISSUE || e->kind == WB_EVENT_WARP_END)
		s->waits = false;
	if (!s->waits && (e->kind == WB_EVENT_LOCK_WAIT || e->kind == WB_EVENT_BARRIER_WAIT)) {
		s->waits = true;
		s->since = *e;
	}
	p->end = e->cycle > p->end ? e->cycle : p->end;
	return true;
}

static void perfetto_end(struct export *x)
{
	struct perfetto *p = x->state;

	endless(p, p->end);
	no_more_lanes(p);
	fputs("\n]", x->f);
	about(p);
	fputs("}\n", x->f);
	perfetto_free(x);
}

const struct export_format export_perfetto = {"perfetto", perfetto_begin, perfetto_event, perfetto_end};
