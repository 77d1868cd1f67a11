/* A table proves itself: what a wrong row would otherwise do silently is found before anything runs. */
#ifndef WB_CORE_ISA_CHECK_H
#define WB_CORE_ISA_CHECK_H

#include "core/isa/table.h"

struct diag;

/* Check the table of an instruction set for every chip and program type that it names:
 *
 *   templates name kinds that exist, and end;
 *   alternatives can be chosen, and lists of names fit their fields;
 *   no two rows of one standing (documented or not) hold for the same word, and none contradicts its form;
 *   in a row, no number lies over fixed bits or half over another number, and no place of struct insn is filled twice;
 *   its index is the one that the rows make (NULL: there is none yet, and the table is checked with a new one), leads
 *   from words to the rows that a search of all rows finds, and rules out no row for a text of it (sampled);
 *   each row decodes some word, and what is printed for words of a row assembles to the same instruction (sampled).
 *
 * Every bit of a word is then claimed by the row's form, conditions and kinds, or loose. On failure *d says which row
 * or kind and why; a wrong table is our own defect (DIAG_INTERNAL). */
bool isa_check(const struct isa_ops *isa, struct diag *d);

#endif
