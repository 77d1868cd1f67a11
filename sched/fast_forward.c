/* Steady-state fast-forward (fast_forward.h): find a state that came before, and skip whole periods. A checkpoint
 * compares a hash of the state with the hashes of earlier checkpoints. At the first return of a hash the state is saved
 * in full and the issues that go into digests are logged; at the next return all of the state but its lateness is
 * compared, and as many periods are skipped as the traces of all warps repeat. */
#include "sched/fast_forward.h"

#include <stddef.h>
#include <string.h>

#include "sched/issue.h"

/* After MISSES_FREE checkpoints in vain the next checkpoints are delayed: by FIRST_PAUSE cycles, then each time by
 * twice as many. */
enum { MISSES_FREE = 3, MISSES_MOST = 8 };
#define FIRST_PAUSE 1024ull
/* Segments ahead of a warp that are searched for a loop, and cycles to the next checkpoint where none is ahead. */
enum { SEGMENTS_AHEAD = 16, SHORT_PAUSE = 256 };
/* Periods that are skipped at once, at most: their instructions do not overflow 64 bits. */
#define MOST (1ull << 32)

/* ---- a state ---- */

/* A hash of what mostly differs between different states. */
static uint64_t signature(const struct sched *s)
{
	uint64_t h = s->ready ^ (uint64_t)s->picked << 40, at = s->issue_slot % WHEEL;

	h = h * 31 + (s->issue_slot & s->simd.mask);
	h = mix64(h + (s->sleep.used >> at | s->sleep.used << (-at & (WHEEL - 1))));
	for (unsigned u = 0; u < s->storage.nunits; u++)
		h = h * 31 + (s->free_at[u] > s->now ? s->free_at[u] - s->now : 0);
	return mix64(h);
}

/* The cycle since which idle times of a unit matter: when the first of its ready warps became ready. */
static uint64_t idle_floor(const struct sched *s, unsigned unit)
{
	uint64_t floor = s->now;

	for (uint64_t m = s->ready & s->want[unit]; m; m &= m - 1)
		floor = least(floor, slot_of(s, (unsigned)__builtin_ctzll(m))->ready_at);
	return floor;
}

void fast_forward_log(struct fast_forward *p, unsigned i, const struct slot *w, const struct sched_op *op, uint64_t now)
{
	if (p->nlogged < LOGGED_ISSUES)
		p->flow[p->nlogged] = (struct logged_issue){ op, now, w->segment, w->times, w->remaining, i };
	p->nlogged++;
}

/* Save the present state; from now on, issues that go into digests are logged. */
static void save(struct sched *s)
{
	struct fast_forward *p = s->checkpoint.state;

	memcpy(&p->was, s, offsetof(struct sched, idle) + s->storage.nunits * sizeof *s->idle);
	for (unsigned u = 0; u < s->storage.nunits; u++)
		p->floor[u] = idle_floor(s, u);
	for (uint64_t m = s->occupied; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		p->slot[i] = *slot_of(s, i);
		memcpy(&p->board[i * s->storage.entries], slot_of(s, i)->board, s->storage.entries * sizeof *p->board);
	}
	memcpy(p->by_pc, s->storage.by_pc, p->words * sizeof *p->by_pc);
	memcpy(p->barrier_group, s->storage.barrier_group, p->nbarrier_groups * sizeof *p->barrier_group);
	p->nlogged = p->nissued = 0;
	s->checkpoint.log = p;
}

/* ---- the same state? ---- */

/* Is a time t, relative to `now`, as far away as the time `was` of one period ago? Times in the past are all alike. */
static inline bool same_time(uint64_t t, uint64_t was, uint64_t now, uint64_t period)
{
	return t - was == period || (t <= now && was + period <= now);
}

static bool same_unit(const struct sched *s, const struct fast_forward *p, unsigned u)
{
	uint64_t period = s->now - p->was.now, floor = idle_floor(s, u);
	const struct idle *i = &s->idle[u][s->nidle[u]], *was = &p->was.idle[u][p->was.nidle[u]];

	if (floor - p->floor[u] != period || floor < s->noted_at[u] || p->floor[u] < p->was.noted_at[u])
		return false;
	if (!same_time(s->free_at[u], p->was.free_at[u], floor, period))
		return false;
	for (;;) {
		bool more = i->to > floor, then = was->to > p->floor[u];
		if (more != then)
			return false;
		if (!more)
			return true;
		if (i->to - was->to != period || !same_time(idle_from(i), idle_from(was), floor, period))
			return false;
		i--;
		was--;
	}
}

