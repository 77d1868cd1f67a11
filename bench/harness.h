/* What every bench needs: a clock, a processor to stay on, numbers that say how sure they are. */
#ifndef WB_BENCH_HARNESS_H
#define WB_BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

enum bench_clock {
	BENCH_CPU,    /* this process's processor time: what others do on the machine hardly shows */
	BENCH_WALL
};

/* Seconds since some fixed moment. */
double bench_now(enum bench_clock which);

struct bench_summary {
	double median, mad, min;   /* mad: median of the absolute deviations from the median */
	size_t n;
};
/* Sorts v, n > 0. */
struct bench_summary bench_summarize(double *v, size_t n);

/* Keep this process on the processor that it is on now; its number, or -1 where that cannot be done. */
int bench_pin(void);

/* The processors that this process may run on: the first `most` of them, or BENCH_PROCESSORS. */
enum { BENCH_PROCESSORS = 64 };
struct bench_processors {
	unsigned n;                  /* 0: unknown */
	int number[BENCH_PROCESSORS];
};
struct bench_processors bench_processors(unsigned most);
/* Keep the calling thread on the i-th of them; and let it run on all of them. */
void bench_stay(const struct bench_processors *p, unsigned i);
void bench_roam(const struct bench_processors *p);

/* Whether this was compiled as users compile it: optimised and without asserts. */
bool bench_is_release(void);
/* The same; if it was not, says on stderr that `program` does not measure. */
bool bench_means_something(const char *program);

/* An option's number from 1 to max; false: the text is none. */
bool bench_number(const char *text, unsigned max, unsigned *out);

#endif
