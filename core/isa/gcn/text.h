/* A growing text in a buffer, cut at the buffer's end, and the operands of the text. */
#ifndef WB_CORE_ISA_GCN_TEXT_H
#define WB_CORE_ISA_GCN_TEXT_H

#include "core/isa/gcn/layout.h"

struct gcn_text {
	char *buf;
	size_t size, len;
	bool operands;                      /* an operand stands there already */
};

void gcn_put(struct gcn_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The next operand begins: a blank before the first, ", " before the others. */
void gcn_comma(struct gcn_text *t);

/* An instruction in one syntax. */
struct gcn_printer {
	struct gcn_text t;
	const struct gcn_word *w;
	const struct gcn_row *row;
	const char *name;
	uint32_t pc;
	const char *label;                  /* label of the branch target; NULL: the number */
	bool llvm;                          /* the syntax */
};

/* The existing sources of a vector instruction, as bits. */
unsigned gcn_sources(const struct gcn_row *r);
/* `count` registers from a source code on, or another meaning of the code. */
void gcn_put_source(struct gcn_printer *p, unsigned code, unsigned count);
/* The source codes of a short form: with SDWA or DPP, vector registers unless the second word says scalar. */
unsigned gcn_short_source(const struct gcn_printer *p, unsigned i);
/* Registers of a buffer instruction's data, and the type of a scalar memory instruction's data. */
unsigned gcn_data_registers(enum gcn_generation g, const struct gcn_row *r);
enum gcn_type gcn_smem_data(const struct gcn_row *r);
/* The row's offset, in units. */
int64_t gcn_offset(const struct gcn_printer *p);
/* Target of a branch with 16 immediate bits. */
uint32_t gcn_target(uint32_t pc, uint32_t imm);

/* A syntax has a function for each group of layouts, by the same names in each file; VOP3 is the syntax's own. */
typedef void gcn_printer_fn(struct gcn_printer *p);
#define GCN_PRINTERS \
	[LAYOUT_SOPP] = print_sopp, [LAYOUT_SOPK] = print_sopk, [LAYOUT_SOP1] = print_scalar, \
	[LAYOUT_SOP2] = print_scalar, [LAYOUT_SOPC] = print_scalar, [LAYOUT_SMRD] = print_smem, \
	[LAYOUT_SMEM] = print_smem, [LAYOUT_VOP1] = print_short, [LAYOUT_VOP2] = print_short, \
	[LAYOUT_VOPC] = print_short, [LAYOUT_VOP3P] = print_vop3p, [LAYOUT_VINTRP] = print_vintrp, \
	[LAYOUT_DS] = print_ds, [LAYOUT_MUBUF] = print_buffer, [LAYOUT_MTBUF] = print_buffer, \
	[LAYOUT_FLAT] = print_flat, [LAYOUT_MIMG] = print_image, [LAYOUT_EXP] = print_export,

void gcn_print_clrx(struct gcn_printer *p);
void gcn_print_llvm(struct gcn_printer *p);

#endif
