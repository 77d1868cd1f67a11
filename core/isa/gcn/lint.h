/* Mistakes of wavefronts that an emulator forgives and the hardware does not (spec gcn, "Lints worth having"). */
#ifndef WB_CORE_ISA_GCN_LINT_H
#define WB_CORE_ISA_GCN_LINT_H

#include "core/isa.h"

/* isa_ops.lint, over all paths from the kernel's entry and from functions: finds the use of a load's result before its
 * s_waitcnt, and of a result sooner than allowed. Conditions are unknown; a call counts as a wait for all counters, as
 * compiled functions begin with such a wait. For a FLAT load, a wait for either of its counters suffices: the address
 * decides the counter. */
bool gcn_lint(const struct program *p, const struct image_kernel *k, struct arena *a, isa_report_fn *report,
	      void *context);

#endif
