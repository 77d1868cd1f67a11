/* Precise execution: one instruction of one warp at a time, executed at the issue; without timing, a slice of
 * instructions of each warp in turn. Right for every program, and required by debuggers, locks, $clock and atomics with
 * a used result. The other way, of most timed runs, is in trace_driven.c. */
#include "machine/precise.h"

#include "core/isa/loop.h"
#include "core/isa/native.h"
#include "machine/blocks.h"
#include "machine/clock.h"
#include "machine/epochs.h"
#include "machine/stop.h"
#include "machine/thread_pool.h"

/* Turns between two checks for a proven livelock and interrupts, and without timing about as many instructions. */
enum { CHECK_TURNS = 4096 };

/* One turn of the warp in a slot of mp: with timing one instruction, else at most `budget`. False: the launch is over.
 * Callers pass constants for `timed` and `observed`, so that each loop is compiled for its case. */
static inline __attribute__((always_inline)) bool turn(struct machine *m, struct mp *mp, unsigned slot, uint64_t budget,
						       bool timed, bool observed)
{
	const struct program *code = &m->plan->code;
	struct exec *x = &mp->x;
	struct warp *w = mp->slot[slot];
	struct block *b = w->block;
	uint64_t issued = x->instructions, cycle = mp->sched.now;
	int r;

	if (timed)
		sched_digest(slot_of(&mp->sched, slot), slot_of(&mp->sched, slot)->next, cycle, w->active);
	x->warp = w;
	x->block = b;
	x->special.cycle = cycle;
	if (observed)
		NOTIFY(m, before, mp);
	r = (observed ? code->run_observed : code->run)(x, budget);
	issued = x->instructions - issued;
	if (!timed)
		mp->sched.issued_at = mp->sched.now += CYCLES_AN_ISSUE * issued;
	if (timed && __builtin_expect(r != STEP_FAULT && r != STEP_LOCKED, 1))
		clock_issue(m, mp, slot, r == STEP_DONE ? NULL : clock_op(m, &mp->sched, slot, w->pc));
	if (observed)
		NOTIFY(m, executed, mp, r);
	if (!timed && !observed && r == STEP_BARRIER && !b->woken) {
		mp->ready &= ~(1ull << slot);
		if (mp->ready & mp->turns.block)        /* another warp of the block can go on */
			return true;
	}
	return __builtin_expect(r == STEP_OK && !b->woken, 1) || block_after_turn(m, mp, w, b, r);
}

/* ---- limits ---- */

/* Instructions that a turn may issue before the cycle limit; 0: the limit is reached, which ends the launch. */
static uint64_t within_cycles(struct machine *m, const struct mp *mp, uint64_t budget)
{
	uint64_t now = mp->sched.now, most = m->plan->max.cycles, left;

	if (most == UINT64_MAX)
		return budget;
	left = now < most ? (most - now + CYCLES_AN_ISSUE - 1) / CYCLES_AN_ISSUE : 0;
	if (!left)
		stop_launch(m, STOP_CYCLES);
	return left < budget ? left : budget;
}

/* Likewise before the instruction limit. */
static uint64_t within_instructions(struct machine *m, uint64_t budget)
{
	uint64_t n, left, most = m->plan->max.instructions;

	if (most == UINT64_MAX)
		return budget;
	n = clock_issues(m);
	left = n < most ? most - n : 0;
	if (!left)
		stop_launch(m, STOP_INSTRUCTIONS);
	return left < budget ? left : budget;
}

/* Now and then: an interrupt, or a proven livelock? Either ends the launch. False: the launch is over. */
static bool check(struct machine *m)
{
	bool repeats = !m->interrupt && livelock_proven(&m->run.livelock, m, m->mp, m->plan->nmps);

	return (!m->interrupt && !repeats) || stop_launch(m, repeats ? STOP_REPEATS : STOP_INTERRUPT);
}

bool precise_idles(struct machine *m, uint64_t now)
{
	struct livelock *h = &m->run.livelock;

	if (__builtin_expect(now < h->next, 1))
		return false;
	h->next = now + (h->interval ? h->interval : 1);
	return livelock_idles(h, m, m->mp, m->plan->nmps);
}

/* Likewise, and the launch ends. */
static bool idles(struct machine *m, uint64_t now)
{
	return precise_idles(m, now) && !stop_launch(m, STOP_IDLES);
}

/* ---- with timing ---- */

