/* The path of every issue, in a header so that the compiler can inline it into the loops.
 *
 * A slot's warp either is ready, or sleeps until its next instruction and its operands are there, in a timing wheel
 * under the issue slot of waking. Warps are not visited one by one when they wake: one bit mask has the ready slots,
 * others the slots by unit, and how long a warp waited for a unit follows from the unit's idle times. */
#ifndef WB_SCHED_ISSUE_H
#define WB_SCHED_ISSUE_H

#include "core/base/rng.h"
#include "sched/sched.h"
#include "sched/scoreboard.h"

/* For functions of the loops: compilers would inline only the functions with few callers. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

static inline struct slot *slot_of(const struct sched *s, unsigned i)
{
	return &s->storage.slot[i];
}

static inline uint64_t between(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* ---- charging ---- */

static inline uint64_t idle_from(const struct idle *k)
{
	return k->to - (k->sum - k[-1].sum);
}

/* Cycles before `until` in which a unit was idle, since the slot's warp became ready: all noted idle times, less the
 * times before. */
static inline uint64_t idle_of(const struct sched *s, const struct slot *w, unsigned unit, uint64_t until)
{
	const struct idle *last = &s->idle[unit][s->nidle[unit]], *k = last;
	bool noted = w->ready_at < s->noted_at[unit];
	uint64_t t = noted ? s->noted_at[unit] : w->ready_at;
	uint64_t cycles = (noted ? w->idle[unit] : 0) + between(most(s->free_at[unit], t), until);

	if (k->to <= t)
		return cycles;
	/* The host cannot predict how far back: a search without branches. */
	k = s->idle[unit];
	for (unsigned n = s->nidle[unit] + 1, half; n > 1; n -= half) {
		half = n / 2;
		k += k[half].to <= t ? half : 0;
	}
	k++;
	return cycles + last->sum - k->sum + k->to - most(idle_from(k), t);
}

/* Cycles before `until` in which a unit for `op` was idle while the slot's warp was ready. Mostly a unit has been busy
 * all the time, or idle since its last instruction. */
static inline uint64_t idle_since(const struct sched *s, const struct slot *w, const struct sched_op *op,
				  uint64_t until)
{
	unsigned unit = op->unit, other = op->other_unit;

	if (__builtin_expect(w->ready_at < most(s->idle_end[unit], s->idle_end[other]), 0))
		return sched_idle_since(s, w, op, until);
	return between(most(w->ready_at, least(s->free_at[unit], s->free_at[other])), until);
}

/* Row of charges of an instruction. */
static inline struct stall_row *row_of(const struct sched *s, const struct sched_op *op)
{
	return (struct stall_row *)((char *)s->storage.by_pc + op->charged);
}

static ALWAYS_INLINE void charge_both(uint64_t *own, uint64_t *here, unsigned reason, uint64_t cycles)
{
	own[reason] += cycles;
	here[reason] += cycles;
}

/* Charge a sleeper's wait for operands and then for its instruction. */
static inline void charge_mixed(struct slot *w, uint64_t *own, uint64_t *here)
{
	charge_both(own, here, w->wait, w->operands_at - w->since);
	charge_both(own, here, STALL_FETCH, w->ready_at - w->operands_at);
}

/* Charge a slot's wait up to `until` and `issued` cycles of issuing. A warp first sleeps until ready, then waits for
 * its unit, then, `idle` cycles, for its turn. Nearly always the sleep was for operands. */
static ALWAYS_INLINE void charge_wait(struct sched *s, struct slot *w, const struct sched_op *op, uint64_t until,
				      uint64_t idle, uint64_t issued)
{
	uint64_t *own = w->stalls.cycles, *here = row_of(s, op)->cycles;
	uint64_t ready_at = w->ready_at;

	if (__builtin_expect(w->mixed, 0)) {
		charge_mixed(w, own, here);
		w->mixed = 0;
	} else {
		charge_both(own, here, STALL_OPERAND, ready_at - w->since);
	}
	charge_both(own, here, STALL_ISSUED, issued);
	charge_both(own, here, STALL_NOT_SELECTED, idle);
	charge_both(own, here, STALL_PIPE, until - ready_at - idle);
	w->since = until + issued;
}

static inline void charge_ready(struct sched *s, struct slot *w, const struct sched_op *op, uint64_t until)
{
	charge_wait(s, w, op, until, idle_since(s, w, op, until), 0);
}

