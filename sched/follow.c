/* What sched_run does where all warps have been executed ahead. There, whatever costs what its op tells issues here,
 * control flow too, as long as it leads to lines of code that are at hand. What every issue looks at is in registers
 * meanwhile. */
#include "sched/issue.h"
#include "sched/rounds.h"

enum { GAP = USUAL_GAP };

/* As in struct sched, which is not up to date while somebody has it. */
struct pace {
	uint64_t now, ready, next_wake;
	unsigned last;
};

static inline void give_back(struct sched *s, const struct pace *p)
{
	s->now = p->now;
	s->beat = p->now / GAP;
	s->ready = p->ready;
	s->next_wake = p->next_wake;
	s->last = p->last;
}

static inline struct pace take_over(const struct sched *s)
{
	return (struct pace){ s->now, s->ready, s->next_wake, s->last };
}

/* ---- sleeping ---- */

static __attribute__((noinline)) struct pace wake_far(struct sched *s, struct pace p)
{
	give_back(s, &p);
	wake_sleepers(s);
	return take_over(s);
}

static inline void wake(struct sched *s, struct pace *p)
{
	uint64_t beat = p->now / GAP, at = beat % WHEEL, used = s->wheel_used & ~(1ull << at), ahead;

	if (__builtin_expect(beat >= s->beyond_due || !used, 0)) {
		*p = wake_far(s, *p);
		return;
	}
	p->ready |= s->wheel[at];
	s->wheel[at] = 0;
	s->wheel_used = used;
	ahead = used >> at | used << (-at & (WHEEL - 1));
	p->next_wake = (beat + (unsigned)__builtin_ctzll(ahead)) * GAP;
}

static __attribute__((noinline)) struct pace sleep_long(struct sched *s, struct pace p, unsigned i)
{
	struct slot *w = slot_of(s, i);

	give_back(s, &p);
	put_to_sleep(s, i, w, w->ready_at, beat_in(w->ready_at, GAP));
	return take_over(s);
}

/* Until w->ready_at, which is that of an issue slot. */
static inline void fall_asleep(struct sched *s, struct pace *p, unsigned i, struct slot *w)
{
	uint64_t ready_at = w->ready_at, at = ready_at / GAP % WHEEL;

	p->ready &= ~(1ull << i);
	if (__builtin_expect(ready_at - p->now >= WHEEL * GAP, 0)) {
		*p = sleep_long(s, *p, i);
		return;
	}
	p->next_wake = least(ready_at, p->next_wake);
	w->place = (uint8_t)at;
	s->wheel_used |= 1ull << at;
	s->wheel[at] |= 1ull << i;
}

/* ---- what issues ---- */

/* Where a stretch leads to, if its end costs nothing beside what its op tells but *extra cycles of its unit, and the
 * next line of code is at hand; else NULL. */
static inline const struct sched_op *beyond_stretch(const struct sched *s, const struct slot *w,
						    const struct sched_op *op, uint32_t *extra)
{
	const struct stretch *at = w->at, *then = behind_stretch(w);
	const struct sched_op *next = &s->ops[then->pc / 4];

	if (at->bytes | at->line || !then->issues)
		return NULL;
	*extra = at->extra;
	return code_here(s, op, next) ? next : NULL;
}

/* The next instruction of a slot, if the present one is to issue here; else NULL. */
static inline const struct sched_op *next_of(const struct sched *s, const struct slot *w, const struct sched_op *op,
					     uint32_t *extra)
{
	*extra = 0;
	if (!op->followed || !constant_here(s, op))
		return NULL;
	if (__builtin_expect(w->left == 1, 0))
		return beyond_stretch(s, w, op, extra);
	return s->lines_here >> op->new_line & 1 ? op + op->words : NULL;
}

static __attribute__((noinline)) void idle_full(struct sched *s, struct pace p, unsigned unit)
{
	give_back(s, &p);
	sched_note_idle(s, unit);
}

static inline void take(struct sched *s, const struct pace *p, const struct sched_op *op, uint32_t extra)
{
	bool busy = s->free_at[op->unit] > p->now;
	unsigned unit = busy ? op->other_unit : op->unit;
	uint64_t free_at = s->free_at[unit];

	if (free_at < p->now) {
		if (__builtin_expect(s->nidle[unit] == IDLES, 0))
			idle_full(s, *p, unit);
		s->idle[unit][s->nidle[unit]++] = (struct idle){ free_at, p->now };
		s->idle_end[unit] = p->now;
	}
	s->free_at[unit] = p->now + (busy ? op->other_cost : op->cost) + extra;
}

