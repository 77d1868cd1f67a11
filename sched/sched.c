/* Work of the scheduler outside of the issue loop (issue.h): setting up, making struct sched_op of instructions, warps
 * that come, wait at barriers and leave, late data, wait counters, and the closing of accounts. */
#include "sched/issue.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "core/base/clear.h"

void sched_init(struct sched *s, const struct timing *t, enum policy p, uint32_t group, uint64_t seed,
		const struct sched_storage *storage)
{
	assert(storage->nunits <= UNITS_MAX && storage->simds <= SIMDS_MAX && !(storage->simds & (storage->simds - 1)));
	clear_bytes(s, offsetof(struct sched, idle));
	for (unsigned u = 0; u < UNITS_MAX; u++)
		s->idle[u][0] = (struct idle){ 0 };
	s->rules.timing = t;
	s->rules.policy = p;
	s->rules.group = group ? group : 1;
	s->rules.gap = t->value[T_issue_slot];
	s->random = seed;
	s->storage = *storage;
	s->picked = SLOTS - 1;
	s->lines_here = 1ull << LINE_SAME;
	s->sleep.next = s->sleep.beyond_at = s->checkpoint.due_cycle = SCHED_NEVER;
	s->rules.schedulers = s->issues_left = t->value[T_mp_schedulers];
	s->simd.mask = storage->simds - 1;
	s->simd.round = s->rules.gap * storage->simds;
	for (unsigned i = 0; i < SLOTS; i += storage->simds)
		s->simd.slots |= 1ull << i;
	memset(s->simd.picked, SLOTS - 1, sizeof s->simd.picked);
	if (p == POLICY_RR && s->rules.schedulers == 1 && s->rules.gap == STANDARD_GAP && storage->simds == 1)
		s->rules.loop = REPLAY_ONE_SIMD;
	if (p == POLICY_RR && s->rules.gap == 1 && storage->simds == 4)
		s->rules.loop = REPLAY_FOUR_SIMDS;
}

/* ---- issue ---- */

void sched_issue(struct sched *s, unsigned i, struct sched_work *work, const struct sched_op *next,
		 uint64_t fetched_at)
{
	if (s->rules.loop == REPLAY_ONE_SIMD)
		issue_in(s, i, work, next, fetched_at, STANDARD_GAP, true);
	else
		issue_in(s, i, work, next, fetched_at, s->rules.gap, false);
	*work = (struct sched_work){ 0 };
}

/* ---- charging ---- */

/* Charge cycles of slot w to a reason, in the slot's row and in the row of the instruction. */
static inline void charge(struct sched *s, struct slot *w, enum stall reason, uint64_t cycles)
{
	w->stalls.cycles[reason] += cycles;
	row_of(s, w->next)->cycles[reason] += cycles;
	w->since += cycles;
}

/* A sleeper's wait: first for operands, then for the instruction. */
static void charge_sleep(struct sched *s, struct slot *w, uint64_t until)
{
	if (w->mixed)
		charge(s, w, w->wait, between(w->since, least(w->operands_at, until)));
	charge(s, w, w->mixed ? STALL_FETCH : STALL_OPERAND, between(w->since, least(w->ready_at, until)));
}

/* ---- states ---- */

/* Has the slot's warp operands and instruction by cycle `cycle`? The answer is the same for a warp that is in
 * sched.ready early and for a sleeper that no scheduler has woken yet: which of the two it is depends on how often the
 * scheduler was asked. */
static bool is_ready_by(const struct sched *s, unsigned i, uint64_t cycle)
{
	return !is_blocked(s, i) && slot_of(s, i)->ready_at <= cycle;
}

static bool is_asleep(const struct sched *s, unsigned i)
{
	return is_ready(s, i) ? slot_of(s, i)->ready_at > s->now : !is_blocked(s, i);
}

uint64_t sched_idle_since(const struct sched *s, const struct slot *w, const struct sched_op *op, uint64_t until)
{
	uint64_t idle = idle_of(s, w, op->unit, until);

	return op->other_unit == op->unit ? idle : most(idle, idle_of(s, w, op->other_unit, until));
}

