/* The SIMD-level convention: files of executors and handlers are compiled once for each level from the same source
 * (core/isa/meson.build); SIMD_LEVEL is the level, and SIMD_NAME gives each build's functions their own names. */
#ifndef WB_CORE_ISA_SIMD_H
#define WB_CORE_ISA_SIMD_H

#ifndef SIMD_LEVEL
#define SIMD_LEVEL base
#endif
#define SIMD_PASTE2(name, level) name##_##level
#define SIMD_PASTE(name, level) SIMD_PASTE2(name, level)
#define SIMD_NAME(name) SIMD_PASTE(name, SIMD_LEVEL)

/* X(SIMD_…, level) for each level that this build has, in rising order: WB_SIMD_… are the build's. */
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
