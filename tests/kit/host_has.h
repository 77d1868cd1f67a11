/* SIMD levels of the host, for tests of engines below warpbeam.h. */
#ifndef WB_TESTS_UNIT_HOST_HAS_H
#define WB_TESTS_UNIT_HOST_HAS_H

#include <stdbool.h>

#include "core/isa.h"

/* Whether the host runs code of a level. */
static inline bool host_has(enum simd_level level)
{
#ifdef __x86_64__
	if (level == SIMD_AVX2)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	if (level == SIMD_AVX512)
		return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
		       __builtin_cpu_supports("avx512dq");
#endif
	return level == SIMD_BASE;
}

/* Level of the including file, a test built once for each level. */
static inline enum simd_level compiled_level(void)
{
#ifdef __AVX512F__
	return SIMD_AVX512;
#elif defined(__AVX2__)
	return SIMD_AVX2;
#else
	return SIMD_BASE;
#endif
}

#endif
