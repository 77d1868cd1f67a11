/* Common parts of the benches: a clock, a processor to stay on, numbers with their uncertainty. */
#ifndef WB_BENCH_HARNESS_H
#define WB_BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

enum bench_clock {
	BENCH_CPU,    /* the process's processor time: other load on the machine hardly shows */
	BENCH_WALL
};

/* Seconds since a fixed moment. */
double bench_now(enum bench_clock which);

struct bench_summary {
	double median, mad, min;   /* mad: median of the absolute deviations from the median */
	size_t n;
};
/* Sorts v, n > 0. */
struct bench_summary bench_summarize(double *v, size_t n);

/* Keep the process on its present processor; returns the number, or -1 if impossible. */
int bench_pin(void);

/* The processors open to the process: the first `most`, at most BENCH_PROCESSORS. */
enum { BENCH_PROCESSORS = 64 };
struct bench_processors {
	unsigned n;                  /* 0: unknown */
	int number[BENCH_PROCESSORS];
};
struct bench_processors bench_processors(unsigned most);
/* Keep the calling thread on processor i of p; let the thread run on all processors of p. */
void bench_stay(const struct bench_processors *p, unsigned i);
void bench_roam(const struct bench_processors *p);

/* Was the bench compiled as users compile: optimised and without asserts? */
bool bench_is_release(void);
/* As bench_is_release; if not, says on stderr that `program` does not measure. */
bool bench_means_something(const char *program);

/* An option's number from 1 to max; false: the text is none. */
bool bench_number(const char *text, unsigned max, unsigned *out);

#endif
