/* Trace replay: the loop that times a multiprocessor from the traces of warps.
 *
 * An executed warp needs no registers and no memory any more: the trace says which instruction issues next, under which
 * mask, and where the warp goes on. The cost of an instruction is in a table (struct sched_op); costs that depend on
 * addresses stand at the end of a trace segment. So the whole state of the loop is a few words a slot: when the warp is
 * ready, a scoreboard, and a place in the trace. The loop picks a slot (round robin), charges the waiting to the
 * reasons, posts the results to the scoreboard, and puts the warp to sleep until the next operands are there. Events
 * that concern other multiprocessors (cache misses, global memory, the end of a warp) go back to the caller. Words that
 * change with every issue are in registers meanwhile (struct loop_state).
 *
 * The loop is compiled for each of two machines (struct shape): with one SIMD, one issue every two cycles; with four
 * SIMDs, a turn for each every fourth cycle, and several issues a turn. */
#include "sched/issue.h"
#include "sched/fast_forward.h"

/* Properties of a machine that are constants of its loop. */
struct shape {
	uint32_t gap;                   /* cycles from one issue slot to the next */
	/* SIMDs of the multiprocessor, in turn by issue slot; with a single SIMD, one issue a slot */
	uint32_t simds;
	uint32_t results;               /* most scoreboard entries that one instruction writes */
};

/* Cases of an issue with code of their own: a fast instruction within a segment, as most are; a fast instruction at the
 * end of a segment, with the next segment in order; any other that the loop can issue. */
enum issue_case { WITHIN, AT_END, OTHER };

/* Copies of members of struct sched, whose own values are stale while the loop runs. */
struct loop_state {
	uint64_t now, ready, next_wake;
	uint64_t after;                 /* slots behind the slot that issued last, on the SIMD of the present turn */
	/* With several SIMDs: slots that may yet issue in the present turn; issues that remain in the turn; the
	 * earliest cycle in which another slot of the turn may issue. */
	uint64_t turn, next_free;
	unsigned issues_left;
};

static ALWAYS_INLINE unsigned last_of(const struct loop_state *p)
{
	return p->after ? (unsigned)__builtin_ctzll(p->after) - 1 : SLOTS - 1;
}

static ALWAYS_INLINE uint64_t issue_slot_of(const struct loop_state *p, struct shape m)
{
	return p->now / m.gap;
}

static ALWAYS_INLINE uint8_t *last_on_simd(struct sched *s, const struct loop_state *p, struct shape m)
{
	return &s->simd.picked[issue_slot_of(p, m) % m.simds];
}

static ALWAYS_INLINE void store_state(struct sched *s, const struct loop_state *p, struct shape m)
{
	s->now = p->now;
	s->issue_slot = issue_slot_of(p, m);
	s->ready = p->ready;
	s->sleep.next = p->next_wake;
	if (m.simds > 1)
		s->issues_left = p->issues_left;
	else
		s->picked = last_of(p);
}

static ALWAYS_INLINE struct loop_state load_state(struct sched *s, struct shape m)
{
	struct loop_state p = { .now = s->now, .ready = s->ready, .next_wake = s->sleep.next };

	p.issues_left = s->issues_left;
	p.after = ~1ull << (m.simds > 1 ? *last_on_simd(s, &p, m) : s->picked);
	return p;
}

/* ---- sleeping ---- */

static __attribute__((noinline, cold)) void wake_far(struct sched *s)
{
	wake_sleepers(s);
}

static ALWAYS_INLINE void wake(struct sched *s, struct loop_state *p, struct shape m)
{
	uint64_t issue_slot = issue_slot_of(p, m), at = issue_slot % WHEEL, used = s->sleep.used & ~(1ull << at), ahead;

	if (__builtin_expect(p->now >= s->sleep.beyond_at, 0)) {
		store_state(s, p, m);
		wake_far(s);
		*p = load_state(s, m);
		return;
	}
	p->ready |= s->sleep.wheel[at];
	s->sleep.wheel[at] = 0;
	s->sleep.used = used;
	ahead = used >> at | used << (-at & (WHEEL - 1));
	p->next_wake = s->sleep.beyond_at;
	if (used)
		p->next_wake = least(p->next_wake, (issue_slot + (unsigned)__builtin_ctzll(ahead)) * m.gap);
}

