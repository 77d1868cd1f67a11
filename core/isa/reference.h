/* The reference of an instruction set, printed from its table. */
#ifndef WB_CORE_ISA_REFERENCE_H
#define WB_CORE_ISA_REFERENCE_H

#include <stdio.h>

#include "core/isa/table.h"

enum isa_reference_format { ISA_REFERENCE_TEXT, ISA_REFERENCE_MD, ISA_REFERENCE_JSON };

/* Write the forms, the operations with their encodings, and the kinds of the encodings. */
void isa_reference(const struct isa_table *t, enum isa_reference_format format, FILE *out);

#endif
