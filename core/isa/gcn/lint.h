/* What wavefronts do that an emulator forgives and the hardware does not (spec gcn, "Lints worth having"). */
#ifndef WB_CORE_ISA_GCN_LINT_H
#define WB_CORE_ISA_GCN_LINT_H

#include "core/isa.h"

/* isa_ops.lint, over all paths from the kernel's entry and from functions: what loads have not brought yet is used
 * before its s_waitcnt, or a result sooner than its user may have it. Conditions are unknown; a call is taken to wait
 * for all counters, as compiled functions do where they begin. Of a FLAT load, a wait for either of its counters does:
 * which one has it depends on the address. */
bool gcn_lint(const struct program *p, const struct image_kernel *k, struct arena *a, isa_report_fn *report,
	      void *context);

#endif