static inline __attribute__((always_inline)) bool run_mp(struct machine *m, struct mp *mp, uint64_t end,
							 uint64_t *turns, bool observed)
{
	bool goes_on = true;
	int slot;

	for (; goes_on && *turns && (slot = sched_pick(&mp->sched, end)) != SCHED_NONE; --*turns)
		goes_on = turn(m, mp, (unsigned)slot, 1, true, observed);
	return goes_on;
}

static bool run(struct machine *m, struct mp *mp, uint64_t end, uint64_t *turns)
{
	uint64_t before = mp->x.instructions;
	bool goes_on;

	end = end < m->plan->max.cycles ? end : m->plan->max.cycles;
	goes_on = m->observed ? run_mp(m, mp, end, turns, true) : run_mp(m, mp, end, turns, false);
	m->work_done.instructions += mp->x.instructions - before;
	return goes_on;
}

/* Turns of one multiprocessor up to the end of an epoch, to the next check, or to the instruction limit; a single turn
 * with single_step. */
static bool timed_step(struct machine *m)
{
	uint64_t n = CHECK_TURNS - m->run.turns % CHECK_TURNS, left;
	struct mp *mp;
	bool goes_on;

	if (n == 1 && !check(m)) {
		m->run.turns++;
		return false;
	}
	n = n == 1 ? CHECK_TURNS : n - 1;
	n = left = within_instructions(m, m->single_step ? 1 : n);
	mp = epoch_next_mp(m);
	if (!mp)        /* found before, but in a state that was read from a file */
		return stop_launch(m, STOP_DEADLOCK);
	if (idles(m, m->run.epoch_end))
		return false;
	if (m->single_step || !n) {     /* at the limit, the clock still goes on to the next issue */
		int slot = sched_pick(&mp->sched, m->run.epoch_end);
		m->run.turns += n;
		if (m->no_choice)
			return stop_launch(m, STOP_INTERRUPT);
		return n && within_cycles(m, mp, 1) && turn(m, mp, (unsigned)slot, 1, true, true);
	}
	goes_on = epoch_run(m, mp, &left);
	m->run.turns += n - left;
	return goes_on;
}

/* ---- without timing ---- */

/* Begin the turns of the next block: slots behind the last block's. */
static __attribute__((noinline)) bool pick_block(struct mp *mp, unsigned *slot)
{
	const struct warp *w = mp->slot[mp->turns.previous];
	unsigned last = mp->turns.previous;
	uint64_t after;

	if (w && w->block && mp->turns.rounds)  /* no block: the place before the first turn may be empty so far */
		last = w->block->warp[0].slot + w->block->nwarps - 1;
	if (!mp->ready)
		return false;
	after = mp->ready & ~1ull << last;
	*slot = mp->turns.previous = (unsigned)__builtin_ctzll(after ? after : mp->ready);
	w = mp->slot[*slot];
	mp->turns.block = lanes_first(w->block->nwarps) << w->block->warp[0].slot;
	mp->turns.remaining = mp->turns.rounds * w->block->nwarps;
	return true;
}

/* The slot of mp with the next turn; false: no warp can go on. Warps of a block take turns for a number of rounds
 * before the next block does, while their registers are in the host's caches; with short slices all warps take
 * turns. */
static inline bool pick_free(struct mp *mp, unsigned *slot)
{
	uint64_t here = mp->ready & mp->turns.block, after = here & ~1ull << mp->turns.previous;

	if (!here || !mp->turns.remaining)
		return pick_block(mp, slot);
	mp->turns.remaining--;
	*slot = mp->turns.previous = (unsigned)__builtin_ctzll(after ? after : here);
	return true;
}

/* Instructions, about, of a multiprocessor's turns before the next multiprocessor's: warps stay in the host's
 * caches. */
enum { VISIT_INSTRUCTIONS = 1 << 15 };

/* The next turn: round robin over multiprocessors, and over the ready slots of each. NULL: no warp can go on, which has
 * been found before, but in a state that was read from a file. */
static inline struct mp *pick_turn(struct machine *m, unsigned *slot)
{
	unsigned *turn = &m->run.turn, n = m->plan->nmps;
	struct mp *mp = &m->mp[*turn];

	for (unsigned i = 0; !pick_free(mp, slot); i++) {
		if (i == n)
			return NULL;
		*turn = *turn + 1 < n ? *turn + 1 : 0;
		m->run.visit = 0;
		mp = &m->mp[*turn];
	}
	m->run.visit += m->plan->slice;
	if (m->run.visit >= VISIT_INSTRUCTIONS) {
		*turn = *turn + 1 < n ? *turn + 1 : 0;
		m->run.visit = 0;
	}
	return mp;
}