static __attribute__((noinline, cold)) void sleep_long(struct sched *s, unsigned i)
{
	struct slot *w = slot_of(s, i);

	put_to_sleep(s, i, w, w->ready_at, issue_slot_at(s, w->ready_at));
}

/* Sleep until w->ready_at, the cycle of an issue slot. */
static ALWAYS_INLINE void fall_asleep(struct sched *s, struct loop_state *p, unsigned i, struct slot *w, struct shape m)
{
	uint64_t ready_at = w->ready_at, at = ready_at / m.gap % WHEEL;

	p->ready &= ~(1ull << i);
	if (__builtin_expect(ready_at - p->now >= WHEEL * m.gap, 0)) {
		s->issue_slot = issue_slot_of(p, m);
		s->sleep.next = p->next_wake;
		sleep_long(s, i);
		p->next_wake = s->sleep.next;
		return;
	}
	p->next_wake = least(ready_at, p->next_wake);
	w->wheel_index = (uint8_t)at;
	s->sleep.used |= 1ull << at;
	s->sleep.wheel[at] |= 1ull << i;
}

/* ---- the next instruction ---- */

/* WebAssembly modules are to be small: there all accesses to global memory are the caller's. */
#ifdef __wasm__
enum { NOTES_REQUESTS = 0 };
#else
enum { NOTES_REQUESTS = 1 };
#endif

/* Does the instruction of a slot make a request? */
static inline bool requests(const struct slot *w)
{
	return NOTES_REQUESTS && w->remaining == 1 && w->segment->bytes;
}

/* May the loop note a request that is issued at cycle `now`, and go on up to cycle `until` all the same? */
static inline bool may_request(const struct sched *s, uint64_t now, uint64_t until)
{
	const struct sched_requests *r = s->requests;

	return NOTES_REQUESTS && now < r->until && (*r->n || until - now <= r->ahead);
}

/* Note the request of an access that issues at cycle `now`. */
static __attribute__((noinline)) void request(struct sched *s, unsigned i, const struct slot *w, uint64_t now)
{
	s->checkpoint.log = NULL;
	s->requests->request[(*s->requests->n)++] = (struct request){
		.cycle = now, .access = { .op = w->next, .age = w->age, .slot = (uint8_t)i },
		.bytes = w->segment->bytes, .last_bytes = w->segment->last_bytes,
	};
}

/* The instruction behind a segment, if the last instruction of the segment costs no more than the table's cycles,
 * *extra cycles of a unit and perhaps a request, and the next line of code is in the cache; else NULL. */
static inline const struct sched_op *after_segment(const struct sched *s, unsigned i, const struct slot *w,
						    const struct sched_op *op, uint32_t *extra)
{
	const struct trace_segment *at = w->segment, *then = next_segment(w);
	const struct sched_op *next = &ops_of(s, i)[then->pc / 4];

	if (at->line || !then->issues)
		return NULL;
	*extra = at->extra;
	return code_here(s, op, next) ? next : NULL;
}

/* The next instruction of a slot, if the loop can issue the present instruction; else NULL. */
static inline const struct sched_op *next_of(const struct sched *s, unsigned i, const struct slot *w,
					     const struct sched_op *op, uint64_t now, uint64_t until, uint32_t *extra)
{
	*extra = 0;
	if (!op->replay.replayed || !constant_here(s, op))
		return NULL;
	if (w->remaining == 1)
		return !w->segment->bytes || may_request(s, now, until) ? after_segment(s, i, w, op, extra) : NULL;
	return s->lines_here >> op->new_line & 1 ? op + op->words : NULL;
}

/* Does a fast instruction at the end of a segment cost no more than *extra cycles of its unit, and is the next
 * instruction of the warp the next in order? */
