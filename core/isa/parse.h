/* One line of text to one instruction's word: the reverse of core/isa/print.h, by the same templates. */
#ifndef WB_CORE_ISA_PARSE_H
#define WB_CORE_ISA_PARSE_H

#include "core/isa/index.h"

struct diag;

/* What "#name" stands for. */
struct isa_symbols {
	bool (*find)(void *context, const char *name, size_t len, int64_t *value);   /* false: undefined */
	void *context;
	uint32_t pc;                /* of the instruction, where targets are written as distances */
};

struct isa_code {
	uint64_t word;
	const struct isa_row *row;
	uint32_t target;            /* code address that it names */
	uint16_t registers;         /* that its operands need: as isa_registers */
	uint8_t length;             /* bytes */
	bool symbolic;              /* it was looked what a symbol stands for: the word may change with that */
	bool has_target;
};

/* Assemble one instruction: the first row whose text fits, in the order of the table, so that short forms come first;
 * with `wide`, or a text that begins with the table's wide prefix, only forms that are wide. Bits that the text leaves
 * open are 0. Documented encodings are preferred to undocumented ones. symbols may be NULL. On failure *d has the
 * column (1-based, line 1) of the furthest piece of text that no row could read, and what could stand there. */
bool isa_parse(const struct isa_target *t, const char *text, bool wide, const struct isa_symbols *symbols,
	       struct isa_code *out, struct diag *d);

/* A line that is looked at several times: what its words say is found out once. It keeps the text, not a copy. */
struct isa_line {
	const char *text, *start;   /* start: behind the wide prefix */
	bool wide;                  /* it has one */
	struct isa_rows may;        /* rows that it may be of */
};
void isa_line_read(const struct isa_target *t, const char *text, struct isa_line *line);
/* As isa_parse. */
bool isa_line_parse(const struct isa_target *t, const struct isa_line *line, bool wide,
		    const struct isa_symbols *symbols, struct isa_code *out, struct diag *d);
/* The alignment, in bytes, that the line's instruction needs by its words, whatever row it is of; 0: rows differ. */
unsigned isa_line_align(const struct isa_target *t, const struct isa_line *line);

/* Read a number at *text, blanks skipped: decimal, 0x hexadecimal, signed, or with a point the bits of a binary32.
 * False, with *text unmoved, if there is none. */
bool isa_parse_number(const char **text, int64_t *value);

#endif
