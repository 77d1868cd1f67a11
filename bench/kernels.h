/* The eight kernels of the throughput bench: what each is given, and what it must answer. Sizes, inputs and answers are
 * those by which other interpreters were measured, so that numbers can be compared. */
#ifndef WB_BENCH_KERNELS_H
#define WB_BENCH_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_BUFFERS = 3, MAX_SCALARS = 4 };

/* One launch. The kernel's arguments are the buffers, then the scalars. */
struct problem {
	unsigned grid[2], block[2];
	struct {
		void *data;                /* 32-bit words; the first two are the inputs */
		size_t words;
	} buffer[MAX_BUFFERS];
	unsigned nbuffers, out;            /* out: which buffer holds the answer */
	char scalar[MAX_SCALARS][32];      /* as `-a` takes them */
	unsigned nscalars;
	unsigned side, limit;              /* of a picture or matrix; trips of a loop */
};

struct kernel {
	const char *name;
	const char *file;                  /* from the project's root */
	/* Sizes, inputs and launch of the problem divided by `div`; false: no memory. */
	bool (*setup)(struct problem *p, unsigned div);
	/* Whether `got`, the answer, is right. p has the inputs as they were before the run. */
	bool (*right)(const struct problem *p, const void *got);
};

/* Ended by a NULL name. */
extern const struct kernel kernels[];

void problem_free(struct problem *p);

#endif
