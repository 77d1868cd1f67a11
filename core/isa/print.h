/* Text of decoded instructions. */
#ifndef WB_CORE_ISA_PRINT_H
#define WB_CORE_ISA_PRINT_H

#include "core/isa/table.h"

enum { ISA_LINE = 256 };   /* longer than any instruction's text */

/* Write the instruction as one line without newline, ended by 0 and cut to size; returns the length. A word that is no
 * instruction, or has only an undocumented meaning while t->undoc is not set, is "???". Bits without meaning are
 * appended as "[unknown: u0 u1]". */
size_t isa_print(const struct isa_target *t, const struct insn *in, char *buf, size_t size);
/* As isa_print, with a name for the branch target, "#label", in the assembler's syntax; NULL: the number. */
size_t isa_print_named(const struct isa_target *t, const struct insn *in, const char *label, char *buf, size_t size);

#endif