void sched_note_idle(struct sched *s, unsigned unit)
{
	for (uint64_t m = s->ready; m; m &= m - 1) {
		struct slot *w = slot_of(s, (unsigned)__builtin_ctzll(m));
		if (w->ready_at < s->now)
			w->idle[unit] = idle_of(s, w, unit, s->free_at[unit]);
	}
	s->noted_at[unit] = s->free_at[unit];
	s->nidle[unit] = 0;
}

void sched_want_rare(struct sched *s, unsigned i, const struct sched_op *from, const struct sched_op *to)
{
	want_no_more(s, i, from);
	want_also(s, i, to);
}

static void take_from_sleep(struct sched *s, unsigned i)
{
	unsigned place = slot_of(s, i)->wheel_index;

	if (is_ready(s, i)) {
		s->ready &= ~(1ull << i);
		return;
	}
	if (place == BEYOND_WHEEL) {
		s->sleep.beyond &= ~(1ull << i);
		return;
	}
	s->sleep.wheel[place] &= ~(1ull << i);
	if (!s->sleep.wheel[place])
		s->sleep.used &= ~(1ull << place);
}

void sched_refill_wheel(struct sched *s)
{
	uint64_t m = s->sleep.beyond, reach = (s->issue_slot + WHEEL - 1) * s->rules.gap, first = SCHED_NEVER;

	for (; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		struct slot *w = slot_of(s, i);
		uint64_t ready_at = w->ready_at;
		if (ready_at > reach) {
			first = least(first, ready_at);
			continue;
		}
		s->sleep.beyond &= ~(1ull << i);
		put_to_sleep(s, i, w, ready_at, issue_slot_at(s, ready_at));
	}
	s->sleep.beyond_at = first == SCHED_NEVER ? first : issue_slot_at(s, first) * s->rules.gap;
}

void sched_admit(struct sched *s, unsigned i, const struct sched_op *next, uint64_t fetched_at)
{
	struct slot *w = slot_of(s, i);
	uint64_t start = s->now > s->empty_since[i] ? s->now : s->empty_since[i];

	s->total.cycles[STALL_NO_WARP] += start - s->empty_since[i];
	memset(scoreboard(s, i), 0, s->storage.entries * sizeof *s->storage.board);
	clear_bytes(w, sizeof *w);
	w->since = w->free_at = start;
	w->free_wait = STALL_OPERAND;
	w->fetched_at = fetched_at;
	w->age = s->ages++;
	w->next = next;
	w->remaining = UINT32_MAX;
	w->board = scoreboard(s, i);
	s->occupied |= 1ull << i;
	want_also(s, i, next);
	await_next(s, i, w, next, 0, s->rules.gap);
}

/* ---- wait counters ---- */

/* Charge the wait to the counter that was last to reach the value that the instruction needs. */
static void charge_counter(struct sched *s, const struct slot *w)
{
	uint64_t ready_at = w->mixed ? w->operands_at : w->ready_at, last = result_entry(free_at(w), 0);
	const struct sched_op *op = w->next;
	unsigned counter = COUNTERS_MAX;

	for (unsigned n = 0; n < op->nneeds; n++)
		for (unsigned k = 0; k < COUNTERS_MAX; k++) {
			const struct counter_place *c = &s->storage.counter[k];
			unsigned need = op->needs[n];
			if (need < c->entry || need >= c->entry + c->most || w->board[need] <= last)
				continue;
			last = w->board[need];
			counter = k;
		}
	if (counter < COUNTERS_MAX)
		s->counter_waits[counter] += between(w->since, ready_at);
}

