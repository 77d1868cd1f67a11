#include "api/recorder.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "api/clock.h"
#include "api/watch.h"
#include "core/base/pages.h"

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
	r->chunk = pages_alloc(r->nchunks * sizeof *r->chunk);
	r->coder = malloc(sizeof *r->coder);
	r->places = l->nmps * PLACES;
	r->lately = aligned_alloc(64, r->places * sizeof *r->lately);
	r->sink = sink;
	r->sink_context = context;
	if (!r->chunk || !r->coder || !r->lately) {
		recorder_free(l);
		return diag_set(d, DIAG_ENV, "out of memory for a record of %zu bytes", bytes);
	}
	r->fresh = true;
	for (unsigned i = 0; i < l->nmps; i++)
		l->mp[i].x.recorded = true;
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
	pages_free(r->chunk, r->nchunks * sizeof *r->chunk);
	free(r->coder);
	free(r->lately);
	free(r->waiting);
	free(r->order);
	free(r);
	l->recorder = NULL;
}

/* ---- chunks ---- */

static void hand_over(struct recorder *r)
{
	const struct chunk *c = r->last;

	if (r->sink && c && c->events)
		r->sink(r->sink_context, &(struct wb_chunk){
			.bytes = c->data, .size = c->bytes, .events = c->events,
			.first_cycle = c->first_cycle, .last_cycle = c->last_cycle,
		});
}

static struct chunk *new_chunk(struct recorder *r)
{
	struct chunk *c;

	hand_over(r);
	if (r->next_chunk - r->first_chunk == r->nchunks)
		r->dropped += r->chunk[r->first_chunk++ % r->nchunks].events;
	c = r->last = &r->chunk[r->next_chunk++ % r->nchunks];
	c->first_event = r->events;
	c->events = 0;
	c->bytes = 0;
	memset(r->coder, 0, offsetof(struct event_coder, last) +
			    (r->places < EVENT_PLACES ? r->places : EVENT_PLACES) * sizeof *r->coder->last);
	return c;
}

static inline void write(struct recorder *r, const struct event *e)
{
	struct chunk *c = r->last;

	if (!c || c->bytes + EVENT_BYTES_MAX > CHUNK_BYTES)
		c = new_chunk(r);
	if (!c->events)
		c->first_cycle = c->last_cycle = e->cycle;
	if (e->cycle > c->last_cycle)
		c->last_cycle = e->cycle;
	c->bytes += (uint32_t)event_encode(r->coder, e, c->data + c->bytes);
	c->events++;
	r->events++;
}

/* ---- the order of events ----
 *
 * With timing, multiprocessors run through an epoch one after another. Its events wait until it is over and are then
 * written by cycle, those of one cycle by multiprocessor; each tells its own in order. */

/* A counting sort, which leaves equals as they are. */
static void write_epoch(struct recorder *r)
{
	enum { SPAN = 1024 };   /* more cycles than an epoch has */
	uint32_t end[SPAN] = { 0 };
	uint64_t start = UINT64_MAX;

	for (uint32_t i = 0; i < r->nwaiting; i++)
		start = r->waiting[i].cycle < start ? r->waiting[i].cycle : start;
	for (uint32_t i = 0; i < r->nwaiting; i++)
		end[(r->waiting[i].cycle - start) % SPAN]++;
	for (uint32_t k = 1; k < SPAN; k++)
		end[k] += end[k - 1];
	for (uint32_t i = r->nwaiting; i-- > 0;)
		r->order[--end[(r->waiting[i].cycle - start) % SPAN]] = i;
	for (uint32_t i = 0; i < r->nwaiting; i++)
		write(r, &r->waiting[r->order[i]]);
	r->nwaiting = 0;
}

static bool more_room(struct recorder *r)
{
	uint32_t room = r->room ? 2 * r->room : 1 << 12;
	struct event *waiting = realloc(r->waiting, room * sizeof *waiting);
	uint32_t *order = realloc(r->order, room * sizeof *order);

	r->waiting = waiting ? waiting : r->waiting;
	r->order = order ? order : r->order;
	r->room = waiting && order ? room : r->room;
	return waiting && order;
}

