/* Trace replay: the loop that times a multiprocessor from the traces of its warps.
 *
 * A warp that has been executed needs no registers and no memory any more: its trace has which instruction issues
 * next, under which mask, and where it goes on. What an instruction costs is in a table (struct sched_op), but for
 * costs that depend on addresses, which stand at the end of a trace segment. So the whole state of the loop is a few
 * words a slot: when the warp is ready, a scoreboard, and a place in its trace. The loop picks a slot (round robin, one
 * issue every two cycles), charges its waiting to the reasons, posts its results to the scoreboard, and puts the warp
 * to sleep until its next operands are there. Whatever concerns other multiprocessors (cache misses, global memory, the
 * end of a warp) is handed back to the caller. The words that every issue changes are in registers meanwhile (struct
 * loop_state). */
#include "sched/issue.h"
#include "sched/fast_forward.h"

enum { GAP = STANDARD_GAP };

/* As in struct sched, which is not up to date in between. */
struct loop_state {
	uint64_t now, ready, next_wake;
	uint64_t after;                 /* slots behind the one that issued last */
};

static inline void store_state(struct sched *s, const struct loop_state *p)
{
	s->now = p->now;
	s->issue_slot = p->now / GAP;
	s->ready = p->ready;
	s->sleep.next = p->next_wake;
	s->last = p->after ? (unsigned)__builtin_ctzll(p->after) - 1 : SLOTS - 1;
}

static inline struct loop_state load_state(const struct sched *s)
{
	return (struct loop_state){ s->now, s->ready, s->sleep.next, ~1ull << s->last };
}

/* ---- sleeping ---- */

static __attribute__((noinline, cold)) void wake_far(struct sched *s)
{
	wake_sleepers(s);
}

static inline void wake(struct sched *s, struct loop_state *p)
{
	uint64_t issue_slot = p->now / GAP, at = issue_slot % WHEEL, used = s->sleep.used & ~(1ull << at), ahead;

	if (__builtin_expect(issue_slot >= s->sleep.beyond_due || (!used && s->sleep.beyond), 0)) {
		store_state(s, p);
		wake_far(s);
		*p = load_state(s);
		return;
	}
	p->ready |= s->sleep.wheel[at];
	s->sleep.wheel[at] = 0;
	s->sleep.used = used;
	ahead = used >> at | used << (-at & (WHEEL - 1));
	p->next_wake = used ? (issue_slot + (unsigned)__builtin_ctzll(ahead)) * GAP : SCHED_NEVER;
}

static __attribute__((noinline, cold)) void sleep_long(struct sched *s, unsigned i)
{
	struct slot *w = slot_of(s, i);

	put_to_sleep(s, i, w, w->ready_at, issue_slot_in(w->ready_at, GAP));
}

/* Until w->ready_at, which is that of an issue slot. */
static inline void fall_asleep(struct sched *s, struct loop_state *p, unsigned i, struct slot *w)
{
	uint64_t ready_at = w->ready_at, at = ready_at / GAP % WHEEL;

	p->ready &= ~(1ull << i);
	if (__builtin_expect(ready_at - p->now >= WHEEL * GAP, 0)) {
		store_state(s, p);
		sleep_long(s, i);
		*p = load_state(s);
		return;
	}
	p->next_wake = least(ready_at, p->next_wake);
	w->place = (uint8_t)at;
	s->sleep.used |= 1ull << at;
	s->sleep.wheel[at] |= 1ull << i;
}

/* ---- what issues ---- */

/* Where a segment leads to, if its last instruction costs no more than its table has and *extra cycles of its unit,
 * and the next line of code is in the cache; else NULL. */
static inline const struct sched_op *after_segment(const struct sched *s, const struct slot *w,
						    const struct sched_op *op, uint32_t *extra)
{
	const struct trace_segment *at = w->at, *then = next_segment(w);
	const struct sched_op *next = &s->program.ops[then->pc / 4];

	if (at->bytes | at->line || !then->issues)
		return NULL;
	*extra = at->extra;
	return code_here(s, op, next) ? next : NULL;
}

/* The next instruction of a slot, if the present one can issue in this loop; else NULL. */
static inline const struct sched_op *next_of(const struct sched *s, const struct slot *w, const struct sched_op *op,
					     uint32_t *extra)
{
	*extra = 0;
	if (!op->replay.replayed || !constant_here(s, op))
		return NULL;
	if (w->left == 1)
		return after_segment(s, w, op, extra);
	return s->lines_here >> op->new_line & 1 ? op + op->words : NULL;
}

