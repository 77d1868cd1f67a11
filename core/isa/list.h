/* Listings of whole programs. */
#ifndef WB_CORE_ISA_LIST_H
#define WB_CORE_ISA_LIST_H

#include <stdio.h>

#include "core/isa/table.h"

enum isa_list_flags {
	ISA_LIST_BARE = 1,          /* only the texts of the instructions */
	/* Text that the assembler turns into the same words: labels for targets, the wide prefix where a text alone
	 * would become shorter, and .word for words without a text. Independent of the target's `undoc`. */
	ISA_LIST_SOURCE = 2,
};

/* Write a program of `size` bytes, one instruction a line: "00000010: 30020001 c4100780 shl b32 $r0 $r0 0x2". The given
 * labels, in any order, and "L_<address>" for each other branch target stand on lines of their own in front of their
 * instructions, as do the lines of `notes` (NULL: none). Returns the number of words that are no instruction
 * ("???"). */
struct isa_list_notes {
	/* writes whole lines in front of an instruction; NULL: none */
	void (*before)(void *user, uint32_t pc, FILE *out);
	/* writes what stands in a comment behind an instruction of the text; NULL: none */
	void (*behind)(void *user, const char *text, FILE *out);
	void *user;
	uint32_t from, to;          /* addresses to list; to 0: the whole program */
};
#define ISA_LIST_NO_MEMORY SIZE_MAX   /* returned where the host has none; nothing is written */
size_t isa_list(const struct isa_target *t, const uint8_t *code, size_t size, const struct isa_label *labels,
		size_t nlabels, unsigned flags, const struct isa_list_notes *notes, FILE *out);

#endif
