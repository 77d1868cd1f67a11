/* The executors of this SIMD level by enum tesla_exec. */
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/run.h"

exec_fn *const SIMD_NAME(tesla_exec)[TESLA_EXEC_COUNT] = {
#define ENTRY(name, latency, text) [TESLA_EXEC_##name] = SIMD_NAME(exec_##name),
	TESLA_EXEC_INT(ENTRY)
	TESLA_EXEC_MOVE(ENTRY)
	TESLA_EXEC_FLOAT(ENTRY)
	TESLA_EXEC_DOUBLE(ENTRY)
	TESLA_EXEC_CVT(ENTRY)
	TESLA_EXEC_MEM(ENTRY)
	TESLA_EXEC_FLOW(ENTRY)
	TESLA_EXEC_GRAPHICS(ENTRY)
	TESLA_EXEC_TEX(ENTRY)
#undef ENTRY
};

exec_fn *const SIMD_NAME(tesla_words)[TESLA_EXEC_COUNT] = {
#define ENTRY(name, latency, text) [TESLA_EXEC_##name] = SIMD_NAME(exec_##name##_words),
	TESLA_EXEC_INT(ENTRY)
	TESLA_EXEC_FLOAT(ENTRY)
	TESLA_EXEC_CVT(ENTRY)
#undef ENTRY
};
