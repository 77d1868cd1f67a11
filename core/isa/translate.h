/* Translation of a program into threaded code (core/isa/threaded.h), for every ISA. The engine makes chains of entries
 * and links; the ISA chooses the entries of an instruction. */
#ifndef WB_CORE_ISA_TRANSLATE_H
#define WB_CORE_ISA_TRANSLATE_H

#include "core/isa/threaded.h"

enum { OPS_MAX = 8 };           /* entries of an instruction, in any instruction set */

struct translator {
	const struct program *p;
	const struct rules *rules;
	struct arena *arena;
	const struct threaded_level *level;
	/* Make the entries of an instruction, at most `ops` (up to OPS_MAX), given with the members common to all
	 * entries of an instruction, and zeros; an entry is moved later. `alone`: the warp stops after the instruction.
	 * Returns the number of entries; -1: the host has no memory. */
	int (*instruction)(struct translator *t, const struct insn *in, bool alone, struct threaded_op *to);
	uint32_t ops;
	/* The engine's. */
	const struct threaded_op **on, **one;
};

/* Set out->on and out->one. False: the host has no memory. */
bool translate_program(struct translator *t, struct threaded_code *out);
/* Offset from a warp's registers to its private state of `bytes` bytes, which is before the registers. */
static inline uintptr_t translate_state(size_t bytes)
{
	return 0 - (bytes + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
}

/* Make an entry the slow path of its instruction. */
static inline void translate_slow(const struct translator *t, struct threaded_op *op)
{
	op->full = op->partial = t->level->slow;
}

#endif
