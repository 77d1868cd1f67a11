/* Multiprocessors take turns at shared caches in the order of one thread: each waits until all multiprocessors before
 * have ended the epoch. */
#include "machine/thread_pool.h"

#include <sched.h>

/* Calls of threads_spin that do not yet yield the processor. */
enum { SPINS = 256 };

/* Other threads are mostly done very soon; if not, another thread may be waiting for this processor. */
void threads_spin(unsigned *spins)
{
	if (++*spins > SPINS)
		sched_yield();
#if defined(__x86_64__)
	else
		__builtin_ia32_pause();
#endif
}

bool threads_wait_turn(struct machine *m, const struct mp *mp)
{
	struct thread_pool *p = m->pool;
	unsigned *before = &p->turn[mp->x.special.mp].before, spins = 0;

	for (; *before < mp->x.special.mp && !p->over; ++*before)
		while (p->turn[*before].ended != p->epoch && !p->over)
			threads_spin(&spins);
	return !p->over;
}

/* A thread alone has nobody to lock out; the number of threads is known before a second thread goes on. */
static bool is_shared(const struct machine *m)
{
	return m->pool && m->pool->threads > 1;
}

void threads_lock(struct machine *m)
{
	if (is_shared(m))
		pthread_mutex_lock(&m->pool->lock);
}

void threads_unlock(struct machine *m)
{
	if (is_shared(m))
		pthread_mutex_unlock(&m->pool->lock);
}
