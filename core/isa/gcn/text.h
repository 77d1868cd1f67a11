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
extern const struct gcn_manner gcn_manner_clrx, gcn_manner_llvm;
struct gcn_printer {
	struct gcn_text t;
	const struct gcn_word *w;
	const struct gcn_row *row;          /* NULL: the number is no opcode */
	const char *name;
	uint32_t pc;
	const char *label;                  /* label of the branch target; NULL: the number */
	const struct gcn_manner *manner;    /* the syntax (printer.h) */
};

/* `count` registers from a source code on, or another meaning of the code. */
void gcn_put_source(struct gcn_printer *p, unsigned code, unsigned count);
/* Registers of a buffer instruction's data, and the type of a scalar memory instruction's data. */
unsigned gcn_data_registers(enum gcn_generation g, const struct gcn_row *r);
enum gcn_type gcn_smem_data(const struct gcn_row *r);
/* The row's offset, in units. */
int64_t gcn_offset(const struct gcn_printer *p);
/* Target of a branch with 16 immediate bits. */
uint32_t gcn_target(uint32_t pc, uint32_t imm);

#endif