/* Has a slot's warp waited for longer than a period? */
static bool stays(const struct sched *s, unsigned i, const struct slot *w, const struct slot *was)
{
	bool waits = !is_ready(s, i) && (w->wheel_index == PLACE_BLOCKED || w->wheel_index == BEYOND_WHEEL);

	return waits && w->wheel_index == was->wheel_index && w->since == was->since && w->ready_at == was->ready_at &&
	       w->next == was->next;
}

static bool same_slot(const struct sched *s, unsigned i, const struct slot *w, const struct slot *was, uint64_t period)
{
	uint64_t now = s->now;
	bool blocked = is_blocked(s, i);

	if (w->since - was->since != period || w->ready_at - was->ready_at != period || w->next != was->next ||
	    w->mixed != was->mixed)
		return false;
	if (!is_ready(s, i) && (blocked != (was->wheel_index == PLACE_BLOCKED) || w->wheel_index == BEYOND_WHEEL))
		return false;
	if ((blocked || w->mixed) && w->wait != was->wait)
		return false;
	if (w->mixed && w->operands_at - was->operands_at != period)
		return false;
	return same_time(w->results_at, was->results_at, now, period) &&
	       same_time(free_at(w), free_at(was), now, period) && free_wait(w) == free_wait(was) &&
	       same_time(w->fetched_at, was->fetched_at, now, period);
}

/* Entries of the scoreboard compared as times: a load's result that is there now is in the past. */
static bool same_board(const struct sched *s, const uint64_t *at, const uint64_t *was, uint64_t period)
{
	for (unsigned e = 0; e < s->storage.entries; e++)
		if (!same_time(at[e], was[e], result_entry(s->now, RESULT_LATEST), result_entry(period, 0)))
			return false;
	return true;
}

/* Is the whole state as saved? *moved: the slots that have issued since. */
static bool comes_back(const struct sched *s, const struct fast_forward *p, uint64_t *moved)
{
	uint64_t period = s->now - p->was.now;

	if (period % s->simd.round || s->issues_left != p->was.issues_left ||
	    memcmp(s->simd.picked, p->was.simd.picked, sizeof s->simd.picked))
		return false;
	if (s->occupied != p->was.occupied || s->ages != p->was.ages || s->ready != p->was.ready ||
	    s->picked != p->was.picked || s->const_here != p->was.const_here || s->lines_here != p->was.lines_here ||
	    s->sleep.beyond != p->was.sleep.beyond ||
	    memcmp(s->storage.barrier_group, p->barrier_group, p->nbarrier_groups * sizeof *p->barrier_group))
		return false;
	*moved = 0;
	for (uint64_t m = s->occupied; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		const struct slot *w = slot_of(s, i);
		if (stays(s, i, w, &p->slot[i]))
			continue;
		if (!same_slot(s, i, w, &p->slot[i], period) ||
		    !same_board(s, w->board, &p->board[i * s->storage.entries], period))
			return false;
		*moved |= 1ull << i;
	}
	for (unsigned u = 0; u < s->storage.nunits; u++)
		if (!same_unit(s, p, u))
			return false;
	return *moved;
}

/* ---- how often ---- */

static inline struct trace_place place_of(const struct slot *w)
{
	return (struct trace_place){ w->segment, w->times, w->remaining };
}

static inline const struct sched_op *op_at(const struct sched *s, const struct trace_place *p)
{
	return s->program.order[s->program.ops[p->segment->pc / 4].order_index + p->segment->issues - p->remaining];
}

/* Move a place on by n instructions, or to the end of the trace. */
static void pass(struct trace_place *p, uint64_t n)
{
	while (n >= p->remaining && p->remaining) {
		n -= p->remaining;
		p->remaining = p->segment->issues;
		p->times--;
		if (n >= p->remaining) {
			uint64_t whole = least(p->times, n / p->remaining);
			n -= whole * p->remaining;
			p->times -= whole;
		}
		if (!p->times) {
			p->segment++;
			p->times = p->segment->times;
			p->remaining = p->segment->issues;
		}
	}
	p->remaining -= least(n, p->remaining);
}

/* Instructions from one place of a trace to a later place. */
static uint64_t apart(struct trace_place from, struct trace_place to)
{
	uint64_t n = 0, whole;

	for (; from.segment != to.segment;
	     from.segment++, from.times = from.segment->times, from.remaining = from.segment->issues)
		n += from.remaining + (from.times - 1) * from.segment->issues;
	whole = from.times - to.times;
	return n + whole * from.segment->issues + from.remaining - to.remaining;
}

