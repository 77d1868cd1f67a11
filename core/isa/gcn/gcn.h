/* The GCN machine's names: generations, encodings, types of operands, register files, modifiers. The instructions are
 * gcn.def; where the fields of an encoding lie is layout.def. Facts: spec gcn, spec gcn-text, CLRX documentation.
 *
 * What an executor finds in struct insn:
 *
 *   row->exec       its number (enum gcn_exec); gcn_row_of(in) is the row of gcn.def with the operands' types
 *   dst, src[]      OPND_REG of a file below, `width` bytes; FILE_S counts codes, so vcc is register 106 and exec 126.
 *                   OPND_IMM: `value` are the 32 bits that the operand's type makes of it, `reg` is the source code:
 *                   255 a literal, else an inline constant, whose 64-bit meaning gcn_constant gives. OPND_TARGET:
 *                   branches
 *     SOP1, SOP2, SOPC, VOP    src[0…2] as written
 *     SOPK                     src[0] the immediate or target, src[1] the register that is read
 *     SOPP                     src[0] the immediate or target
 *     SMEM                     src[0] base, src[1] offset (a number of bytes, a literal of words, or a register of
 *                              bytes), src[2] what is stored, src[3] the register beside an offset (1.4)
 *     DS                       src[0] address with its 16-bit offset as value, src[1], src[2] data
 *     MUBUF, MTBUF             src[0] what is stored, src[1] address registers with the offset as value (OPND_NONE: no
 *                              register, the offset holds), src[2] the resource, src[3] soffset
 *     MIMG                     src[0] what is stored, src[1] the first address register (the image's type says how
 *                              many there are), src[2] the image, src[3] the sampler
 *     FLAT, GLOBAL, SCRATCH    src[0] what is stored, src[1] address with the offset as value, src[2] saddr or
 *                              OPND_NONE
 *   flags_dst       the first code of the scalar pair that carry-outs go to (106 is vcc), FLAGS_NONE: there are none
 *   mod[]           enum gcn_mod
 *
 * A source that the generation does not have is OPND_REG of FILE_ILLEGAL: such an instruction has a text but never
 * runs. */
#ifndef WB_CORE_ISA_GCN_GCN_H
#define WB_CORE_ISA_GCN_GCN_H

#include "core/isa/table.h"

enum gcn_generation { GCN_10, GCN_11, GCN_12, GCN_14, GCN_GENERATIONS };

/* Features of the chips: exactly one of them. */
static inline enum gcn_generation gcn_generation(const struct isa_target *t)
{
	return (enum gcn_generation)__builtin_ctz(t->features | 1u << GCN_14);
}

/* Rows' encodings and their bytes, literals and second words apart. SMEM is SMRD of 4 bytes in 1.0 and 1.1. */
#define GCN_ENCODINGS(X) \
	X(SOP2, 4) X(SOP1, 4) X(SOPC, 4) X(SOPK, 4) X(SOPP, 4) X(SMEM, 8) X(VOP1, 4) X(VOP2, 4) X(VOPC, 4) X(VOP3, 8) \
	X(VOP3P, 8) X(VINTRP, 4) X(DS, 8) X(MUBUF, 8) X(MTBUF, 8) X(FLAT, 8) X(GLOBAL, 8) X(SCRATCH, 8) X(MIMG, 8) \
	X(EXP, 8)
#define GCN_ENCODING_ENUM(name, bytes) ENC_##name,
enum gcn_encoding { GCN_ENCODINGS(GCN_ENCODING_ENUM) ENC_COUNT };

/* How the instruction at hand is encoded (MOD_FORM): as its row says, or in one of the other forms of VOP1, 2 and C. */
enum gcn_form { FORM_PLAIN, FORM_LITERAL, FORM_VOP3, FORM_SDWA, FORM_DPP };

/* Types of operands. The number is the width in bits; U, I and F say how the bits are read, B: as bits. */
#define GCN_TYPES(X) \
	X(B32, 4) X(U32, 4) X(I32, 4) X(F32, 4) X(F16, 4) X(B16, 4) X(U16, 4) X(I16, 4) \
	X(B64, 8) X(U64, 8) X(I64, 8) X(F64, 8) X(B96, 12) X(B128, 16) X(B256, 32) X(B512, 64)
