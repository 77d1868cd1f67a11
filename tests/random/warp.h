/* Warp primitives in random PTX: a text, and a meaning for the lanes of a warp, without code of the compiler. Lanes
 * take part by a condition, by two, in groups of equal words, or for some turns of a loop. */
#ifndef WB_TESTS_RANDOM_WARP_H
#define WB_TESTS_RANDOM_WARP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct warp_statement {
	uint8_t op, way;                 /* rows of warp.c: which primitive, which lanes */
	uint8_t result, a, b;            /* word registers */
	uint8_t predicate, source, when, also;   /* predicate registers: of the result, of votes, of the lanes */
	uint32_t limits;                 /* operand c of a shuffle */
};

struct warp_statement warp_make(uint64_t *rng, unsigned words, unsigned predicates);
/* Scratch registers %w0 to %w2 and %v; `label`: a number for labels. */
void warp_print(const struct warp_statement *s, unsigned label, FILE *to);
/* Registers of each lane; lanes that are there. */
void warp_run(const struct warp_statement *s, uint32_t there, uint64_t *const words[32],
	      uint64_t *const predicates[32]);

#endif
