/* Most of what issues is arithmetic, in turns, on a machine with one scheduler and an issue slot every 2 cycles. This
 * is what sched_pick and sched_issue do about it, with nothing else in the way; and sched_issue itself, once for that
 * machine and once for all others. */
#include "sched/issue.h"

enum { GAP = USUAL_GAP };

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

/* Move on to when somebody can issue, if that is before cycle `until`: who can, or 0. */
static inline uint64_t who(struct sched *s, uint64_t until)
{
	uint64_t sp = s->ready & s->want[UNIT_SP], others = s->ready & (s->want[UNIT_LSU] | s->want[WANTS_RARE]);
	uint64_t at = s->now, m;

	if (sp && !others) {
		if (s->free_at[UNIT_SP] > at)
			at = slot_at(s->free_at[UNIT_SP]);
		if (s->next_wake > at && at < until) {
			skip_to(s, at);
			return sp;
		}
	}
	return sched_advance(s, until, &m) < until ? m : 0;
}

/* The slot sleeps until its next instruction can issue, if all is there but what `op` makes, that issued at s->now. */
static inline void sleep_short(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op, uint64_t now,
			       uint64_t waited)
{
	uint64_t ready_at = now + op->rest;

	w->mixed = 0;
	w->ready_at = ready_at;
	rest(s, i, w, ready_at, ready_at / GAP, waited);
}

/* Has it all at hand that its op does not tell? */
static inline bool at_hand(const struct sched *s, const struct slot *w, const struct sched_op *op)
{
	bool line = s->lines_here >> op->new_line & 1, view = w->view[op->base].quick > op->offset;

	return op->plain & line & view & constant_here(s, op);
}

static inline void issue(struct sched *s, unsigned i, struct slot *w, const struct sched_op *op)
{
	uint64_t now = s->now, waited = now - w->since, results_at = w->results_at, cycle = now + op->latency;
	uint64_t *at = w->board;

	charge_issue(s, w, op, GAP);
	take_unit(s, op, now, 0);
	at[op->makes[0]] = cycle << 1;
	at[op->makes[1]] = cycle << 1;
	w->results_at = most(results_at, now + op->results);
	w->next = op + op->words;
	w->deferred++;
	s->readers |= (uint64_t)op->reads_later << i;
	if (op->changes_unit)
		want_units(s, i, op, w->next);
	skip_to(s, now + GAP);
	if (__builtin_expect(results_at <= now, 1))
		sleep_short(s, i, w, op, now, waited);
	else
		await_next(s, i, w, w->next, waited, GAP);
}

void sched_issue(struct sched *s, unsigned i, const struct sched_work *work, const struct sched_op *next,
		 uint64_t fetched_at)
{
	if (s->usual)
		issue_in(s, i, work, next, fetched_at, GAP, true);
	else
		issue_in(s, i, work, next, fetched_at, s->gap, false);
}

static inline __attribute__((always_inline)) int run(struct sched *s, uint64_t until, uint64_t *turns,
						     const struct sched_told *told)
{
	uint64_t left = *turns, m;
	int found = SCHED_NONE;

	while (left && (m = who(s, until)) != 0) {
		unsigned i = round_robin(s, m);
		struct slot *w = slot_of(s, i);
		const struct sched_op *op = w->next;
		uint64_t now = s->now;
		if (__builtin_expect(w->ready_at > now, 0)) {
			sched_not_yet(s, i);
			continue;
		}
		if (!at_hand(s, w, op)) {
			found = (int)i;
			break;
		}
		sched_take(s, i);
		issue(s, i, w, op);
		if (told)
			told->issued(told, i, op, now);
		left--;
	}
	*turns = left;
	return found;
}

int sched_run(struct sched *s, uint64_t until, uint64_t *turns, const struct sched_told *told)
{
	return told ? run(s, until, turns, told) : run(s, until, turns, NULL);
}
