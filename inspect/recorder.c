/* Events go two ways: from the machine into a queue, with timing one for each multiprocessor; from the queues, by
 * cycle, into the last chunk of the ring, encoded (core/event.h). Encoding takes a batch at a time, which stays in the
 * host's first cache. For each slot the recorder keeps the previous issue (struct slot_issue): a new event is a copy
 * with changes, and the warp's wait is the difference of the scheduler's stall counters. */
#include "inspect/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "core/diverge.h"
#include "core/diverge/reconverge.h"
#include "machine/clock.h"
#include "machine/epochs.h"
#include "inspect/watch.h"
#include "core/base/pages.h"
#include "sched/fast_forward.h"

/* BATCH: events encoded at a time, a number that stays in the host's first cache; MERGED_AT_ONCE: the number where
 * queues are merged, larger because of sorting; SPAN: cycles sorted at a time; RUN_AHEAD: cycles by which a
 * multiprocessor may be ahead of the others, so that eight queues stay in the host's second cache. */
enum { DEFAULT_BYTES = 12 << 20, BATCH = 1 << 8, MERGED_AT_ONCE = 1 << 10, SPAN = 1 << 9, RUN_AHEAD = 1 << 12 };
/* struct event_queue.written_to: nothing written yet. */
#define NEVER UINT64_MAX

const char *const recorder_reasons[] = {
#define STALL(id, name, ...) name,
#include "sched/stall.def"
	NULL
};

void recorder_free(struct wb_launch *l)
{
	struct recorder *r = l->recorder;

	if (!r)
		return;
	pages_free(r->chunk, r->nchunks * sizeof *r->chunk);
	free(r->encoder);
	free(r->slot_issue);
	for (unsigned i = 0; r->queue && i < r->nqueues; i++)
		free(r->queue[i].event);
	free(r->queue);
	free(r->order);
	free(r->period.issue);
	free(r);
	l->recorder = NULL;
}

/* ---- chunks ---- */

static void pass_to_sink(struct recorder *r)
{
	const struct chunk *c = r->newest;

	if (r->sink && c && c->events)
		r->sink(r->sink_context, &(struct wb_chunk){
			.bytes = c->data, .size = c->bytes, .events = c->events,
			.first_cycle = c->first_cycle, .last_cycle = c->last_cycle,
		});
}

static struct chunk *new_chunk(struct recorder *r)
{
	struct chunk *c;

	pass_to_sink(r);
	if (r->next_chunk - r->first_chunk == r->nchunks)
		r->dropped += r->chunk[r->first_chunk++ % r->nchunks].events;
	c = r->newest = &r->chunk[r->next_chunk++ % r->nchunks];
	c->first_event = r->events;
	c->events = 0;
	c->bytes = 0;
	event_restart(r->encoder, r->places);
	return c;
}

/* The last of n events is the latest, except on a machine without a clock. */
static void note_cycles(struct chunk *c, const struct event_brief *const *e, size_t n, bool timed)
{
	if (!c->events)
		c->first_cycle = c->last_cycle = e[0]->cycle;
	for (size_t i = timed ? n - 1 : 0; i < n; i++)
		c->last_cycle = e[i]->cycle > c->last_cycle ? e[i]->cycle : c->last_cycle;
}

static void write(struct recorder *r, const struct event_brief *const *e, size_t n)
{
	while (n) {
		struct chunk *c = r->newest;
		if (!c || c->bytes + EVENT_BYTES_MAX > CHUNK_BYTES)
			c = new_chunk(r);
		size_t size = CHUNK_BYTES - c->bytes;
		size_t done = event_encode(r->encoder, e, n, c->data + c->bytes, &size);
		note_cycles(c, e, done, r->timed);
		c->bytes += (uint32_t)size;
		c->events += done;
		r->events += done;
		e += done;
		n -= done;
	}
}

/* ---- the order of events ----
 *
 * With timing, multiprocessors run one after another, each up to the end of an epoch and further (RUN_AHEAD). Between
 * epochs, all events before the slowest multiprocessor's cycle are written by cycle, then by multiprocessor; each
 * multiprocessor's own events are already in order. */

