/* Each thread has multiprocessors of its own, and afterwards takes multiprocessors that no thread has begun in the
 * epoch. The last thread to arrive at the thread barrier does the work between two epochs. */
#include "machine/host_threads.h"

#include "core/base/host_threads.h"
#include "machine/clock.h"
#include "machine/epochs.h"
#include "machine/precise.h"
#include "machine/thread_pool.h"

enum { TURNS_BETWEEN_HASHES = 16, EPOCHS_BETWEEN_CHECKS = 16 };

/* Cycles without progress by which several threads stop a run earlier than one thread: a run without a livelock by the
 * stricter rule has none by the other. */
enum { IDLE_MARGIN = 1 << 16 };

struct pool_thread {
	struct thread_pool *pool;
	unsigned number;
	pthread_t thread;
};

/* ---- without timing ---- */

static uint64_t idle_limit(const struct machine *m)
{
	uint64_t cycles = m->plan->max.livelock;

	return cycles == UINT64_MAX ? cycles : cycles > IDLE_MARGIN ? cycles - IDLE_MARGIN : 0;
}

/* Run one multiprocessor from its first block to its last. */
static bool run_untimed(struct thread_pool *p, struct mp *mp)
{
	struct machine *m = p->machine;
	struct livelock livelock;

	livelock_begin(&livelock, p->livelock.idle_limit);
	for (uint64_t turns = 1; !pool_ends(p); turns++) {
		if (!precise_turns(m, mp))
			return true;
		if (livelock_idles(&livelock, m, mp, 1) ||
		    (turns % TURNS_BETWEEN_HASHES == 0 && livelock_proven(&livelock, m, mp, 1)))
			return threads_give_up(m, "it may hang");
	}
	return false;
}

static void run_all_untimed(struct thread_pool *p)
{
	unsigned i;

	while ((i = __atomic_fetch_add(&p->next_mp, 1, __ATOMIC_RELAXED)) < p->machine->plan->nmps &&
	       run_untimed(p, &p->machine->mp[i]))
		;
}

/* ---- with timing ---- */

