/* Types and functions common to the files of the nihstro front end: tokens, symbols, operands and instructions before
 * encoding. */
#ifndef WB_CORE_ISA_PICA_NIHSTRO_IMPL_H
#define WB_CORE_ISA_PICA_NIHSTRO_IMPL_H

/* A table that cannot grow leaves the element out, with hh.tbl NULL. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "core/isa/pica/nihstro.h"
#include "core/isa/pica/pica.h"

/* ---- text ---- */

struct place {
	const char *file;
	int line, column;
};

enum token_kind {
	TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING,
	TOKEN_AND, TOKEN_OR, TOKEN_EQ, TOKEN_NE, TOKEN_LE, TOKEN_GE,
	TOKEN_CHAR      /* any other punctuation: itself */
};

enum { LINE_TOKENS = 64 };

struct token {
	enum token_kind kind;
	char c;                 /* TOKEN_CHAR */
	bool real;              /* TOKEN_NUMBER with a point or an exponent */
	int column;             /* 1-based */
	int length;
	const char *text;
};

/* A line, cut into tokens; a TOKEN_END closes the list. */
struct line {
	const char *file;
	int number;
	const struct token *cursor; /* the next token to read */
	struct token token[LINE_TOKENS];
};

/* Cut the line that begins at *text, and move *text behind the line. */
bool line_scan(struct line *line, const char **text, const char *end, struct diag *d);
bool line_error(const struct line *line, const struct token *t, struct diag *d, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* "expected WHAT, found …" */
bool line_expected(const struct line *line, const struct token *t, struct diag *d, const char *what);
struct place line_place(const struct line *line, const struct token *t);
bool place_error(struct place place, struct diag *d, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Text of a token for messages: `quoted`, or "the end of the line". */
const char *token_show(const struct token *t, char *buffer, size_t size);
bool token_is(const struct token *t, char c);
bool token_named(const struct token *t, const char *name);          /* exactly */
bool token_mnemonic(const struct token *t, const char *name);       /* in any case */
/* Read the character c, if c is next. */
bool line_take(struct line *line, char c);
/* Read the character c; else an error: "expected c after `after`". */
bool line_expect(struct line *line, char c, const char *after, struct diag *d);
bool line_ends(struct line *line, struct diag *d);

/* ---- names ---- */

enum reg_file { REG_V, REG_R, REG_C, REG_O, REG_I, REG_B, REG_ADDRESS, REG_CC, REG_FILES };

/* A register or part of a register, as written: comp[0 … n−1] are its components in order. */
struct operand {
	uint8_t file;           /* enum reg_file */
	uint8_t n, comp[4];
	uint8_t index;          /* address register added: 0 none, 1 a0, 2 a1, 3 lcnt */
	bool negate;
	bool masked;            /* a component mask was written */
	int reg;
	const struct token *token;
};

struct symbol {
	char *name;
	struct operand value;
	UT_hash_handle hh;
};

struct label {
	char *name;
	uint32_t word;
	UT_hash_handle hh;
};

/* ---- instructions ---- */

/* A label named by an instruction. */
struct label_use {
	const char *name;       /* NULL: none */
	struct place position;
};

/* A word of the program until labels and descriptor numbers are known. insn.row is the instruction table's. */
struct pending {
	struct insn insn;
	uint64_t word;                  /* set by finish_program, unless raw */
	bool raw;                       /* the machine's own text: the descriptor has its number already */
	struct label_use target, until;
	struct place position;
};

enum { SCOPES = 32 };

struct scope {
	bool loop, has_else;
	uint32_t opener, alternative;   /* words */
	struct place position;
};

struct nihstro {
	const struct nihstro_options *options;
	struct arena *arena;
	struct diag *d;
	struct symbol *symbols;
	struct label *labels;
	struct pending *word;           /* SHADER_MAX_CODE words */
	uint32_t nwords;
	struct scope scope[SCOPES];
	unsigned nscopes;
	int includes;                   /* open .include files */
	struct shader_entry entry;
	uint32_t labels_capacity, uniforms_capacity, outputs_capacity, constants_capacity;
};

/* Registers and aliases. */
bool symbol_find(struct nihstro *n, const struct token *t, struct operand *out);
/* Check a new name: refused if taken or reserved. */
bool name_is_free(struct nihstro *n, const struct line *line, const struct token *t);
/* [-]name[index][.mask]… */
bool parse_operand(struct nihstro *n, struct line *line, struct operand *out);
/* .mask, a selection among the operand's components. */
bool parse_mask(struct nihstro *n, struct line *line, struct operand *out);

/* A directive, with `at` behind the point. */
bool parse_alias(struct nihstro *n, struct line *line);
/* An instruction. */
bool parse_instruction(struct nihstro *n, struct line *line);
bool mnemonic_exists(const struct token *t);
void set_target(struct insn *in, uint32_t word);
char *copy_name(struct nihstro *n, const struct token *t);

/* The target of the encoding. */
extern const struct isa_target nihstro_target;
/* Resolve labels and descriptors: the pending words become the words of *out. */
bool finish_program(struct nihstro *n, struct shader *out);

#endif