static inline void add(struct wb_launch *l, const struct event *e)
{
	struct recorder *r = l->recorder;

	r->total[e->kind]++;
	if (!l->timing || l->nmps == 1) {
		write(r, e);
		return;
	}
	if (r->epoch_end != l->run.epoch_end)
		write_epoch(r);
	r->epoch_end = l->run.epoch_end;
	if (r->nwaiting == r->room && !more_room(r))
		write_epoch(r);         /* the host has no memory: in order as far as it goes */
	r->waiting[r->nwaiting++] = *e;
}

void recorder_order(struct recorder *r)
{
	if (r)
		write_epoch(r);
}

void recorder_flush(struct wb_launch *l)
{
	recorder_order(l->recorder);
	if (l->recorder)
		hand_over(l->recorder);
}

/* ---- what is told ---- */

/* The recorder's own event, with what every kind has; its other fields are of an earlier one, which nobody reads. */
static struct event *event_of(const struct wb_launch *l, const struct mp *mp, const struct warp *w,
			      enum event_kind kind)
{
	struct event *e = &l->recorder->event;

	e->kind = kind;
	e->cycle = l->recorder->cycle;
	e->mp = mp->x.mp;
	e->slot = w->slot;
	e->block = w->block->index;
	e->warp = w->id;
	return e;
}

/* What a warp waited for most of `waited` cycles, the first of equals. Mostly it is the same again, and for more than
 * half of them. */
static uint32_t reason_of(const uint64_t *now, const struct lately *last, uint64_t waited)
{
	uint32_t most = 0, reason = 0;

	if (2ull * ((uint32_t)now[last->reason] - last->waited[last->reason]) > waited)
		return last->reason;
	for (uint32_t i = STALL_ISSUED + 1; i < STALL_NO_WARP; i++) {
		uint32_t cycles = (uint32_t)now[i] - last->waited[i];
		reason = cycles > most ? i : reason;
		most = cycles > most ? cycles : most;
	}
	return reason;
}

static void remember(struct lately *last, const struct slot *slot)
{
	last->since = slot->since;
	for (unsigned i = 0; i < STALL_NO_WARP; i++)
		last->waited[i] = (uint32_t)slot->stalls.cycles[i];
}

/* What the warp has waited for since its last issue, and most of it on what. All cycles are charged to something. */
static void waiting(struct wb_launch *l, const struct mp *mp, const struct warp *w, struct event *e)
{
	const struct slot *slot = &mp->sched.room.slot[w->slot];
	struct lately *last = &l->recorder->lately[mp->x.mp * PLACES + w->slot];

	e->waited = slot->since - mp->sched.gap - last->since;
	e->reason = 0;
	if (e->waited)
		e->reason = last->reason = reason_of(slot->stalls.cycles, last, e->waited);
	remember(last, slot);
}

static void issue(struct wb_launch *l, const struct mp *mp, const struct warp *w, const struct step *s)
{
	const struct isa_ops *isa = l->code.target.isa;
	struct event *e = event_of(l, mp, w, EVENT_ISSUE);

	e->pc = s->pc;
	e->active = s->active;
	e->executed = s->executed;
	e->flow = s->flow;
	e->depth = isa->stack ? isa->stack(w, 0, NULL) : 0;
	e->waited = e->reason = 0;
	if (l->timing)
		waiting(l, mp, w, e);
	add(l, e);
}

bool recorder_alone(const struct wb_launch *l)
{
	return l->timing && l->code.run_deferred;
}

void recorder_deferred(struct wb_launch *l, const struct mp *mp, unsigned slot, uint32_t pc, uint64_t cycle)
{
	const struct warp *w = mp->slot[slot];

	l->recorder->cycle = cycle;
	issue(l, mp, w, &(struct step){ .pc = pc, .active = w->active, .executed = w->active });
}