/* Drop written events from the queue, once they outnumber the waiting events. */
static void shift(struct event_queue *q)
{
	if (q->begin)
		q->written_to = q->event[q->begin - 1].cycle;
	if (q->begin < q->n - q->begin)
		return;
	memcpy(q->event, q->event + q->begin, (q->n - q->begin) * sizeof *q->event);
	q->n -= q->begin;
	q->begin = 0;
}

/* The first cycle of waiting events; UINT64_MAX: none. */
static uint64_t first_cycle(const struct recorder *r)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < r->nqueues; i++) {
		const struct event_queue *q = &r->queue[i];
		if (q->begin < q->n && q->event[q->begin].cycle < first)
			first = q->event[q->begin].cycle;
	}
	return first;
}

/* Cycles since `start`; events of a queue come by cycle. */
static inline uint64_t cycle_within(const struct event_brief *e, uint64_t start)
{
	return e->cycle > start ? e->cycle - start : 0;
}

/* By counting, sort the events of all queues before cycle `end` into r->order; `end` is less than SPAN behind `start`.
 * Returns their number. */
static uint32_t put_in_order(struct recorder *r, uint64_t start, uint64_t end)
{
	uint32_t upto[SPAN + 1] = { 0 }, *place = upto + 1, before = 0;

	for (unsigned i = 0; i < r->nqueues; i++) {
		struct event_queue *q = &r->queue[i];
		for (q->merged = q->begin; q->merged < q->n && q->event[q->merged].cycle < end; q->merged++)
			place[cycle_within(&q->event[q->merged], start)]++;
	}
	for (uint32_t k = 0; k <= SPAN; k++)
		before = upto[k] += before;
	for (unsigned i = 0; i < r->nqueues; i++) {
		struct event_queue *q = &r->queue[i];
		for (; q->begin < q->merged; q->begin++)
			r->order[upto[cycle_within(&q->event[q->begin], start)]++] = &q->event[q->begin];
	}
	return before;
}

/* Write the events of several queues before cycle `end`. */
static void merge(struct recorder *r, uint64_t end)
{
	for (uint64_t start; (start = first_cycle(r)) < end;)
		write(r, r->order, put_in_order(r, start, start + SPAN < end ? start + SPAN : end));
	for (unsigned i = 0; i < r->nqueues; i++)
		shift(&r->queue[i]);
}

void recorder_order(struct recorder *r)
{
	if (!r)
		return;
	if (r->sorts) {
		merge(r, UINT64_MAX);
	} else {
		write(r, r->order, r->queue->n);
		r->queue->n = 0;
	}
}

uint64_t recorder_waiting(const struct recorder *r)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < r->nqueues; i++)
		n += r->queue[i].n - r->queue[i].begin;
	return n;
}

static void order_if_due(struct observer *o, struct machine *m)
{
	struct recorder *r = (struct recorder *)o;
	uint64_t end = m->run.epoch_end, begun = end - epoch_cycles(m);

	if (!r->sorts || end <= r->epoch_end)
		return;
	if (recorder_waiting(r) >= MERGED_AT_ONCE)
		merge(r, begun > r->epoch_end ? begun : r->epoch_end);
	r->epoch_end = end;
}

static bool grow_queue(struct recorder *r, struct event_queue *q)
{
	uint32_t capacity = q->capacity ? 2 * q->capacity : BATCH, all = r->order_capacity + capacity - q->capacity;
	struct event_brief *more = realloc(q->event, capacity * sizeof *more);
	const struct event_brief **order = realloc(r->order, all * sizeof *order);

	if (more)
		q->event = more;
	if (order)
		r->order = order;
	if (!more || !order)
		return false;
	q->capacity = capacity;
	r->order_capacity = all;
	return true;
}

