/* What every issue does, in a header so that a multiprocessor's loop has it within it.
 *
 * A slot's warp either sleeps until its next instruction and its operands are there, in the wheel under the issue slot
 * in which that is, or it is ready. Nobody goes over warps one by one when they wake: a bit mask says who is ready and
 * others which unit each wants, and how long a warp waited for a unit is known from when that was idle. */
#ifndef WB_SCHED_ISSUE_H
#define WB_SCHED_ISSUE_H

#include "sched/sched.h"

static inline struct slot *slot_of(const struct sched *s, unsigned i)
{
	return &s->room.slot[i];
}

static inline uint64_t between(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- charging ---- */

/* Cycles from t, which is no earlier than noted_at, until `until` in which a unit was idle. */
static inline uint64_t idle_from(const struct sched *s, unsigned unit, uint64_t t, uint64_t until)
{
	uint64_t free_at = s->free_at[unit], cycles = between(free_at > t ? free_at : t, until);

	for (unsigned n = s->nidle[unit]; n && s->idle[unit][n - 1].to > t; n--) {
		const struct idle *i = &s->idle[unit][n - 1];
		cycles += i->to - (i->from > t ? i->from : t);
	}
	return cycles;
}

/* The same since the slot's warp became ready. */
static inline uint64_t idle_since(const struct sched *s, const struct slot *w, unsigned unit, uint64_t until)
{
	if (__builtin_expect(w->ready_at < s->noted_at[unit], 0))
		return w->idle[unit] + idle_from(s, unit, s->noted_at[unit], until);
	return idle_from(s, unit, w->ready_at, until);
}

static inline void charge_both(uint64_t *own, uint64_t *here, unsigned reason, uint64_t cycles)
{
	own[reason] += cycles;
	here[reason] += cycles;
}

/* A ready warp's wait up to `until`: a sleeper's until it was ready, then as long as its unit was busy for the unit,
 * else for its turn. */
static inline void charge_ready(struct sched *s, struct slot *w, const struct sched_op *op, uint64_t until)
{
	uint64_t *own = w->stalls.cycles, *here = s->room.by_pc[op->word].cycles;
	uint64_t turn = between(w->ready_at, until), idle = idle_since(s, w, op->unit, until), other;

	if (op->second_unit == SECOND_SFU) {
		other = idle_since(s, w, UNIT_SFU, until);
		idle = other > idle ? other : idle;
	}
	charge_both(own, here, w->wait, w->operands_at - w->since);
	if (w->ready_at != w->operands_at)
		charge_both(own, here, STALL_FETCH, w->ready_at - w->operands_at);
	charge_both(own, here, STALL_PIPE, turn - idle);
	charge_both(own, here, STALL_NOT_SELECTED, idle);
	w->since = w->ready_at + turn;
}

/* And that it issues. */
static inline void charge_issue(struct sched *s, struct slot *w, const struct sched_op *op)
{
	charge_ready(s, w, op, s->now);
	charge_both(w->stalls.cycles, s->room.by_pc[op->word].cycles, STALL_ISSUED, s->gap);
	w->since += s->gap;
}

/* ---- sleeping ---- */

static inline bool is_ready(const struct sched *s, unsigned i)
{
	return s->ready >> i & 1;
}

/* A slot's warp has come from one instruction to another. */
static inline void want_units(struct sched *s, unsigned i, const struct sched_op *from, const struct sched_op *to)
{
	s->want[from->unit] &= ~(1ull << i);
	s->want[from->second_unit] &= ~(1ull << i);
	s->want[to->unit] |= 1ull << i;
	s->want[to->second_unit] |= 1ull << i;
}

/* The first issue slot at or after cycle t. Nearly every machine has one every 2 cycles. */
static inline uint64_t beat_at(const struct sched *s, uint64_t t)
{
	return s->gap == 2 ? (t + 1) / 2 : (t + s->gap - 1) / s->gap;
}

/* Until issue slot number `beat`, which is that of cycle ready_at or later. */
static inline void put_to_sleep(struct sched *s, unsigned i, struct slot *w, uint64_t ready_at, uint64_t beat)
{
	uint64_t place = beat % WHEEL;

	s->next_wake = least(ready_at, s->next_wake);
	if (__builtin_expect(beat - s->beat < WHEEL, 1)) {
		w->place = (uint8_t)place;
		s->wheel_used |= 1ull << place;
		s->wheel[place] |= 1ull << i;
		return;
	}
	w->place = BEYOND_WHEEL;
	s->beyond |= 1ull << i;
	s->beyond_due = least(s->beyond_due, beat - WHEEL + 1);
}

static inline uint64_t *scoreboard(const struct sched *s, unsigned i)
{
	return s->room.at + (size_t)i * s->room.entries;
}

/* Who had to wait that long for its last turn will have to again, and nobody is going to ask for it until then: it need
 * not go to sleep. */
static inline void rest(struct sched *s, unsigned i, struct slot *w, uint64_t ready_at, uint64_t beat, uint64_t waited)
{
	if (s->policy == POLICY_RR && ready_at <= s->issued_at + waited)
		s->ready |= 1ull << i;
	else
		put_to_sleep(s, i, w, ready_at, beat);
}

/* The slot sleeps until entry `last` of its scoreboard is there, and then until its next instruction is. What is there
 * between two issue slots is of use in the second. */
static inline void sleep_until(struct sched *s, unsigned i, struct slot *w, uint64_t last, uint64_t fetched_at,
			       uint64_t waited)
{
	uint64_t cycle = last >> 1, beat = beat_at(s, cycle), operands_at = beat * s->gap, ready_at = operands_at;
	unsigned wait = cycle == w->free_at ? w->free_wait : STALL_OPERAND;

	if (fetched_at > operands_at) {
		beat = beat_at(s, fetched_at);
		ready_at = beat * s->gap;
	}
	w->wait = (uint8_t)(last & 1 ? STALL_MEMORY : wait);
	w->operands_at = operands_at;
	w->ready_at = ready_at;
	rest(s, i, w, ready_at, beat > s->beat ? beat : s->beat, waited);
}

/* The slot sleeps until the operands of its next instruction are there, and the instruction. An entry is later than
 * another if its cycle is; the first of equals counts. */
static inline void await_next(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op, uint64_t waited)
{
	const uint64_t *at = scoreboard(s, i);
	uint64_t last = w->free_at << 1;

	if (w->results_at > w->free_at)
		for (unsigned k = 0; k < op->nneeds; k++)
			last = at[op->needs[k]] > (last | 1) ? at[op->needs[k]] : last;
	sleep_until(s, i, w, last, w->fetched_at, waited);
}

/* All results of the slot's warp were there when it issued `op`: it sleeps until that one's is, if it needs it. */
static inline void sleep_short(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op, uint64_t now,
			       uint64_t beat, uint64_t waited)
{
	uint64_t ready_at = now + op->rest;

	w->wait = STALL_OPERAND;
	w->operands_at = w->ready_at = ready_at;
	rest(s, i, w, ready_at, beat + op->rest_beats, waited);
}

/* ---- time ---- */

/* Sleepers whose time has come are ready; the time of the next one is noted. */
static inline void wake_sleepers(struct sched *s)
{
	unsigned p = s->beat % WHEEL;
	uint64_t ahead;

	if (__builtin_expect(s->beat >= s->beyond_due, 0))
		sched_refill_wheel(s);
	s->ready |= s->wheel[p];
	s->wheel[p] = 0;
	s->wheel_used &= ~(1ull << p);
	ahead = s->wheel_used >> p | s->wheel_used << (-p & (WHEEL - 1));
	s->next_wake = ahead ? (s->beat + (unsigned)__builtin_ctzll(ahead)) * s->gap : sched_first_beyond(s);
}

/* Ready warps that want a unit, if it is free; if not, *t is no later than when it is. */
static inline uint64_t served(const struct sched *s, uint64_t want, unsigned unit, uint64_t *t)
{
	uint64_t m = want & s->ready, free_at = s->free_at[unit];

	if (free_at <= s->now)
		return m;
	*t = m ? least(*t, free_at) : *t;
	return 0;
}

/* Who can issue at s->now. 0: nobody; *t is when somebody can, at the earliest. */
static inline uint64_t eligible(const struct sched *s, uint64_t *t)
{
	uint64_t m = served(s, s->want[UNIT_SP], UNIT_SP, t) | served(s, s->want[UNIT_LSU], UNIT_LSU, t);

	if (s->room.rare)
		m |= served(s, s->want[UNIT_SFU] | s->want[SECOND_SFU], UNIT_SFU, t) |
		     served(s, s->want[UNIT_DP], UNIT_DP, t) | served(s, s->want[UNIT_TEX], UNIT_TEX, t);
	return m;
}

/* As sched_time; *m: who can issue then, if that is before `until`. */
static inline uint64_t sched_advance(struct sched *s, uint64_t until, uint64_t *m)
{
	for (;;) {
		uint64_t now = s->now, t, beat;
		if (s->next_wake <= now)
			wake_sleepers(s);
		t = s->next_wake;
		*m = eligible(s, &t);
		if (*m)
			return now;
		if (t == SCHED_NEVER)
			return t;
		beat = beat_at(s, t > now ? t : now + 1);
		t = beat * s->gap;
		if (t >= until)
			return t;
		s->now = t;
		s->beat = beat;
		s->issues_left = s->schedulers;
	}
}

/* ---- who issues ---- */

/* The policy that most runs use: the first after the last. */
static inline unsigned round_robin(const struct sched *s, uint64_t m)
{
	uint64_t after = m & ~1ull << s->last;

	return (unsigned)__builtin_ctzll(after ? after : m);
}

/* A slot that was thought to be ready by now sleeps instead. */
static inline void sched_not_yet(struct sched *s, unsigned i)
{
	struct slot *w = slot_of(s, i);

	s->ready &= ~(1ull << i);
	put_to_sleep(s, i, w, w->ready_at, beat_at(s, w->ready_at));
}

/* The slot that issues next, at s->now; SCHED_NONE: nobody does before cycle `until`. */
static inline int sched_pick(struct sched *s, uint64_t until)
{
	uint64_t m;
	unsigned i;

	for (;;) {
		if (sched_advance(s, until, &m) >= until)
			return SCHED_NONE;
		i = s->policy == POLICY_RR ? round_robin(s, m) : policy_pick(s, m);
		if (__builtin_expect(slot_of(s, i)->ready_at <= s->now, 1))
			break;
		sched_not_yet(s, i);
	}
	s->last = i;
	s->issued_at = s->now;
	return (int)i;
}

/* ---- issue ---- */

/* The unit that takes it, and for how long. f32 multiplies also go to the SFU's multipliers when the SPs are busy. */
static inline void take_unit(struct sched *s, const struct sched_op *op, uint64_t now, uint32_t extra)
{
	unsigned unit = op->unit;
	uint32_t cost = op->cost;

	if (op->second_unit == SECOND_SFU && s->free_at[unit] > now) {
		unit = UNIT_SFU;
		cost = s->timing->value[T_fmul_sfu_cost];
	}
	if (s->free_at[unit] < now) {
		if (__builtin_expect(s->nidle[unit] == IDLES, 0))
			sched_note_idle(s, unit);
		s->idle[unit][s->nidle[unit]++] = (struct idle){ s->free_at[unit], now };
	}
	s->free_at[unit] = now + cost + extra;
}

static inline uint64_t post_results(struct slot *w, const struct sched_op *op, uint64_t *at, uint64_t now,
				    const struct sched_work *work)
{
	uint64_t cycle = now + op->latency + work->extra_cycles, entry = cycle << 1 | op->memory;

	if (work->data_at > cycle) {
		cycle = work->data_at;
		entry = cycle << 1 | 1;
	}
	for (unsigned k = 0; k < op->nmakes; k++)
		at[op->makes[k]] = entry;
	if (op->nmakes && w->results_at < cycle)
		w->results_at = cycle;
	return entry;
}

static inline void count_issue(struct sched *s, uint64_t now)
{
	if (--s->issues_left)
		return;
	s->now = now + s->gap;
	s->beat++;
	s->issues_left = s->schedulers;
}

/* The picked slot's instruction issues; the next one is fetched at cycle fetched_at. NULL: the warp ends. */
static inline void sched_issue(struct sched *s, unsigned i, const struct sched_work *work, const struct sched_op *next,
			       uint64_t fetched_at)
{
	struct slot *w = slot_of(s, i);
	const struct sched_op *op = w->next;
	uint64_t now = s->now, free_at = now + op->hold, waited = now - w->ready_at, last = free_at << 1, entry;
	bool others = w->results_at > free_at;

	charge_issue(s, w, op);
	s->ready &= ~(1ull << i);
	take_unit(s, op, now, work->extra_cycles);
	entry = post_results(w, op, scoreboard(s, i), now, work);
	w->free_wait = op->wait;
	w->free_at = free_at;
	w->fetched_at = fetched_at;
	count_issue(s, now);
	if (!next)
		return;
	w->next = next;
	if (op->unit != next->unit || op->second_unit != next->second_unit)
		want_units(s, i, op, next);
	if (others || (op->nmakes && next != op + op->words)) {
		await_next(s, i, w, next, waited);
		return;
	}
	last = op->chained && entry > (last | 1) ? entry : last;
	sleep_until(s, i, w, last, fetched_at, waited);
}

/* The same for an instruction that does nothing but what its op tells (sched_op.plain). */
static inline void sched_issue_plain(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op)
{
	static const struct sched_work nothing;
	uint64_t now = s->now, beat = s->beat, waited = now - w->ready_at;
	bool quiet = w->results_at <= now;

	charge_issue(s, w, op);
	s->ready &= ~(1ull << i);
	take_unit(s, op, now, 0);
	post_results(w, op, scoreboard(s, i), now, &nothing);
	w->free_wait = op->wait;
	w->free_at = now + op->hold;
	count_issue(s, now);
	w->next = op + op->words;
	if (op->changes_unit)
		want_units(s, i, op, w->next);
	if (__builtin_expect(quiet, 1))
		sleep_short(s, i, w, op, now, beat, waited);
	else
		await_next(s, i, w, w->next, waited);
}

#endif
