/* A line of text to an instruction's word: the reverse of core/isa/print.h, by the same templates. */
#ifndef WB_CORE_ISA_PARSE_H
#define WB_CORE_ISA_PARSE_H

#include "core/isa/code.h"
#include "core/isa/index.h"

struct diag;

/* Values of symbols, "#name" in texts. */
struct isa_symbols {
	bool (*find)(void *context, const char *name, size_t len, int64_t *value);   /* false: undefined */
	void *context;
	uint32_t pc;                /* of the instruction, where targets are written as distances */
};

/* Assemble one instruction: the first row whose text fits, in the order of the table, so that short forms come first;
 * with `wide`, or after the table's wide prefix, only wide forms. Bits that the text leaves open are 0. Documented
 * encodings are preferred to undocumented encodings. symbols may be NULL. On failure *d has the column (1-based, line
 * 1) of the furthest piece of text that no row could read, and the texts possible there. */
bool isa_parse(const struct isa_target *t, const char *text, bool wide, const struct isa_symbols *symbols,
	       struct isa_code *out, struct diag *d);

/* A line for several parses: its words are looked up once. `text` is the caller's, not a copy. */
struct isa_line {
	const char *text, *start;   /* start: behind the wide prefix */
	bool wide;                  /* the text has the wide prefix */
	struct isa_rows may;        /* rows that the line may be of */
};
void isa_line_read(const struct isa_target *t, const char *text, struct isa_line *line);
/* As isa_parse. */
bool isa_line_parse(const struct isa_target *t, const struct isa_line *line, bool wide,
		    const struct isa_symbols *symbols, struct isa_code *out, struct diag *d);
/* The alignment of the line's instruction in bytes, by the words of the line, whatever the row; 0: rows differ. */
unsigned isa_line_align(const struct isa_target *t, const struct isa_line *line);

/* Read a number at *text, blanks skipped: decimal, 0x hexadecimal, signed, or with a point the bits of a binary32.
 * False, with *text unmoved, if no number is there. */
bool isa_parse_number(const char **text, int64_t *value);

#endif