/* The cycle of the last event of a finished epoch, as if no multiprocessor had run ahead. */
static uint64_t last_cycle(const struct recorder *r, const struct machine *m)
{
	uint64_t last = 0, epoch = epoch_cycles(m);

	for (unsigned i = 0; i + 1 < r->nqueues; i++) {
		const struct event_queue *q = &r->queue[i];
		uint64_t cycle = q->written_to;
		for (uint32_t k = q->n; k > q->begin; k--)
			if (q->event[k - 1].cycle < m->run.epoch_end) {
				cycle = q->event[k - 1].cycle;
				break;
			}
		last = cycle != NEVER && cycle / epoch >= last / epoch ? cycle : last;
	}
	return last;
}

void recorder_flush(struct wb_launch *l)
{
	recorder_order(l->recorder);
	if (l->recorder)
		pass_to_sink(l->recorder);
}

/* ---- events ---- */

static inline struct slot_issue *slot_issue_of(const struct recorder *r, const struct mp *mp, unsigned slot)
{
	return &r->slot_issue[mp->x.special.mp * SLOTS + slot];
}

/* Another event, to be written by the caller. */
static inline struct event_brief *add(struct recorder *r, struct event_queue *q, enum event_kind kind)
{
	/* without memory, the events recorded up to now are in order */
	if (__builtin_expect(q->n == q->capacity, 0) && (!r->sorts || !grow_queue(r, q)))
		recorder_order(r);
	r->total[kind]++;
	return &q->event[q->n++];
}

static inline struct event_queue *queue_of(const struct recorder *r, const struct mp *mp)
{
	return &r->queue[r->sorts ? mp->x.special.mp : 0];
}

/* Blocks moved from other multiprocessors' queues are placed between epochs, behind all events of the last epoch. */
static bool between_epochs(const struct recorder *r)
{
	const struct machine *m = &r->launch->machine;

	return r->sorts && m->run.epoch_mp == m->plan->nmps;
}

/* An event of a turn, with the members common to all kinds. */
static struct event_brief *add_event(struct wb_launch *l, const struct mp *mp, const struct warp *w,
				     enum event_kind kind)
{
	struct recorder *r = l->recorder;
	struct event_brief *e = add(r, between_epochs(r) ? &r->queue[r->nqueues - 1] : queue_of(r, mp), kind);

	*e = slot_issue_of(r, mp, w->slot)->event;
	e->kind = kind;
	e->cycle = r->cycle;
	e->coded = 0;
	return e;
}

/* The largest cause of a warp's wait, the first of equals. */
static uint8_t search_reason(const uint64_t *now, const uint32_t *before)
{
	uint32_t most = 0, reason = 0;

	for (uint32_t i = STALL_ISSUED + 1; i < STALL_NO_WARP; i++) {
		uint32_t cycles = (uint32_t)now[i] - before[i];
		reason = cycles > most ? i : reason;
		most = cycles > most ? cycles : most;
	}
	return (uint8_t)reason;
}

static uint16_t depth_of(const struct wb_launch *l, const struct warp *w)
{
	const struct isa_ops *isa = l->plan.code.target.isa;

	return isa->stack ? (uint16_t)isa->stack(w, 0, NULL) : 0;
}

static inline void remember(struct slot_issue *last, const struct slot *slot)
{
	const uint64_t *restrict now = slot->stalls.cycles;
	uint32_t *restrict waited = last->waited;

	last->since = slot->since;
	for (unsigned i = 0; i < STALL_NO_WARP; i++)
		waited[i] = (uint32_t)now[i];
}

/* The reason for a wait of e->waited cycles with charges beyond the common reasons. */
static __attribute__((noinline)) uint8_t rare_reason(struct slot_issue *last, const struct slot *s, uint32_t waited)
{
	uint8_t reason = waited ? search_reason(s->stalls.cycles, last->waited) : 0;

	remember(last, s);
	return reason;
}

/* The warp's cycles since its previous issue, and their reason. All cycles are charged; most to waiting for a turn, an
 * operand or a unit, so that only these counters are compared. */