#define GCN_TYPE_ENUM(name, bytes) T_##name,
enum gcn_type {
	T___, GCN_TYPES(GCN_TYPE_ENUM)
	/* Immediates: a signed and an unsigned 16-bit number, one that may be left out when it is 0, a branch's
	 * distance, counters to wait for, a message, a hardware register with its bits, 8 bits in a source's place, a
	 * literal. */
	T_SIMM, T_UIMM, T_ZERO, T_REL, T_WAIT, T_MSG, T_HWREG, T_IMM8, T_IMM32,
	T_COUNT
};

enum gcn_flags {
	SDST = 1,           /* the destination is scalar */
	LANE = 2,           /* v_readlane, v_writelane: scalar sources may be the second operand in the short form */
	CARRY_OUT = 4,      /* a bit a lane goes to vcc, or in VOP3 to a scalar pair (VOP3B) */
	CARRY_IN = 8,       /* a bit a lane comes from vcc, or in VOP3 from src2 */
	LITERAL1 = 16,      /* a literal stands before the last source (madmk) */
	LITERAL2 = 32,      /* a literal is the last source (madak) */
	WRITES_EXEC = 64,   /* the compare's result goes to exec, too */
	PAIR = 128,         /* two 8-bit offsets */
	BARE = 256,         /* no operands */
	RSRC = 512,         /* no data */
	SAMPLER = 1024,
	INTERP = 2048,      /* interpolation in VOP3 */
	D16 = 4096,
	CLASS64 = 8192,     /* CLRX shows the 32-bit mask of v_cmp_class_f64 as a pair */
	OFFSETS_OF_64 = 16384,      /* scalar memory: offsets in registers have units of 64 bytes */
	STEERS = 1 << 15,           /* goes elsewhere, waits for other waves, or can write any register */
	TESTS_SCC = 1 << 16,        /* branches by scc; by vcc; by EXEC */
	TESTS_VCC = 1 << 17,
	TESTS_EXEC = 1 << 18,
	EXEC_OPERAND = 1 << 19,     /* reads and writes EXEC, an operand without a name in the text; never faults */
	MASK_OP = 1 << 20,          /* common on masks, so threaded code has its writes of EXEC; never faults */
	SETS_SCC = 1 << 21,         /* scc gets a carry, an overflow, a comparison, or whether the result is not 0 */
};

struct gcn_row {
	uint16_t op[GCN_GENERATIONS];       /* from NO on: none */
	uint8_t encoding;
	uint8_t d, s[3];                    /* enum gcn_type */
	uint32_t flags;                     /* enum gcn_flags */
};
enum { NO = 0x8000 };

/* opnd.file */
enum gcn_file {
	FILE_V,             /* vector registers */
	/* scalar registers by source code 0 … 127: s, flat_scratch, xnack_mask, vcc, tba, tma, ttmp, m0, exec */
	FILE_S,
	FILE_SPECIAL,       /* by source code: 235 … 239 apertures, 251 vccz, 252 execz, 253 scc, 254 LDS direct */
	FILE_ILLEGAL,
};
enum gcn_code {
	CODE_FLAT_SCRATCH_12 = 102, CODE_FLAT_SCRATCH_11 = 104, CODE_XNACK_MASK = 104, CODE_VCC = 106, CODE_TBA = 108,
	CODE_TMA = 110, CODE_TTMP_10 = 112, CODE_TTMP_14 = 108, CODE_M0 = 124, CODE_EXEC = 126, CODE_INT = 128,
	CODE_NEGATIVE = 193, CODE_APERTURES = 235, CODE_FLOAT = 240, CODE_1_2PI = 248, CODE_SDWA = 249, CODE_DPP = 250,
	CODE_VCCZ = 251, CODE_EXECZ = 252, CODE_SCC = 253, CODE_LDS = 254, CODE_LITERAL = 255, CODE_V = 256,
};

