/* Events for callers: records of a launch, and bytes recorded elsewhere. */
#include <stdlib.h>

#include "inspect/recorder.h"
#include "inspect/watch.h"

_Static_assert((int)WB_EVENT_KINDS == (int)EVENT_KINDS, "enum wb_event_kind follows core/event.def");

/* The program bound with the details in traces that a recorder needs, and the launch prepared. */
static bool prepare_detailed(struct wb_launch *l, struct diag *d)
{
	struct plan *p = &l->plan;

	p->rules.detailed = p->timed;
	l->rebind = l->rebind || (p->timed && !l->prepared);
	if (!l->prepared || !p->timed)
		return l->prepare(l, d);
	if (!l->own_plan)
		return diag_set(d, DIAG_USAGE, "this launch is prepared already; record it before");
	return (p->code.target.isa->bind(&p->code, p->host.simd, &p->rules, &l->arena) &&
		plan_instructions(p, &l->arena)) || diag_set(d, DIAG_ENV, "out of memory");
}

static enum wb_status record(struct wb_launch *l, size_t bytes, bool positions,
			     void (*sink)(void *context, const struct wb_chunk *c), void *context, struct wb_diag *wd)
{
	struct diag d = { 0 };

	if (l->machine.result || l->recorder)
		diag_set(&d, DIAG_USAGE, "this launch has begun and cannot be recorded from its start");
	else if (prepare_detailed(l, &d) && !recorder_unstepped(l) && !l->watch && !watch_begin(l))
		diag_set(&d, DIAG_ENV, "out of memory");
	if (d.kind == DIAG_OK)
		recorder_begin(l, bytes, positions, sink, context, &d);
	return d.kind == DIAG_OK ? WB_OK : public_diag(wd, &d);
}

enum wb_status wb_launch_record(struct wb_launch *l, size_t bytes,
				void (*sink)(void *context, const struct wb_chunk *c), void *context,
				struct wb_diag *wd)
{
	return record(l, bytes, false, sink, context, wd);
}

enum wb_status wb_launch_record_issues(struct wb_launch *l, void (*sink)(void *context, const struct wb_chunk *c),
				       void *context, struct wb_diag *wd)
{
	return record(l, 2 * sizeof(struct chunk), true, sink, context, wd);
}

void wb_launch_recorded(const struct wb_launch *l, struct wb_record *out)
{
	const struct recorder *r = l->recorder;

	*out = (struct wb_record){ 0 };
	if (!r)
		return;
	out->events = r->events + recorder_waiting(r);
	out->dropped = r->dropped;
	out->chunks = r->next_chunk - r->first_chunk;
	for (int k = 0; k < EVENT_KINDS; k++)
		out->by_kind[k] = r->total[k];
}

bool wb_launch_chunk(const struct wb_launch *l, uint64_t index, struct wb_chunk *out)
{
	const struct recorder *r = l->recorder;

	if (l->over)
		recorder_order(l->recorder);
	if (!r || index >= r->next_chunk - r->first_chunk)
		return false;
	const struct chunk *c = &r->chunk[(r->first_chunk + index) % r->nchunks];
	*out = (struct wb_chunk){
		.bytes = c->data,
		.size = c->bytes,
		.events = c->events,
		.first_cycle = c->first_cycle,
		.last_cycle = c->last_cycle,
	};
	return true;
}

/* ---- reading ---- */

struct wb_events {
	const uint8_t *cursor, *end;
	struct event_decoder coder;
	struct wb_issue_detail detail;
};
_Static_assert((int)WB_STALLS == (int)EVENT_REASONS, "waits are by reason");

struct wb_events *wb_events_open(const void *bytes, size_t size)
{
	struct wb_events *r = calloc(1, sizeof *r);

	if (r) {
		r->cursor = bytes;
		r->end = size ? r->cursor + size : bytes;       /* `bytes` may be NULL */
	}
	return r;
}

bool wb_events_next(struct wb_events *r, struct wb_event *out, bool *bad)
{
	struct event e;
	size_t n = r->cursor < r->end ? event_decode(&r->coder, r->cursor, (size_t)(r->end - r->cursor), &e) : 0;

	if (bad)
		*bad = !n && r->cursor < r->end;
	if (!n)
		return false;
	r->cursor += n;
	out->kind = (enum wb_event_kind)e.kind;
#define EVENT_FIELD(name, form, predicted) out->name = e.name;
#include "core/event.def"
	return true;
}

const struct wb_issue_detail *wb_events_detail(struct wb_events *r, const struct wb_event *e)
{
	uint64_t others = 0;

	r->detail.gone = r->coder.detail.gone_lanes;
	for (unsigned i = 0; i < WB_STALLS; i++)
		if (i != e->reason)
			others += r->detail.waits[i] = r->coder.detail.waits[i];
	if (e->reason < WB_STALLS)      /* bytes of a file may say anything */
		r->detail.waits[e->reason] = (uint32_t)(e->waited - others);
	return &r->detail;
}

void wb_events_close(struct wb_events *r)
{
	free(r);
}

const char *wb_event_name(enum wb_event_kind k)
{
	return event_name((enum event_kind)k);
}

const char *wb_reason(unsigned reason)
{
	return reason < STALLS ? recorder_reasons[reason] : NULL;
}

static struct event inner(const struct wb_event *in)
{
	struct event e = { .kind = (enum event_kind)in->kind };

#define EVENT_FIELD(name, form, predicted) e.name = in->name;
#include "core/event.def"
	return e;
}

const char *wb_event_field(const struct wb_event *in, unsigned index, char *text, size_t size)
{
	if (index >= EVENT_FIELDS)
		return NULL;
	if (in) {
		struct event e = inner(in);
		event_value(&e, (enum event_field)index, recorder_reasons, text, size);
	}
	return field_name((enum event_field)index);
}

size_t wb_event_text(const struct wb_event *in, bool json, char *text, size_t size)
{
	struct event e = inner(in);

	return (json ? event_json : event_print)(&e, recorder_reasons, text, size);
}