static inline struct wait wait_of(struct slot_issue *last, const struct slot *s, uint32_t gap)
{
	const uint64_t *now = s->stalls.cycles;
	uint32_t *before = last->waited;
	uint32_t waited = (uint32_t)(s->since - gap - last->since);
	uint32_t turn = (uint32_t)now[STALL_NOT_SELECTED] - before[STALL_NOT_SELECTED];
	uint32_t operand = (uint32_t)now[STALL_OPERAND] - before[STALL_OPERAND];
	uint32_t pipe = (uint32_t)now[STALL_PIPE] - before[STALL_PIPE];
	uint32_t most = turn > operand ? turn : operand;
	uint8_t reason = turn >= operand ? STALL_NOT_SELECTED : STALL_OPERAND;

	_Static_assert(STALL_NOT_SELECTED < STALL_OPERAND && STALL_OPERAND < STALL_PIPE, "the first of equals");
	reason = pipe > most ? STALL_PIPE : reason;
	if (__builtin_expect(turn + operand + pipe != waited, 0))
		return (struct wait){ waited, rare_reason(last, s, waited) };
	last->since = s->since;
	before[STALL_NOT_SELECTED] += turn;
	before[STALL_OPERAND] += operand;
	before[STALL_PIPE] += pipe;
	return (struct wait){ waited, waited ? reason : 0 };
}

/* Add an issue of a slot's warp, without the members equal to the previous issue's (core/event_code.h). */
static inline __attribute__((always_inline)) void add_issue(struct recorder *r, struct slot_issue *last,
							    uint32_t pc, uint64_t cycle, struct wait wait,
							    const struct trace_detail *d, struct event_parts parts)
{
	struct event_brief *was = &last->event, *e = add(r, last->queue, EVENT_ISSUE);
	bool alike = last->codes & (d->active == was->active) & (d->depth == was->depth) & (parts.fields != 0);

	e->cycle = cycle;
	e->executed = d->executed;
	e->pc = pc;
	e->waited = wait.cycles;
	e->mp = was->mp;
	e->slot = was->slot;
	e->kind = EVENT_ISSUE;
	e->flow = d->flow;
	e->reason = wait.reason;
	if (__builtin_expect(alike, 1)) {
		event_code(e, parts, d->executed, d->executed != was->executed);
	} else {
		e->coded = 0;
		e->active = was->active = d->active;
		e->block = was->block;
		e->warp = was->warp;
		e->depth = was->depth = d->depth;
		last->codes = r->codes;
	}
	was->executed = d->executed;
	was->pc = pc;
	was->waited = wait.cycles;
	was->flow = d->flow;
	was->reason = wait.reason;
}

static inline __attribute__((always_inline)) void issue(struct recorder *r, struct slot_issue *last,
							uint32_t pc, uint64_t cycle, struct wait wait,
							const struct trace_detail *d)
{
	add_issue(r, last, pc, cycle, wait, d, event_parts(&last->event, pc, d->flow, wait.cycles, wait.reason));
}

/* ---- records of issues ----
 *
 * Notifications come in the order of positions as long as no multiprocessor runs ahead and no period is skipped: such
 * an issue goes from its notification into the chunk. */

/* The cycles of each reason since the warp's previous issue, and the most of them. */
static struct wait waits_of(struct slot_issue *last, const struct slot *s, uint32_t waits[EVENT_REASONS])
{
	struct wait w = { 0 };

	for (unsigned i = STALL_ISSUED + 1; i < STALL_NO_WARP; i++) {
		waits[i] = (uint32_t)s->stalls.cycles[i] - last->waited[i];
		w.reason = waits[i] > waits[w.reason] ? (uint8_t)i : w.reason;
		w.cycles += waits[i];
	}
	remember(last, s);
	return w;
}

