/* The eight kernels of the throughput bench: inputs and expected answers. Sizes, inputs and answers are those of
 * measurements of other interpreters, so that numbers can be compared. */
#ifndef WB_BENCH_KERNELS_H
#define WB_BENCH_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_BUFFERS = 3, MAX_SCALARS = 4 };

/* A launch. The kernel's arguments are the buffers, then the scalars. */
struct problem {
	unsigned grid[2], block[2];
	struct {
		void *data;                /* 32-bit words; the first two are the inputs */
		size_t words;
	} buffer[MAX_BUFFERS];
	unsigned nbuffers, out;            /* out: index of the buffer with the answer */
	char scalar[MAX_SCALARS][32];      /* texts for `-a` */
	unsigned nscalars;
	unsigned side, limit;              /* of a picture or matrix; trips of a loop */
};

struct kernel {
	const char *name;
	const char *file;                  /* from the project's root */
	/* Sizes, inputs and launch of the problem divided by `div`; false: no memory. */
	bool (*setup)(struct problem *p, unsigned div);
	/* Is the answer `got` right? p has the inputs from before the run. */
	bool (*right)(const struct problem *p, const void *got);
};

/* Ended by a NULL name. */
extern const struct kernel kernels[];

void problem_free(struct problem *p);

#endif