/* A turn ends before the first run of instructions (core/isa/threaded.h) that exceeds the slice: two ready warps are
 * never further apart than a slice. A slice too short for a run is kept to the instruction: x->run.spare, the number of
 * instructions that a run may exceed the slice by, is then RUN_MAX. */
static uint64_t spare_of(const struct machine *m)
{
	return m->plan->slice >= 2 * RUN_MAX ? 0 : RUN_MAX;
}

/* A turn whose warp holds a word of s[] goes on, for as many instructions at most: turns of one length might all end
 * within the lock, and each turn of another warp would find the word taken. */
static bool keeps_turn(const struct machine *m, const struct mp *mp, unsigned slot, uint64_t longer)
{
	const struct warp *w = mp->slot[slot];

	return w && w->block->lock.holders >> w->id & 1 && w->block->nwarps > 1 && mp->ready >> slot & 1 &&
	       longer < m->plan->slice;
}

static __attribute__((noinline)) bool longer_turn(struct machine *m, struct mp *mp, unsigned slot)
{
	bool goes_on = true;

	for (uint64_t longer = 0; goes_on && keeps_turn(m, mp, slot, longer); longer++)
		goes_on = within_instructions(m, within_cycles(m, mp, 1)) && turn(m, mp, slot, 1, false, false);
	return goes_on;
}

/* After a turn of the warp in a slot: more instructions while the warp holds a word. */
static inline bool turn_with_lock(struct machine *m, struct mp *mp, unsigned slot)
{
	const struct warp *w = mp->slot[slot];

	mp->x.run.spare = RUN_MAX;      /* one instruction, even of a longer run */
	return !w || __builtin_expect(!w->block->lock.holders, 1) || longer_turn(m, mp, slot);
}

bool precise_turns(struct machine *m, struct mp *mp)
{
	uint64_t slice = m->plan->slice, before = mp->x.instructions;
	uint64_t most = saver_of(m) ? VISIT_INSTRUCTIONS : CHECK_TURNS;
	uint64_t n = saver_of(m) && mp->x.special.mp == m->run.turn ? m->run.visit : 0;
	bool goes_on = true;
	unsigned slot;

	for (; goes_on && n < most; n += slice) {
		mp->x.run.spare = spare_of(m);
		goes_on = pick_free(mp, &slot) && turn(m, mp, slot, slice, false, false) &&
			  turn_with_lock(m, mp, slot);
	}
	m->work_done.instructions += mp->x.instructions - before;
	native_heat_add(&m->plan->code, mp->x.instructions - before);
	return goes_on;
}

/* A turn of mp is next: have the others had as many instructions since the last visit to mp as mp had in the visit? */
static bool round_begins(const struct machine *m, const struct mp *mp)
{
	return mp->x.special.mp <= m->run.visited && (m->plan->nmps == 1 || m->run.visit <= m->plan->slice);
}

static void count_work(struct machine *m)
{
	uint64_t issues = clock_issues(m);

	native_heat_add(&m->plan->code, issues - m->work_done.instructions);
	m->work_done.instructions = issues;
}

/* The next turn begins. NULL: the launch is over. */
static inline struct mp *begin_slice(struct machine *m, unsigned *slot)
{
	struct mp *mp;

	m->run.unchecked += m->plan->slice;
	if (m->run.unchecked >= CHECK_TURNS * (uint64_t)m->plan->nmps) {
		m->run.unchecked = 0;
		count_work(m);
		if (!check(m))
			return NULL;
	}
	mp = pick_turn(m, slot);
	if (!mp) {
		stop_launch(m, STOP_DEADLOCK);
		return NULL;
	}
	if (round_begins(m, mp) && idles(m, clock_end(m)))
		return NULL;
	m->run.visited = mp->x.special.mp;
	return mp;
}

/* Turns of mp in which begin_slice would find nothing but the next warp: within a visit, without limits and savers,
 * before the next check. */
static uint64_t plain_turns(const struct machine *m, const struct mp *mp)
{
	const struct plan *plan = m->plan;
	uint64_t unchecked = CHECK_TURNS * (uint64_t)plan->nmps - m->run.unchecked;
	uint64_t visit = VISIT_INSTRUCTIONS - m->run.visit;

	if (mp != &m->mp[m->run.turn] || !m->run.visit || saver_of(m) || plan->max.cycles != UINT64_MAX ||
	    plan->max.instructions != UINT64_MAX)
		return 0;
	return ((unchecked < visit ? unchecked : visit) - 1) / plan->slice;
}