/* Slots of insn.mod. Bit i of a set belongs to source i. */
enum gcn_mod {
	MOD_FORM,           /* enum gcn_form */
	MOD_NEG, MOD_ABS, MOD_SEXT,     /* sets; MOD_ABS of VOP3P: negation of high halves */
	MOD_OMOD,           /* 0, 1 ×2, 2 ×4, 3 ÷2 */
	MOD_CLAMP,
	MOD_OPSEL,          /* set of high halves; bit 3 the destination's */
	MOD_OPSEL_HI,
	/* of compares: 0 f 1 lt 2 eq 3 le 4 gt 5 lg 6 ge 7 o (integers: true) 8 u 9 nge … 15 true */
	MOD_CONDITION,
	MOD_OWN,            /* from here on by encoding: */
	/* SDWA */
	MOD_DST_SEL = MOD_OWN, MOD_DST_UNUSED, MOD_SRC0_SEL, MOD_SRC1_SEL,
	/* DPP */
	MOD_DPP_LOW = MOD_OWN, MOD_DPP_HIGH, MOD_MASKS /* row_mask << 4 | bank_mask */, MOD_BOUND,
	/* DS, MUBUF, MTBUF, MIMG, FLAT, SMEM */
	MOD_OFFSET0 = MOD_OWN, MOD_OFFSET1, MOD_CACHE, MOD_ADDRESS, MOD_FORMAT /* MIMG: dmask */,
};
enum gcn_cache { CACHE_GLC = 1, CACHE_SLC = 2, CACHE_NV = 4, CACHE_TFE = 8, CACHE_LDS = 16, CACHE_GDS = 32 };
enum gcn_address { ADDRESS_OFFEN = 1, ADDRESS_IDXEN = 2, ADDRESS_64 = 4 };
/* MOD_ADDRESS of MIMG. R128 is A16 from 1.4 on: addresses of 16 bits. */
enum gcn_image_bits { IMAGE_UNORM = 1, IMAGE_DA = 2, IMAGE_R128 = 4, IMAGE_D16 = 8 };
enum { SEL_BYTE0, SEL_BYTE1, SEL_BYTE2, SEL_BYTE3, SEL_WORD0, SEL_WORD1, SEL_DWORD };
enum { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE };

/* isa_target.syntax. With ISA_OLD_FLOATS, floats are read as CLRX 0.1.2 and older did, which had no doubles and made
 * inline constants of singles alone (seed 001, "OLD_VERSIONS"). */
enum gcn_syntax { SYNTAX_CLRX, SYNTAX_LLVM };

extern const struct isa_table gcn_table;
extern const struct gcn_row gcn_rows[];         /* beside gcn_table.row */
extern const uint8_t gcn_type_bytes[T_COUNT];   /* 0: no registers */

static inline const struct gcn_row *gcn_row_of(const struct insn *in)
{
	return &gcn_rows[in->row - gcn_table.row];
}

/* Does a scalar operand of so many bytes include a half of EXEC, which has the last two codes? */
static inline bool gcn_covers_exec(unsigned code, unsigned bytes)
{
	return code + (bytes > 4 ? (bytes + 3u) / 4 : 1) > CODE_EXEC;
}

/* Does the instruction write EXEC, as its result, its mask or the operand without a name? */
static inline bool gcn_writes_exec(const struct insn *in)
{
	return gcn_row_of(in)->flags & (WRITES_EXEC | EXEC_OPERAND) ||
	       (in->dst.shape == OPND_REG && in->dst.file == FILE_S && gcn_covers_exec(in->dst.reg, in->dst.width)) ||
	       (in->flags_dst != FLAGS_NONE && gcn_covers_exec(in->flags_dst, 8));
}

/* What a source code from 128 to 248 stands for as an operand of a type; floats in the type's own width, binary32 where
 * it is no float. */
uint64_t gcn_constant(unsigned code, enum gcn_type type);

/* The functions behind struct isa_ops. */
bool gcn_decode(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out);
size_t gcn_print(const struct isa_target *t, const struct insn *in, const char *label, char *buf, size_t size);
struct isa_symbols;
struct isa_code;
bool gcn_parse(const struct isa_target *t, const char *text, const struct isa_symbols *symbols, struct isa_code *out,
	       struct diag *d);

#endif
