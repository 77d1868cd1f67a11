/* Random wavefront programs in GCN assembly, for all four chips: arithmetic, EXEC saved and restored, loops, forks and
 * joins, barriers, LDS, buffers with good and with wild descriptors, scalar loads, FLAT and scratch. Nothing says what
 * one must come to but that all ways to run it come to the same. */
#ifndef WB_TESTS_RANDOM_WAVEFRONT_H
#define WB_TESTS_RANDOM_WAVEFRONT_H

#include <stddef.h>
#include <stdint.h>

/* The program of a seed, as text; its length. */
size_t generate_wavefront(uint64_t seed, char *text, size_t size);

#endif
