/* Samples of long tests: builds that are slow (sanitizers) set WB_SAMPLE=N, and each test that has many cases of one
 * kind runs every N-th of them. The cases of a sample are the same on each host. */
#ifndef WB_TESTS_UNIT_SAMPLE_H
#define WB_TESTS_UNIT_SAMPLE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

static inline uint64_t sample_step(void)
{
	const char *wish = getenv("WB_SAMPLE");
	uint64_t n = wish ? strtoull(wish, NULL, 0) : 1;

	return n ? n : 1;
}

/* Number of cases to run of `count`: at least one. */
static inline uint64_t sample_of(uint64_t count)
{
	uint64_t n = count / sample_step();

	return n ? n : 1;
}

/* Whether the sample has the case with this number. */
static inline bool in_sample(uint64_t number)
{
	return number % sample_step() == 0;
}

#endif
