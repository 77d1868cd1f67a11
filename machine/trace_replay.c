/* Trace replay: the clock of a multiprocessor whose warps have left traces (machine/trace_driven.h). The scheduler's
 * loop issues all instructions that cost no more than the table says (sched/replay.c). All others are issued here:
 * cache misses, requests to global memory, barriers, the ends of warps. Replay needs no registers and no order among
 * multiprocessors, so a multiprocessor may run on past the end of its epoch as long as its actions concern itself
 * alone. */
#include "machine/trace_replay.h"

#include "machine/blocks.h"
#include "machine/clock.h"

/* The last instruction of a trace segment issues: adds its costs, and returns the warp's next instruction; NULL: the
 * warp ends. */
static const struct sched_op *end_of_segment(struct machine *m, struct mp *mp, unsigned slot, struct slot *w)
{
	const struct trace_segment *at = w->segment;

	mp->work.extra_cycles = at->extra;
	mp->work.bytes = at->bytes;
	mp->work.last_bytes = at->last_bytes;
	if (at->line)
		clock_const(m, mp, at->line);
	end_segment(w);
	return w->remaining ? clock_op(m, &mp->sched, slot, w->segment->pc) : NULL;
}

/* After an issue: the warp has arrived at a barrier if `barrier` is not 0 (its number plus 1), and has ended if `over`.
 * False: the launch is over. */
static bool after_issue(struct machine *m, struct mp *mp, struct warp *w, unsigned barrier, bool over)
{
	struct sched *s = &mp->sched;
	uint64_t released = 0;
	bool goes_on = true;

	if (barrier) {
		released = sched_arrive(s, w->slot);
		if (!released)
			NOTIFY(m, waits, mp, w, barrier - 1);
	}
	if (over) {
		released = sched_leave(s, w->slot);
		goes_on = block_after_turn(m, mp, w, w->block, STEP_DONE);
	}
	released &= ~(1ull << w->slot);
	if (released)
		NOTIFY(m, released, mp, w, released >> (w->slot - w->id));
	return goes_on;
}

/* Observers of a replay, for calls by the scheduler's loop. */
struct notified {
	struct sched_observer hooks;    /* comes first */
	struct observer *first_observer; /* of the observers with `issues` or `issued` */
};

static struct observer *first_of(const struct sched_observer *o)
{
	return ((const struct notified *)o)->first_observer;
}

static void notify_issued(const struct sched_observer *o, const struct sched *s, unsigned slot,
			  const struct sched_op *op, uint64_t cycle, lane_mask active)
{
	for (struct observer *each = first_of(o); each; each = each->next)
		if (each->issued)
			each->issued(each, mp_of_sched(s), slot, op, cycle, active);
}

/* Nearly always a single observer listens, called once for every issue. */
static void notify_issued_alone(const struct sched_observer *o, const struct sched *s, unsigned slot,
				const struct sched_op *op, uint64_t cycle, lane_mask active)
{
	struct observer *alone = first_of(o);

	alone->issued(alone, mp_of_sched(s), slot, op, cycle, active);
}

static void notify_issues(const struct sched_observer *o, const struct sched *s, unsigned slot)
{
	for (struct observer *each = first_of(o); each; each = each->next)
		if (each->issues)
			each->issues(each, mp_of_sched(s), slot);
}

static void notify_period(const struct sched_observer *o, const struct sched *s)
{
	first_of(o)->period(first_of(o), mp_of_sched(s));
}

static void notify_again(const struct sched_observer *o, const struct sched *s, struct trace_place *at,
			 uint64_t periods, uint64_t cycles)
{
	first_of(o)->again(first_of(o), mp_of_sched(s), at, periods, cycles);
}

static struct observer *next_replay_observer(struct observer *o)
{
	while (o && !o->issued && !o->issues)
		o = o->next;
	return o;
}

bool replay_may_skip(const struct machine *m)
{
	const struct observer *first = next_replay_observer(m->observers);

	return !first || (first->again && !next_replay_observer(first->next));
}

/* `first` NULL: no observer wants issues. */
static struct notified observers_of(const struct machine *m)
{
	struct observer *first = next_replay_observer(m->observers);
	bool alone = first && first->issued && !next_replay_observer(first->next), before = false;

	for (struct observer *o = first; o; o = o->next)
		before |= o->issues != NULL;
	return (struct notified){
		.first_observer = first,
		.hooks = {
			.issues = before ? notify_issues : NULL,
			.issued = alone ? notify_issued_alone : notify_issued,
			.period = alone && first->again ? notify_period : NULL,
			.again = alone && first->again ? notify_again : NULL,
		},
	};
}

