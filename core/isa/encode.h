/* From a decoded instruction back to its word: what a front end of another language ends in. */
#ifndef WB_CORE_ISA_ENCODE_H
#define WB_CORE_ISA_ENCODE_H

#include "core/isa/table.h"

/* The row whose template begins with the word `name`; NULL if there is none. The first of several. */
const struct isa_row *isa_row_named(const struct isa_table *t, const char *name);
/* The word of row r with the registers, numbers and modifiers of *in; the reverse of isa_decode_word for rows whose
 * operands are such. Bits that nothing decides are 0. False: a value that the row has no bits for. */
bool isa_encode(const struct isa_target *t, const struct isa_row *r, const struct insn *in, uint64_t *word);

#endif
