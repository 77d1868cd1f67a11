/* CLRX's assembly language as people have it: whole files of CLRadeonExtender's assembler (facts: its manual,
 * doc/ClrxAsm*.md), from macros and symbols down to kernels with arguments and a launch descriptor.
 *
 * Files of Warpbeam's own assembler share the instructions' texts, and nothing else: clrx_sniff tells the two apart. */
#ifndef WB_CORE_ISA_GCN_CLRX_ASM_H
#define WB_CORE_ISA_GCN_CLRX_ASM_H

#include <stdbool.h>
#include <stddef.h>

struct diag;
struct image;
struct isa_source;

/* Does the text have a directive of CLRX's that chooses a binary's format, a chip, or a kernel's configuration? */
bool clrx_sniff(const char *text, size_t n);
/* isa_texts.assemble: the program of a file, for the chip of source->chip, NULL: the chip of .gpu or .arch. */
bool clrx_assemble(const struct isa_source *source, struct image *im, struct diag *d);

#endif