static void issue_at_position(struct recorder *r, const struct mp *mp, struct slot_issue *last, uint32_t pc,
			      uint64_t cycle, const struct trace_detail *d)
{
	struct event_detail detail = { .gone_lanes = d->gone_lanes };
	struct event_brief *e = &last->event;
	struct wait w = { 0 };
	struct chunk *c = r->newest;

	if (r->timed)
		w = waits_of(last, slot_of(&mp->sched, e->slot), detail.waits);
	last->gone_lanes = d->gone_lanes;
	e->cycle = cycle;
	e->pc = pc;
	e->active = d->active;
	e->executed = d->executed;
	e->depth = d->depth;
	e->flow = d->flow;
	e->waited = w.cycles;
	e->reason = w.reason;
	if (!c || c->bytes + ISSUE_BYTES_MAX > CHUNK_BYTES)
		c = new_chunk(r);
	note_cycles(c, (const struct event_brief *const[]){ e }, 1, r->timed);
	c->bytes += (uint32_t)event_encode_issue(r->encoder, e, &detail, c->data + c->bytes);
	c->events++;
	r->events++;
	r->total[EVENT_ISSUE]++;
	r->issued = true;
}

uint64_t recorder_last_position(const struct wb_launch *l)
{
	const char *result = l->machine.result;
	/* a fault, a limit or a hang takes a turn of its own, but for a deadlock behind the last arrival */
	bool issues = !strcmp(result, "ok") || (!strcmp(result, "deadlock") && l->recorder->issued);

	return l->recorder->total[EVENT_ISSUE] + !issues;
}

bool recorder_unstepped(const struct wb_launch *l)
{
	return l->plan.timed;
}

/* The next detail in the trace of a slot's warp, which is complete when the warp begins. */
static inline const struct trace_detail *next_detail(const struct recorder *r, const struct mp *mp,
						     struct slot_issue *last, unsigned slot)
{
	unsigned warps = r->launch->plan.dim.warps;

	if (__builtin_expect(!last->detail, 0))
		last->detail = mp->resident[slot / warps].trace[slot % warps].detail;
	return last->detail++;
}

static void issued(struct observer *o, const struct mp *mp, unsigned slot, const struct sched_op *op, uint64_t cycle,
		   lane_mask active)
{
	struct recorder *r = (struct recorder *)o;
	struct slot_issue *last = slot_issue_of(r, mp, slot);
	struct wait wait = wait_of(last, slot_of(&mp->sched, slot), mp->sched.simd.round);

	r->cycle = cycle;
	if (op->by_all)
		issue(r, last, op->word * 4, cycle, wait, &(struct trace_detail){
			.active = active, .executed = active, .depth = last->event.depth,
		});
	else
		issue(r, last, op->word * 4, cycle, wait, next_detail(r, mp, last, slot));
	if (!r->period.logs)
		return;
	r->period.issue[r->period.n++] = (struct repeated){
		.cycle = cycle, .pc = op->word * 4, .wait = wait, .slot = (uint8_t)slot, .by_all = op->by_all,
	};
	r->period.logs = r->period.n < PERIOD_ISSUES;
}

static void issued_at_position(struct observer *o, const struct mp *mp, unsigned slot, const struct sched_op *op,
			       uint64_t cycle, lane_mask active)
{
	struct recorder *r = (struct recorder *)o;
	struct slot_issue *last = slot_issue_of(r, mp, slot);

	if (op->by_all)
		issue_at_position(r, mp, last, op->word * 4, cycle, &(struct trace_detail){
			.active = active, .executed = active, .gone_lanes = last->gone_lanes,
			.depth = last->event.depth,
		});
	else
		issue_at_position(r, mp, last, op->word * 4, cycle, next_detail(r, mp, last, slot));
}

/* ---- fast-forward: the same events again, with other cycles and masks ---- */

static void period(struct observer *o, const struct mp *mp)
{
	struct recorder *r = (struct recorder *)o;

	(void)mp;
	r->period.n = 0;
	r->period.logs = true;
}

static inline __attribute__((always_inline)) void issue_again(struct recorder *r, struct slot_issue *last,
							      struct repeated *p, uint64_t later,
							      const struct trace_detail *d)
{
	if (!p->parts.fields || p->flow != d->flow || p->flow_before != last->event.flow) {
		p->parts = event_parts(&last->event, p->pc, d->flow, p->wait.cycles, p->wait.reason);
		p->flow = d->flow;
		p->flow_before = last->event.flow;
	}
	add_issue(r, last, p->pc, p->cycle + later, p->wait, d, p->parts);
}

