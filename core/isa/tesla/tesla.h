/* The Tesla machine's names: register files, memory spaces, modifiers, program types, features.
 * Facts: spec tesla-encoding (envytools envydis), tesla-semantics. */
#ifndef WB_CORE_ISA_TESLA_TESLA_H
#define WB_CORE_ISA_TESLA_TESLA_H

#include "core/isa.h"

enum tesla_mode { MODE_VP = 1, MODE_GP = 2, MODE_FP = 4, MODE_CP = 8, MODE_GRAPHICS = 7, MODE_ALL = 15 };

enum tesla_feature { FEAT_SM11 = 1, FEAT_SM12 = 2, FEAT_FP64 = 4, FEAT_D3D10_1 = 8,
	FEAT_LANES = 16 /* warp primitives: no Tesla chip, but v100 */ };

/* opnd.file of registers */
enum tesla_file {
	FILE_R,        /* $r: width 2 (halves), 4, 8, 16 */
	FILE_A,        /* $a0…$a7 */
	FILE_C,        /* $c0…$c3 */
	FILE_SR,       /* special registers */
	FILE_T, FILE_S,/* textures, samplers */
};

/* opnd.file of memory operands */
enum tesla_space { SPACE_S, SPACE_C, SPACE_L, SPACE_G, SPACE_A, SPACE_P, SPACE_O, SPACE_V };

enum { PRED_NEVER = 0, PRED_ALWAYS = 15 };

/* Registers with a scoreboard entry: $r0 … $r127, $c0 … $c3, $a0 … $a7. */
enum { TESLA_SCOREBOARD = 128 + 4 + 8 };
/* Register beyond every allocation, and so 0: compilers' zero. */
enum { TESLA_ZERO = 124 };

/* Slots of insn.mod. Values are the encodings of spec tesla-encoding unless said otherwise. */
enum tesla_mod {
	MOD_SAT,        /* 1: saturate */
	MOD_NEG1, MOD_NEG2, MOD_NEG3,    /* 1: negate source 1, 2, 3 (for mad: NEG1 is the product's) */
	MOD_ABS1, MOD_ABS2,
	MOD_NOT1, MOD_NOT2,
	MOD_ADDOP,      /* 0 add 1 sub 2 subr 3 addc */
	MOD_COND,       /* comparison of set: the 3- or 4-bit field */
	MOD_ROUND,      /* 0 rn 1 rm 2 rp 3 rz */
	MOD_RINT,       /* 1: round to an integer */
	MOD_SIGN1, MOD_SIGN2,   /* sources are signed (mul, mad, sad, min, max, set, shr; integer cvt source) */
	MOD_HIGH,       /* 24-bit multiply: upper 32 of 48 bits */
	MOD_OP,         /* the row's sub-operation: logic 0 and 1 or 2 xor 3 mov2; atomic op; presin/preex2 */
};

/* Further meanings of slots, for rows without the first meaning. */
enum {
	MOD_LIM = MOD_SAT,           /* call, preret, bra c[]: limited */
	MOD_INC = MOD_NOT1, MOD_WAIT = MOD_NOT2,     /* bar; the barrier's number is in MOD_OP */
	/* cvt: bytes of the numbers converted (1, 2, 4, 8), which may be less than the registers' */
	MOD_SRC_BYTES = MOD_NOT1, MOD_DST_BYTES = MOD_NOT2,
	/* g[] accesses and atomics: the type field, 0 u8 1 s8 2 u16 3 s16 4 64 5 128 6 u32 7 s32 */
	MOD_TYPE = MOD_COND,
	/* quadop: 0 add 1 subr 2 sub 3 mov2 for each lane; the lane selector 0…5 is in MOD_OP */
	MOD_LANE0 = MOD_NEG1, MOD_LANE1 = MOD_NEG2, MOD_LANE2 = MOD_NEG3, MOD_LANE3 = MOD_ABS1,
	MOD_LIVE = MOD_NOT1, MOD_DERIV = MOD_NOT2, MOD_CUBE = MOD_HIGH,          /* textures */
	MOD_COMPONENT = MOD_OP,      /* texgather */
	MOD_OFFX = MOD_NEG1, MOD_OFFY = MOD_NEG2, MOD_OFFZ = MOD_NEG3,           /* textures: int8_t */
};

/* The whole instruction set, for the engine of core/isa/table.h. */
extern const struct isa_table tesla_table;

/* Special registers, the sources of mov_sr_r. The last six are of chips with FEAT_LANES, whose grids are wider than the
 * halves of s[] can tell. */
enum {
	SR_PHYSID = 0, SR_CLOCK = 1, SR_VSTRIDE = 3, SR_PM0 = 4, SR_PM3 = 7, SR_SAMPLEID = 8,
	SR_CTAID_X = 10, SR_CTAID_Z = 12, SR_NCTAID_X = 13, SR_NCTAID_Z = 15
};

enum { VSTRIDE = 0x20 };        /* the constant read from $vstride (envytools, unsure) */

#endif
