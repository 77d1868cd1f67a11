/* State that the host threads of one run share, and how a thread waits for another below the floor of the threads: for
 * its turn at a cache that several multiprocessors share, for a lock. Which multiprocessors a thread runs, and when, is
 * in machine/host_threads.c; giving up a run in machine/stop.h. */
#ifndef WB_MACHINE_THREAD_POOL_H
#define WB_MACHINE_THREAD_POOL_H

#include <stdatomic.h>

#include "core/base/host_threads.h"
#include "machine/state.h"
#include "mem/conflicts.h"

/* A thread barrier from which a thread may be absent for a while. The word holds the count of threads that have
 * arrived, the count of those present, whether the run is over, and the number of the barrier, so that a thread can
 * leave and rejoin at any time. */
struct thread_barrier {
	_Atomic uint64_t state;
	pthread_cond_t passed;          /* with thread_pool.lock */
};

/* A multiprocessor's place in the present epoch. */
struct epoch_turn {
	_Atomic uint64_t begun, ended;  /* number of the epoch begun, and ended, most recently */
	unsigned before;                /* multiprocessors, from the first on, known to have ended the present epoch */
} __attribute__((aligned(128)));        /* neighbours belong to different host threads */

struct thread_pool {
	struct machine *machine;
	unsigned threads;
	_Atomic bool started;           /* all threads have been created */
	_Atomic unsigned next_mp;       /* without timing: first multiprocessor that no thread has begun */
	_Atomic uint32_t next_page;     /* first page that no thread has searched for conflicts */
	_Atomic bool over;              /* no thread is to go on: the run has ended, or has been given up */
	_Atomic bool interrupted;
	bool within;                    /* a saved run goes on within an epoch, which has begun before */
	bool paused;                    /* the run stands still, to be saved */
	const char *_Atomic why;        /* reason for giving up the run, or NULL */
	struct thread_barrier epochs, end;
	uint64_t epoch;                 /* number of the present epoch */
	struct epoch_turn *turn;        /* by multiprocessor */
	_Atomic bool *absent;           /* by thread: absent from the epoch barrier, to help */
	struct livelock livelock;
	pthread_mutex_t lock;
	struct conflicts conflicts;     /* read and write sets by worker: as many as the way to execute begins with */
	struct arena arena;
};

/* Wait until all multiprocessors before mp have ended the epoch. False: the run is over. */
bool threads_wait_turn(struct machine *m, const struct mp *mp);
/* Wait a little for another thread. */
void threads_spin(unsigned *spins);
/* Around storage that all threads share and whose order does not matter; one thread, or no pool, locks nothing. */
void threads_lock(struct machine *m);
void threads_unlock(struct machine *m);

#endif
