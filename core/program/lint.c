/* Collecting an ISA's findings about a program as lines of text. */
#include "core/program/lint.h"

#include <stdio.h>

#include "core/base/diag.h"
#include "core/program.h"

static void add(void *context, uint32_t pc, const char *text)
{
	struct lint *lint = context;
	char line[256];
	int n = snprintf(line, sizeof line, "pc 0x%x: %s", pc, text);
	size_t size = n < (int)sizeof line ? (size_t)n + 1 : sizeof line;

	if (lint->n < LINT_MAX && (lint->line[lint->n] = arena_memdup(lint->arena, line, size)))
		lint->n++;
}

bool lint_program(struct lint *lint, const struct program *p, const struct image_kernel *k, struct arena *a,
		  struct diag *d)
{
	const struct isa_ops *isa = p->target.isa;

	*lint = (struct lint){ .arena = a };
	return !isa->lint || isa->lint(p, k, a, add, lint) ||
	       diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", p->code_bytes);
}