static void again(struct observer *o, const struct mp *mp, struct trace_place *at, uint64_t periods, uint64_t cycles)
{
	struct recorder *r = (struct recorder *)o;
	uint64_t later = 0, slots = 0;

	while (periods--) {
		later += cycles;
		for (struct repeated *p = r->period.issue; p < r->period.issue + r->period.n; p++) {
			struct slot_issue *last = slot_issue_of(r, mp, p->slot);
			lane_mask active = trace_place_issue(&at[p->slot]);
			if (p->by_all)
				issue_again(r, last, p, later, &(struct trace_detail){
					.active = active, .executed = active, .depth = last->event.depth,
				});
			else
				issue_again(r, last, p, later, next_detail(r, mp, last, p->slot));
			slots |= 1ull << p->slot;
		}
	}
	for (; slots; slots &= slots - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(slots);
		remember(slot_issue_of(r, mp, slot), slot_of(&mp->sched, slot));
	}
	r->cycle = mp->sched.issued_at;
	r->period.logs = false;
}

static void waits(struct observer *o, struct machine *m, struct mp *mp, const struct warp *w, unsigned barrier)
{
	(void)m;
	add_event(((struct recorder *)o)->launch, mp, w, EVENT_BARRIER_WAIT)->barrier = barrier;
}

static void released(struct observer *o, struct machine *m, struct mp *mp, const struct warp *w, uint64_t warps)
{
	(void)m;
	add_event(((struct recorder *)o)->launch, mp, w, EVENT_BARRIER_RELEASE)->warps = warps;
}

static void before(struct observer *o, struct machine *m, struct mp *mp)
{
	struct recorder *r = (struct recorder *)o;
	struct locks *k = &mp->x.block->lock;

	(void)m;
	r->cycle = mp->x.special.cycle;
	r->before.holders = k->holders;
	r->before.waiters = k->waiters;
	r->before.flags_set = k->flags_set;
	k->nchanged = 0;
}

/* --lock warp: locks that the warp took or released in this turn. */
static void lock_of_warp(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	const struct locks *k = &w->block->lock;
	uint64_t self = 1ull << w->id, was = l->recorder->before.holders & self, is = k->holders & self;

	if (was == is)
		return;
	struct event_brief *e = add_event(l, mp, w, is ? EVENT_LOCK_TAKE : EVENT_LOCK_RELEASE);
	e->addr = k->held[w->id];
	e->warps = is ? 0 : l->recorder->before.waiters;
}

/* --lock flag: each word is a lock. */
static void lock_flags(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	const struct locks *k = &w->block->lock;
	bool takes = k->flags_set > l->recorder->before.flags_set;

	for (unsigned i = 0; i < k->nchanged; i++) {
		struct event_brief *e = add_event(l, mp, w, takes ? EVENT_LOCK_TAKE : EVENT_LOCK_RELEASE);
		e->addr = k->changed[i];
		e->warps = 0;
	}
}