static inline void charge_issue(struct sched *s, struct slot *w, const struct sched_op *op, uint32_t gap)
{
	charge_wait(s, w, op, s->now, idle_since(s, w, op, s->now), gap);
}

/* An issue in the digest of a warp: instruction, cycle and mask. Digests are sums, so that the host can add several at
 * a time. */
static inline uint64_t digest_of(const struct sched_op *op, uint64_t cycle, lane_mask active)
{
	return mix64((cycle ^ (uint64_t)op->word << 40) * 0x9e3779b97f4a7c15ull + active);
}

static inline void sched_digest(struct slot *w, const struct sched_op *op, uint64_t cycle, lane_mask active)
{
	if (op->in_digest)
		w->digest += digest_of(op, cycle, active);
}

/* ---- where a warp goes on ---- */

/* Is an instruction's operand in c[] in the line that was touched last? True without an operand in c[]. */
static inline bool constant_here(const struct sched *s, const struct sched_op *op)
{
	return !((op->constant.line ^ s->const_here) & op->constant.mask);
}

/* Is the line of code of `next`, the instruction after `op`, in the first cache level to stay? */
static inline bool code_here(const struct sched *s, const struct sched_op *op, const struct sched_op *next)
{
	return next->line == op->line || (next->line < LINE_OTHER && s->lines_here >> next->line & 1);
}

/* The segment after the present pass of a slot: the same segment once more, or the next. */
static inline const struct trace_segment *next_segment(const struct slot *w)
{
	return w->times > 1 ? w->segment : w->segment + 1;
}

/* The slot has come to the end of a segment. */
static ALWAYS_INLINE void end_segment(struct slot *w)
{
	if (!--w->times) {
		w->segment++;
		w->times = w->segment->times;
		__builtin_prefetch(w->segment + 3);
	}
	w->remaining = w->segment->issues;
}

/* ---- sleeping ---- */

static inline bool is_ready(const struct sched *s, unsigned i)
{
	return s->ready >> i & 1;
}

/* Does the slot's warp wait for sched_wake? `wheel_index` of a slot in sched.ready is of an earlier sleep. */
static inline bool is_blocked(const struct sched *s, unsigned i)
{
	return !is_ready(s, i) && slot_of(s, i)->wheel_index == PLACE_BLOCKED;
}

/* Add slot i to, remove slot i from, or move slot i between the sets of slots by wanted unit. */
static inline void want_also(struct sched *s, unsigned i, const struct sched_op *op)
{
	s->want[op->unit] |= 1ull << i;
	s->want[op->second] |= 1ull << i;
	s->want[op->rare] |= 1ull << i;
}

static inline void want_no_more(struct sched *s, unsigned i, const struct sched_op *op)
{
	s->want[op->unit] &= ~(1ull << i);
	s->want[op->second] &= ~(1ull << i);
	s->want[op->rare] &= ~(1ull << i);
}

static inline void want_units(struct sched *s, unsigned i, const struct sched_op *from, const struct sched_op *to)
{
	if (from->rare != WANTS_NOTHING || to->rare != WANTS_NOTHING) {
		sched_want_rare(s, i, from, to);
		return;
	}
	s->want[from->unit] &= ~(1ull << i);
	s->want[to->unit] |= 1ull << i;
}

/* The instructions of a program, by word of code, for the SIMD of slot i. */
static inline const struct sched_op *ops_of(const struct sched *s, unsigned i)
{
	return s->program.ops + (i & s->simd.mask) * s->program.nops;
}

/* The first issue slot at or after cycle t. Nearly every machine has an issue slot every 2 cycles. */
static inline uint64_t issue_slot_in(uint64_t t, uint32_t gap)
{
	return gap <= 2 ? (t + gap - 1) >> (gap - 1) : (t + gap - 1) / gap;     /* hosts divide slowly */
}

static inline uint64_t issue_slot_at(const struct sched *s, uint64_t t)
{
	return issue_slot_in(t, s->rules.gap);
}

/* The first turn of slot i's SIMD from `issue_slot` on. */
static inline uint64_t turn_from(const struct sched *s, unsigned i, uint64_t issue_slot)
{
	return issue_slot + ((i - issue_slot) & s->simd.mask);
}

/* The slots of the SIMD whose turn is now. */
static inline uint64_t turn_slots(const struct sched *s)
{
	return s->simd.slots << (s->issue_slot & s->simd.mask);
}

