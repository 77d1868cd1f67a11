/* Names of the machine's numbers, for printers and the assembler: scalar registers by source code, hardware registers,
 * messages, selectors, lane patterns. */
#ifndef WB_CORE_ISA_GCN_NAMES_H
#define WB_CORE_ISA_GCN_NAMES_H

#include "core/isa/gcn/gcn.h"

/* Registers in pairs that have a name: the first code, generations. */
struct gcn_named {
	const char *name;
	uint8_t code, generations;          /* bit g: generation g has it */
};
extern const struct gcn_named gcn_named[];      /* ended by a NULL name */

unsigned gcn_sgprs(enum gcn_generation g);      /* s0 … */
unsigned gcn_ttmps(enum gcn_generation g, unsigned *first);
bool gcn_code_exists(enum gcn_generation g, unsigned code);

/* Names by number; NULL: there is none. */
const char *gcn_aperture(enum gcn_generation g, unsigned code);         /* 235 … 239 */
const char *gcn_hwreg(enum gcn_generation g, unsigned id);
const char *gcn_message(enum gcn_generation g, unsigned id);
extern const char *const gcn_operations[4];
extern const char *const gcn_selectors[8];
extern const char *const gcn_unused[4];
extern const char *const gcn_data_formats[16], *const gcn_number_formats[8];

/* DPP controls from 0x130 on that are names alone. */
struct gcn_control {
	uint16_t code;
	const char *name, *llvm;
};
extern const struct gcn_control gcn_controls[];
/* Those with a count of 1 … 15: "row_shl" 0x100, "row_shr" 0x110, "row_ror" 0x120. */
extern const char *const gcn_row_controls[3];

#endif