static void executed(struct observer *o, struct machine *m, struct mp *mp, int outcome)
{
	struct recorder *r = (struct recorder *)o;
	struct wb_launch *l = r->launch;
	const struct warp *w = mp->x.warp;
	const struct step *s = &mp->x.step;
	struct wait wait = { 0 };
	struct slot_issue *last;
	struct event_brief *e;

	if (l->watch) {
		order_if_due(o, m);
		r->fresh = l->watch->turns > r->turns;
		r->turns = r->fresh ? l->watch->turns : r->turns;
	}
	if (!r->fresh)
		return;
	if (outcome == STEP_LOCKED || outcome == STEP_FAULT) {
		e = add_event(l, mp, w, outcome == STEP_LOCKED ? EVENT_LOCK_WAIT : EVENT_FAULT);
		e->pc = mp->x.step.pc;
		e->fault = mp->x.fault.kind;
		slot_issue_of(r, mp, w->slot)->codes = false;   /* the next issue's pc continues here */
		return;
	}
	last = slot_issue_of(r, mp, w->slot);
	/* a policy may set groups aside, or choose others, behind any instruction */
	bool steps = l->watch || reconverge_policy(&l->plan.rules);
	if (r->timed)
		wait = wait_of(last, slot_of(&mp->sched, w->slot), mp->sched.simd.round);
	issue(r, last, s->pc, r->cycle, wait, &(struct trace_detail){
		.active = s->active, .executed = s->executed, .flow = s->flow,
		.depth = s->flow || steps ? depth_of(l, w) : last->event.depth,
	});
	if (r->before.holders | w->block->lock.holders)
		lock_of_warp(l, mp, w);
	if (w->block->lock.nchanged)
		lock_flags(l, mp, w);
	if (outcome == STEP_BARRIER && w->status == WARP_AT_BARRIER)
		add_event(l, mp, w, EVENT_BARRIER_WAIT)->barrier = w->waits_for;
}

static void executed_at_position(struct observer *o, struct machine *m, struct mp *mp, int outcome)
{
	struct recorder *r = (struct recorder *)o;
	const struct warp *w = mp->x.warp;
	const struct step *s = &mp->x.step;

	(void)m;
	r->issued = outcome != STEP_LOCKED && outcome != STEP_FAULT;
	if (r->issued)
		issue_at_position(r, mp, slot_issue_of(r, mp, w->slot), s->pc, r->cycle, &(struct trace_detail){
			.active = s->active, .executed = s->executed, .gone_lanes = lanes_gone(w), .flow = s->flow,
			.depth = depth_of(r->launch, w),
		});
}

static void woken(struct observer *o, struct machine *m, struct mp *mp, struct block *b)
{
	struct wb_launch *l = ((struct recorder *)o)->launch;
	uint64_t warps = b->woken & ~l->recorder->before.waiters;

	(void)m;
	if (l->recorder->fresh && warps)
		add_event(l, mp, mp->x.warp, EVENT_BARRIER_RELEASE)->warps = warps;
}

static void begin_warp(struct wb_launch *l, const struct mp *mp, const struct warp *w)
{
	struct slot_issue *last = slot_issue_of(l->recorder, mp, w->slot);

	*last = (struct slot_issue){ .event = {
		.kind = EVENT_ISSUE, .active = w->active, .executed = w->active,
		.block = w->block->index, .mp = (uint16_t)mp->x.special.mp, .slot = (uint8_t)w->slot, .warp = w->id,
	}, .queue = queue_of(l->recorder, mp), .gone_lanes = ~w->launched };
	if (l->plan.timed)
		remember(last, slot_of(&mp->sched, w->slot));
}

static void block_event(struct wb_launch *l, const struct mp *mp, const struct block *b, enum event_kind kind)
{
	if (!l->recorder->fresh)
		return;
	for (unsigned i = 0; kind == EVENT_BLOCK_START && i < b->nwarps; i++)
		begin_warp(l, mp, &b->warp[i]);
	if (!l->recorder->positions)
		add_event(l, mp, &b->warp[0], kind)->warps = lanes_first((int)b->nwarps);
}

static void warp_ended(struct observer *o, struct machine *m, struct mp *mp, struct warp *w)
{
	struct wb_launch *l = ((struct recorder *)o)->launch;

	(void)m;
	if (l->recorder->fresh)
		add_event(l, mp, w, EVENT_WARP_END);
}

static void block_placed(struct observer *o, struct machine *m, struct mp *mp, struct block *b)
{
	struct recorder *r = (struct recorder *)o;

	if (between_epochs(r))
		r->cycle = last_cycle(r, m);
	block_event(r->launch, mp, b, EVENT_BLOCK_START);
}

static void block_ended(struct observer *o, struct machine *m, struct mp *mp, struct block *b)
{
	(void)m;
	block_event(((struct recorder *)o)->launch, mp, b, EVENT_BLOCK_END);
}