void sched_count(struct sched *s, struct slot *w, const struct sched_work *work)
{
	const struct sched_op *op = w->next;
	uint64_t cycle = s->now + op->latency + work->extra_cycles;

	charge_counter(s, w);
	for (unsigned c = op->counts; c; c &= c - 1) {
		unsigned k = (unsigned)__builtin_ctz(c);
		uint64_t *at = w->board + s->storage.counter[k].entry;
		memmove(at + 1, at, (s->storage.counter[k].most - 1u) * sizeof *at);
		*at = most(*at, result_entry(cycle, op->kind));
		w->counted[k]++;
	}
	if (op->counts)
		w->results_at = most(w->results_at, cycle);
}

/* The data of access `a` comes later than expected: the access and all behind it complete no earlier than `cycle`. */
static void count_later(struct sched *s, struct slot *w, const struct sched_access *a, uint64_t cycle)
{
	for (unsigned c = a->op->counts; c; c &= c - 1) {
		unsigned k = (unsigned)__builtin_ctz(c);
		uint64_t *at = w->board + s->storage.counter[k].entry;
		unsigned behind = (uint16_t)(w->counted[k] - 1 - a->counted[k]);
		for (unsigned n = 0; n <= behind && n < s->storage.counter[k].most; n++)
			at[n] = most(at[n], result_entry(cycle, RESULT_MEMORY));
	}
	w->results_at = most(w->results_at, cycle);
}

void sched_data(struct sched *s, const struct sched_access *a, uint64_t cycle)
{
	struct slot *w = slot_of(s, a->slot);
	const struct sched_op *op = a->op;
	uint64_t *at = w->board;
	unsigned i = a->slot;

	if (!(s->occupied >> i & 1) || w->age != a->age)
		return;
	for (unsigned k = 0; k < op->nmakes; k++)
		if (result_cycle(at[op->makes[k]]) < cycle)
			at[op->makes[k]] = result_entry(cycle, result_kind(at[op->makes[k]]));
	if (op->counts)
		count_later(s, w, a, cycle);
	if (op->nmakes && w->results_at < cycle)
		w->results_at = cycle;
	/* A warp that became ready in the present issue slot has not had a turn yet: data may still be late for the
	 * warp. */
	if (!is_asleep(s, i) && !(is_ready(s, i) && w->ready_at == s->now))
		return;
	/* A warp that sleeps for a later operand sleeps on. */
	if (cycle + s->simd.round <= (w->mixed ? w->operands_at : w->ready_at))
		return;
	take_from_sleep(s, i);
	await_next(s, i, w, w->next, 0, s->rules.gap);
}

uint64_t sched_time(struct sched *s, uint64_t until)
{
	uint64_t m;

	/* A slot whose warp becomes ready later than now is put to sleep, so that its time is found. */
	for (m = s->ready; m; m &= m - 1)
		if (slot_of(s, (unsigned)__builtin_ctzll(m))->ready_at > s->now)
			sched_not_yet(s, (unsigned)__builtin_ctzll(m));
	return sched_advance(s, until, &m);
}

void sched_skip(struct sched *s, uint64_t cycle)
{
	uint64_t issue_slot = issue_slot_at(s, cycle);

	if (issue_slot <= s->issue_slot)
		return;
	sched_time(s, cycle);   /* wakes the warps that become ready before `cycle` */
	s->now = issue_slot * s->rules.gap;
	s->issue_slot = issue_slot;
	s->issues_left = s->rules.schedulers;
}

void sched_block(struct sched *s, unsigned i, enum stall reason)
{
	struct slot *w = slot_of(s, i);

	if (is_ready(s, i) && w->ready_at <= s->now) {          /* its instruction could not execute */
		charge_ready(s, w, w->next, s->now);
		s->ready &= ~(1ull << i);
	} else if (is_asleep(s, i)) {
		take_from_sleep(s, i);
	}
	w->wheel_index = PLACE_BLOCKED;
	w->wait = reason;
}

