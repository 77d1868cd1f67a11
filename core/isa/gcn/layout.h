/* Instructions as numbers: the fields of layout.def, taken out of words and put together to words again. */
#ifndef WB_CORE_ISA_GCN_LAYOUT_H
#define WB_CORE_ISA_GCN_LAYOUT_H

#include "core/isa/gcn/gcn.h"

enum gcn_layout {
	LAYOUT_SOP1, LAYOUT_SOPC, LAYOUT_SOPP, LAYOUT_SOPK, LAYOUT_SOP2, LAYOUT_VOP1, LAYOUT_VOPC, LAYOUT_VOP2,
	LAYOUT_LITERAL, LAYOUT_SDWA, LAYOUT_SDWAB, LAYOUT_DPP, LAYOUT_VOP3P, LAYOUT_VOP3, LAYOUT_VOP3B, LAYOUT_SMRD,
	LAYOUT_SMEM, LAYOUT_VINTRP, LAYOUT_DS, LAYOUT_FLAT, LAYOUT_MUBUF, LAYOUT_MTBUF, LAYOUT_MIMG, LAYOUT_EXP,
	LAYOUT_COUNT, LAYOUT_NONE = LAYOUT_COUNT
};

enum gcn_field {
	F_OP, F_DST, F_SDST, F_SRC0, F_SRC1, F_SRC2, F_LITERAL, F_IMM, F_NEG, F_ABS, F_SEXT, F_NEG_HI, F_OMOD, F_CLAMP,
	F_OPSEL, F_OPSEL_HI, F_DST_SEL, F_DST_UNUSED, F_SRC0_SEL, F_SRC1_SEL, F_SCALAR, F_SD, F_DPP_CTRL, F_BOUND_CTRL,
	F_BANK_MASK, F_ROW_MASK, F_SBASE, F_IMM_FLAG, F_OFFSET, F_SOE, F_SOFFSET, F_VADDR, F_DATA0, F_DATA1, F_SRSRC,
	F_SSAMP, F_SADDR, F_SEGMENT, F_OFFEN, F_IDXEN, F_ADDR64, F_GLC, F_SLC, F_NV, F_TFE, F_LDS, F_GDS, F_DFMT,
	F_NFMT, F_DMASK, F_UNORM, F_DA, F_R128, F_LWE, F_D16, F_CHANNEL, F_ATTRIBUTE, F_ENABLE, F_TARGET, F_COMPR,
		F_DONE, F_VM,
	F_COUNT
};

struct gcn_word {
	enum gcn_generation generation;
	enum gcn_layout layout, second;     /* second: LITERAL, SDWA, SDWAB, DPP or NONE */
	int row;                            /* number in gcn_rows; -1: the generation lacks the opcode */
	uint8_t length;                     /* bytes */
	uint64_t loose;                     /* set bits outside of all fields */
	uint32_t f[F_COUNT];                /* of a word with SDWA or DPP: src0 is the second word's */
};

enum gcn_sign { SIGN_UNSIGNED, SIGN_SIGNED, SIGN_EITHER };
/* A number in an instruction (layout.def). */
struct gcn_number {
	uint8_t bits;           /* 0: no number */
	uint8_t sign;           /* enum gcn_sign */
	uint8_t unit;           /* bytes of one */
};

/* The number in a field of a row's instructions: a field of layout.def's NUMBER rows. */
struct gcn_number gcn_field_number(enum gcn_generation g, const struct gcn_row *r, enum gcn_field f);
/* The number in an immediate operand: a type of layout.def's OPERAND rows. */
struct gcn_number gcn_operand_number(enum gcn_type type);
/* The value of a number's bits, in units. */
int64_t gcn_number_value(struct gcn_number n, uint32_t bits);
/* The least and the largest number that a text may have. */
int64_t gcn_number_least(struct gcn_number n);
int64_t gcn_number_most(struct gcn_number n);

/* Take an instruction apart, with `bytes` known bytes. False: no layout fits, or the instruction is longer; the length
 * is set. */
bool gcn_unpack(enum gcn_generation g, uint64_t word, unsigned bytes, struct gcn_word *out);
/* Put an instruction together: layout, second and the fields; w->f[F_OP] is the opcode in the layout. */
uint64_t gcn_pack(const struct gcn_word *w);
/* The layout of a row's shortest form. */
enum gcn_layout gcn_layout_of(enum gcn_generation g, const struct gcn_row *r);
/* A row's opcode in VOP3, for rows of VOP1, VOP2, VOPC. */
unsigned gcn_vop3_op(enum gcn_generation g, const struct gcn_row *r);
/* The bits that a field can hold in a layout; 0: no such field. */
uint32_t gcn_field_mask(enum gcn_generation g, enum gcn_layout layout, enum gcn_field f);

#endif
