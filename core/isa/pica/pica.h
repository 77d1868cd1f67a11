/* The PICA200 shader unit's names: register files, modifiers, program types, features.
 * Facts: seed 003 (3dbrew, "GPU/Shader Instruction Set"), spec pica.
 *
 * An instruction is one 32-bit word of code and, if it is arithmetic, the operand descriptor that it names: destination
 * mask, component selectors, negation. To the engine both are one 64-bit word, the descriptor above the code; the table
 * of descriptors is the side table of struct isa_target. */
#ifndef WB_CORE_ISA_PICA_PICA_H
#define WB_CORE_ISA_PICA_PICA_H

#include "core/isa/table.h"

enum pica_mode { PICA_VS = 1, PICA_GS = 2, PICA_ALL = 3 };

/* How floats round (core/isa/pica/f24.h); neither: PICA's own truncation. */
enum pica_feature { PICA_RNE = 1, PICA_BINARY32 = 2 };

/* opnd.file. A register's number is the field's value: sources v0 … v15 are 0 … 15, r0 … r15 16 … 31, c0 … c95
 * 32 … 127; destinations o0 … o15 are 0 … 15, r0 … r15 16 … 31. */
enum pica_file { FILE_DST, FILE_SRC, FILE_BOOL, FILE_INT };

enum { SRC_TEMPORARY = 16, SRC_UNIFORM = 32, DST_TEMPORARY = 16 };

/* Slots of insn.mod. */
enum pica_mod {
	MOD_MASK,                       /* components written, bit 3 = x … bit 0 = w */
	MOD_NEG1, MOD_NEG2, MOD_NEG3,   /* 1: negate the source */
	MOD_SEL1, MOD_SEL2, MOD_SEL3,   /* component selectors, two bits each, that of x in bits 7:6 */
	MOD_INDEX,                      /* added to the uniform's number: 0 nothing, 1 a0.x, 2 a0.y, 3 aL */
	MOD_CMPX, MOD_CMPY,             /* comparison: 0 == 1 != 2 < 3 <= 4 > 5 >=, 6 and 7 always true */
	MOD_COND,                       /* bits 1:0 or, and, x, y alone; bit 2 what cmp.y must be, bit 3 what cmp.x */
	MOD_NUM,                        /* instructions behind the target */
	MOD_VERTEX, MOD_PRIM, MOD_WINDING,      /* of SETEMIT */
	MOD_DESC,                       /* the number of the operand descriptor */
};

extern const struct isa_table pica_table;

/* isa_ops.decode: the word at pc with its descriptor. A number that the side table does not have reads 0. */
bool pica_decode(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out);

/* Does a decoded instruction name an operand descriptor? */
static inline bool pica_described(const struct insn *in)
{
	return in->src[0].shape == OPND_REG;
}

#endif
