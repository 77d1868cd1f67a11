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

#endif
