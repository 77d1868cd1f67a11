/* From a decoded instruction back to a word: the last step of front ends of other languages. */
#ifndef WB_CORE_ISA_ENCODE_H
#define WB_CORE_ISA_ENCODE_H

#include "core/isa/code.h"

/* The first row whose template begins with the word `name`; NULL for none. */
const struct isa_row *isa_row_named(const struct isa_table *t, const char *name);
/* The first row with the executor; NULL for none. */
const struct isa_row *isa_row_with(const struct isa_table *t, unsigned exec);

/* An instruction of the row without operands and modifiers, as decoding begins: unguarded, for all lanes. */
static inline struct insn isa_insn(const struct isa_table *t, const struct isa_row *row)
{
	return (struct insn){ .row = row, .pred = t->always, .lane_mask = 0xf, .flags_dst = FLAGS_NONE };
}

/* The word of row r with the guard, marks, operands and modifiers of *in; the reverse of isa_decode_word. Undecided
 * bits are 0. False: a value without bits in the row. */
bool isa_encode(const struct isa_target *t, const struct isa_row *r, const struct insn *in, uint64_t *word);

/* The word of *in by the first row from in->row on with the same executor and bits for all values, so that short forms
 * come first; `wide`: of a wide form. Documented rows and encodings alone. False: no such row. */
bool isa_encode_shortest(const struct isa_target *t, const struct insn *in, bool wide, struct isa_code *out);

#endif
