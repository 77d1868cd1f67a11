/* What every issue does, in a header so that a multiprocessor's loop has it within it. */
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

/* Cycles that a unit has been busy by cycle t; no unit is taken after t. */
static inline uint64_t busy_by(const struct sched *s, unsigned unit, uint64_t t)
{
	return s->busy_total[unit] - between(t, s->free_at[unit]);
}

/* A ready warp's wait: a sleeper's until it was ready, then as long as its unit was busy for the unit, else for its
 * turn; and that it issues, for so many cycles. */
static inline void charge_ready(struct sched *s, struct slot *w, uint64_t until, uint64_t issued)
{
	const struct sched_op *op = w->next;
	uint64_t *own = w->stalls.cycles, *here = s->room.by_pc[op->word].cycles;
	uint64_t since = w->since, busy = busy_by(s, op->unit, until) - w->busy_seen, sleep, fetch, turn;
	unsigned wait = w->wait;

	if (op->second_unit != UNITS)
		busy = least(busy, busy_by(s, op->second_unit, until) - w->busy_seen_too);
	sleep = between(since, least(w->operands_at, w->ready_at));
	since += sleep;
	fetch = between(since, w->ready_at);
	since += fetch;
	turn = between(since, until);
	busy = least(busy, turn);
	w->since = since + turn + issued;
	own[wait] += sleep;
	here[wait] += sleep;
	if (fetch) {
		own[STALL_FETCH] += fetch;
		here[STALL_FETCH] += fetch;
	}
	own[STALL_PIPE] += busy;
	here[STALL_PIPE] += busy;
	own[STALL_NOT_SELECTED] += turn - busy;
	here[STALL_NOT_SELECTED] += turn - busy;
	own[STALL_ISSUED] += issued;
	here[STALL_ISSUED] += issued;
}

static inline void leave_ready(struct sched *s, const struct sched_op *op, unsigned i)
{
	s->of_unit[op->unit] &= ~(1ull << i);
	if (op->second_unit != UNITS)
		s->of_unit[UNITS] &= ~(1ull << i);
}

/* The first issue slot at or after cycle t. Nearly every machine has one every 2 cycles. */
static inline uint64_t beat_at(const struct sched *s, uint64_t t)
{
	return s->gap == 2 ? (t + 1) / 2 : (t + s->gap - 1) / s->gap;
}

