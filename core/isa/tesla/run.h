/* The run loops of the SIMD levels that this build has. */
#ifndef WB_CORE_ISA_TESLA_RUN_H
#define WB_CORE_ISA_TESLA_RUN_H

#include <stdint.h>

#include "core/isa/isa.h"
#include "core/isa/tesla/ops.h"

/* Execute the instruction at the warp's pc, whatever it is; one less is left of the budget. Execute at most `budget`
 * instructions of x->warp (program.run); the same with a look after each one, where flow_ops.settle decides which lanes
 * go on or a checker inspects it (program.run_observed). The host's mode for all of them. And the executors by enum
 * tesla_exec, all of them and those that exist for whole words alone (NULL: it does not). */
#define RUN_LEVEL(level) \
	int tesla_step_##level(struct exec *x); \
	int tesla_run_##level(struct exec *x, uint64_t budget); \
	unsigned tesla_host_enter_##level(void); \
	void tesla_host_leave_##level(unsigned mode); \
	int tesla_run_watched_##level(struct exec *x, uint64_t budget); \
	extern exec_fn *const tesla_exec_##level[TESLA_EXEC_COUNT], *const tesla_words_##level[TESLA_EXEC_COUNT];

RUN_LEVEL(base)
RUN_LEVEL(avx2)
RUN_LEVEL(avx512)

#endif