void recorder_before(struct wb_launch *l, struct mp *mp)
{
	struct recorder *r = l->recorder;
	struct locks *k = &mp->x.block->lock;

	r->cycle = mp->x.cycle;
	r->holders = k->holders;
	r->waiters = k->waiters;
	r->flags_set = k->flags_set;
	k->nchanged = 0;
}

/* --lock warp: what the warp holds now and did not before, or the other way round. */
static void lock_of_warp(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	const struct locks *k = &w->block->lock;
	uint64_t self = 1ull << w->id, was = l->recorder->holders & self, is = k->holders & self;

	if (was == is)
		return;
	struct event *e = event_of(l, mp, w, is ? EVENT_LOCK_TAKE : EVENT_LOCK_RELEASE);
	e->addr = k->held[w->id];
	e->warps = is ? 0 : l->recorder->waiters;
	add(l, e);
}

/* --lock flag: each word of its own. */
static void lock_flags(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	const struct locks *k = &w->block->lock;

	for (unsigned i = 0; i < k->nchanged; i++) {
		struct event *e = event_of(l, mp, w, k->flags_set > l->recorder->flags_set ? EVENT_LOCK_TAKE
											   : EVENT_LOCK_RELEASE);
		e->addr = k->changed[i];
		e->warps = 0;
		add(l, e);
	}
}

void recorder_turn(struct wb_launch *l, struct mp *mp, int outcome)
{
	struct recorder *r = l->recorder;
	const struct warp *w = mp->x.warp;
	struct event *e;

	if (l->watch) {
		r->fresh = l->watch->turns > r->turns;
		r->turns = r->fresh ? l->watch->turns : r->turns;
	}
	if (!r->fresh)
		return;
	if (outcome == STEP_LOCKED || outcome == STEP_FAULT) {
		e = event_of(l, mp, w, outcome == STEP_LOCKED ? EVENT_LOCK_WAIT : EVENT_FAULT);
		e->pc = mp->x.step.pc;
		e->fault = mp->x.fault.kind;
		add(l, e);
		return;
	}
	issue(l, mp, w, &mp->x.step);
	if (r->holders | w->block->lock.holders)
		lock_of_warp(l, mp, w);
	if (w->block->lock.nchanged)
		lock_flags(l, mp, w);
	if (outcome == STEP_BARRIER && w->status == WARP_AT_BARRIER) {
		e = event_of(l, mp, w, EVENT_BARRIER_WAIT);
		e->barrier = w->waits_for;
		add(l, e);
	}
}

void recorder_woken(struct wb_launch *l, const struct mp *mp, const struct block *b)
{
	uint64_t warps = b->woken & ~l->recorder->waiters;

	if (!l->recorder->fresh || !warps)
		return;
	struct event *e = event_of(l, mp, mp->x.warp, EVENT_BARRIER_RELEASE);
	e->warps = warps;
	add(l, e);
}

static void begin_warp(struct wb_launch *l, const struct mp *mp, unsigned slot)
{
	struct lately *last = &l->recorder->lately[mp->x.mp * PLACES + slot];

	*last = (struct lately){ .reason = STALL_PIPE };
	if (l->timing)
		remember(last, &mp->sched.room.slot[slot]);
}

void recorder_block(struct wb_launch *l, const struct mp *mp, const struct block *b, enum event_kind kind)
{
	if (!l->recorder->fresh)
		return;
	struct event *e = event_of(l, mp, &b->warp[0], kind);
	e->warps = lanes_first((int)b->nwarps);
	if (kind == EVENT_BLOCK_START)
		for (unsigned i = 0; i < b->nwarps; i++)
			begin_warp(l, mp, b->warp[i].slot);
	add(l, e);
}

void recorder_warp_end(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	if (l->recorder->fresh)
		add(l, event_of(l, mp, w, EVENT_WARP_END));
}
