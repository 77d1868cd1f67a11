/* The executors: one function for each name in ops.h. Those of the arithmetic exist once for each SIMD level and each
 * way of rounding; the build names both. */
#ifndef WB_CORE_ISA_PICA_EXEC_H
#define WB_CORE_ISA_PICA_EXEC_H

#include "core/isa/pica/f24.h"
#include "core/isa/pica/ops.h"
#include "core/isa/pica/state.h"

#ifndef SIMD_LEVEL
#define SIMD_LEVEL base
#endif
#ifndef ROUNDING
#define ROUNDING TRUNC
#endif
#define PICA_PASTE2(name, level, rounding) name##_##level##_##rounding
#define PICA_PASTE(name, level, rounding) PICA_PASTE2(name, level, rounding)
#define PICA_BUILD(name) PICA_PASTE(name, SIMD_LEVEL, ROUNDING)

/* The arithmetic of a build, by enum pica_exec. */
#define PICA_BUILDS(level) \
	extern exec_fn *const pica_alu_##level##_TRUNC[PICA_EXEC_COUNT]; \
	extern exec_fn *const pica_alu_##level##_RNE[PICA_EXEC_COUNT]; \
	extern exec_fn *const pica_alu_##level##_OFF[PICA_EXEC_COUNT];
PICA_BUILDS(base)
PICA_BUILDS(avx2)
PICA_BUILDS(avx512)

/* Control flow does the same in all of them. */
extern exec_fn *const pica_flow[PICA_EXEC_COUNT];

static inline enum f24_mode pica_rounding(const struct program *p)
{
	return p->target.features & PICA_BINARY32 ? F24_OFF : p->target.features & PICA_RNE ? F24_RNE : F24_TRUNC;
}

/* insn.fetch, set by bind: a component that the instruction writes is read again for a later one. */
enum { HAZARD = 1 };
/* insn.marks, set by bind: the executor chooses the next pc itself. */
enum { MOVES = 1 };

#endif
