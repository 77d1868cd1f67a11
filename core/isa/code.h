/* An instruction as the assembler or the encoder makes one. */
#ifndef WB_CORE_ISA_CODE_H
#define WB_CORE_ISA_CODE_H

#include "core/isa/table.h"

struct isa_code {
	uint64_t word;
	const struct isa_row *row;
	uint32_t target;            /* code address of the branch target, with has_target */
	uint16_t registers;         /* registers of a thread needed by the operands, as isa_registers */
	uint8_t length;             /* bytes */
	bool symbolic;              /* a symbol was looked up: the word may change with the symbol */
	bool has_target;
};

#endif
