/* What shaders do that an emulator forgives and a console does not (spec pica 13, 15). */
#ifndef WB_CORE_ISA_PICA_LINT_H
#define WB_CORE_ISA_PICA_LINT_H

#include "core/isa.h"

/* isa_ops.lint, of the code that the entry point reaches. Conditions are unknown: an output component that some
 * path writes twice, or some path to an END does not write, is a finding. Geometry shaders write outputs anew for each
 * EMIT, and keep those that they do not write: only what no path writes is missing there. */
bool pica_lint(const struct program *p, const struct image_kernel *k, struct arena *a, isa_report_fn *report,
	       void *context);

#endif
