/* From a decoded instruction back to a word: the last step of front ends of other languages. */
#ifndef WB_CORE_ISA_ENCODE_H
#define WB_CORE_ISA_ENCODE_H

#include "core/isa/table.h"

/* The first row whose template begins with the word `name`; NULL for none. */
const struct isa_row *isa_row_named(const struct isa_table *t, const char *name);
/* The word of row r with the registers, numbers and modifiers of *in; the reverse of isa_decode_word for rows with
 * operands only of these. Undecided bits are 0. False: a value without bits in the row. */
bool isa_encode(const struct isa_target *t, const struct isa_row *r, const struct insn *in, uint64_t *word);

#endif
