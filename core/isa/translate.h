/* Translation of a program into threaded code (core/isa/threaded.h), for every ISA. The engine makes chains of entries
 * and links; the ISA chooses the entries of an instruction. */
#ifndef WB_CORE_ISA_TRANSLATE_H
#define WB_CORE_ISA_TRANSLATE_H

#include "core/base/host_threads.h"
#include "core/isa/threaded.h"

enum { OPS_MAX = 8 };           /* entries of an instruction, in any instruction set */

/* Lives as long as the program, for entries made at first use. */
struct translator {
	const struct program *p;
	const struct rules *rules;
	struct arena *arena;            /* for entries and constants: the launch's, and later program.late */
	const struct threaded_level *level;
	/* Make the entries of an instruction, at most `ops` (up to OPS_MAX), given with the members common to all
	 * entries of an instruction, and zeros; an entry is moved later. `alone`: the warp stops after the instruction.
	 * Returns the number of entries; -1: the host has no memory. */
	int (*instruction)(struct translator *t, const struct insn *in, bool alone, struct threaded_op *to);
	uint32_t ops;
	/* The engine's. */
	const struct threaded_op **on, **one;
	struct threaded_op *piece;      /* RUN_MAX instructions and a link, before they are copied to their place */
	pthread_mutex_t lock;           /* held while `one` is made */
};

/* Set out->on, and how out->one is made. False: the host has no memory. */
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