void sched_wake(struct sched *s, unsigned i)
{
	struct slot *w = slot_of(s, i);
	uint64_t at = s->issued_at + (w->wait == STALL_BARRIER ? s->rules.timing->value[T_bar_latency] : s->rules.gap);

	if (!is_blocked(s, i))
		return;
	charge(s, w, w->wait, between(w->since, at));
	if (w->free_at < at)
		w->free_at = at;
	await_next(s, i, w, w->next, 0, s->rules.gap);
}

/* All warps of a block have arrived; the last warp does not wait. */
static uint64_t release(struct sched *s, struct barrier_group *c)
{
	uint64_t released = c->waiting;

	c->waiting = 0;
	for (uint64_t m = released; m; m &= m - 1)
		sched_wake(s, (unsigned)__builtin_ctzll(m));
	return released;
}

uint64_t sched_arrive(struct sched *s, unsigned i)
{
	struct barrier_group *c = &s->storage.barrier_group[slot_of(s, i)->barrier_group];

	c->waiting |= 1ull << i;
	if (c->waiting == c->slots)
		return release(s, c);
	sched_block(s, i, STALL_BARRIER);
	return 0;
}

uint64_t sched_leave(struct sched *s, unsigned i)
{
	struct barrier_group *c = &s->storage.barrier_group[slot_of(s, i)->barrier_group];

	c->slots &= ~(1ull << i);
	return c->waiting == c->slots ? release(s, c) : 0;
}

void sched_retire(struct sched *s, unsigned i)
{
	struct slot *w = slot_of(s, i);

	s->occupied &= ~(1ull << i);
	want_no_more(s, i, w->next);
	for (int r = 0; r < STALLS; r++)
		s->total.cycles[r] += w->stalls.cycles[r];
	s->empty_since[i] = w->since;
}

struct sched_cause sched_cause(const struct sched *s, unsigned i)
{
	const struct slot *w = slot_of(s, i);
	uint64_t until = w->mixed ? w->operands_at : w->ready_at, last = result_entry(free_at(w), 0);
	struct sched_cause c = { between(w->since, until), w->mixed ? w->wait : STALL_OPERAND, SCHED_NONE };

	for (unsigned k = 0; k < w->next->nneeds; k++)
		if (w->board[w->next->needs[k]] > last) {
			c.entry = w->next->needs[k];
			last = w->board[c.entry];
		}
	return c;
}

enum stall sched_why(const struct sched *s, unsigned i)
{
	const struct slot *w = slot_of(s, i);

	if (is_ready_by(s, i, s->now))
		return s->free_at[w->next->unit] > s->now ? STALL_PIPE : STALL_NOT_SELECTED;
	if (is_blocked(s, i))
		return w->wait;
	return !w->mixed ? STALL_OPERAND : s->now < w->operands_at ? w->wait : STALL_FETCH;
}

/* A barrier's latency is charged when the warp is released: cycles behind the end of the launch are taken back. */
static void take_back(struct sched *s, struct slot *w, uint64_t cycles)
{
	w->stalls.cycles[STALL_BARRIER] -= cycles;
	row_of(s, w->next)->cycles[STALL_BARRIER] -= cycles;
	w->since -= cycles;
}

void sched_settle(struct sched *s, uint64_t end)
{
	for (unsigned i = 0; i < s->storage.nslots; i++) {
		struct slot *w = slot_of(s, i);
		if (!(s->occupied >> i & 1)) {
			s->total.cycles[STALL_NO_WARP] += end > s->empty_since[i] ? end - s->empty_since[i] : 0;
			continue;
		}
		if (w->since > end)
			take_back(s, w, w->since - end);
		if (is_ready_by(s, i, end))
			charge_ready(s, w, w->next, end);
		else if (is_blocked(s, i))
			charge(s, w, w->wait, between(w->since, end));
		else
			charge_sleep(s, w, end);
		/* Where a launch stops early, the clock of a multiprocessor may be behind `end`: ready warps had no
		 * turn since. */
		charge(s, w, STALL_NOT_SELECTED, between(w->since, end));
		for (int r = 0; r < STALLS; r++)
			s->total.cycles[r] += w->stalls.cycles[r];
	}
}