/* Sleep until issue slot number `issue_slot`, no earlier than cycle ready_at. */
static inline void put_to_sleep(struct sched *s, unsigned i, struct slot *w, uint64_t ready_at, uint64_t issue_slot)
{
	uint64_t place = issue_slot % WHEEL;

	s->sleep.next = least(ready_at, s->sleep.next);
	if (__builtin_expect(issue_slot - s->issue_slot < WHEEL, 1)) {
		w->wheel_index = (uint8_t)place;
		s->sleep.used |= 1ull << place;
		s->sleep.wheel[place] |= 1ull << i;
		return;
	}
	w->wheel_index = BEYOND_WHEEL;
	s->sleep.beyond |= 1ull << i;
	s->sleep.beyond_at = least(s->sleep.beyond_at, issue_slot * s->rules.gap);
}

static inline uint64_t *scoreboard(const struct sched *s, unsigned i)
{
	return s->storage.board + (size_t)i * s->storage.entries;
}

/* Round robin: a warp that has waited `waited` cycles for the last turn will wait as long for the next, so a shorter
 * sleep is not worth the wheel. */
static inline void rest(struct sched *s, unsigned i, struct slot *w, uint64_t ready_at, uint64_t issue_slot,
			uint64_t waited)
{
	if (s->rules.policy == POLICY_RR && ready_at <= s->issued_at + waited) {
		if (!is_ready(s, i))
			s->ready |= 1ull << i;
		return;
	}
	s->ready &= ~(1ull << i);
	put_to_sleep(s, i, w, ready_at, issue_slot);
}

/* The cycle from which on the slot's warp itself may issue; below, the reason before. */
static inline uint64_t free_at(const struct slot *w)
{
	return most(w->free_at, w->since);
}

static inline unsigned free_wait(const struct slot *w)
{
	return w->free_at >= w->since ? w->free_wait : STALL_OPERAND;
}

/* Sleep until `last`, an entry of the scoreboard, is there, and then until the next instruction is fetched. A result
 * that comes between two issue slots is of use in the second. */
static inline void sleep_until(struct sched *s, unsigned i, struct slot *w, uint64_t last, uint64_t waited,
			       uint32_t gap)
{
	uint64_t cycle = result_cycle(last), issue_slot = turn_from(s, i, issue_slot_in(cycle, gap)),
		 operands_at = issue_slot * gap, ready_at = operands_at;
	unsigned wait = cycle == free_at(w) ? free_wait(w) : STALL_OPERAND;

	if (w->fetched_at > operands_at) {
		issue_slot = turn_from(s, i, issue_slot_in(w->fetched_at, gap));
		ready_at = issue_slot * gap;
	}
	w->wait = (uint8_t)(result_kind(last) ? result_stall(result_kind(last)) : wait);
	w->mixed = w->wait != STALL_OPERAND || operands_at != ready_at;
	w->operands_at = operands_at;
	w->ready_at = ready_at;
	rest(s, i, w, ready_at, issue_slot > s->issue_slot ? issue_slot : s->issue_slot, waited);
}

/* The latest of the scoreboard entries of an instruction and of `last`; at equal cycles a load's entry is the later.
 * The host cannot predict the number of entries, so four are compared at once. */
static ALWAYS_INLINE uint64_t latest(const uint64_t *at, const struct sched_op *op, uint64_t last)
{
	last = most(last, most(most(at[op->needs[0]], at[op->needs[1]]), most(at[op->needs[2]], at[op->needs[3]])));
	for (unsigned k = 4; __builtin_expect(k < op->nneeds, 0); k++)
		last = most(at[op->needs[k]], last);
	return last;
}

/* Sleep until the next instruction and its operands are there. */
static inline void await_next(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op, uint64_t waited,
			      uint32_t gap)
{
	const uint64_t *at = w->board;
	uint64_t free = free_at(w), last = result_entry(free, 0);

	if (w->results_at >= free)      /* a load's result of the same cycle counts as later */
		last = latest(at, op, last);
	sleep_until(s, i, w, last, waited, gap);
}

/* ---- time ---- */

