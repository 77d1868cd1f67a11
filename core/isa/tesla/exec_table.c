/* The executors of this SIMD level by enum tesla_exec. */
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/run.h"

exec_fn *const SIMD_NAME(tesla_exec)[TESLA_EXEC_COUNT] = {
#define ENTRY(name, ...) [TESLA_EXEC_##name] = SIMD_NAME(exec_##name),
	TESLA_EXEC_LIST(ENTRY)
#undef ENTRY
};
