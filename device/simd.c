/* SIMD levels are builds of the same executors (core/isa/meson.build). The host can run a level if its CPUID has every
 * feature of the level's compiler flags; levels are in rising order, so "auto" is the last level that the host runs. */
#include "device/simd.h"

#include <stdio.h>
#include <string.h>

#include "core/isa.h"
#include "core/isa/simd_built.h"
#include "warpbeam.h"

static const char *const names[SIMD_LEVELS] = { [SIMD_BASE] = "base", [SIMD_AVX2] = "avx2", [SIMD_AVX512] = "avx512" };

#define BUILT(index, level) [index] = true,
static const bool built[SIMD_LEVELS] = { SIMD_BUILT(BUILT) };
#undef BUILT

/* Whether this build has a level, and the host the features of its compiler flags in core/isa/meson.build. */
static bool host_runs(unsigned level)
{
	if (!built[level])
		return false;
#ifdef __x86_64__
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
	bool found = false;

	for (unsigned i = 0; i < SIMD_LEVELS; i++) {
		if (host_runs(i) && (!strcmp(name, "auto") || !strcmp(name, names[i]))) {
			*level = i;
			found = true;
		} else if (!strcmp(name, names[i])) {
			snprintf(why, size, built[i] ? "this host cannot run --simd %s" :
				 "this build has no --simd %s, which the build's option -Dsimd=all adds", name);
		}
	}
	if (!found && !strcmp(name, "auto"))
		snprintf(why, size, "this build is for another processor; the build's option -Dsimd=all is for any");
	return found;
}
