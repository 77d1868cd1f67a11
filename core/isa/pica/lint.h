/* Mistakes of shaders, forgiven by an emulator and not by a console (spec pica 13, 15). */
#ifndef WB_CORE_ISA_PICA_LINT_H
#define WB_CORE_ISA_PICA_LINT_H

#include "core/isa.h"

/* isa_ops.lint, of the code reachable from the entry point. Conditions are unknown: a finding is an output component
 * written twice on some path, or unwritten on some path to an END. Geometry shaders write outputs anew for each EMIT,
 * and unwritten outputs keep their value: only outputs that no path writes are missing there. */
bool pica_lint(const struct program *p, const struct image_kernel *k, struct arena *a, isa_report_fn *report,
	       void *context);

#endif