static inline bool ends_in_order(const struct sched *s, unsigned i, const struct slot *w, const struct sched_op *op,
				 uint32_t *extra)
{
	const struct trace_segment *at = w->segment, *then = next_segment(w);

	*extra = at->extra;
	return constant_here(s, op) && !(at->bytes | at->line) && then->issues &&
	       &ops_of(s, i)[then->pc / 4] == op + op->words;
}

/* A unit takes an instruction until cycle `until`, and was idle before or not. */
static ALWAYS_INLINE void take(struct sched *s, struct loop_state *p, unsigned unit, uint64_t until, struct shape m)
{
	uint64_t free = s->free_at[unit];

	if (free < p->now) {
		if (__builtin_expect(s->nidle[unit] == IDLES, 0)) {
			store_state(s, p, m);
			sched_note_idle(s, unit);
		}
		add_idle(s, unit, free, p->now);
	}
	s->free_at[unit] = until;
}

/* The first of an instruction's units that is free takes the instruction. */
static ALWAYS_INLINE void take_either(struct sched *s, struct loop_state *p, const struct sched_op *op, uint32_t extra,
				      struct shape m)
{
	if (s->free_at[op->unit] > p->now)
		take(s, p, op->other_unit, p->now + op->other_cost + extra, m);
	else
		take(s, p, op->unit, p->now + op->cost + extra, m);
}

/* The issue slot after the last operand of `next` arrives. Notes in `w` whether a load makes the warp wait. */
static ALWAYS_INLINE uint64_t operands_of(unsigned i, struct slot *w, const uint64_t *at, const struct sched_op *next,
					  uint64_t free, struct shape m)
{
	uint64_t last = latest(at, next, result_entry(free, 0)), turn = issue_slot_in(result_cycle(last), m.gap);
	uint64_t ready_at;

	turn += (i - turn) % m.simds;
	ready_at = turn * m.gap;

	if (result_kind(last)) {
		w->mixed = 1;
		w->wait = (uint8_t)result_stall(result_kind(last));
		w->operands_at = ready_at;
	}
	return ready_at;
}

/* Control flow is in the digest; control flow and slow instructions hold the warp itself, until cycle `free`. */
static inline void flow(const struct sched *s, unsigned i, struct slot *w, const struct sched_op *op, uint64_t now,
			uint64_t free)
{
	w->free_at = free;
	w->free_wait = STALL_OPERAND;
	if (!op->in_digest)
		return;
	if (__builtin_expect(s->checkpoint.log != NULL, 0))
		fast_forward_log(s->checkpoint.log, i, w, op, now);
	sched_digest(w, op, now, w->segment->active);
}

/* The slots of the SIMD whose turn is now. */
static ALWAYS_INLINE uint64_t turn_of(const struct sched *s, const struct loop_state *p, struct shape m)
{
	return s->simd.slots << issue_slot_of(p, m) % m.simds;
}

/* Begin the issue slot of cycle `now`: find the slots that may issue. */
static ALWAYS_INLINE void begin_turn(struct sched *s, struct loop_state *p, uint64_t now, struct shape m)
{
	p->now = now;
	if (p->next_wake <= now)
		wake(s, p, m);
	p->turn = p->ready & turn_of(s, p, m);
	p->next_free = SCHED_NEVER;
	p->after = ~1ull << *last_on_simd(s, p, m);
}

/* After an issue: the next issue slot, or the next slot of the turn. */
static ALWAYS_INLINE void end_issue(struct sched *s, struct loop_state *p, unsigned i, unsigned unit, unsigned other,
				    uint64_t ready_at, struct shape m)
{
	uint64_t now = p->now;

	if (m.simds == 1) {
		p->now = now + m.gap;
		return;
	}
	*last_on_simd(s, p, m) = (uint8_t)i;
	p->next_free = least(p->next_free, ready_at);
	if (unit == other && s->free_at[unit] > now) {
		p->next_free = least(p->next_free, s->free_at[unit]);
		p->turn &= ~s->want[unit];
	}
	if (--p->issues_left)
		return;
	p->issues_left = s->rules.schedulers;
	begin_turn(s, p, now + m.gap, m);
}