/* Sleepers whose cycle has come are ready; notes the cycle of the next sleeper. */
static inline void wake_sleepers(struct sched *s)
{
	unsigned p = s->issue_slot % WHEEL;
	uint64_t ahead;

	if (__builtin_expect(s->now >= s->sleep.beyond_at, 0))
		sched_refill_wheel(s);
	s->ready |= s->sleep.wheel[p];
	s->sleep.wheel[p] = 0;
	s->sleep.used &= ~(1ull << p);
	ahead = s->sleep.used >> p | s->sleep.used << (-p & (WHEEL - 1));
	s->sleep.next = s->sleep.beyond_at;
	if (ahead)
		s->sleep.next = least(s->sleep.next,
				      (s->issue_slot + (unsigned)__builtin_ctzll(ahead)) * s->rules.gap);
}

/* Move on to the first issue slot at or after cycle t, in the future. */
static inline void move_on(struct sched *s, uint64_t t)
{
	s->issue_slot = issue_slot_at(s, t);
	s->now = s->rules.gap == 2 ? s->issue_slot * 2 : s->issue_slot * s->rules.gap;
	s->issues_left = s->rules.schedulers;
}

/* Slots of m, ready and in need of a unit, if the unit is free; else 0, and *t is no later than the cycle in which the
 * unit is free. The test must be a branch: computed, the host's next pick would wait for the arithmetic of the last. */
static inline uint64_t serve(const struct sched *s, uint64_t m, unsigned unit, uint64_t now, uint64_t *t)
{
	uint64_t free_at = s->free_at[unit];

	if (!m)
		return 0;
	if (free_at <= now) {
		__asm__("" : "+r"(m));
		return m;
	}
	*t = least(*t, free_at);
	return 0;
}

/* The ready warps that can issue at cycle `now`. 0: none; *t is the earliest cycle in which a warp can. */
static inline uint64_t eligible(const struct sched *s, uint64_t ready, uint64_t now, uint64_t *t)
{
	uint64_t m = serve(s, ready & s->want[0], 0, now, t);

	m |= serve(s, ready & s->want[1], 1, now, t);
	if (ready & s->want[WANTS_RARE])
		for (unsigned unit = UNITS_FREQUENT; unit < s->storage.nunits; unit++)
			m |= serve(s, ready & s->want[unit], unit, now, t);
	return m;
}

/* As sched_time; *m: the slots that can issue at the returned cycle, if before `until`. */
static inline uint64_t sched_advance(struct sched *s, uint64_t until, uint64_t *m)
{
	for (;;) {
		uint64_t now = s->now, t, mine;
		if (s->sleep.next <= now)
			wake_sleepers(s);
		t = s->sleep.next;
		mine = s->ready & turn_slots(s);
		*m = eligible(s, mine, now, &t);
		if (*m)
			return now;
		if (s->ready != mine)
			t = least(t, now + s->rules.gap);
		if (t == SCHED_NEVER)
			return t;
		t = issue_slot_at(s, t > now ? t : now + 1) * s->rules.gap;
		if (t >= until)
			return t;
		move_on(s, t);
	}
}

/* ---- choice of a slot ---- */

/* Round robin, the policy of most runs: the first slot after `last`. */
static inline unsigned first_after(uint64_t m, unsigned last)
{
	uint64_t after = m & ~1ull << last;

	return (unsigned)__builtin_ctzll(after ? after : m);
}

static inline unsigned round_robin(const struct sched *s, uint64_t m)
{
	return first_after(m, s->picked);
}

/* A slot in `ready` whose warp is not ready by now sleeps instead. */
static inline void sched_not_yet(struct sched *s, unsigned i)
{
	struct slot *w = slot_of(s, i);

	s->ready &= ~(1ull << i);
	put_to_sleep(s, i, w, w->ready_at, issue_slot_at(s, w->ready_at));
}

/* Slot i has its turn now. */
static inline void sched_take(struct sched *s, unsigned i)
{
	s->picked = i;
	s->simd.picked[i & s->simd.mask] = (uint8_t)i;
	s->issued_at = s->now;
}

/* The slot that issues next, at s->now; SCHED_NONE: no slot can issue before cycle `until`. */
static inline int sched_pick(struct sched *s, uint64_t until)
{
	uint64_t m;
	unsigned i;

	for (;;) {
		if (sched_advance(s, until, &m) >= until)
			return SCHED_NONE;
		if (s->simd.mask)
			s->picked = s->simd.picked[s->issue_slot & s->simd.mask];
		i = s->rules.policy == POLICY_RR ? round_robin(s, m) : policy_pick(s, m);
		if (__builtin_expect(slot_of(s, i)->ready_at <= s->now, 1))
			break;
		sched_not_yet(s, i);
	}
	sched_take(s, i);
	return (int)i;
}

