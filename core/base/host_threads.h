/* Threads of the host, as POSIX has them. A host without threads (WebAssembly in a page) has mutexes that lock nothing,
 * and creates no thread: callers then do all work in the thread they have. */
#ifndef WB_CORE_BASE_HOST_THREADS_H
#define WB_CORE_BASE_HOST_THREADS_H

#ifndef __wasm__
#include <pthread.h>
#include <sched.h>

/* Processors that this process may use. */
static inline unsigned host_processors(void)
{
	cpu_set_t here;

	return sched_getaffinity(0, sizeof here, &here) ? 1 : (unsigned)CPU_COUNT(&here);
}
#else
#include <errno.h>
#include <time.h>

static inline unsigned host_processors(void)
{
	return 1;
}

typedef char pthread_mutex_t, pthread_cond_t, pthread_t;

#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0
#define pthread_mutex_init(mutex, attributes) ((void)(mutex))
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_unlock(mutex) ((void)(mutex))
#define pthread_cond_init(condition, attributes) ((void)(condition))
#define pthread_cond_destroy(condition) ((void)(condition))
#define pthread_cond_wait(condition, mutex) ((void)(condition))
#define pthread_cond_clockwait(condition, mutex, clock, until) ((void)(condition), ETIMEDOUT)
#define pthread_cond_signal(condition) ((void)(condition))
#define pthread_cond_broadcast(condition) ((void)(condition))
#define pthread_join(thread, result) ((void)(thread))

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*run)(void *), void *argument)
{
	(void)thread, (void)attributes, (void)run, (void)argument;
	return EAGAIN;
}
#endif

#endif