/* The plain turns after a turn of mp. False: the launch is over. */
static bool visit_turns(struct machine *m, struct mp *mp)
{
	uint64_t slice = m->plan->slice, spare = spare_of(m), most = plain_turns(m, mp), n = 0;
	/* one multiprocessor looks for progress after each turn */
	uint64_t due = m->plan->nmps == 1 ? m->run.livelock.next : UINT64_MAX;
	bool goes_on = true;
	unsigned slot;

	mp->x.run.spare = spare;
	for (; goes_on && n < most && mp->sched.issued_at < due && pick_free(mp, &slot); n++) {
		const struct locks *locks = &mp->slot[slot]->block->lock;
		goes_on = turn(m, mp, slot, slice, false, false);
		if (__builtin_expect(locks->holders && goes_on, 0)) {
			goes_on = turn_with_lock(m, mp, slot);
			mp->x.run.spare = spare;
		}
	}
	mp->x.run.spare = RUN_MAX;
	m->run.visit += n * slice;
	m->run.unchecked += n * slice;
	return goes_on;
}

/* Turns until the launch is over. */
static bool untimed_turns(struct machine *m)
{
	struct mp *mp;
	unsigned slot;
	uint64_t budget;

	do {
		if (saver_of(m) && saver_of(m)->stops(m))
			break;
		mp = begin_slice(m, &slot);
		budget = mp ? within_instructions(m, within_cycles(m, mp, m->plan->slice)) : 0;
		if (!budget)
			return false;
		mp->x.run.spare = spare_of(m) + m->plan->slice - budget;
	} while (turn(m, mp, slot, budget, false, false) && turn_with_lock(m, mp, slot) && visit_turns(m, mp));
	count_work(m);
	return false;
}

/* Continue the turn within which the last step ended. NULL: the launch is over. */
static struct mp *continue_slice(struct machine *m, unsigned *slot)
{
	struct mp *mp = &m->mp[m->run.slice_mp];

	*slot = mp->turns.previous;
	return !m->interrupt || stop_launch(m, STOP_INTERRUPT) ? mp : NULL;
}

/* One instruction of a turn, which then goes on as without the stop. */
static bool untimed_instruction(struct machine *m)
{
	uint64_t left = m->run.slice_remaining ? m->run.slice_remaining : m->plan->slice;
	unsigned slot;
	struct mp *mp = m->run.slice_remaining ? continue_slice(m, &slot) : begin_slice(m, &slot);
	bool goes_on;

	if (!mp || !within_instructions(m, within_cycles(m, mp, 1)))
		return false;
	mp->x.run.spare = m->run.slice_longer ? RUN_MAX : spare_of(m) + left - 1;
	goes_on = turn(m, mp, slot, 1, false, true);
	m->run.slice_mp = mp->x.special.mp;
	m->run.slice_remaining = mp->x.run.over || m->run.slice_longer ? 0 : left - 1;
	if (!m->run.slice_remaining && goes_on && keeps_turn(m, mp, slot, m->run.slice_longer)) {
		m->run.slice_remaining = 1;
		m->run.slice_longer++;
	} else if (!m->run.slice_remaining) {
		m->run.slice_longer = 0;
	}
	return goes_on;
}

bool precise_step(struct machine *m)
{
	if (m->plan->timed)
		return timed_step(m);
	return m->single_step ? untimed_instruction(m) : untimed_turns(m);
}

/* ---- the way ---- */

static bool place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index)
{
	block_start(m, &r->block, index);
	block_admit(m, mp, r);
	return true;
}

/* Each multiprocessor is a worker. */
static bool begin(struct machine *m, unsigned threads)
{
	(void)threads;
	if (!conflicts_begin(&m->pool->conflicts, m->global, m->plan->nmps))
		return false;
	for (unsigned i = 0; i < m->plan->nmps; i++)
		m->mp[i].x.pages.sets = &m->pool->conflicts.of[i];
	return true;
}

static void end(struct machine *m)
{
	for (unsigned i = 0; i < m->plan->nmps; i++)
		m->mp[i].x.pages.sets = NULL;
}

const struct way precise_way = {
	.place_block = place, .run = run, .begin = begin, .end = end,
};