/* ---- issue ---- */

static ALWAYS_INLINE void add_idle(struct sched *s, unsigned unit, uint64_t from, uint64_t to)
{
	struct idle *k = &s->idle[unit][s->nidle[unit]++];

	k[1] = (struct idle){ to, k->sum + to - from };
	s->idle_end[unit] = to;
}

/* Note a unit's idle time that ends now. */
static inline void note_idle(struct sched *s, unsigned unit, uint64_t now)
{
	uint64_t free_at = s->free_at[unit];

	if (free_at >= now)
		return;
	if (__builtin_expect(s->nidle[unit] == IDLES, 0))
		sched_note_idle(s, unit);
	add_idle(s, unit, free_at, now);
}

/* Take the instruction's unit for its cost, or its other unit if the first is busy. */
static inline void take_unit(struct sched *s, const struct sched_op *op, uint64_t now, uint32_t extra)
{
	bool busy = s->free_at[op->unit] > now;
	unsigned unit = busy ? op->other_unit : op->unit;
	uint32_t cost = busy ? op->other_cost : op->cost;

	note_idle(s, unit, now);
	s->free_at[unit] = now + cost + extra;
}

static inline uint64_t post_results(struct slot *w, const struct sched_op *op, uint64_t *at, uint64_t now,
				    const struct sched_work *work)
{
	uint64_t cycle = now + op->latency + work->extra_cycles, entry = result_entry(cycle, op->kind);

	if (work->data_at > cycle) {
		cycle = work->data_at;
		entry = result_entry(cycle, op->kind ? op->kind : RESULT_MEMORY);
	}
	for (unsigned k = 0; k < op->nmakes; k++)
		at[op->makes[k]] = entry;
	if (op->nmakes && w->results_at < cycle)
		w->results_at = cycle;
	return entry;
}

static inline void post_late_result(struct slot *w, const struct sched_op *op, uint64_t now)
{
	w->board[op->late] = result_entry(now + op->late_latency, 0);
	w->results_at = most(w->results_at, now + op->late_latency);
}

/* Does a warp that goes on at `next` jump? */
static inline bool jumps(const struct sched_op *op, const struct sched_op *next)
{
	return next != op + op->words;
}

/* Count an issue: on to the next issue slot, or stay while another scheduler may use the present slot. */
static inline void count_issue(struct sched *s, uint64_t now, uint32_t gap, bool one)
{
	if (!one && --s->issues_left)
		return;
	s->now = now + gap;
	s->issue_slot++;
	s->issues_left = s->rules.schedulers;
}

/* sched_issue of a machine with an issue slot every `gap` cycles; `one`: one issue a slot. */
static ALWAYS_INLINE void issue_in(struct sched *s, unsigned i, const struct sched_work *work,
				   const struct sched_op *next, uint64_t fetched_at, uint32_t gap, bool one)
{
	struct slot *w = slot_of(s, i);
	const struct sched_op *op = w->next;
	uint64_t now = s->now, free = now + (jumps(op, next) ? op->jump : op->hold), waited = now - w->since;
	uint64_t last = result_entry(free, 0), entry = 0;
	bool others;

	if (__builtin_expect(op->counters, 0))
		sched_count(s, w, work);
	others = w->results_at >= free;
	charge_issue(s, w, op, one ? gap : s->simd.round);
	take_unit(s, op, now, work->extra_cycles);
	if (op->nmakes)
		entry = post_results(w, op, w->board, now, work);
	if (__builtin_expect(op->late_latency, 0)) {
		post_late_result(w, op, now);
		others = true;
	}
	w->free_wait = op->wait;
	w->free_at = free;
	w->fetched_at = fetched_at;
	count_issue(s, now, gap, one);
	if (!next) {
		s->ready &= ~(1ull << i);
		return;
	}
	w->next = next;
	if (op->unit != next->unit || op->second != next->second)
		want_units(s, i, op, next);
	if (others || (op->nmakes && jumps(op, next)))
		await_next(s, i, w, next, waited, gap);
	else
		sleep_until(s, i, w, op->chained ? most(entry, last) : last, waited, gap);
}

#endif