/* The first thread to call take_mp runs multiprocessor i in the present epoch. */
static bool take_mp(struct thread_pool *p, unsigned i)
{
	uint64_t last = p->epoch - 1, *begun = &p->turn[i].begun;

	return __atomic_load_n(begun, __ATOMIC_RELAXED) == last &&
	       __atomic_compare_exchange_n(begun, &last, p->epoch, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void run_taken(struct thread_pool *p, unsigned i, unsigned number)
{
	struct machine *m = p->machine;
	uint64_t turns = UINT64_MAX;

	if (m->next_cycle[i] < m->run.epoch_end) {
		p->turn[i].before = 0;
		epoch_enter(&m->mp[i]);
		if (m->way->enter)
			m->way->enter(m, &m->mp[i], number);
		way_run(m, &m->mp[i], m->run.epoch_end, &turns);
		epoch_leave(m, &m->mp[i]);
	}
	__atomic_store_n(&p->turn[i].ended, p->epoch, __ATOMIC_RELEASE);
}

/* Does multiprocessor i belong to a thread, or to an absent thread? */
static bool has_mp(const struct thread_pool *p, unsigned i, unsigned number)
{
	unsigned owner = i % p->threads;

	return owner == number || __atomic_load_n(&p->absent[owner], __ATOMIC_RELAXED);
}

/* Each thread first runs multiprocessors of its own, whose state stays in the processor's caches, then helps the other
 * threads, from the end. The first multiprocessor that has not ended the epoch is not taken yet or is running, and
 * never waits: its thread runs multiprocessors in rising order, and is done with all before. Multiprocessors of absent
 * threads are run early, as others might wait for them (threads_wait_turn). */
static void run_epoch(struct thread_pool *p, unsigned number)
{
	unsigned n = p->machine->plan->nmps;

	for (unsigned i = 0; i < n && !pool_over(p); i++)
		if (has_mp(p, i, number) && take_mp(p, i))
			run_taken(p, i, number);
	for (unsigned i = n; i-- > 0 && !pool_over(p);)
		if (take_mp(p, i))
			run_taken(p, i, number);
}

/* Does the run go on behind the ended epoch? */
static bool goes_on(struct thread_pool *p)
{
	struct machine *m = p->machine;

	p->epoch++;
	if (pool_ends(p))
		return false;
	if (!m->way->ends && p->epoch % EPOCHS_BETWEEN_CHECKS == 0 &&
	    (livelock_idles(&p->livelock, m, m->mp, m->plan->nmps) ||
	     livelock_proven(&p->livelock, m, m->mp, m->plan->nmps)))
		return threads_give_up(m, "it may hang");
	return m->run.finished_blocks < m->plan->dim.blocks || pool_finish(p);
}

/* Work of the last thread to arrive, between two epochs. Multiprocessors without requests are not touched: the next
 * thread to run a multiprocessor delivers the answers. */
static enum phase between_epochs(struct thread_pool *p)
{
	struct machine *m = p->machine;

	if (!goes_on(p))
		return PHASE_END;
	if (!epoch_begin(m, m->run.epoch_end)) {
		threads_give_up(m, "it hangs");
		return PHASE_END;
	}
	if (p->threads > 1)
		clock_settle_caches(m);
	return PHASE_EPOCH;
}

/* False: the run is over. */
static bool next_epoch(struct thread_pool *p, unsigned number)
{
	if (barrier_wait(p, &p->epochs, number))
		barrier_pass(p, &p->epochs, between_epochs(p));
	return barrier_phase(&p->epochs) == PHASE_EPOCH;
}

static void run_all_epochs(struct thread_pool *p, unsigned number)
{
	struct machine *m = p->machine;
	unsigned i;

	while (m->way->start && !pool_over(p) &&
	       (i = __atomic_fetch_add(&p->next_mp, 1, __ATOMIC_RELAXED)) < m->plan->nmps)
		m->way->start(m, &m->mp[i]);
	while (next_epoch(p, number))
		run_epoch(p, number);
}

/* ---- the thread pool ---- */

static void search_conflicts(struct thread_pool *p)
{
	uint32_t page;

	while (!__atomic_load_n(&p->why, __ATOMIC_RELAXED) &&
	       !__atomic_load_n(&p->interrupted, __ATOMIC_RELAXED) &&
	       (page = __atomic_fetch_add(&p->next_page, 1, __ATOMIC_RELAXED)) < p->conflicts.npages)
		if (conflicts_in_page(&p->conflicts, page))
			threads_give_up(p->machine,
					"blocks touch the same words of global memory, and it matters which is first");
}

static void *work(void *context)
{
	const struct pool_thread *t = context;
	struct thread_pool *p = t->pool;
	const struct plan *plan = p->machine->plan;
	unsigned spins = 0, host;

	while (!__atomic_load_n(&p->started, __ATOMIC_ACQUIRE))
		pool_spin(&spins);
	host = program_enter(&plan->code);
	if (plan->timed)
		run_all_epochs(p, t->number);
	else
		run_all_untimed(p);
	program_leave(&plan->code, host);
	if (barrier_wait(p, &p->end, t->number))
		barrier_pass(p, &p->end, PHASE_END);
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
	__atomic_store_n(&p->started, true, __ATOMIC_RELEASE);
}

/* False: the host has no memory. */
static bool run_together(struct thread_pool *p, unsigned wanted)
{
	struct machine *m = p->machine;
	struct pool_thread *t = ARENA_ARRAY(&p->arena, struct pool_thread, wanted);
	unsigned workers = m->way->workers(m, wanted > 1);

	p->turn = ARENA_ARRAY(&p->arena, struct epoch_turn, m->plan->nmps);
	p->absent = ARENA_ARRAY(&p->arena, bool, wanted);
	if (!t || !p->turn || !p->absent || !conflicts_begin(&p->conflicts, &m->global, workers))
		return false;
	m->pool = p;
	if (!m->way->begin(m, wanted)) {
		m->pool = NULL;
		return false;
	}
	livelock_begin(&p->livelock, idle_limit(m));
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->epochs.passed, NULL);
	pthread_cond_init(&p->end.passed, NULL);
	t[0].pool = p;
	start(p, t, wanted);
	work(&t[0]);
	for (unsigned i = 1; i < p->threads; i++)
		pthread_join(t[i].thread, NULL);
	m->pool = NULL;
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

enum threads_outcome threads_run(struct machine *m, unsigned wanted, const char **why)
{
	struct thread_pool p = { .machine = m };
	enum threads_outcome outcome = THREADS_GAVE_UP;

	if (!run_together(&p, wanted))
		*why = "the host has no memory for more";
	else if (p.interrupted)
		outcome = THREADS_INTERRUPTED;
	else if (!(*why = p.why ? p.why : may_have_idled(m)))
		outcome = THREADS_RAN;
	else
		conflicts_undo(&p.conflicts);
	if (outcome == THREADS_GAVE_UP && m->way->again && m->way->again(m))
		outcome = THREADS_AGAIN;
	m->way->end(m);
	conflicts_end(&p.conflicts);
	arena_free(&p.arena);
	m->threads = outcome == THREADS_RAN || outcome == THREADS_INTERRUPTED ? p.threads : m->threads;
	return outcome;
}