/* ---- beginning ---- */

/* Add the blocks placed before the start. */
static void begin(struct wb_launch *l)
{
	l->recorder->fresh = true;
	for (unsigned i = 0; i < l->plan.nmps; i++)
		for (unsigned k = 0; k < l->machine.mp[i].nresident; k++)
			if (l->machine.mp[i].resident[k].live)
				block_event(l, &l->machine.mp[i], &l->machine.mp[i].resident[k].block,
					    EVENT_BLOCK_START);
	recorder_order(l->recorder);
	for (unsigned i = 0; i < l->recorder->nqueues; i++)
		l->recorder->queue[i].written_to = NEVER;
}

static void restart(struct observer *o, struct machine *m)
{
	struct recorder *r = (struct recorder *)o;

	(void)m;
	r->first_chunk = r->next_chunk = r->events = r->dropped = 0;
	r->newest = NULL;
	memset(r->total, 0, sizeof r->total);
	for (unsigned i = 0; i < r->nqueues; i++)
		r->queue[i].begin = r->queue[i].n = 0;
	r->epoch_end = r->cycle = 0;
	if (r->sink)
		r->sink(r->sink_context, &(struct wb_chunk){ .bytes = NULL });
	begin(r->launch);
}

static bool make_queues(struct recorder *r)
{
	r->nqueues = r->sorts ? r->launch->plan.nmps + 1 : 1;
	r->queue = calloc(r->nqueues, sizeof *r->queue);
	for (unsigned i = 0; i < r->nqueues; i++)
		if (!r->queue || !grow_queue(r, &r->queue[i]))
			return false;
	for (unsigned i = 0; !r->sorts && i < BATCH; i++)
		r->order[i] = &r->queue->event[i];
	return true;
}

static struct observer events_observer(void)
{
	return (struct observer){
		.single_thread_reason = "events are recorded in the order of issue", .run_ahead = RUN_AHEAD,
		.restart = restart,
		.between = order_if_due, .before = before, .executed = executed, .woken = woken, .issued = issued,
		.period = period, .again = again, .waits = waits, .released = released,
		.block_placed = block_placed, .block_ended = block_ended, .warp_ended = warp_ended,
	};
}

static struct observer positions_observer(void)
{
	return (struct observer){
		.single_thread_reason = "events are recorded in the order of issue",
		.restart = restart, .before = before, .executed = executed_at_position, .issued = issued_at_position,
		.block_placed = block_placed,
	};
}

bool recorder_begin(struct wb_launch *l, size_t bytes, bool positions, void (*sink)(void *, const struct wb_chunk *),
		    void *context, struct diag *d)
{
	struct recorder *r = calloc(1, sizeof *r);

	l->recorder = r;
	if (!r)
		return diag_set(d, DIAG_ENV, "out of memory");
	r->nchunks = (bytes ? bytes : DEFAULT_BYTES) / sizeof *r->chunk;
	r->nchunks += r->nchunks < 2 ? 2 : 0;
	r->chunk = pages_alloc(r->nchunks * sizeof *r->chunk);
	r->encoder = calloc(1, sizeof *r->encoder);
	r->places = l->plan.nmps * SLOTS;
	r->codes = r->places <= EVENT_PLACES;
	r->period.issue = malloc(PERIOD_ISSUES * sizeof *r->period.issue);
	r->slot_issue = aligned_alloc(64, r->places * sizeof *r->slot_issue);
	r->timed = l->plan.timed;
	r->sorts = l->plan.timed && l->plan.nmps > 1 && !positions;
	r->positions = positions;
	r->launch = l;
	r->observer = positions ? positions_observer() : events_observer();
	r->sink = sink;
	r->sink_context = context;
	if (!r->chunk || !r->encoder || !r->slot_issue || !r->period.issue || !make_queues(r)) {
		recorder_free(l);
		return diag_set(d, DIAG_ENV, "out of memory for a record of %zu bytes", bytes);
	}
	begin(l);
	launch_observe(l, &r->observer, false);
	return true;
}