/* Idle cycles of the units of an instruction before cycle `now`, while its warp was ready. */
static ALWAYS_INLINE uint64_t idle_here(const struct sched *s, const struct slot *w, const struct sched_op *op,
					uint64_t now, bool one_unit)
{
	unsigned unit = op->unit, other = one_unit ? unit : op->other_unit;
	uint64_t ready_at = w->ready_at;

	if (__builtin_expect(ready_at < most(s->idle_end[unit], s->idle_end[other]), 0))
		return one_unit ? idle_of(s, w, unit, now) : sched_idle_since(s, w, op, now);
	return between(most(ready_at, least(s->free_at[unit], s->free_at[other])), now);
}

/* Issue the present instruction of a slot, for `extra` more cycles of the unit; the warp goes on at `next`. Values are
 * read as late as possible, so that the host's registers hold all. */
static ALWAYS_INLINE void issue_here(struct sched *s, struct loop_state *p, unsigned i, struct slot *w,
				     const struct sched_op *op, const struct sched_op *next, uint32_t extra,
				     enum issue_case which, struct shape m)
{
	bool fast = which != OTHER, jump = !fast && jumps(op, next);
	unsigned unit = op->unit, other = fast ? unit : op->other_unit;
	uint64_t now = p->now, waited = now - w->since, idle = idle_here(s, w, op, now, fast), ready_at;
	uint64_t *at, result, results_at;
	uint32_t hold;

	if (fast)
		take(s, p, unit, now + op->cost + extra, m);
	else
		take_either(s, p, op, extra, m);
	charge_wait(s, w, op, now, idle, m.gap * m.simds);
	at = w->board;
	result = result_entry(now + op->latency + extra, fast ? 0 : op->kind);
	for (unsigned k = 0; k < m.results; k++)
		at[op->makes[k]] = result;
	if (m.simds > 1)        /* machines of one SIMD have no late results */
		at[op->late] = result_entry(now + op->late_latency, 0);
	hold = jump ? op->jump : op->hold;
	if (!fast)
		flow(s, i, w, op, now, now + hold);
	results_at = w->results_at;
	w->results_at = most(results_at, now + op->results + extra);
	ready_at = now + op->rest;
	if (results_at >= now + op->replay.covers || (!fast && op->kind) ||
	    (which != WITHIN && extra) || (jump && (op->nmakes || op->jump != op->hold)))
		ready_at = operands_of(i, w, at, next, now + hold, m);
	w->ready_at = ready_at;
	w->next = next;
	if (!--w->remaining && which != WITHIN) {
		end_segment(w);
		if (now >= s->checkpoint.due_cycle && !(s->occupied & ((1ull << i) - 1)))
			s->checkpoint.due = true;
	}
	if (fast ? op->replay.changes_unit : op->unit != next->unit || op->second != next->second)
		want_units(s, i, op, next);
	s->issued_at = now;
	p->after = ~1ull << i;
	if (ready_at > now + waited)
		fall_asleep(s, p, i, w, m);
	end_issue(s, p, i, unit, other, ready_at, m);
}

/* ---- choice of a slot ---- */

/* With one SIMD: move on to the first cycle before `until` in which a warp can issue. Returns the slots that can, 0 for
 * none. */
