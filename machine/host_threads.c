/* Each thread has multiprocessors of its own, and afterwards takes multiprocessors that no thread has begun in the
 * epoch. The last thread to arrive at the thread barrier does the work between two epochs. The barrier is one 64-bit
 * word, changed by compare-and-swap, so that a waiting thread can leave, help others (way.help) and rejoin. */
#include "machine/host_threads.h"

#include "machine/clock.h"
#include "machine/epochs.h"
#include "machine/precise.h"
#include "machine/stop.h"
#include "machine/thread_pool.h"
#include "sched/issue.h"

enum { TURNS_BETWEEN_HASHES = 16, EPOCHS_BETWEEN_CHECKS = 16 };

/* Cycles without progress by which several threads stop a run earlier than one thread: a run without a livelock by the
 * stricter rule has none by the other. */
enum { IDLE_MARGIN = 1 << 16 };

/* Calls of threads_spin before a thread sleeps at a barrier. */
enum { SPINS_MAX = 320 };

struct pool_thread {
	struct thread_pool *pool;
	unsigned number;
	pthread_t thread;
};

/* Has the run ended, or been given up? An interrupt of the launch ends the run. */
static bool ends(struct thread_pool *p)
{
	if (!p->over && p->machine->interrupt)
		p->interrupted = p->over = true;
	return p->over;
}

/* ---- the thread barrier ---- */

/* Fields of thread_barrier.state: threads that have arrived from bit 0, present threads, 1 behind the last epoch,
 * number of the barrier. */
enum { BARRIER_PRESENT = 16, BARRIER_LAST = 32, BARRIER_NUMBER = 33 };

static unsigned arrived(uint64_t state)
{
	return state & UINT16_MAX;
}

static unsigned present(uint64_t state)
{
	return state >> BARRIER_PRESENT & UINT16_MAX;
}

static bool was_last(uint64_t state)
{
	return state >> BARRIER_LAST & 1;
}

/* A thread that has arrived becomes absent: the barrier no longer waits for the thread. False: all have arrived. */
static bool barrier_leave(struct thread_barrier *b, uint64_t number)
{
	uint64_t s = b->state;

	while (s >> BARRIER_NUMBER == number && arrived(s) < present(s))
		if (atomic_compare_exchange_strong(&b->state, &s, s - (1ull << BARRIER_PRESENT) - 1))
			return true;
	return false;
}

/* The thread is present again: within an epoch, or at the end, it takes part; between epochs it has arrived. */
static bool barrier_rejoin(struct thread_barrier *b, uint64_t *number)
{
	uint64_t s = b->state;
	bool waits;

	do
		waits = arrived(s) == present(s);
	while (!was_last(s) &&
	       !atomic_compare_exchange_strong(&b->state, &s, s + (1ull << BARRIER_PRESENT) + waits));
	*number = s >> BARRIER_NUMBER;
	return !waits;
}

/* A waiting thread works for others while the others go on. True: the barrier has been passed. */
static bool help(struct thread_pool *p, struct thread_barrier *b, uint64_t *number, unsigned thread)
{
	const struct way *way = p->machine->way;
	bool passed = false;

	if (!way->help || p->over || !way->can_help(p->machine))
		return false;
	p->absent[thread] = true;
	if (barrier_leave(b, *number)) {
		while (!p->over && way->help(p->machine))
			;
		passed = barrier_rejoin(b, number);
	}
	p->absent[thread] = false;
	return passed;
}

/* Wait until all threads are here. The last thread to arrive gets true, and lets the others go with barrier_pass. */
static bool barrier_wait(struct thread_pool *p, struct thread_barrier *b, unsigned thread)
{
	uint64_t s = atomic_fetch_add(&b->state, 1) + 1, number = s >> BARRIER_NUMBER;
	unsigned spins = 0;

	if (arrived(s) == present(s))
		return true;
	for (; spins < SPINS_MAX; threads_spin(&spins))
		if (b->state >> BARRIER_NUMBER != number || (b == &p->epochs && help(p, b, &number, thread)))
			return false;
	/* Another thread has no processor now, and this thread has nothing to help with. */
	pthread_mutex_lock(&p->lock);
	while (b->state >> BARRIER_NUMBER == number)
		pthread_cond_wait(&b->passed, &p->lock);
	pthread_mutex_unlock(&p->lock);
	return false;
}

