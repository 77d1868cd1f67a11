/* Most of what issues is arithmetic, in turns, on a machine with one scheduler and an issue slot every 2 cycles. This
 * is what sched_pick and sched_issue do about it, with nothing else in the way. */
#include "sched/issue.h"

enum { GAP = 2 };

bool sched_runs(const struct sched *s)
{
	return s->policy == POLICY_RR && s->schedulers == 1 && s->gap == GAP;
}

/* To cycle t, that of an issue slot. */
static inline void skip_to(struct sched *s, uint64_t t)
{
	s->now = t;
	s->beat = t / GAP;
}

static inline uint64_t slot_at(uint64_t t)
{
	return (t + GAP - 1) / GAP * GAP;
}

/* Who can issue, when somebody can, before cycle `until`; or 0. */
static inline uint64_t who(struct sched *s, uint64_t until)
{
	uint64_t m;

	for (;;) {
		uint64_t sp = s->ready & s->want[UNIT_SP], rest = s->ready & (s->want[UNIT_LSU] | s->want[WANTS_RARE]);
		uint64_t t = s->free_at[UNIT_SP], now = s->now;
		if (rest || !sp)
			return sched_advance(s, until, &m) < until ? m : 0;
		if (t > now)
			now = slot_at(t);
		if (__builtin_expect(s->next_wake > now, 1)) {
			if (now >= until)
				return 0;
			skip_to(s, now);
			return sp;
		}
		if (s->next_wake > s->now) {
			if (s->next_wake >= until)
				return 0;
			skip_to(s, s->next_wake);
		}
		wake_sleepers(s);
	}
}

/* The slot sleeps until its next instruction can issue, if all is there but what `op` makes, that issued at s->now. */
static inline void sleep_short(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op, uint64_t now,
			       uint64_t last)
{
	uint64_t ready_at = now + op->rest;

	w->wait = STALL_OPERAND;
	w->operands_at = w->ready_at = ready_at;
	if (ready_at <= now + (now - last))
		return;
	s->ready &= ~(1ull << i);
	put_to_sleep(s, i, w, ready_at, ready_at / GAP);
}

static inline void issue(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op)
{
	uint64_t *own = w->stalls.cycles, *here = s->room.by_pc[op->word].cycles, *at = scoreboard(s, i);
	uint64_t now = s->now, last = w->ready_at, results_at = w->results_at, cycle = now + op->latency;

	charge_ready(own, here, s, w, now);
	charge_both(own, here, STALL_ISSUED, GAP);
	take_unit(s, op, now, 0);
	at[op->makes[0]] = cycle << 1;
	at[op->makes[1]] = cycle << 1;
	w->since = w->free_at = w->fetched_at = now + GAP;
	w->results_at = most(results_at, now + op->results);
	w->free_wait = STALL_OPERAND;
	w->next = op + op->words;
	w->deferred++;
	if (op->changes_unit)
		want_units(s, i, op, w->next);
	skip_to(s, now + GAP);
	if (__builtin_expect(results_at <= now, 1))
		sleep_short(s, i, w, op, now, last);
	else
		await_next(s, i, w, w->next, now - last);
}

int sched_run(struct sched *s, uint64_t until, uint64_t *turns)
{
	uint64_t left = *turns;
	int found = SCHED_NONE;

	while (left) {
		uint64_t m = who(s, until);
		unsigned i = m ? round_robin(s, m) : 0;
		struct slot *w = slot_of(s, i);
		if (!m)
			break;
		if (__builtin_expect(w->ready_at > s->now, 0)) {
			sched_not_yet(s, i);
			continue;
		}
		s->last = i;
		s->issued_at = s->now;
		if (!w->next->plain) {
			found = (int)i;
			break;
		}
		issue(s, i, w, w->next);
		left--;
	}
	*turns = left;
	return found;
}
