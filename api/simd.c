/* SIMD levels are builds of the same executors (core/isa/meson.build). The host can run a level if its CPUID has every
 * feature of the level's compiler flags; levels are in rising order, so "auto" is the last level that the host runs. */
#include "api/simd.h"

#include <stdio.h>
#include <string.h>

#include "core/isa.h"
#include "warpbeam.h"

static const char *const names[SIMD_LEVELS] = { [SIMD_BASE] = "base", [SIMD_AVX2] = "avx2", [SIMD_AVX512] = "avx512" };

/* Whether the host has the features of a level's compiler flags in core/isa/meson.build. */
static bool host_runs(unsigned level)
{
#ifdef WB_X86
	if (level == SIMD_AVX512)
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
		       __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
		       __builtin_cpu_supports("bmi2");
	if (level == SIMD_AVX2)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
		       __builtin_cpu_supports("bmi2");
#endif
	return level == SIMD_BASE;
}

const char *wb_simd_level(unsigned index)
{
	unsigned n = 0;

	for (unsigned level = 0; level < SIMD_LEVELS; level++)
		if (host_runs(level) && n++ == index)
			return names[level];
	return NULL;
}

bool simd_choose(const char *name, unsigned *level, char *why, size_t size)
{
	*level = SIMD_BASE;
	for (unsigned i = 0; i < SIMD_LEVELS; i++) {
		if (!strcmp(name, "auto") && host_runs(i))
			*level = i;
		if (!strcmp(name, names[i])) {
			*level = i;
			snprintf(why, size, "this host cannot run --simd %s", name);
			return host_runs(i);
		}
	}
	return true;
}
