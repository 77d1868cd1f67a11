/* The growing text of a program. */
#ifndef WB_CORE_COMPILE_EMIT_H
#define WB_CORE_COMPILE_EMIT_H

#include "core/compile/ir.h"

enum { C1_WORDS = 128, C1_HALVES = 64 };

/* Contents of $a1 to $a4: (register << shift) + offset. */
struct address_registers {
	struct { bool valid; unsigned reg, shift, offset; } address[5];
};

struct emitter {
	struct ptx_module *m;
	char *text;
	size_t size, space;
	size_t nlines;
	struct compile_line *lines;
	const struct compile_chip *chip; /* compile.c */
	unsigned sm;             /* the chip's */
	/* of the function */
	struct ir *f;
	unsigned kernel;                 /* number of the kernel, part of labels */
	uint32_t constant[C1_WORDS];
	unsigned nconstants;
	bool too_many;                   /* constants */
	bool join;                       /* the next line carries a join */
	size_t last_line;                /* begin of the last line, if the line could carry an exit; else 0 */
	struct address_registers now, *at_end;   /* at the ends of blocks, by their ids */
	unsigned next_address;
	unsigned bank;                   /* of the access being written */
	uint32_t line, file, source_line;
};

/* One line of text, without a place in the source. */
void emit_text(struct emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
