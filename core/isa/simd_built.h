/* The SIMD levels of this build, for tables with an entry a level. core/isa/meson.build writes simd_config.h: files
 * that do not need the list are not compiled again where it changes. */
#ifndef WB_CORE_ISA_SIMD_BUILT_H
#define WB_CORE_ISA_SIMD_BUILT_H

#include "core/isa/simd_config.h"

/* X(SIMD_…, level) for each level of the build, in rising order. */
#ifdef WB_SIMD_BASE
#define SIMD_BUILT_BASE(X) X(SIMD_BASE, base)
#else
#define SIMD_BUILT_BASE(X)
#endif
#ifdef WB_SIMD_AVX2
#define SIMD_BUILT_AVX2(X) X(SIMD_AVX2, avx2)
#else
#define SIMD_BUILT_AVX2(X)
#endif
#ifdef WB_SIMD_AVX512
#define SIMD_BUILT_AVX512(X) X(SIMD_AVX512, avx512)
#else
#define SIMD_BUILT_AVX512(X)
#endif
#define SIMD_BUILT(X) SIMD_BUILT_BASE(X) SIMD_BUILT_AVX2(X) SIMD_BUILT_AVX512(X)

#endif
