/* Each thread has its own multiprocessors, and when it is done with them takes any that no thread has begun in this
 * epoch. The last thread to arrive at the thread barrier does what belongs between two epochs. The barrier is one
 * 64-bit word, changed by compare-and-swap, so that a thread that waits can leave it, pre-execute blocks and rejoin.
 * machine_run() makes up to three attempts: trace-driven, precisely on several threads, precisely on one; an attempt
 * that is given up puts memory back as it was before the next begins. */
#include "machine/host_threads.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "machine/clock.h"
#include "machine/execute.h"
#include "machine/machine.h"
#include "machine/pre_execute.h"
#include "machine/requests.h"
#include "machine/trace_driven.h"
#include "mem/conflicts.h"

enum { THREADS_MAX = 1024, SPINS = 256, YIELDS = 64, TURNS_BETWEEN_HASHES = 16, EPOCHS_BETWEEN_CHECKS = 16 };

/* Several threads stop a run this many cycles without progress earlier than one thread: where they find no livelock,
 * one would find none. */
enum { IDLE_MARGIN = 1 << 16 };

/* What the threads do after a barrier. */
enum phase { PHASE_EPOCH, PHASE_END };

/* A thread barrier from which a thread may be absent for a while: how many have arrived, how many are present, the
 * present phase and the number of the barrier, in one word, so that a thread can leave and rejoin at any time. */
enum { BARRIER_PRESENT = 16, BARRIER_PHASE = 32, BARRIER_NUMBER = 34 };

struct thread_barrier {
	uint64_t state;
	pthread_cond_t passed;          /* with thread_pool.lock */
};

/* A multiprocessor's place in the present epoch. */
struct epoch_turn {
	uint64_t begun, ended;          /* the last epoch that it has begun, and ended */
	unsigned before;                /* how many of those before it are known to have ended this one */
} __attribute__((aligned(128)));        /* neighbours belong to different host threads */

struct thread_pool {
	struct machine *machine;
	unsigned threads;
	bool started;                   /* all of them are there */
	unsigned next_mp;               /* the first that no thread has begun with */
	uint32_t next_page;             /* the first that no thread has searched for conflicts */
	bool over;                      /* no thread is to go on */
	bool interrupted;
	const char *why;                /* the run was given up; NULL: it was not */
	struct thread_barrier epochs, end;
	uint64_t epoch;                 /* number of the present one */
	bool requested;                 /* global memory, in it */
	struct epoch_turn *turn;        /* by multiprocessor */
	bool *absent;                   /* by thread: from the epoch barrier (help) */
	struct fast_forward **fast_forward;       /* by thread, for fast-forward; NULL: without traces */
	struct livelock livelock;
	pthread_mutex_t lock;
	struct conflicts conflicts;
	struct arena arena;
};

struct pool_thread {
	struct thread_pool *pool;
	unsigned number;
	pthread_t thread;
};

/* ---- the end of a run ---- */

static bool over(const struct thread_pool *p)
{
	return __atomic_load_n(&p->over, __ATOMIC_RELAXED);
}

static void finish(struct thread_pool *p)
{
	__atomic_store_n(&p->over, true, __ATOMIC_RELAXED);
}

static bool interrupted(struct thread_pool *p)
{
	if (!p->machine->interrupt)
		return false;
	__atomic_store_n(&p->interrupted, true, __ATOMIC_RELAXED);
	finish(p);
	return true;
}