/* A warp ends: members untouched since the execution of the block come into the host's caches while the last
 * instruction issues. */
static inline void fetch_end(const struct warp *w)
{
	__builtin_prefetch(&w->nout);
	__builtin_prefetch(w->out);
	__builtin_prefetch(w->out_since);
}

static bool issue(struct machine *m, struct mp *mp, unsigned slot, const struct sched_observer *o)
{
	struct sched *s = &mp->sched;
	struct slot *at = slot_of(s, slot);
	struct warp *w = mp->slot[slot];
	const struct sched_op *op = at->next, *next = op + op->words;
	lane_mask active = at->segment->active;
	uint64_t cycle = s->now;
	unsigned barrier = 0;

	if (o && o->issues)
		o->issues(o, s, slot);
	sched_digest(at, op, cycle, active);
	if (!constant_here(s, op))
		clock_const(m, mp, op->constant.line);
	if (!--at->remaining) {
		barrier = at->segment->barrier;
		next = end_of_segment(m, mp, slot, at);
	}
	if (!next)
		fetch_end(w);
	clock_issue(m, mp, slot, next);
	if (o)
		o->issued(o, s, slot, op, cycle, active);
	return (!barrier && next) || after_issue(m, mp, w, barrier, !next);
}

/* Does the slot's next instruction issue alike whatever other multiprocessors do meanwhile? */
static bool is_private(const struct machine *m, const struct mp *mp, unsigned slot)
{
	const struct sched *s = &mp->sched;
	const struct slot *w = slot_of(s, slot);
	const struct trace_segment *at = w->segment, *then = next_segment(w);
	const struct sched_op *op = w->next, *next = op + op->words;
	uint64_t unfinished = mp->slot[slot]->block->unfinished;

	if (!constant_here(s, op))
		return false;
	if (w->remaining == 1) {
		if (at->bytes || at->line)
			return false;
		if (!then->issues)
			return m->run.all_started || (unfinished & (unfinished - 1));
		next = clock_op(m, s, slot, then->pc);
	}
	return code_here(s, op, next);
}

/* Does mp stay within the epoch, whatever it issues? */
static bool in_epoch(const struct machine *m, const struct mp *mp)
{
	return mp->sched.rules.loop == REPLAY_NONE || (!m->run.all_started && mp->nlive < mp->nresident);
}

/* The cycle up to which mp may run in the epoch that ends with cycle `end`. Beyond, as long as its instructions are
 * private: no answer to a request of mp can come before the returned cycle, and no block from another
 * multiprocessor. */
static uint64_t may_run_to(const struct machine *m, const struct mp *mp, uint64_t end)
{
	uint64_t last = SCHED_NEVER - mp->sched.rules.gap;

	if (in_epoch(m, mp))
		last = end;
	else if (mp->nrequests)
		last = mp->request[0].cycle + m->plan->numbers.value[T_g_latency];
	if (m->replay_observed && m->plan->nmps > 1)
		last = least(last, end + m->run_ahead);
	return last < m->plan->max.cycles ? last : m->plan->max.cycles;
}

/* The slot that issues next, in the epoch that ends with cycle `end` or later. False: none. */
static inline bool pick(struct machine *m, struct mp *mp, uint64_t end, const struct sched_observer *o, unsigned *slot)
{
	struct sched *s = &mp->sched;
	uint64_t until = may_run_to(m, mp, end);
	int i;

#ifndef __wasm__
	struct sched_requests requests = {
		.request = mp->request, .n = &mp->nrequests, .until = end,
		.ahead = in_epoch(m, mp) ? SCHED_NEVER : m->plan->numbers.value[T_g_latency],
	};
	s->requests = &requests;
#endif
	i = s->rules.loop == REPLAY_NONE ? sched_pick(s, until) : sched_replay(s, until, o);
	*slot = (unsigned)i;
	return i != SCHED_NONE;
}

bool replay_mp(struct machine *m, struct mp *mp, uint64_t end, uint64_t *turns)
{
	const struct notified observers = observers_of(m);
	const struct sched_observer *o = observers.first_observer ? &observers.hooks : NULL;
	bool goes_on = true;
	unsigned slot;

	for (; goes_on && *turns && pick(m, mp, end, o, &slot); --*turns) {
		if (mp->sched.now >= end && !is_private(m, mp, slot))
			break;
		sched_take(&mp->sched, slot);
		goes_on = issue(m, mp, slot, o);
	}
	return goes_on;
}
