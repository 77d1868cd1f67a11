/* A table proves itself: silent effects of a wrong row are found before anything runs. */
#ifndef WB_CORE_ISA_CHECK_H
#define WB_CORE_ISA_CHECK_H

#include "core/isa/table.h"

struct diag;

/* Check the table of an instruction set for every chip and program type in it:
 *
 *   templates name existing kinds, and end;
 *   alternatives can be chosen, and lists of names fit their fields;
 *   no two rows of one standing (documented or not) hold for the same word, and no row contradicts its form;
 *   in a row, no number lies over fixed bits or half over another number, and no place of struct insn is filled twice;
 *   the index is the one that the rows make (NULL: the check makes a new index), leads from words to the rows that a
 *   search of all rows finds, and rules out no row for a text of the row (sampled);
 *   each row decodes some word, and the text printed for words of a row assembles to the same instruction, and
 *   the encoder gives the instruction such a word (sampled).
 *
 * Every bit of a word is then claimed by the row's form, conditions and kinds, or loose. On failure *d names the row or
 * kind and the reason; a wrong table is our own defect (DIAG_INTERNAL). */
bool isa_check(const struct isa_ops *isa, struct diag *d);

#endif