static void barrier_pass(struct thread_pool *p, struct thread_barrier *b, bool last)
{
	uint64_t s = b->state, to;

	pthread_mutex_lock(&p->lock);
	do
		to = ((s >> BARRIER_NUMBER) + 1) << BARRIER_NUMBER | (uint64_t)last << BARRIER_LAST |
		     (uint64_t)present(s) << BARRIER_PRESENT;
	while (!atomic_compare_exchange_strong(&b->state, &s, to));
	pthread_cond_broadcast(&b->passed);
	pthread_mutex_unlock(&p->lock);
}

static void barrier_init(struct thread_barrier *b, unsigned threads)
{
	b->state = (uint64_t)threads << BARRIER_PRESENT;
	pthread_cond_init(&b->passed, NULL);
}

/* ---- without timing ---- */

/* Run one multiprocessor from its first block to its last. */
static bool run_untimed(struct thread_pool *p, struct mp *mp)
{
	struct machine *m = p->machine;
	struct livelock livelock;

	livelock_begin(&livelock, p->livelock.idle_limit);
	for (uint64_t turns = 1; !ends(p); turns++) {
		if (!precise_turns(m, mp))
			return true;
		if (livelock_idles(&livelock, m, mp, 1) ||
		    (turns % TURNS_BETWEEN_HASHES == 0 && livelock_proven(&livelock, m, mp, 1)))
			return give_up(m, "it may hang");
	}
	return false;
}

static void run_all_untimed(struct thread_pool *p)
{
	unsigned i;

	while ((i = p->next_mp++) < p->machine->plan->nmps && run_untimed(p, &p->machine->mp[i]))
		;
}

/* ---- runs that may be saved ---- */

/* While all threads wait: does the run stop here? */
static bool pauses(struct thread_pool *p)
{
	p->paused = saver_of(p->machine)->stops(p->machine);
	if (p->paused)
		p->over = true;
	return p->paused;
}

/* Work of the last thread to arrive, without timing: all multiprocessors have had as many visits as by one thread, and
 * the first is next. False: the run is over. */
static bool between_visits(struct thread_pool *p)
{
	struct machine *m = p->machine;

	p->next_mp = m->run.turn;       /* not 0 where a saved run goes on */
	p->epoch++;
	if (p->epoch > 1) {
		p->next_mp = m->run.turn = 0;
		m->run.visit = 0;
		m->run.visited = m->plan->nmps - 1;
	}
	if (m->run.finished_blocks == m->plan->dim.blocks)
		p->over = true;
	if (ends(p) || pauses(p))
		return false;
	if (precise_idles(m, clock_end(m)) ||
	    (p->epoch % TURNS_BETWEEN_HASHES == 0 && livelock_proven(&p->livelock, m, m->mp, m->plan->nmps)))
		return give_up(m, "it may hang");
	return true;
}

/* Without timing, in step: multiprocessors take their visits together, so that the run can stop where one thread
 * could. */
static void run_in_step(struct thread_pool *p, unsigned number)
{
	const struct machine *m = p->machine;
	unsigned i;

	for (;;) {
		if (barrier_wait(p, &p->epochs, number))
			barrier_pass(p, &p->epochs, !between_visits(p));
		if (was_last(p->epochs.state))
			return;
		while (!p->over && (i = p->next_mp++) < m->plan->nmps)
			precise_turns(p->machine, &m->mp[i]);
	}
}

