/* Samples of long tests. A test of many cases of a kind runs half of the cases; with WB_TEST_ALL=1 all, with
 * WB_SAMPLE=N, for slow builds (sanitizers), an N-th part. A sample has the same cases on each host. */
#ifndef WB_TESTS_UNIT_SAMPLE_H
#define WB_TESTS_UNIT_SAMPLE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

static inline uint64_t sample_step(void)
{
	const char *wish = getenv("WB_SAMPLE");
	uint64_t n = wish ? strtoull(wish, NULL, 0) : getenv("WB_TEST_ALL") ? 1 : 2;

	return n ? n : 1;
}

/* Number of cases to run of `count`: at least one. */
static inline uint64_t sample_of(uint64_t count)
{
	uint64_t n = count / sample_step();

	return n ? n : 1;
}

/* Whether a sample of one case in `step` (times sample_step) has the case of a number. The choice is scattered: with
 * every N-th case, some ways would never run where N and the number of ways share a divisor. */
static inline bool in_sample(uint64_t number, uint64_t step)
{
	return (uint32_t)(number * 2654435761u) >> 8 < (1u << 24) / (step * sample_step());
}

/* Whether a slow build (WB_SAMPLE) leaves a case out. Other builds run all cases. */
static inline bool left_to_faster_builds(uint64_t number)
{
	return getenv("WB_SAMPLE") && !in_sample(number, 1);
}

/* The number of a file's name, whatever the order in the folder. */
static inline uint64_t sample_number(const char *name)
{
	uint64_t sum = 0;

	while (*name)
		sum = sum * 31 + (unsigned char)*name++;
	return sum;
}

/* Whether a sample has the file of a name. */
static inline bool name_in_sample(const char *name)
{
	return in_sample(sample_number(name), 1);
}

#endif
