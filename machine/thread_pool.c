/* The barrier is one 64-bit word, changed by compare-and-swap, so that a waiting thread can leave, help others
 * (way.help) and rejoin. Multiprocessors take turns at shared caches in the order of one thread: each waits until all
 * multiprocessors before have ended the epoch. */
#include "machine/thread_pool.h"

#include <sched.h>

#include "machine/way.h"

/* Fields of thread_barrier.state: threads that have arrived from bit 0, present threads, phase, number of the
 * barrier. */
enum { BARRIER_PRESENT = 16, BARRIER_PHASE = 32, BARRIER_NUMBER = 34 };

/* ---- the end of a run ---- */

bool pool_over(const struct thread_pool *p)
{
	return __atomic_load_n(&p->over, __ATOMIC_RELAXED);
}

bool pool_finish(struct thread_pool *p)
{
	__atomic_store_n(&p->over, true, __ATOMIC_RELAXED);
	return false;
}

bool pool_ends(struct thread_pool *p)
{
	if (pool_over(p) || !p->machine->interrupt)
		return pool_over(p);
	__atomic_store_n(&p->interrupted, true, __ATOMIC_RELAXED);
	return !pool_finish(p);
}

bool threads_give_up(struct machine *m, const char *why)
{
	struct thread_pool *p = m->pool;
	const char *none = NULL;

	__atomic_compare_exchange_n(&p->why, &none, why, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return pool_finish(p);
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

/* Other threads are mostly done very soon; if not, another thread may be waiting for this processor. */
void pool_spin(unsigned *spins)
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
	pool_spin(spins);
	return !pool_over(m->pool);
}

bool threads_wait_turn(struct machine *m, const struct mp *mp)
{
	struct thread_pool *p = m->pool;
	unsigned *before = &p->turn[mp->x.special.mp].before, spins = 0;

	for (; *before < mp->x.special.mp && !pool_over(p); ++*before)
		while (__atomic_load_n(&p->turn[*before].ended, __ATOMIC_ACQUIRE) != p->epoch && !pool_over(p))
			pool_spin(&spins);
	return !pool_over(p);
}

static unsigned arrived(uint64_t state)
{
	return state & UINT16_MAX;
}

static unsigned present(uint64_t state)
{
	return state >> BARRIER_PRESENT & UINT16_MAX;
}

enum phase barrier_phase(const struct thread_barrier *b)
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

/* A thread that has arrived becomes absent: the barrier no longer waits for the thread. False: all have arrived. */
static bool barrier_leave(struct thread_barrier *b, uint64_t number)
{
	uint64_t s = __atomic_load_n(&b->state, __ATOMIC_ACQUIRE);

	while (s >> BARRIER_NUMBER == number && arrived(s) < present(s))
		if (change(b, &s, s - (1ull << BARRIER_PRESENT) - 1))
			return true;
	return false;
}

/* The thread is present again: within an epoch, or at the end, it takes part; between epochs it has arrived. */
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
	__atomic_store_n(&p->absent[thread], absent, __ATOMIC_RELAXED);         /* ordered by the barrier */
}

/* A waiting thread works for others while the others go on. True: the barrier has been passed. */
static bool help(struct thread_pool *p, struct thread_barrier *b, uint64_t *number, unsigned thread)
{
	const struct way *way = p->machine->way;
	bool passed = false;

	if (!way->help || pool_over(p) || !way->can_help(p->machine))
		return false;
	set_absent(p, thread, true);
	if (barrier_leave(b, *number)) {
		while (!pool_over(p) && way->help(p->machine))
			;
		passed = barrier_rejoin(b, number);
	}
	set_absent(p, thread, false);
	return passed;
}

/* Wait until all are here. The last to arrive gets true, and lets the others go with barrier_pass(). */
bool barrier_wait(struct thread_pool *p, struct thread_barrier *b, unsigned thread)
{
	uint64_t s = __atomic_add_fetch(&b->state, 1, __ATOMIC_ACQ_REL), number = s >> BARRIER_NUMBER;
	unsigned spins = 0;

	if (arrived(s) == present(s))
		return true;
	for (; spins < SPINS + YIELDS && !has_passed(b, number); pool_spin(&spins))
		if (b == &p->epochs && help(p, b, &number, thread))
			return false;
	if (spins < SPINS + YIELDS)
		return false;
	/* Another thread has no processor now, and this thread has nothing to help with. */
	pthread_mutex_lock(&p->lock);
	while (!has_passed(b, number))
		pthread_cond_wait(&b->passed, &p->lock);
	pthread_mutex_unlock(&p->lock);
	return false;
}

void barrier_pass(struct thread_pool *p, struct thread_barrier *b, enum phase next)
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

void barrier_init(struct thread_barrier *b, unsigned threads)
{
	b->state = (uint64_t)threads << BARRIER_PRESENT;
}