static ALWAYS_INLINE uint64_t can_issue(struct sched *s, struct loop_state *p, uint64_t until, struct shape m)
{
	for (;;) {
		uint64_t first, slots, t;
		if (p->next_wake <= p->now)
			wake(s, p, m);
		t = p->next_wake;
		if (!(p->ready & (s->want[1] | s->want[WANTS_RARE]))) {
			first = p->ready & s->want[0];
			if (first) {
				uint64_t free = most(issue_slot_in(s->free_at[0], m.gap) * m.gap, p->now);
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
		slots = p->now < until ? eligible(s, p->ready, p->now, &t) : 0;
		if (slots)
			return slots;
		if (t >= until || (t = issue_slot_in(t, m.gap) * m.gap) >= until)
			return 0;
		p->now = t > p->now ? t : p->now + m.gap;
	}
}

/* With several SIMDs: the next slot of the present turn with a free unit; SCHED_NONE for none. */
static ALWAYS_INLINE int next_of_turn(const struct sched *s, struct loop_state *p)
{
	while (p->turn) {
		unsigned i = (unsigned)__builtin_ctzll(p->turn & p->after ? p->turn & p->after : p->turn);
		const struct sched_op *op = slot_of(s, i)->next;
		uint64_t free = least(s->free_at[op->unit], s->free_at[op->other_unit]);
		p->turn &= ~(1ull << i);
		if (free <= p->now)
			return (int)i;
		p->next_free = least(p->next_free, free);
		if (op->unit == op->other_unit)
			p->turn &= ~s->want[op->unit];
	}
	return SCHED_NONE;
}

/* The slot that issues next, before cycle `until`, with the clock moved on; else SCHED_NONE. */
static ALWAYS_INLINE int next_to_issue(struct sched *s, struct loop_state *p, uint64_t until, struct shape m)
{
	uint64_t slots, t;
	int i;

	if (m.simds == 1) {
		slots = can_issue(s, p, until, m);
		if (!slots)
			return SCHED_NONE;
		return __builtin_ctzll(slots & p->after ? slots & p->after : slots);
	}
	while (p->now < until) {
		i = next_of_turn(s, p);
		if (i != SCHED_NONE)
			return i;
		t = p->ready & ~turn_of(s, p, m) ? p->now + m.gap : least(p->next_wake, p->next_free);
		if (t >= until || (t = issue_slot_in(t, m.gap) * m.gap) >= until)
			return SCHED_NONE;
		p->issues_left = s->rules.schedulers;
		begin_turn(s, p, t, m);
	}
	return SCHED_NONE;
}

/* ---- barriers ---- */

/* The last warp of a block arrives at the barrier, and wakes the others. */
static void arrive_last(struct sched *s, unsigned i, const struct sched_op *next)
{
	struct sched_work nothing = { 0 };

	sched_take(s, i);
	sched_issue(s, i, &nothing, next, s->now + s->rules.gap);
	sched_arrive(s, i);
}

/* Another warp than the last arrives and waits. */
static ALWAYS_INLINE void arrive_and_wait(struct sched *s, struct loop_state *p, unsigned i, struct slot *w,
					  const struct sched_op *op, const struct sched_op *next, struct shape m)
{
	uint64_t now = p->now;

	charge_wait(s, w, op, now, idle_here(s, w, op, now, false), m.gap * m.simds);
	take_either(s, p, op, 0, m);
	w->free_at = now + op->hold;
	w->free_wait = op->wait;
	w->next = next;
	want_units(s, i, op, next);
	w->wheel_index = PLACE_BLOCKED;
	w->wait = STALL_BARRIER;
	s->storage.barrier_group[w->barrier_group].waiting |= 1ull << i;
	p->ready &= ~(1ull << i);
	s->issued_at = now;
	p->after = ~1ull << i;
	end_issue(s, p, i, op->unit, op->other_unit, SCHED_NEVER, m);
}

/* If the instruction of slot i arrives at a barrier and costs nothing else, issue it. */
static ALWAYS_INLINE bool arrives(struct sched *s, struct loop_state *p, unsigned i, struct slot *w,
				  const struct sched_op *op, struct shape m)
{
	const struct trace_segment *at = w->segment;
	const struct barrier_group *c = &s->storage.barrier_group[w->barrier_group];
	const struct sched_op *next;
	uint32_t extra;

	if (w->remaining != 1 || !at->barrier || at->bytes || op->nmakes || !constant_here(s, op))
		return false;
	next = after_segment(s, i, w, op, &extra);
	if (!next || extra)
		return false;
	if (s->checkpoint.log)
		fast_forward_log(s->checkpoint.log, i, w, op, p->now);
	sched_digest(w, op, p->now, at->active);
	end_segment(w);
	if ((c->waiting | 1ull << i) != c->slots) {
		arrive_and_wait(s, p, i, w, op, next, m);
		return true;
	}
	store_state(s, p, m);
	arrive_last(s, i, next);
	*p = load_state(s, m);
	if (m.simds > 1)
		begin_turn(s, p, p->now, m);
	return true;
}

static inline void notify_before(const struct sched_observer *o, struct sched *s, const struct loop_state *p,
				 unsigned slot, struct shape m)
{
	if (!o || !o->issues)
		return;
	store_state(s, p, m);
	o->issues(o, s, slot);
}

static inline void notify_after(const struct sched_observer *o, struct sched *s, unsigned slot,
				const struct sched_op *op, uint64_t now, lane_mask active)
{
	if (s->checkpoint.log)
		s->checkpoint.log->nissued++;
	o->issued(o, s, slot, op, now, active);
}

static ALWAYS_INLINE int replay(struct sched *s, uint64_t until, const struct sched_observer *o, struct shape m)
{
	struct loop_state p = load_state(s, m);
	int next_slot;

	if (m.simds > 1)
		begin_turn(s, &p, p.now, m);
	while ((next_slot = next_to_issue(s, &p, until, m)) != SCHED_NONE) {
		unsigned i = (unsigned)next_slot;
		struct slot *w = slot_of(s, i);
		const struct sched_op *op = w->next, *next;
		uint64_t now = p.now;
		lane_mask active = w->segment->active;
		uint32_t extra;
		if (__builtin_expect(w->ready_at > now, 0)) {
			fall_asleep(s, &p, i, w, m);
			continue;
		}
		if (op->replay.fast && constant_here(s, op) && w->remaining != 1) {
			notify_before(o, s, &p, i, m);
			issue_here(s, &p, i, w, op, op + op->words, 0, WITHIN, m);
			if (o)
				notify_after(o, s, i, op, now, active);
			continue;
		}
		if (op->replay.fast && ends_in_order(s, i, w, op, &extra)) {
			notify_before(o, s, &p, i, m);
			issue_here(s, &p, i, w, op, op + op->words, extra, AT_END, m);
		} else if ((next = next_of(s, i, w, op, now, until, &extra)) != NULL) {
			notify_before(o, s, &p, i, m);
			if (requests(w))
				request(s, i, w, now);
			issue_here(s, &p, i, w, op, next, extra, OTHER, m);
		} else {
			if (!o && arrives(s, &p, i, w, op, m))
				continue;
			store_state(s, &p, m);
			s->checkpoint.log = NULL;
			return next_slot;
		}
		if (o)
			notify_after(o, s, i, op, now, active);
		if (__builtin_expect(s->checkpoint.due, 0)) {
			store_state(s, &p, m);
			s->checkpoint.due = false;
			sched_fast_forward(s, until, o);
			p = load_state(s, m);
			if (m.simds > 1)
				begin_turn(s, &p, p.now, m);
		}
	}
	store_state(s, &p, m);
	s->checkpoint.log = NULL;
	return SCHED_NONE;
}

#define ONE_SIMD ((struct shape){ STANDARD_GAP, 1, RESULTS_OF_ONE })
#define FOUR_SIMDS ((struct shape){ 1, 4, RESULTS_OF_FOUR })

/* WebAssembly modules are to be small: one loop for both machines, for runs with observers and without. */
#ifdef __wasm__
int sched_replay(struct sched *s, uint64_t until, const struct sched_observer *o)
{
	return replay(s, until, o, s->rules.loop == REPLAY_ONE_SIMD ? ONE_SIMD : FOUR_SIMDS);
}
#else
static __attribute__((noinline)) int replay_one_simd(struct sched *s, uint64_t until, const struct sched_observer *o)
{
	return o ? replay(s, until, o, ONE_SIMD) : replay(s, until, NULL, ONE_SIMD);
}

static __attribute__((noinline)) int replay_four_simds(struct sched *s, uint64_t until, const struct sched_observer *o)
{
	return o ? replay(s, until, o, FOUR_SIMDS) : replay(s, until, NULL, FOUR_SIMDS);
}

int sched_replay(struct sched *s, uint64_t until, const struct sched_observer *o)
{
	return s->rules.loop == REPLAY_ONE_SIMD ? replay_one_simd(s, until, o) : replay_four_simds(s, until, o);
}
#endif
