/* Random structured programs in Tesla assembly: if, if and else, an if without a join, loops with break and continue,
 * do-while under joinat, calls with early returns, exits under divergence. Every lane computes a value from its number
 * and stores it at 128 · block + 4 · lane, so that lanes run together can be compared with lanes run alone. */
#ifndef WB_TESTS_RANDOM_GENERATE_H
#define WB_TESTS_RANDOM_GENERATE_H

#include <stddef.h>
#include <stdint.h>

/* The program of a seed, as text; its length. Always ends for every lane. */
size_t generate_program(uint64_t seed, char *text, size_t size);

#endif