/* A unit takes an instruction, and was idle before or not. */
static inline void take(struct sched *s, struct loop_state *p, unsigned unit, uint64_t free, uint64_t until)
{
	if (free < p->now) {
		if (__builtin_expect(s->nidle[unit] == IDLES, 0)) {
			store_state(s, p);
			sched_note_idle(s, unit);
		}
		s->idle[unit][NO_IDLES + s->nidle[unit]++] = (struct idle){ free, p->now };
		s->idle_end[unit] = p->now;
	}
	s->free_at[unit] = until;
}

/* When the operands of `next` are there, in the issue slot after that. Whether a load makes it wait is noted. */
static inline uint64_t operands_of(struct slot *w, const uint64_t *at, const struct sched_op *next, uint64_t free)
{
	uint64_t last = latest(at, next, free << 1), ready_at = issue_slot_in(last >> 1, GAP) * GAP;

	if (last & 1) {
		w->mixed = 1;
		w->wait = STALL_MEMORY;
		w->operands_at = ready_at;
	}
	return ready_at;
}

/* Control flow is in the digest, and holds the warp itself. */
static inline void flow(const struct sched *s, unsigned i, struct slot *w, const struct sched_op *op, uint64_t now)
{
	if (!op->in_digest)
		return;
	if (__builtin_expect(s->checkpoint.log != NULL, 0))
		fast_forward_log(s->checkpoint.log, i, w, op, now);
	sched_digest(w, op, now, w->at->active);
	w->free_at = now + op->hold;
	w->free_wait = STALL_OPERAND;
}

/* The present instruction of a slot issues, with `extra` cycles more of its unit, and the warp goes on at `next`.
 * fast: as op->replay.fast has it, within a segment; that is most of them, and gets a piece of code of its own. */
static inline __attribute__((always_inline)) void issue_here(struct sched *s, struct loop_state *p, unsigned i,
							     struct slot *w, const struct sched_op *op,
							     const struct sched_op *next, uint32_t extra, bool fast)
{
	unsigned unit = op->unit, other = fast ? unit : op->other_unit;
	uint64_t now = p->now, ready_at = w->ready_at, waited = now - w->since, results_at = w->results_at;
	uint64_t free = s->free_at[unit], then = s->free_at[other], *at = w->board;
	uint64_t idle = between(most(ready_at, least(free, then)), now);

	if (__builtin_expect(ready_at < most(s->idle_end[unit], s->idle_end[other]), 0))
		idle = fast ? idle_of(s, w, unit, now) : sched_idle_since(s, w, op, now);
	if (!fast && free > now)
		take(s, p, other, then, now + op->other_cost + extra);
	else
		take(s, p, unit, free, now + op->cost + extra);
	charge_wait(s, w, op, now, idle, GAP);
	at[op->makes[0]] = at[op->makes[1]] = (now + op->latency + extra) << 1;
	if (!fast)
		flow(s, i, w, op, now);
	w->mixed = 0;
	w->results_at = most(results_at, now + op->results + extra);
	ready_at = now + op->rest;
	if (results_at >= now + op->replay.covers || (!fast && (extra || (op->nmakes && next != op + op->words))))
		ready_at = operands_of(w, at, next, now + op->hold);
	w->ready_at = ready_at;
	w->next = next;
	if (!--w->left && !fast) {
		end_segment(w);
		if (now >= s->checkpoint.at && !(s->occupied & ((1ull << i) - 1)))
			s->checkpoint.due = true;
	}
	if (fast ? op->replay.changes_unit : op->unit != next->unit || op->second != next->second)
		want_units(s, i, op, next);
	s->issued_at = now;
	p->after = ~1ull << i;
	p->now = now + GAP;
	if (ready_at > now + waited)
		fall_asleep(s, p, i, w);
}

/* ---- which slots can issue ---- */

/* Move on to when a warp can issue, if that is before cycle `until`: the slots that can, or 0. */
static inline uint64_t can_issue(struct sched *s, struct loop_state *p, uint64_t until)
{
	for (;;) {
		uint64_t first, m, t;
		if (p->next_wake <= p->now)
			wake(s, p);
		t = p->next_wake;
		if (!(p->ready & (s->want[1] | s->want[WANTS_RARE]))) {
			first = p->ready & s->want[0];
			if (first) {
				uint64_t free = most(issue_slot_in(s->free_at[0], GAP) * GAP, p->now);
				if (free < t) {
					if (free >= until)
						return 0;
					p->now = free;
					return first;
				}
			}
			if (t >= until)
				return 0;
			p->now = t;
			continue;
		}
		m = p->now < until ? eligible(s, p->ready, p->now, &t) : 0;
		if (m)
			return m;
		if (t >= until || (t = issue_slot_in(t, GAP) * GAP) >= until)
			return 0;
		p->now = t > p->now ? t : p->now + GAP;
	}
}