bool threads_give_up(struct machine *m, const char *why)
{
	struct thread_pool *p = m->pool;
	const char *none = NULL;

	__atomic_compare_exchange_n(&p->why, &none, why, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	finish(p);
	return false;
}

struct worker_sets *threads_sets(struct machine *m, unsigned worker)
{
	return &m->pool->conflicts.of[worker];
}

void threads_lock(struct machine *m)
{
	if (m->pool)
		pthread_mutex_lock(&m->pool->lock);
}

void threads_unlock(struct machine *m)
{
	if (m->pool)
		pthread_mutex_unlock(&m->pool->lock);
}

/* ---- waiting ---- */

/* The others are mostly done very soon; if not, one of them may be waiting for this processor. */
static void pause_for(unsigned *spins)
{
	if (++*spins > SPINS)
		sched_yield();
#if defined(__x86_64__)
	else
		__builtin_ia32_pause();
#endif
}

bool threads_pause(const struct machine *m, unsigned *spins)
{
	pause_for(spins);
	return !over(m->pool);
}

bool threads_wait_turn(struct machine *m, const struct mp *mp)
{
	struct thread_pool *p = m->pool;
	unsigned *before = &p->turn[mp->x.special.mp].before, spins = 0;

	for (; *before < mp->x.special.mp && !over(p); ++*before)
		while (__atomic_load_n(&p->turn[*before].ended, __ATOMIC_ACQUIRE) != p->epoch && !over(p))
			pause_for(&spins);
	return !over(p);
}

static unsigned arrived(uint64_t state)
{
	return state & UINT16_MAX;
}

static unsigned present(uint64_t state)
{
	return state >> BARRIER_PRESENT & UINT16_MAX;
}

static enum phase phase_of(const struct thread_barrier *b)
{
	return (enum phase)(__atomic_load_n(&b->state, __ATOMIC_ACQUIRE) >> BARRIER_PHASE & 3);
}

static bool has_passed(const struct thread_barrier *b, uint64_t number)
{
	return __atomic_load_n(&b->state, __ATOMIC_ACQUIRE) >> BARRIER_NUMBER != number;
}

static bool change(struct thread_barrier *b, uint64_t *from, uint64_t to)
{
	return __atomic_compare_exchange_n(&b->state, from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* A thread that has arrived becomes absent: the others no longer wait for it. False: all have arrived. */
static bool barrier_leave(struct thread_barrier *b, uint64_t number)
{
	uint64_t s = __atomic_load_n(&b->state, __ATOMIC_ACQUIRE);

	while (s >> BARRIER_NUMBER == number && arrived(s) < present(s))
		if (change(b, &s, s - (1ull << BARRIER_PRESENT) - 1))
			return true;
	return false;
}

/* It is present again: in the middle of an epoch, or at the end, it takes part; between epochs it has arrived. */
static bool barrier_rejoin(struct thread_barrier *b, uint64_t *number)
{
	uint64_t s = __atomic_load_n(&b->state, __ATOMIC_ACQUIRE);
	bool waits;

	do
		waits = arrived(s) == present(s);
	while ((s >> BARRIER_PHASE & 3) != PHASE_END && !change(b, &s, s + (1ull << BARRIER_PRESENT) + waits));
	*number = s >> BARRIER_NUMBER;
	return !waits;
}

static void set_absent(struct thread_pool *p, unsigned thread, bool absent)
{
	__atomic_store_n(&p->absent[thread], absent, __ATOMIC_RELAXED);         /* the barrier orders it */
}

/* A waiting thread pre-executes blocks while the others go on. True: the barrier has been passed. */
static bool help(struct thread_pool *p, struct thread_barrier *b, uint64_t *number, unsigned thread)
{
	bool passed = false;

	if (!p->machine->traces.on || over(p) || !pre_execute_possible(p->machine))
		return false;
	set_absent(p, thread, true);
	if (barrier_leave(b, *number)) {
		while (!over(p) && pre_execute(p->machine))
			;
		passed = barrier_rejoin(b, number);
	}
	set_absent(p, thread, false);
	return passed;
}

/* Wait until all are here. The last to arrive gets true, and lets the others go with barrier_pass(). */
static bool barrier_wait(struct thread_pool *p, struct thread_barrier *b, unsigned thread)
{
	uint64_t s = __atomic_add_fetch(&b->state, 1, __ATOMIC_ACQ_REL), number = s >> BARRIER_NUMBER;
	unsigned spins = 0;

	if (arrived(s) == present(s))
		return true;
	for (; spins < SPINS + YIELDS && !has_passed(b, number); pause_for(&spins))
		if (b == &p->epochs && help(p, b, &number, thread))
			return false;
	if (spins < SPINS + YIELDS)
		return false;
	/* Some thread has no processor now, and this one has nothing to help with. */
	pthread_mutex_lock(&p->lock);
	while (!has_passed(b, number))
		pthread_cond_wait(&b->passed, &p->lock);
	pthread_mutex_unlock(&p->lock);
	return false;
}

static void barrier_pass(struct thread_pool *p, struct thread_barrier *b, enum phase next)
{
	uint64_t s = __atomic_load_n(&b->state, __ATOMIC_RELAXED), to;

	pthread_mutex_lock(&p->lock);
	do
		to = ((s >> BARRIER_NUMBER) + 1) << BARRIER_NUMBER | (uint64_t)next << BARRIER_PHASE |
		     (uint64_t)present(s) << BARRIER_PRESENT;
	while (!change(b, &s, to));
	pthread_cond_broadcast(&b->passed);
	pthread_mutex_unlock(&p->lock);
}

/* ---- without timing ---- */

static uint64_t idle_limit(const struct machine *m)
{
	uint64_t cycles = m->plan->max.livelock;

	return cycles == UINT64_MAX ? cycles : cycles > IDLE_MARGIN ? cycles - IDLE_MARGIN : 0;
}

/* One multiprocessor, from its first block to its last. */
static bool run_untimed(struct thread_pool *p, struct mp *mp)
{
	struct machine *m = p->machine;
	struct livelock livelock;

	livelock_begin(&livelock, idle_limit(m));
	for (uint64_t turns = 1; !over(p); turns++) {
		if (interrupted(p))
			return false;
		if (!machine_free_turns(m, mp))
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

/* The first thread to call this runs multiprocessor i in this epoch. */
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

	if (m->next_at[i] < m->run.epoch_end) {
		p->turn[i].before = 0;
		requests_deliver(&m->mp[i]);
		m->mp[i].sched.checkpoint.state = p->fast_forward ? p->fast_forward[number] : NULL;
		machine_run_mp(m, &m->mp[i], m->run.epoch_end, &turns);
		clock_pause(m, &m->mp[i]);
		if (m->mp[i].nrequests)
			__atomic_store_n(&p->requested, true, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&p->turn[i].ended, p->epoch, __ATOMIC_RELEASE);
}

/* Does a thread run multiprocessor i, of its own or of one that is absent? */
static bool has_mp(const struct thread_pool *p, unsigned i, unsigned number)
{
	unsigned owner = i % p->threads;

	return owner == number || __atomic_load_n(&p->absent[owner], __ATOMIC_RELAXED);
}

/* Each thread has multiprocessors of its own, which stay in its processor's caches; one that is done with them helps
 * the others, from the end. The first multiprocessor that has not ended the epoch is not taken yet or is running, and
 * never waits: its thread runs its own in rising order, and is done with all before it. Those of absent threads are
 * not left for the end: others might wait for them (threads_wait_turn) until their thread is back. */
static void run_epoch(struct thread_pool *p, unsigned number)
{
	unsigned n = p->machine->plan->nmps;

	for (unsigned i = 0; i < n && !over(p); i++)
		if (has_mp(p, i, number) && take_mp(p, i))
			run_taken(p, i, number);
	for (unsigned i = n; i-- > 0 && !over(p);)
		if (take_mp(p, i))
			run_taken(p, i, number);
}

/* Does the run go on behind the epoch that is over? */
static bool goes_on(struct thread_pool *p)
{
	struct machine *m = p->machine;

	p->epoch++;
	if (over(p) || interrupted(p))
		return false;
	if (!m->traces.on && p->epoch % EPOCHS_BETWEEN_CHECKS == 0 &&
	    (livelock_idles(&p->livelock, m, m->mp, m->plan->nmps) ||
	     livelock_proven(&p->livelock, m, m->mp, m->plan->nmps)))
		threads_give_up(m, "it may hang");
	else if (m->run.finished_blocks == m->plan->dim.blocks)
		finish(p);
	return !over(p);
}

static bool start_epoch(struct thread_pool *p)
{
	struct machine *m = p->machine;

	for (unsigned i = 0; i < m->plan->nmps && !m->run.epoch_end; i++)
		clock_pause(m, &m->mp[i]);      /* it has not run yet */
	if (!clock_start_epoch(m))
		return threads_give_up(m, "it hangs");
	if (p->threads > 1)
		clock_settle_caches(m);
	return true;
}

/* What the last thread to arrive does between two epochs, without touching multiprocessors that have requested nothing:
 * the thread that runs them next delivers their answers. */
static enum phase between_epochs(struct thread_pool *p)
{
	if (!goes_on(p))
		return PHASE_END;
	if (p->requested)
		requests_send(p->machine);
	p->requested = false;
	return start_epoch(p) ? PHASE_EPOCH : PHASE_END;
}

/* False: there is no more. */
static bool next_epoch(struct thread_pool *p, unsigned number)
{
	if (barrier_wait(p, &p->epochs, number))
		barrier_pass(p, &p->epochs, between_epochs(p));
	return phase_of(&p->epochs) == PHASE_EPOCH;
}

static void run_all_epochs(struct thread_pool *p, unsigned number)
{
	struct machine *m = p->machine;
	unsigned i;

	while (m->traces.on && !over(p) && (i = __atomic_fetch_add(&p->next_mp, 1, __ATOMIC_RELAXED)) < m->plan->nmps)
		traces_of_mp(m, &m->mp[i]);
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
		pause_for(&spins);
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

/* Start threads beside the calling one, as many as the host has. */
static void start(struct thread_pool *p, struct pool_thread *t, unsigned wanted)
{
	unsigned n = 1;

	for (; n < wanted; n++) {
		t[n] = (struct pool_thread){ .pool = p, .number = n };
		if (pthread_create(&t[n].thread, NULL, work, &t[n]))
			break;
	}
	p->threads = n;
	p->epochs.state = p->end.state = (uint64_t)n << BARRIER_PRESENT;
	__atomic_store_n(&p->started, true, __ATOMIC_RELEASE);
}

/* False: the host has no memory. */
static bool prepare_fast_forward(struct thread_pool *p, unsigned wanted)
{
	p->fast_forward = ARENA_ARRAY(&p->arena, struct fast_forward *, wanted);
	for (unsigned i = 0; p->fast_forward && i < wanted; i++) {
		p->fast_forward[i] = traces_fast_forward(p->machine, &p->arena);
		if (!p->fast_forward[i])
			return false;
	}
	return p->fast_forward;
}

/* Likewise. */
static bool run_together(struct thread_pool *p, unsigned wanted, bool traced)
{
	struct machine *m = p->machine;
	struct pool_thread *t = ARENA_ARRAY(&p->arena, struct pool_thread, wanted);
	unsigned workers = traced ? traces_workers(m, wanted > 1) : m->plan->nmps;

	p->turn = ARENA_ARRAY(&p->arena, struct epoch_turn, m->plan->nmps);
	p->absent = ARENA_ARRAY(&p->arena, bool, wanted);
	if (!t || !p->turn || !p->absent || !conflicts_begin(&p->conflicts, &m->global, workers))
		return false;
	if (traced && (!traces_begin(m, wanted > 1) || !prepare_fast_forward(p, wanted)))
		return false;
	for (unsigned i = 0; i < m->plan->nmps && !traced; i++)
		m->mp[i].x.pages.sets = &p->conflicts.of[i];
	livelock_begin(&p->livelock, idle_limit(m));
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->epochs.passed, NULL);
	pthread_cond_init(&p->end.passed, NULL);
	m->pool = p;
	t[0].pool = p;
	start(p, t, wanted);
	work(&t[0]);
	for (unsigned i = 1; i < p->threads; i++)
		pthread_join(t[i].thread, NULL);
	m->pool = NULL;
	pthread_cond_destroy(&p->epochs.passed);
	pthread_cond_destroy(&p->end.passed);
	pthread_mutex_destroy(&p->lock);
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		m->mp[i].x.pages.sets = NULL;
		m->mp[i].sched.checkpoint.state = NULL;
	}
	return true;
}

/* As many threads as have something to do. */
static unsigned threads_wanted(const struct machine *m)
{
	unsigned n = m->plan->host.threads;
	cpu_set_t here;

	if (!n)
		n = sched_getaffinity(0, sizeof here, &here) ? 1 : (unsigned)CPU_COUNT(&here);
	n = n < m->plan->nmps ? n : m->plan->nmps;
	return n < THREADS_MAX ? n : THREADS_MAX;
}

/* What only the precise way on one thread can do, or NULL. */
static const char *must_be_precise(const struct machine *m)
{
	if (m->touched)
		return "its s[] or l[] was written to before the start";
	for (const struct observer *o = m->observers; o; o = o->next)
		if (o->precise_reason)
			return o->precise_reason;
	return NULL;
}

/* What only one thread can do, or NULL. */
static const char *must_be_single(const struct machine *m)
{
	for (const struct observer *o = m->observers; o; o = o->next)
		if (o->single_thread_reason)
			return o->single_thread_reason;
	return NULL;
}

/* Traces do not say when a store happened: a run that is longer than --livelock may have been that long without one.
 * Several threads may not have seen fewer cycles without one than their margin. */
static const char *may_have_idled(const struct machine *m, bool traced)
{
	uint64_t limit = m->plan->max.livelock;

	return (traced || limit <= IDLE_MARGIN) && clock_end(m) >= limit ? "it ran for longer than --livelock" : NULL;
}

/* Run with so many threads, by traces or precisely. False: the launch stands at its start again, and *why says why. */
static bool attempt(struct machine *m, unsigned wanted, bool traced, const char **why, struct diag *d)
{
	struct thread_pool p = { .machine = m };
	bool ran = false;

	if (!run_together(&p, wanted, traced))
		*why = "the host has no memory for more";
	else if (p.interrupted)
		ran = !machine_interrupted(m);
	else if (!(*why = p.why ? p.why : may_have_idled(m, traced)))
		ran = true;
	else
		conflicts_undo(&p.conflicts);
	if (traced) {
		m->traces.every_load = !ran && !m->traces.every_load && contexts_incomplete(m);
		traces_end(m);
	}
	conflicts_end(&p.conflicts);
	arena_free(&p.arena);
	if (ran)
		m->threads = p.threads;
	else
		machine_again(m, d);
	return ran;
}

/* By traces; a second time with all loads in the read sets, if stores came where none had been before. */
static bool run_traced(struct machine *m, unsigned wanted, struct diag *d)
{
	m->precise_reason = traces_refused(m);
	if (m->precise_reason)
		return false;
	if (attempt(m, wanted, true, &m->precise_reason, d))
		return true;
	return m->traces.every_load && d->kind == DIAG_OK && attempt(m, wanted, true, &m->precise_reason, d);
}

/* Precisely, several multiprocessors at a time. */
static bool run_parallel(struct machine *m, unsigned wanted, struct diag *d)
{
	if (m->plan->max.cycles != UINT64_MAX || m->plan->max.instructions != UINT64_MAX) {
		m->single_thread_reason = "--max-cycles and --max-insns stop at one instruction";
		return false;
	}
	return attempt(m, wanted, false, &m->single_thread_reason, d);
}

static bool run_single(struct machine *m)
{
	unsigned host = program_enter(&m->plan->code);

	while (machine_step(m))
		;
	program_leave(&m->plan->code, host);
	return true;
}

bool machine_run(struct machine *m, struct diag *d)
{
	unsigned wanted = threads_wanted(m);
	const char *precise = must_be_precise(m), *single = precise ? precise : must_be_single(m);

	if (wanted > 1 && single) {
		m->single_thread_reason = single;
		wanted = 1;
	}
	m->precise_reason = m->plan->host.precise ? "--in-order asks for it" : precise;
	if (!m->precise_reason && run_traced(m, wanted, d))
		return true;
	if (d->kind == DIAG_OK && wanted > 1 && run_parallel(m, wanted, d))
		return true;
	return d->kind == DIAG_OK && run_single(m);
}
