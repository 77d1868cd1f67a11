/* State that the host threads of one run share, and how a thread waits for another: at a barrier, for its turn at a
 * cache that several multiprocessors share, for a lock. A run that cannot keep the outcome of one thread is given up.
 * Which multiprocessors a thread runs, and when, is in machine/host_threads.h. */
#ifndef WB_MACHINE_THREAD_POOL_H
#define WB_MACHINE_THREAD_POOL_H

#include "core/base/host_threads.h"
#include "machine/state.h"
#include "mem/conflicts.h"

enum { SPINS = 256, YIELDS = 64 };

/* Work of the threads after a barrier. */
enum phase { PHASE_EPOCH, PHASE_END };

/* A thread barrier from which a thread may be absent for a while. The word holds the count of threads that have
 * arrived, the count of those present, the phase and the number of the barrier, so that a thread can leave and rejoin
 * at any time. */
struct thread_barrier {
	uint64_t state;
	pthread_cond_t passed;          /* with thread_pool.lock */
};

/* A multiprocessor's place in the present epoch. */
struct epoch_turn {
	uint64_t begun, ended;          /* number of the epoch begun, and ended, most recently */
	unsigned before;                /* multiprocessors, from the first on, known to have ended the present epoch */
} __attribute__((aligned(128)));        /* neighbours belong to different host threads */

struct thread_pool {
	struct machine *machine;
	unsigned threads;
	bool started;                   /* all threads have been created */
	unsigned next_mp;               /* first multiprocessor that no thread has begun */
	uint32_t next_page;             /* first page that no thread has searched for conflicts */
	bool over;                      /* no thread is to go on */
	bool interrupted;
	const char *why;                /* reason for giving up the run, or NULL */
	struct thread_barrier epochs, end;
	uint64_t epoch;                 /* number of the present epoch */
	struct epoch_turn *turn;        /* by multiprocessor */
	bool *absent;                   /* by thread: absent from the epoch barrier, to help */
	struct livelock livelock;
	pthread_mutex_t lock;
	struct conflicts conflicts;
	struct arena arena;
};

/* For a thread that runs a multiprocessor while m->pool is set: give up the run for a reason; the launch begins again
 * in a way that can go on. Returns false. */
bool threads_give_up(struct machine *m, const char *why);
/* Wait until all multiprocessors before mp have ended the epoch. False: the run has been given up. */
bool threads_wait_turn(struct machine *m, const struct mp *mp);
/* Wait a little for another thread. False: the run has been given up. */
bool threads_pause(const struct machine *m, unsigned *spins);
/* Read and write sets of a worker, a number below way.workers(). */
struct worker_sets *threads_sets(struct machine *m, unsigned worker);
/* Around storage that all threads share and whose order does not matter; without a pool nothing is locked. */
void threads_lock(struct machine *m);
void threads_unlock(struct machine *m);

/* Has the run ended, or been given up? */
bool pool_over(const struct thread_pool *p);
bool pool_finish(struct thread_pool *p);         /* returns false */
/* The same, and an interrupt of the launch ends the run. */
bool pool_ends(struct thread_pool *p);
void pool_spin(unsigned *spins);
/* Wait until all threads are here. The last thread to arrive gets true, and lets the others go with barrier_pass. */
bool barrier_wait(struct thread_pool *p, struct thread_barrier *b, unsigned thread);
void barrier_pass(struct thread_pool *p, struct thread_barrier *b, enum phase next);
void barrier_init(struct thread_barrier *b, unsigned threads);
enum phase barrier_phase(const struct thread_barrier *b);

#endif
