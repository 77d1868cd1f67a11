/* wb_program_lint: findings of core/program/lint.h as a list. */
#include <stdio.h>
#include <stdlib.h>

#include "device/launch.h"

static bool lint_kernel(const struct wb_program *p, unsigned kernel, const struct wb_config *c, struct arena *a,
			struct lint *lint, struct diag *d)
{
	const struct image_kernel *k = p->source[kernel];
	struct program code = { .code = k->code, .code_bytes = k->code_bytes, .entry = k->entry };
	const struct chip *chip;

	if (!target_of(p->owner[kernel], c, &code.target, &chip, d))
		return false;
	code.target.side = k->side;
	code.target.nside = k->nside;
	if (!program_decode(&code, a))
		return diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", k->code_bytes);
	return lint_program(lint, &code, k, a, d);
}

enum wb_status wb_program_lint(const struct wb_program *p, unsigned kernel, const struct wb_config *c,
			       struct wb_text *out, struct wb_diag *wd)
{
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct lint lint = { 0 };
	FILE *f;

	*out = (struct wb_text){ 0 };
	if (kernel >= p->nkernels)
		diag_set(&d, DIAG_USAGE, "found kernel %u, expected one below %u", kernel, p->nkernels);
	else if (lint_kernel(p, kernel, c, &a, &lint, &d) && lint.n) {
		f = open_memstream(&out->data, &out->size);
		for (unsigned i = 0; f && i < lint.n; i++)
			fprintf(f, "%s\n", lint.line[i]);
		if (!f || fclose(f))
			diag_set(&d, DIAG_ENV, "out of memory");
	}
	arena_free(&a);
	return public_diag(wd, &d);
}