/* ---- barriers ---- */

/* The last warp of a block arrives at its barrier. */
static void arrive_last(struct sched *s, unsigned i, const struct sched_op *next)
{
	static const struct sched_work nothing;

	sched_take(s, i);
	issue_in(s, i, &nothing, next, s->now + GAP, GAP, true);
	sched_arrive(s, i);
}

/* Another one does, and waits. */
static void arrive_and_wait(struct sched *s, unsigned i, const struct sched_op *next)
{
	struct slot *w = slot_of(s, i);
	const struct sched_op *op = w->next;

	sched_take(s, i);
	charge_issue(s, w, op, GAP);
	take_unit(s, op, s->now, 0);
	w->free_at = s->now + op->hold;
	w->free_wait = op->wait;
	w->next = next;
	want_units(s, i, op, next);
	w->place = PLACE_BLOCKED;
	w->wait = STALL_BARRIER;
	s->room.barrier_group[w->barrier_group].waiting |= 1ull << i;
	s->ready &= ~(1ull << i);
	count_issue(s, s->now, GAP, true);
}

/* If the instruction of slot i arrives at a barrier and costs nothing else, issue it. */
static __attribute__((noinline)) bool arrives(struct sched *s, unsigned i)
{
	struct slot *w = slot_of(s, i);
	const struct sched_op *op = w->next, *next;
	const struct trace_segment *at = w->at;
	const struct barrier_group *c = &s->room.barrier_group[w->barrier_group];
	uint32_t extra;

	if (w->left != 1 || !at->barrier || op->nmakes || !constant_here(s, op))
		return false;
	next = after_segment(s, w, op, &extra);
	if (!next || extra)
		return false;
	if (s->checkpoint.log)
		fast_forward_log(s->checkpoint.log, i, w, op, s->now);
	sched_digest(w, op, s->now, at->active);
	end_segment(w);
	if ((c->waiting | 1ull << i) == c->slots)
		arrive_last(s, i, next);
	else
		arrive_and_wait(s, i, next);
	return true;
}

static inline void notify_before(const struct sched_observer *o, unsigned slot)
{
	if (o && o->issues)
		o->issues(o->observer, o->mp, slot);
}

static inline __attribute__((always_inline)) int replay(struct sched *s, uint64_t until, const struct sched_observer *o)
{
	struct loop_state p = load_state(s);
	uint64_t m;

	while ((m = can_issue(s, &p, until)) != 0) {
		unsigned i = (unsigned)__builtin_ctzll(m & p.after ? m & p.after : m);
		struct slot *w = slot_of(s, i);
		const struct sched_op *op = w->next, *next;
		uint64_t now = p.now;
		lane_mask active = w->at->active;
		uint32_t extra;
		if (__builtin_expect(w->ready_at > now, 0)) {
			fall_asleep(s, &p, i, w);
			continue;
		}
		if (op->replay.fast & constant_here(s, op) & (w->left != 1)) {
			notify_before(o, i);
			issue_here(s, &p, i, w, op, op + op->words, 0, true);
		} else if ((next = next_of(s, w, op, &extra)) != NULL) {
			notify_before(o, i);
			issue_here(s, &p, i, w, op, next, extra, false);
		} else {
			store_state(s, &p);
			if (o || !arrives(s, i)) {
				s->checkpoint.log = NULL;
				return (int)i;
			}
			p = load_state(s);
			continue;
		}
		if (o) {
			if (s->checkpoint.log)
				fast_forward_observed(s->checkpoint.log, i);
			o->issued(o->observer, o->mp, i, op, now, active);
		}
		if (__builtin_expect(s->checkpoint.due, 0)) {
			store_state(s, &p);
			s->checkpoint.due = false;
			sched_fast_forward(s, until, o);
			p = load_state(s);
		}
	}
	store_state(s, &p);
	s->checkpoint.log = NULL;
	return SCHED_NONE;
}

int sched_replay(struct sched *s, uint64_t until, const struct sched_observer *o)
{
	return o ? replay(s, until, o) : replay(s, until, NULL);
}
