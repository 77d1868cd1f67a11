/* The slow path and the executors of the SIMD levels of the build. */
#ifndef WB_CORE_ISA_TESLA_RUN_H
#define WB_CORE_ISA_TESLA_RUN_H

#include <stdint.h>

#include "core/isa.h"
#include "core/isa/tesla/ops.h"

/* tesla_execute: any instruction whose step has begun (threaded_code.execute). tesla_run_observed: at most `budget`
 * instructions of x->warp, each followed by flow_ops.settle, which decides the lanes that go on, and the hook of
 * checkers (program.run_observed). tesla_run_lanes: the same in threaded code, with flow_ops.settle where lanes part,
 * meet or wait (program.run). tesla_host_enter, tesla_host_leave: the host's mode for these. And the executors by
 * enum tesla_exec. */
#define RUN_LEVEL(level) \
	int tesla_execute_##level(struct exec *x, const struct insn *in); \
	unsigned tesla_host_enter_##level(void); \
	void tesla_host_leave_##level(unsigned mode); \
	int tesla_run_observed_##level(struct exec *x, uint64_t budget); \
	int tesla_run_lanes_##level(struct exec *x, uint64_t budget); \
	extern exec_fn *const tesla_exec_##level[TESLA_EXEC_COUNT];

RUN_LEVEL(base)
RUN_LEVEL(avx2)
RUN_LEVEL(avx512)

#endif
