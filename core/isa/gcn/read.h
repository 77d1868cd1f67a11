/* Reading GCN's texts: numbers and expressions, registers, operands. What goes wrong first is in the reader's
 * diagnostic; after that every function returns false and leaves the place alone. */
#ifndef WB_CORE_ISA_GCN_READ_H
#define WB_CORE_ISA_GCN_READ_H

#include "core/isa/gcn/layout.h"

struct diag;
struct isa_symbols;

struct gcn_reader {
	const char *text, *cursor;
	enum gcn_generation generation;
	const struct isa_symbols *symbols;
	struct diag *d;
	bool failed, symbolic;              /* symbolic: a symbol was looked up */
	bool old_floats;                    /* ISA_OLD_FLOATS */
};

/* An operand. Registers and inline constants are source codes, as in gcn.h. */
struct gcn_operand {
	const char *begin;
	uint16_t code, count;               /* count: registers; 0: no register */
	bool is_register, is_literal;
	bool neg, abs, sext;
	uint32_t literal;
};

bool gcn_wrong(struct gcn_reader *r, const char *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void gcn_blanks(struct gcn_reader *r);
/* Take a character, or a word in any case, if it is next. */
bool gcn_take(struct gcn_reader *r, char c);
bool gcn_take_word(struct gcn_reader *r, const char *word);
/* Demand a character. */
bool gcn_expect(struct gcn_reader *r, char c);
/* A word of letters, digits and '_', in small letters; false: there is none. */
bool gcn_word_text(struct gcn_reader *r, char *word, size_t size);

/* An integer expression of numbers, characters, symbols and the operators of C; within limits. */
bool gcn_number(struct gcn_reader *r, int64_t *v);
bool gcn_number_in(struct gcn_reader *r, int64_t low, int64_t high, uint32_t *v);

/* The binary16 nearest to a value, ties to even. */
uint16_t gcn_half(double v);
/* A register: false, without a word, if none begins here. */
bool gcn_register(struct gcn_reader *r, struct gcn_operand *out);
/* A source of the type: a register or a constant, with -, abs(), | | and sext() where `modified`. */
bool gcn_source(struct gcn_reader *r, enum gcn_type type, bool vector, bool modified, struct gcn_operand *out);

#endif
