/* Medians and their absolute deviations instead of means, since a bench on a shared machine has outliers on one side
 * only; clocks of the process or of the wall; threads pinned to processors. */
#include "bench/harness.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double bench_now(enum bench_clock which)
{
	struct timespec t;

	clock_gettime(which == BENCH_CPU ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

struct bench_summary bench_summarize(double *v, size_t n)
{
	struct bench_summary s = { .median = median(v, n), .n = n };
	double *off = malloc(n * sizeof *off);

	s.min = v[0];
	for (size_t i = 0; off && i < n; i++)
		off[i] = fabs(v[i] - s.median);
	s.mad = off ? median(off, n) : NAN;
	free(off);
	return s;
}

int bench_pin(void)
{
	cpu_set_t one;
	int cpu = sched_getcpu();

	CPU_ZERO(&one);
	if (cpu < 0)
		return -1;
	CPU_SET((unsigned)cpu, &one);
	return sched_setaffinity(0, sizeof one, &one) ? -1 : cpu;
}

struct bench_processors bench_processors(unsigned most)
{
	struct bench_processors p = { .n = 0 };
	cpu_set_t all;

	if (sched_getaffinity(0, sizeof all, &all))
		return p;
	for (int i = 0; i < CPU_SETSIZE && p.n < most && p.n < BENCH_PROCESSORS; i++)
		if (CPU_ISSET((unsigned)i, &all))
			p.number[p.n++] = i;
	return p;
}

void bench_stay(const struct bench_processors *p, unsigned i)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((unsigned)p->number[i], &one);
	sched_setaffinity(0, sizeof one, &one);
}

void bench_roam(const struct bench_processors *p)
{
	cpu_set_t all;

	CPU_ZERO(&all);
	for (unsigned i = 0; i < p->n; i++)
		CPU_SET((unsigned)p->number[i], &all);
	sched_setaffinity(0, sizeof all, &all);
}

bool bench_is_release(void)
{
#if defined(NDEBUG) && defined(__OPTIMIZE__)
	return true;
#else
	return false;
#endif
}

bool bench_means_something(const char *program)
{
	if (!bench_is_release())
		fprintf(stderr, "%s: not a release build, its numbers would mean nothing (use ./dev bench)\n", program);
	return bench_is_release();
}

bool bench_number(const char *text, unsigned max, unsigned *out)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	*out = (unsigned)v;
	return end != text && !*end && v && v <= max;
}
