#include "api/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "api/clock.h"
#include "api/watch.h"

enum { DEFAULT_BYTES = 12 << 20, PLACES = WATCH_SLOTS };   /* places: slots of a multiprocessor */

const char *const recorder_reasons[] = {
#define STALL(id, name, text) name,
#include "sched/stall.def"
	NULL
};

bool recorder_begin(struct wb_launch *l, size_t bytes, void (*sink)(void *, const struct wb_chunk *), void *context,
		  struct diag *d)
{
	struct recorder *r = calloc(1, sizeof *r);

	l->recorder = r;
	if (!r)
		return diag_set(d, DIAG_ENV, "out of memory");
	r->nchunks = (bytes ? bytes : DEFAULT_BYTES) / sizeof *r->chunk;
	r->nchunks += r->nchunks < 2 ? 2 : 0;
	r->chunk = malloc(r->nchunks * sizeof *r->chunk);
	r->coder = malloc(sizeof *r->coder);
	r->before = calloc((size_t)l->nmps * PLACES, sizeof *r->before);
	r->sink = sink;
	r->sink_context = context;
	if (!r->chunk || !r->coder || !r->before) {
		recorder_free(l);
		return diag_set(d, DIAG_ENV, "out of memory for a record of %zu bytes", bytes);
	}
	r->fresh = true;
	for (unsigned i = 0; i < l->nmps; i++)
		for (unsigned k = 0; k < l->mp[i].nresident; k++)
			if (l->mp[i].resident[k].live)
				recorder_block(l, &l->mp[i], &l->mp[i].resident[k].block, EVENT_BLOCK_START);
	return true;
}

void recorder_free(struct wb_launch *l)
{
	struct recorder *r = l->recorder;

	if (!r)
		return;
	free(r->chunk);
	free(r->coder);
	free(r->before);
	free(r);
	l->recorder = NULL;
}

/* ---- chunks ---- */

static struct chunk *last_chunk(const struct recorder *r)
{
	return &r->chunk[(r->next_chunk - 1) % r->nchunks];
}

static void hand_over(struct recorder *r)
{
	const struct chunk *c = r->next_chunk ? last_chunk(r) : NULL;

	if (r->sink && c && c->events)
		r->sink(r->sink_context, &(struct wb_chunk){
			.bytes = c->data, .size = c->bytes, .events = c->events,
			.first_cycle = c->first_cycle, .last_cycle = c->last_cycle,
		});
}

void recorder_flush(struct wb_launch *l)
{
	if (l->recorder)
		hand_over(l->recorder);
}

static struct chunk *new_chunk(struct recorder *r)
{
	struct chunk *c;

	hand_over(r);
	if (r->next_chunk - r->first_chunk == r->nchunks)
		r->dropped += r->chunk[r->first_chunk++ % r->nchunks].events;
	r->next_chunk++;
	c = last_chunk(r);
	c->first_event = r->events;
	c->events = 0;
	c->bytes = 0;
	memset(r->coder, 0, sizeof *r->coder);
	return c;
}

static void add(struct recorder *r, const struct event *e)
{
	struct chunk *c = r->next_chunk ? last_chunk(r) : NULL;

	if (!c || c->bytes + EVENT_BYTES_MAX > CHUNK_BYTES)
		c = new_chunk(r);
	if (!c->events)
		c->first_cycle = c->last_cycle = e->cycle;
	if (e->cycle > c->last_cycle)
		c->last_cycle = e->cycle;
	c->bytes += (uint32_t)event_encode(r->coder, e, c->data + c->bytes);
	c->events++;
	r->events++;
	r->total[e->kind]++;
}

/* ---- what is told ---- */

static struct event event_of(const struct wb_launch *l, const struct mp *mp, const struct warp *w, enum event_kind kind)
{
	return (struct event){
		.kind = kind,
		.cycle = l->watch->last.cycle,
		.mp = mp->x.mp,
		.slot = w->slot,
		.block = w->block->index,
		.warp = w->id,
	};
}

/* What the warp has waited for since its last issue, and most of it on what. */
static void waiting(struct wb_launch *l, const struct mp *mp, const struct warp *w, struct event *e)
{
	const struct stall_row *now = &mp->sched.slot[w->slot].stalls;
	struct stall_row *before = &l->recorder->before[mp->x.mp * PLACES + w->slot];
	uint64_t most = 0;

	for (int i = STALL_ISSUED + 1; i < STALL_NO_WARP; i++) {
		uint64_t cycles = now->cycles[i] - before->cycles[i];
		e->waited += cycles;
		if (cycles > most) {
			most = cycles;
			e->reason = (uint64_t)i;
		}
	}
	*before = *now;
}

static void issue(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	const struct wb_did *did = &l->watch->last;
	const struct isa_ops *isa = l->code.target.isa;
	struct event e = event_of(l, mp, w, EVENT_ISSUE);

	e.pc = did->pc;
	e.active = did->active;
	e.executed = did->executed;
	e.flow = did->flow;
	e.depth = isa->stack ? isa->stack(w, 0, NULL) : 0;
	if (l->timing)
		waiting(l, mp, w, &e);
	add(l->recorder, &e);
}

static void locks(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	const struct locks *k = &w->block->lock;
	uint64_t self = 1ull << w->id, was = l->watch->holders & self, is = k->holders & self;
	struct event e = event_of(l, mp, w, is ? EVENT_LOCK_TAKE : EVENT_LOCK_RELEASE);

	if (was == is)
		return;
	e.addr = k->held[w->id];
	e.warps = is ? 0 : l->watch->waiters;
	add(l->recorder, &e);
}

void recorder_turn(struct wb_launch *l, struct mp *mp, int outcome)
{
	const struct warp *w = mp->x.warp;
	struct event e = event_of(l, mp, w, EVENT_LOCK_WAIT);

	l->recorder->fresh = l->watch->turns > l->recorder->turns;
	if (!l->recorder->fresh)
		return;
	l->recorder->turns = l->watch->turns;
	e.pc = l->watch->last.pc;
	if (outcome == STEP_LOCKED) {
		add(l->recorder, &e);
		return;
	}
	if (outcome == STEP_FAULT) {
		e.kind = EVENT_FAULT;
		e.fault = mp->x.fault.kind;
		add(l->recorder, &e);
		return;
	}
	issue(l, mp, w);
	locks(l, mp, w);
	if (outcome == STEP_BARRIER && w->status == WARP_AT_BARRIER) {
		e.kind = EVENT_BARRIER_WAIT;
		e.barrier = w->waits_for;
		add(l->recorder, &e);
	}
}

void recorder_woken(struct wb_launch *l, const struct mp *mp, const struct block *b)
{
	struct event e = event_of(l, mp, mp->x.warp, EVENT_BARRIER_RELEASE);

	e.warps = b->woken & ~l->watch->waiters;
	if (l->recorder->fresh && e.warps)
		add(l->recorder, &e);
}

void recorder_block(struct wb_launch *l, const struct mp *mp, const struct block *b, enum event_kind kind)
{
	struct event e = event_of(l, mp, &b->warp[0], kind);

	if (!l->recorder->fresh)
		return;
	e.warps = lanes_first((int)b->nwarps);
	if (kind == EVENT_BLOCK_START)
		for (unsigned i = 0; i < b->nwarps; i++)
			l->recorder->before[mp->x.mp * PLACES + b->warp[i].slot] = (struct stall_row){ 0 };
	add(l->recorder, &e);
}

void recorder_warp_end(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	struct event e = event_of(l, mp, w, EVENT_WARP_END);

	if (l->recorder->fresh)
		add(l->recorder, &e);
}