/* A machine that stands still is that of one thread: answers are delivered, caches have no order of threads. */
static void settle_paused(struct machine *m)
{
	for (unsigned i = 0; i < m->plan->nmps && m->plan->timed; i++) {
		struct mp *mp = &m->mp[i];
		mp->thread = 0;
		if (!mp->nanswers)
			continue;
		epoch_enter(mp);
		m->next_cycle[i] = sched_time(&mp->sched, 0);
	}
	if (m->plan->timed)
		clock_unsettle_caches(m);
	m->run.unwatched = true;
}

/* ---- with timing ---- */

/* The first thread to call take_mp runs multiprocessor i in the present epoch. */
static bool take_mp(struct thread_pool *p, unsigned i)
{
	uint64_t last = p->epoch - 1;

	return p->turn[i].begun == last && atomic_compare_exchange_strong(&p->turn[i].begun, &last, p->epoch);
}

static void run_taken(struct thread_pool *p, unsigned i, unsigned number)
{
	struct machine *m = p->machine;
	uint64_t turns = UINT64_MAX;

	if (m->next_cycle[i] < m->run.epoch_end) {
		p->turn[i].before = 0;
		m->mp[i].thread = number;
		epoch_enter(&m->mp[i]);
		epoch_run(m, &m->mp[i], &turns);
		epoch_leave(m, &m->mp[i]);
	}
	p->turn[i].ended = p->epoch;
}

/* Does multiprocessor i belong to a thread, or to an absent thread? */
static bool has_mp(const struct thread_pool *p, unsigned i, unsigned number)
{
	unsigned owner = i % p->threads;

	return owner == number || p->absent[owner];
}

/* Each thread first runs multiprocessors of its own, whose state stays in the processor's caches, then helps the other
 * threads, from the end. The first multiprocessor that has not ended the epoch is not taken yet or is running, and
 * never waits: its thread runs multiprocessors in rising order, and is done with all before. Multiprocessors of absent
 * threads are run early, as others might wait for them (threads_wait_turn). */
static void run_epoch(struct thread_pool *p, unsigned number)
{
	unsigned n = p->machine->plan->nmps;

	for (unsigned i = 0; i < n && !p->over; i++)
		if (has_mp(p, i, number) && take_mp(p, i))
			run_taken(p, i, number);
	for (unsigned i = n; i-- > 0 && !p->over;)
		if (take_mp(p, i))
			run_taken(p, i, number);
}

/* Work of the last thread to arrive, between two epochs. Multiprocessors without requests are not touched: the next
 * thread to run a multiprocessor delivers the answers. False: the run is over. */
static bool between_epochs(struct thread_pool *p)
{
	struct machine *m = p->machine;

	p->epoch++;
	if (m->run.finished_blocks == m->plan->dim.blocks)
		p->over = true;
	if (ends(p))
		return false;
	if (!m->way->ends && p->epoch % EPOCHS_BETWEEN_CHECKS == 0 &&
	    (livelock_idles(&p->livelock, m, m->mp, m->plan->nmps) ||
	     livelock_proven(&p->livelock, m, m->mp, m->plan->nmps)))
		return give_up(m, "it may hang");
	if (!p->within && !epoch_begin(m, m->run.epoch_end))
		return give_up(m, "it hangs");
	p->within = false;
	if (saver_of(m) && pauses(p))
		return false;
	if (saver_of(m) && precise_idles(m, m->run.epoch_end))
		return give_up(m, "it may hang");
	if (p->threads > 1)
		clock_settle_caches(m);
	return true;
}

static void run_all_epochs(struct thread_pool *p, unsigned number)
{
	if (p->threads == 1) {
		while (between_epochs(p))
			run_epoch(p, number);
		return;
	}
	for (;;) {
		if (barrier_wait(p, &p->epochs, number))
			barrier_pass(p, &p->epochs, !between_epochs(p));
		if (was_last(p->epochs.state))
			return;
		run_epoch(p, number);
	}
}

/* ---- the thread pool ---- */