static inline bool same_costs(const struct trace_segment *a, const struct trace_segment *b)
{
	return a->extra == b->extra && a->barrier == b->barrier && !(b->bytes | b->line);
}

/* How many instructions from two places on are the same and cost the same, whichever lanes are active; counted up to
 * `enough` or a little further. */
static uint64_t alike(const struct sched *s, struct trace_place a, struct trace_place b, uint64_t enough)
{
	static const struct trace_segment free_of_costs;
	uint64_t n = 0, some;

	while (n < enough && b.remaining && op_at(s, &a) == op_at(s, &b)) {
		bool whole = a.remaining == a.segment->issues && b.remaining == a.remaining &&
			     b.segment->issues == a.remaining;
		some = least(a.remaining, b.remaining);
		if (!same_costs(some == a.remaining ? a.segment : &free_of_costs,
				some == b.remaining ? b.segment : &free_of_costs))
			return n;
		if (whole)
			some *= least(least(a.times, b.times), (enough - n) / some + 1);
		pass(&a, some);
		pass(&b, some);
		n += some;
	}
	return n;
}

/* How many times, up to most_of_them, the trace of a slot repeats the last period. */
static uint64_t repeats(const struct sched *s, const struct slot *w, const struct slot *was, uint64_t most_of_them)
{
	uint64_t n = apart(place_of(was), place_of(w)), enough = most_of_them * n + 1, same;

	if (!n)
		return 0;
	same = alike(s, place_of(was), place_of(w), enough);
	return same ? (same - 1) / n : 0;
}

/* How many periods to skip: all end before cycle `until`, and before a sleeper beyond the wheel wakes. */
static uint64_t how_often(const struct sched *s, const struct fast_forward *p, uint64_t moved, uint64_t until)
{
	uint64_t period = s->now - p->was.now, end = least(until, s->sleep.beyond_at - s->rules.gap), n;

	n = end > s->now ? least((end - s->now) / period, MOST) : 0;
	for (; moved && n; moved &= moved - 1) {
		unsigned i = (unsigned)__builtin_ctzll(moved);
		n = least(n, repeats(s, slot_of(s, i), &p->slot[i], n));
	}
	return n;
}

/* ---- skipping ---- */

static void charge_again(struct stall_row *row, const struct stall_row *was, uint64_t n)
{
	for (unsigned r = 0; r < STALLS; r++)
		row->cycles[r] += n * (row->cycles[r] - was->cycles[r]);
}

/* An issue of the last period that went into a slot's digest, and the number of instructions since the period's
 * first. */
struct digested {
	const struct sched_op *op;
	uint64_t cycle, after;
};

static unsigned digested(const struct fast_forward *p, unsigned i, struct digested *of)
{
	struct trace_place first = place_of(&p->slot[i]);
	unsigned n = 0;

	for (unsigned k = 0; k < p->nlogged; k++) {
		const struct logged_issue *f = &p->flow[k];
		struct trace_place at = { f->segment, f->times, f->remaining };
		if (f->slot == i)
			of[n++] = (struct digested){ f->op, f->cycle, apart(first, at) };
	}
	return n;
}

/* Digest of the same issues for n periods more, under the masks of the trace. Returns the place in the trace behind the
 * periods. */
static struct trace_place digest_again(const struct fast_forward *p, unsigned i, struct slot *w, uint64_t n,
				       uint64_t period)
{
	struct trace_place at = place_of(w);
	uint64_t all = apart(place_of(&p->slot[i]), at), digest = 0;
	struct digested of[LOGGED_ISSUES];
	unsigned nof = digested(p, i, of);

	for (uint64_t k = 1; k <= n; k++) {
		uint64_t passed = 0;
		for (unsigned f = 0; f < nof; f++) {
			pass(&at, of[f].after - passed);
			passed = of[f].after;
			digest += digest_of(of[f].op, of[f].cycle + k * period, at.segment->active);
		}
		pass(&at, all - passed);
	}
	w->digest += digest;
	return at;
}

static void move_slot(struct sched *s, const struct fast_forward *p, unsigned i, uint64_t n)
{
	struct slot *w = slot_of(s, i);
	uint64_t period = s->now - p->was.now, later = n * period;
	struct trace_place at = digest_again(p, i, w, n, period);

	w->segment = at.segment;
	w->times = (uint32_t)at.times;
	w->remaining = (uint32_t)at.remaining;
	charge_again(&w->stalls, &p->slot[i].stalls, n);
	w->since += later;
	w->ready_at += later;
	w->results_at += later;
	w->free_at += later;
	w->fetched_at += later;
	w->operands_at += later;
	for (unsigned e = 0; e < s->storage.entries; e++)
		w->board[e] += result_entry(later, 0);
}

