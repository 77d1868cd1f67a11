/* Random PTX: a text, and a meaning that shares no code with the compiler. A program has branches into and out of
 * everything, loops, barriers, votes, atomics, all kinds of memory, a third of the programs warp primitives (warp.h);
 * half of the programs have long blocks with more values and flags alive than the machine has registers, and loads of
 * vectors. Results do not depend on the order of threads. */
#ifndef WB_TESTS_RANDOM_PTX_H
#define WB_TESTS_RANDOM_PTX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	PTX_BLOCKS = 2,
	PTX_THREADS = 48,
	PTX_IN_WORDS = 256,
	PTX_OUT_WORDS = 100,             /* of a thread */
	PTX_CELLS = 8,                   /* of atomics, of the launch and of each block */
	PTX_CELL_WORDS = PTX_CELLS * (1 + PTX_BLOCKS)
};

struct ptx_program;

/* The program of a seed for chips from sm (10 to 13) on. The caller frees with ptx_free. */
struct ptx_program *random_ptx_make(uint64_t seed, unsigned sm);
void random_ptx_free(struct ptx_program *p);
/* The number of statements; take one out, or put it back. False: the statement must stay. */
unsigned random_ptx_statements(const struct ptx_program *p);
bool random_ptx_drop(struct ptx_program *p, unsigned i, bool drop);
/* Entry "k" (in, out, cells): PTX_IN_WORDS, then PTX_OUT_WORDS for each thread, PTX_CELL_WORDS. */
void random_ptx_print(const struct ptx_program *p, FILE *to);
/* Run all threads. `out` and `cells` are zero at the start. */
void random_ptx_run(const struct ptx_program *p, const uint32_t *in, uint32_t *out, uint32_t *cells);

#endif