/* When the operands of `next` are there, as sched_op.needs has them. */
static __attribute__((noinline)) uint64_t last_entry(const uint64_t *at, const struct sched_op *next, uint64_t last)
{
	for (unsigned k = 0; k < next->nneeds; k++)
		last = at[next->needs[k]] > (last | 1) ? at[next->needs[k]] : last;
	return last;
}

/* When the operands of `next` are there, in the issue slot after that. Whether a load makes it wait is noted. */
static inline uint64_t operands_of(struct slot *w, const uint64_t *at, const struct sched_op *next, uint64_t free)
{
	uint64_t last = last_entry(at, next, free << 1), ready_at = beat_in(last >> 1, GAP) * GAP;

	if (last & 1) {
		w->mixed = 1;
		w->wait = STALL_MEMORY;
		w->operands_at = ready_at;
	}
	return ready_at;
}

/* Control flow is in the digest, and holds the warp itself. */
static inline void flow(struct slot *w, const struct sched_op *op, uint64_t now)
{
	if (!op->in_digest)
		return;
	sched_digest(w, op, now, w->at->active);
	w->free_at = now + op->hold;
	w->free_wait = STALL_OPERAND;
}

static inline void step_on(struct slot *w)
{
	if (__builtin_expect(!--w->left, 0))
		end_stretch(w);
}

/* The present instruction of a slot issues, with `extra` cycles more of its unit, and the warp goes on at `next`. What
 * is needed late is looked up late: the host has few registers. */
static inline void issue_here(struct sched *s, struct pace *p, unsigned i, struct slot *w, const struct sched_op *op,
			      const struct sched_op *next, uint32_t extra)
{
	uint64_t now = p->now, waited = now - w->since, results_at, ready_at, *at;

	charge_wait(s, w, op, now, idle_since(s, w, op, now), GAP);
	take(s, p, op, extra);
	at = s->room.at + (size_t)i * s->room.entries;
	at[op->makes[0]] = at[op->makes[1]] = (now + op->latency + extra) << 1;
	flow(w, op, now);
	w->mixed = 0;
	results_at = w->results_at;
	w->results_at = most(results_at, now + op->results + extra);
	ready_at = now + op->rest;
	if (__builtin_expect(results_at > now || extra || (op->nmakes && next != op + op->words), 0))
		ready_at = operands_of(w, at, next, now + op->hold);
	w->ready_at = ready_at;
	w->next = next;
	step_on(w);
	if (op->unit != next->unit || op->second != next->second)
		want_units(s, i, op, next);
	s->issued_at = now;
	p->last = i;
	p->now = now + GAP;
	if (ready_at > now + waited)
		fall_asleep(s, p, i, w);
}

/* ---- turns at the SPs ---- */

/* Does a slot, which has its turn at cycle t, issue something within a stretch that has its operands? */
static inline bool has_turn(const struct sched *s, const struct slot *w, const struct sched_op *op, uint64_t t)
{
	return op->in_turn && w->left != 1 && !w->mixed && most(w->ready_at, w->results_at) <= t &&
	       w->ready_at >= most(s->idle_end[UNIT_SP], s->idle_end[op->other_unit]) &&
	       constant_here(s, op) && s->lines_here >> op->new_line & 1;
}

/* While the SPs have work, and no other unit can serve anybody, those who want them have their turns one behind the
 * other: from cycle t on, before cycle `until` and before anybody wakes. Returns when the next turn is, which is not
 * for here. */
static inline uint64_t take_turns(struct sched *s, struct pace *p, uint64_t t, uint64_t until)
{
	uint64_t m = p->ready & s->want[UNIT_SP];

	while (m && t < until && t < p->next_wake && t == s->free_at[UNIT_SP]) {
		unsigned i = first_after(m, p->last);
		struct slot *w = slot_of(s, i);
		const struct sched_op *op = w->next;
		uint64_t *at, waited = t - w->since;
		if (!has_turn(s, w, op, t))
			break;
		charge_wait(s, w, op, t, 0, GAP);
		at = s->room.at + (size_t)i * s->room.entries;
		at[op->makes[0]] = at[op->makes[1]] = (t + op->latency) << 1;
		flow(w, op, t);
		w->results_at = t + op->results;
		w->ready_at = t + op->rest;
		w->next = op + op->words;
		w->left--;
		p->last = i;
		p->now = t + GAP;
		s->issued_at = t;
		s->free_at[UNIT_SP] = t + op->cost;
		t = beat_in(t + op->cost, GAP) * GAP;
		if (op->rest > waited)
			fall_asleep(s, p, i, w);
		if (op->changes_unit) {
			want_units(s, i, op, w->next);
			break;
		}
		m = p->ready & s->want[UNIT_SP];
	}
	return t;
}

/* ---- who issues ---- */