/* Until ready_at, which is issue slot number `beat`. */
static inline void put_to_sleep(struct sched *s, unsigned i, struct slot *w, uint64_t ready_at, uint64_t beat)
{
	uint64_t now = s->beat, place;

	s->next_wake = least(ready_at, s->next_wake);
	beat = beat > now ? beat : now;
	place = beat % WHEEL;
	if (beat - now < WHEEL) {
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

/* The slot sleeps until the operands of its next instruction are there, and the instruction. What is there between two
 * issue slots is of use in the second. */
static inline void await_next(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op, uint64_t free_at,
			      uint64_t fetched_at)
{
	const uint64_t *at = scoreboard(s, i);
	uint64_t gap = s->gap, last = free_at << 1, cycle, beat;
	unsigned n = op->nneeds, wait;

	/* An entry is later than another if it is greater by more than its last bit; the first of equals counts. */
	for (unsigned k = 0; k < n; k++) {
		uint64_t entry = at[op->needs[k]];
		last = entry > (last | 1) ? entry : last;
	}
	cycle = last >> 1;
	wait = last & 1 ? STALL_MEMORY : STALL_OPERAND;
	w->wait = (uint8_t)(cycle == free_at ? w->free_wait : wait);
	beat = beat_at(s, cycle);
	w->operands_at = beat * gap;
	if (fetched_at > beat * gap)
		beat = beat_at(s, fetched_at);
	w->ready_at = beat * gap;
	put_to_sleep(s, i, w, beat * gap, beat);
}

/* ---- who issues ---- */

/* Slots that wait for other units than the two that nearly all instructions take. */
static inline uint64_t rare(const struct sched *s)
{
	return s->of_unit[UNIT_SFU] | s->of_unit[UNIT_DP] | s->of_unit[UNIT_TEX] | s->of_unit[UNITS];
}

/* Of the ready slots in a row, those whose unit is free now. */
static inline uint64_t served(const struct sched *s, unsigned row, unsigned unit)
{
	return s->free_at[unit] <= s->now ? s->of_unit[row] : 0;
}

static inline uint64_t eligible(const struct sched *s)
{
	uint64_t m = served(s, UNIT_SP, UNIT_SP) | served(s, UNIT_LSU, UNIT_LSU);

	if (rare(s))
		m |= served(s, UNIT_SFU, UNIT_SFU) | served(s, UNIT_DP, UNIT_DP) | served(s, UNIT_TEX, UNIT_TEX) |
		     served(s, UNITS, UNIT_SFU);
	return m;
}

static inline uint64_t freed(const struct sched *s, unsigned row, unsigned unit)
{
	return s->of_unit[row] ? s->free_at[unit] : SCHED_NEVER;
}

/* When the first unit that a ready warp waits for is free. */
static inline uint64_t first_freed(const struct sched *s)
{
	uint64_t t = least(freed(s, UNIT_SP, UNIT_SP), freed(s, UNIT_LSU, UNIT_LSU));

	if (rare(s)) {
		t = least(t, least(freed(s, UNIT_SFU, UNIT_SFU), freed(s, UNITS, UNIT_SFU)));
		t = least(t, least(freed(s, UNIT_DP, UNIT_DP), freed(s, UNIT_TEX, UNIT_TEX)));
	}
	return t;
}

/* As sched_time. */
static inline uint64_t sched_advance(struct sched *s, uint64_t until)
{
	for (;;) {
		uint64_t now = s->now, t, beat;
		if (s->next_wake <= now)
			sched_wake_sleepers(s);
		t = first_freed(s);
		if (t <= now)
			return now;
		t = least(t, s->next_wake);
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

/* The policy that most runs use: the first after the last. */
static inline unsigned round_robin(const struct sched *s, uint64_t m)
{
	uint64_t after = m & ~1ull << s->last;

	return (unsigned)__builtin_ctzll(after ? after : m);
}

/* The slot that issues next, at s->now; SCHED_NONE: nobody does before cycle `until`. */
static inline int sched_pick(struct sched *s, uint64_t until)
{
	uint64_t m;

	if (sched_advance(s, until) >= until)
		return SCHED_NONE;
	m = eligible(s);
	s->last = s->policy == POLICY_RR ? round_robin(s, m) : policy_pick(s, m);
	s->issued_at = s->now;
	return (int)s->last;
}

/* ---- issue ---- */

/* The unit that takes it, and for how long. f32 multiplies also go to the SFU's multipliers when the SPs are busy. */
static inline void take_unit(struct sched *s, const struct sched_op *op, uint64_t now, uint32_t extra)
{
	unsigned unit = op->unit;
	uint32_t cost = op->cost;

	if (op->second_unit != UNITS && s->free_at[unit] > now) {
		unit = op->second_unit;
		cost = s->timing->value[T_fmul_sfu_cost];
	}
	s->busy_total[unit] += cost + extra;
	s->free_at[unit] = now + cost + extra;
}

static inline void post_results(const struct sched_op *op, uint64_t *at, uint64_t now, const struct sched_work *work)
{
	uint64_t cycle = now + op->latency + work->extra_cycles, entry = cycle << 1 | op->memory;
	unsigned n = op->nmakes;

	if (work->data_at > cycle)
		entry = work->data_at << 1 | 1;
	for (unsigned k = 0; k < n; k++)
		at[op->makes[k]] = entry;
}

/* The picked slot's instruction has been executed; the next one is fetched at cycle fetched_at. NULL: the warp ends. */
static inline void sched_issue(struct sched *s, unsigned i, const struct sched_work *work, const struct sched_op *next,
			       uint64_t fetched_at)
{
	struct slot *w = slot_of(s, i);
	const struct sched_op *op = w->next;
	uint64_t now = s->now;

	charge_ready(s, w, now, s->gap);
	leave_ready(s, op, i);
	take_unit(s, op, now, work->extra_cycles);
	post_results(op, scoreboard(s, i), now, work);
	w->free_wait = op->wait;
	w->free_at = now + op->hold;
	w->fetched_at = fetched_at;
	if (--s->issues_left == 0) {
		s->now = now + s->gap;
		s->beat++;
		s->issues_left = s->schedulers;
	}
	if (!next)
		return;
	w->next = next;
	await_next(s, i, w, next, now + op->hold, fetched_at);
}

#endif
