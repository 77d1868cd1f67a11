/* A handler has no argument, so the work and the time of the request are file-scope: signals belong to the process. Two
 * threads may each run the handler, so the time is an atomic, whose first writer calls `stop`. */
#include "frontends/cli/interrupts.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static const int64_t same_request = 1000000000; /* ns */

static const int signals[INTERRUPTS_ALL] = {SIGINT, SIGALRM, SIGTERM, SIGHUP};
static struct sigaction before[INTERRUPTS_ALL];
static bool handled[INTERRUPTS_ALL];

static void (*volatile stop_work)(void);
static _Atomic int64_t asked_at; /* ns of the monotonic clock; 0: no request yet */

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void restore(unsigned i)
{
	if (handled[i])
		sigaction(signals[i], &before[i], NULL);
	handled[i] = false;
}

static void on_signal(int number)
{
	int64_t asked = 0, time = now();
	void (*stop)(void) = stop_work;
	if (atomic_compare_exchange_strong(&asked_at, &asked, time)) {
		if (stop)
			stop();
		return;
	}
	if (time - asked < same_request)
		return;
	for (unsigned i = 0; i < INTERRUPTS_ALL; i++)
		if (signals[i] == number)
			restore(i);
	raise(number);
}

void interrupts_begin(void (*stop)(void), unsigned n)
{
	struct sigaction own = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	stop_work = stop;
	atomic_store(&asked_at, 0); /* behind `stop`: a signal between the two belongs to the request before */
	for (unsigned i = 0; i < n; i++) {
		if (handled[i])
			continue;
		sigaction(signals[i], NULL, &before[i]);
		if (signals[i] == SIGHUP && before[i].sa_handler == SIG_IGN) /* under nohup SIGHUP is ignored */
			continue;
		handled[i] = true;
		sigaction(signals[i], &own, NULL);
	}
}

void interrupts_end(void)
{
	stop_work = NULL;
	if (atomic_load(&asked_at))
		return;
	for (unsigned i = 0; i < INTERRUPTS_ALL; i++)
		restore(i);
}