static void search_conflicts(struct thread_pool *p)
{
	uint32_t page;

	while (!p->why && !p->interrupted && (page = p->next_page++) < p->conflicts.npages)
		if (conflicts_in_page(&p->conflicts, page))
			give_up(p->machine,
				"blocks touch the same words of global memory, and it matters which is first");
}

static void *work(void *context)
{
	const struct pool_thread *t = context;
	struct thread_pool *p = t->pool;
	const struct plan *plan = p->machine->plan;
	unsigned spins = 0, host;

	while (!p->started)
		threads_spin(&spins);
	host = program_enter(&plan->code);
	if (plan->timed)
		run_all_epochs(p, t->number);
	else if (saver_of(p->machine))
		run_in_step(p, t->number);
	else
		run_all_untimed(p);
	program_leave(&plan->code, host);
	if (p->threads > 1 && barrier_wait(p, &p->end, t->number))
		barrier_pass(p, &p->end, true);
	search_conflicts(p);
	return NULL;
}

/* Start threads beside the calling thread, as many as the host has. */
static void start(struct thread_pool *p, struct pool_thread *t, unsigned wanted)
{
	unsigned n = 1;

	for (; n < wanted; n++) {
		t[n] = (struct pool_thread){ .pool = p, .number = n };
		if (pthread_create(&t[n].thread, NULL, work, &t[n]))
			break;
	}
	p->threads = n;
	barrier_init(&p->epochs, n);
	barrier_init(&p->end, n);
	p->started = true;
}

static uint64_t idle_limit(const struct machine *m)
{
	uint64_t cycles = m->plan->max.livelock;

	return cycles == UINT64_MAX ? cycles : cycles > IDLE_MARGIN ? cycles - IDLE_MARGIN : 0;
}

/* False: the host has no memory. */
static bool run_together(struct thread_pool *p, unsigned wanted)
{
	struct machine *m = p->machine;
	struct pool_thread *t = ARENA_ARRAY(&p->arena, struct pool_thread, wanted);

	p->turn = ARENA_ARRAY(&p->arena, struct epoch_turn, m->plan->nmps);
	p->absent = ARENA_ARRAY(&p->arena, _Atomic bool, wanted);
	if (!t || !p->turn || !p->absent || !m->way->begin(m, wanted))
		return false;
	livelock_begin(&p->livelock, idle_limit(m));
	p->livelock.progress = m->run.livelock.progress;        /* of a saved run that goes on */
	p->livelock.since = m->run.livelock.since;
	p->within = m->run.epoch_end != 0;
	pthread_mutex_init(&p->lock, NULL);
	t[0].pool = p;
	start(p, t, wanted);
	work(&t[0]);
	for (unsigned i = 1; i < p->threads; i++)
		pthread_join(t[i].thread, NULL);
	pthread_cond_destroy(&p->epochs.passed);
	pthread_cond_destroy(&p->end.passed);
	pthread_mutex_destroy(&p->lock);
	return true;
}

/* Traces do not say when a store happened: a run longer than --livelock may have had no store for as long. The margin
 * covers cycles without a store that several threads may not have seen. */
static const char *may_have_idled(const struct machine *m)
{
	uint64_t limit = m->plan->max.livelock;

	return (m->way->ends || limit <= IDLE_MARGIN) && clock_end(m) >= limit ?
	       "it ran for longer than --livelock" : NULL;
}

bool threads_run(struct machine *m, unsigned wanted, const char **why)
{
	struct thread_pool p = { .machine = m };
	bool begun;

	m->pool = &p;
	begun = run_together(&p, wanted);
	m->pool = NULL;
	*why = !begun ? "the host has no memory for more" : p.interrupted ? NULL : p.why ? p.why : may_have_idled(m);
	if (!*why)
		m->threads = p.threads;
	else if (begun)
		conflicts_undo(&p.conflicts);
	if (!*why && p.paused)
		settle_paused(m);
	m->way->end(m);
	conflicts_end(&p.conflicts);
	arena_free(&p.arena);
	if (p.interrupted)
		stop_launch(m, STOP_INTERRUPT);
	return !*why;
}
