/* Actions of a program that work here and go wrong on the hardware, found by the check of the instruction set. */
#ifndef WB_CORE_PROGRAM_LINT_H
#define WB_CORE_PROGRAM_LINT_H

#include <stdbool.h>

struct arena;
struct diag;
struct image_kernel;
struct program;

/* One text a finding, "pc 0x10: ...". */
enum { LINT_MAX = 128 };
struct lint {
	struct arena *arena;            /* of the texts */
	unsigned n;                     /* findings, those beyond LINT_MAX not counted */
	const char *line[LINT_MAX];
};

/* The findings of a decoded program. False: the host has no memory. */
bool lint_program(struct lint *lint, const struct program *p, const struct image_kernel *k, struct arena *a,
		  struct diag *d);

#endif
