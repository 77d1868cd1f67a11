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

/* Whether a sample of one case in `step`, or in WB_SAMPLE times `step`, has the case with this number. The choice is
 * scattered: every N-th case would meet the same ways again and again where N and the number of ways share a divisor. */
static inline bool in_sample(uint64_t number, uint64_t step)
{
	return (uint32_t)(number * 2654435761u) >> 8 < (1u << 24) / (step * sample_step());
}

/* Whether a sample has the file with this name, whatever the order of its folder. */
static inline bool name_in_sample(const char *name)
{
	uint64_t sum = 0;

	while (*name)
		sum = sum * 31 + (unsigned char)*name++;
	return in_sample(sum, 1);
}

#endif