static void skip(struct sched *s, uint64_t moved, uint64_t n)
{
	struct fast_forward *p = s->checkpoint.state;
	uint64_t later = n * (s->now - p->was.now), m;

	for (m = moved; m; m &= m - 1)
		move_slot(s, p, (unsigned)__builtin_ctzll(m), n);
	for (uint32_t k = 0; k < p->words; k++)
		charge_again(&s->storage.by_pc[k], &p->by_pc[k], n);
	for (unsigned u = 0; u < s->storage.nunits; u++) {
		s->free_at[u] += later;
		s->idle_end[u] += later;
		for (unsigned k = 1; k <= s->nidle[u]; k++)
			s->idle[u][k].to += later;
	}
	s->now += later;
	s->issue_slot = s->now / s->rules.gap;
	s->issued_at += later;
	s->sleep.used = 0;
	memset(s->sleep.wheel, 0, sizeof s->sleep.wheel);
	s->sleep.next = s->sleep.beyond_at;
	for (m = moved & ~s->ready; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		struct slot *w = slot_of(s, i);
		if (w->wheel_index != PLACE_BLOCKED)
			put_to_sleep(s, i, w, w->ready_at, w->ready_at / s->rules.gap);
	}
}

/* Skip n periods, and notify the observer of the skipped issues. */
static void skip_observed(struct sched *s, uint64_t moved, uint64_t n, const struct sched_observer *o)
{
	uint64_t period = s->now - s->checkpoint.state->was.now;
	struct trace_place at[SLOTS];

	for (uint64_t m = moved; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		at[i] = place_of(slot_of(s, i));
	}
	skip(s, moved, n);
	o->again(o, s, at, n, period);
}

/* ---- checkpoints ---- */

static bool came_before(struct sched *s, uint64_t now)
{
	bool familiar = false;

	for (unsigned k = 0; k < CHECKPOINTS; k++)
		familiar |= s->checkpoint.signature[k] == now;
	s->checkpoint.signature[s->checkpoint.n % CHECKPOINTS] = now;
	return familiar;
}

/* The last checkpoints were in vain. */
static void miss(struct sched *s)
{
	s->checkpoint.log = NULL;
	s->checkpoint.n = 0;
	s->checkpoint.misses += s->checkpoint.misses < MISSES_MOST;
	if (s->checkpoint.misses > MISSES_FREE)
		s->checkpoint.due_cycle = s->now + (FIRST_PAUSE << (s->checkpoint.misses - MISSES_FREE));
}

#ifdef __wasm__
/* Bytes count in a page. */
static bool may_repeat(const struct sched *s)
{
	(void)s;
	return true;
}
#else
/* May the warp that has issued last come to its next instruction again? A state comes back with the same last pick, so
 * that without a loop ahead of the warp none does. Machines of several SIMDs have a last pick of each. */
static bool may_repeat(const struct sched *s)
{
	const struct trace_segment *at;
	const struct slot *w;

	if (s->simd.mask)
		return true;
	w = slot_of(s, s->picked);
	at = w->segment;
	if (w->times > 1)
		return true;
	for (unsigned n = 0; n < SEGMENTS_AHEAD; n++) {
		at++;
		if (!at->issues)
			return false;
		if (at->times > 1 || at->pc / 4 <= w->next->word)
			return true;
	}
	return true;
}
#endif

void sched_fast_forward(struct sched *s, uint64_t until, const struct sched_observer *o)
{
	struct fast_forward *p = s->checkpoint.state;
	bool familiar, too_many;
	uint64_t moved, n;

	if (o && !o->again)
		return;
	if (!may_repeat(s)) {
		s->checkpoint.due_cycle = s->now + SHORT_PAUSE;
		return;
	}
	familiar = came_before(s, signature(s));
	too_many = s->checkpoint.log && (p->nlogged > LOGGED_ISSUES || p->nissued > PERIOD_ISSUES);
	if (s->checkpoint.log && !too_many && comes_back(s, p, &moved)) {
		n = how_often(s, p, moved, until);
		if (n && o)
			skip_observed(s, moved, n, o);
		else if (n)
			skip(s, moved, n);
		s->checkpoint.log = NULL;
		s->checkpoint.n = s->checkpoint.misses = 0;
	} else if (++s->checkpoint.n > CHECKPOINTS || too_many) {
		miss(s);
	} else if (!s->checkpoint.log && familiar) {
		save(s);
		if (o)
			o->period(o, s);
	}
}
