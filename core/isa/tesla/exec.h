/* The executors of this SIMD level: one function for each name in ops.h, and the table that binds them. */
#ifndef WB_CORE_ISA_TESLA_EXEC_H
#define WB_CORE_ISA_TESLA_EXEC_H

#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/simd.h"
#include "core/isa/tesla/state.h"

/* EXEC(iadd) { … } defines the executor of iadd. It is called with memory operands fetched, the guard applied
 * (x->step.executed) and x->step.next_pc at the following instruction, and returns enum outcome. */
#define EXEC(name) int SIMD_NAME(exec_##name)(struct exec *x, const struct insn *in)

/* EXEC_WORDS(iadd) { … } defines two from one meaning: exec_iadd, and exec_iadd_words for an instruction all of whose
 * registers are whole words that exist (bind_takes_words). In the body the constant `words` says which. */
#define EXEC_WORDS(name) \
	static inline __attribute__((always_inline)) int name##_meaning(struct exec *, const struct insn *, bool); \
	EXEC(name) \
	{ \
		return name##_meaning(x, in, false); \
	} \
	EXEC(name##_words) \
	{ \
		return name##_meaning(x, in, true); \
	} \
	static inline int name##_meaning(struct exec *x, const struct insn *in, bool words)

#define EXEC_PROTOTYPE(name, latency, text) EXEC(name);
#define EXEC_PROTOTYPES(name, latency, text) EXEC(name); EXEC(name##_words);
TESLA_EXEC_INT(EXEC_PROTOTYPES)
TESLA_EXEC_MOVE(EXEC_PROTOTYPE)
TESLA_EXEC_FLOAT(EXEC_PROTOTYPES)
TESLA_EXEC_DOUBLE(EXEC_PROTOTYPE)
TESLA_EXEC_CVT(EXEC_PROTOTYPES)
TESLA_EXEC_MEM(EXEC_PROTOTYPE)
TESLA_EXEC_FLOW(EXEC_PROTOTYPE)
TESLA_EXEC_GRAPHICS(EXEC_PROTOTYPE)
TESLA_EXEC_TEX(EXEC_PROTOTYPE)
#undef EXEC_PROTOTYPES
#undef EXEC_PROTOTYPE

#endif
