/* One seeded generator for every random choice (splitmix64, Steele, Lea and Flood 2014). */
#ifndef WB_CORE_BASE_RNG_H
#define WB_CORE_BASE_RNG_H

#include <stdint.h>

static inline uint64_t mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline uint64_t rng_next(uint64_t *state)
{
	return mix64(*state += 0x9e3779b97f4a7c15ull);
}

/* Uniform in 0 … n−1 for small n. */
static inline uint32_t rng_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((rng_next(state) >> 32) * n >> 32);
}

#endif