/* When another unit than the SPs can take what somebody ready has for it, at the earliest. */
static inline uint64_t others_served(const struct sched *s, uint64_t ready)
{
	uint64_t t = SCHED_NEVER;

	if (ready & s->want[UNIT_LSU])
		t = s->free_at[UNIT_LSU];
	if (ready & s->want[WANTS_RARE])
		t = least(t, least(least(s->free_at[UNIT_SFU], s->free_at[UNIT_DP]), s->free_at[UNIT_TEX]));
	return t;
}

/* Move on to when somebody can issue, if that is before cycle `until`: who can, or 0. */
static inline uint64_t who(struct sched *s, struct pace *p, uint64_t until)
{
	for (;;) {
		uint64_t t = beat_in(s->free_at[UNIT_SP], GAP) * GAP, m;
		if (p->next_wake <= p->now)
			wake(s, p);
		if (t > p->now && p->ready & s->want[UNIT_SP]) {
			uint64_t other = others_served(s, p->ready);
			if (other > t) {
				t = take_turns(s, p, t, least(least(until, other), s->rounds_at));
				if (p->next_wake <= p->now)
					continue;
				m = p->ready & s->want[UNIT_SP];
				if (m && p->next_wake > t && others_served(s, p->ready) > t) {
					if (t >= until)
						return 0;
					p->now = t;
					return m;
				}
			}
		}
		t = p->next_wake;
		m = p->now < until ? eligible(s, p->ready, p->now, &t) : 0;
		if (m)
			return m;
		if (t >= until || (t = beat_in(t, GAP) * GAP) >= until)
			return 0;
		p->now = t > p->now ? t : p->now + GAP;
	}
}

/* ---- barriers ---- */

/* The last of a crowd arrives at its barrier. */
static __attribute__((noinline)) struct pace arrive_last(struct sched *s, struct pace p, unsigned i,
							 const struct sched_op *next)
{
	static const struct sched_work nothing;

	give_back(s, &p);
	sched_take(s, i);
	issue_in(s, i, &nothing, next, s->now + GAP, GAP, true);
	sched_arrive(s, i);
	return take_over(s);
}

/* Another one does, and waits. */
static inline void arrive_and_wait(struct sched *s, struct pace *p, unsigned i, const struct sched_op *next)
{
	struct slot *w = slot_of(s, i);
	const struct sched_op *op = w->next;
	uint64_t now = p->now;

	charge_wait(s, w, op, now, idle_since(s, w, op, now), GAP);
	take(s, p, op, 0);
	w->free_at = now + op->hold;
	w->free_wait = op->wait;
	w->next = next;
	want_units(s, i, op, next);
	w->place = PLACE_BLOCKED;
	w->wait = STALL_BARRIER;
	s->room.crowd[w->crowd].waiting |= 1ull << i;
	s->issued_at = now;
	p->ready &= ~(1ull << i);
	p->last = i;
	p->now = now + GAP;
}

/* Does the instruction of slot i, that nobody issues here otherwise, arrive at a barrier and cost nothing else? Then it
 * has issued. */
static __attribute__((noinline)) bool arrives(struct sched *s, struct pace *p, unsigned i)
{
	struct slot *w = slot_of(s, i);
	const struct sched_op *op = w->next, *next;
	const struct stretch *at = w->at;
	const struct crowd *c = &s->room.crowd[w->crowd];
	uint32_t extra;

	if (w->left != 1 || !at->barrier || op->nmakes || !constant_here(s, op))
		return false;
	next = beyond_stretch(s, w, op, &extra);
	if (!next || extra)
		return false;
	sched_digest(w, op, p->now, at->active);
	step_on(w);
	if ((c->waiting | 1ull << i) == c->slots)
		*p = arrive_last(s, *p, i, next);
	else
		arrive_and_wait(s, p, i, next);
	return true;
}

int sched_follow(struct sched *s, uint64_t until)
{
	struct pace p = take_over(s);
	int found = SCHED_NONE;
	uint64_t m;

	while ((m = who(s, &p, until)) != 0) {
		unsigned i = first_after(m, p.last);
		struct slot *w = slot_of(s, i);
		const struct sched_op *op, *next;
		uint32_t extra;
		if (__builtin_expect(w->ready_at > p.now, 0)) {
			fall_asleep(s, &p, i, w);
			continue;
		}
		op = w->next;
		next = next_of(s, w, op, &extra);
		if (!next) {
			if (arrives(s, &p, i))
				continue;
			found = (int)i;
			break;
		}
		issue_here(s, &p, i, w, op, next, extra);
		if (__builtin_expect(p.now >= s->rounds_at, 0)) {
			give_back(s, &p);
			sched_rounds(s, until);
			p = take_over(s);
		}
	}
	give_back(s, &p);
	return found;
}
