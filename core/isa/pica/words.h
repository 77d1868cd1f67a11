/* What the unit's two languages make of a text before its words are encoded: registers, names and pending
 * instructions. The bits belong to the instruction table (pica.def). */
#ifndef WB_CORE_ISA_PICA_WORDS_H
#define WB_CORE_ISA_PICA_WORDS_H

#include <uthash.h>

#include "core/base/arena.h"
#include "core/isa/pica/line.h"
#include "core/isa/pica/pica.h"
#include "core/shader.h"

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

/* A label named by an instruction. */
struct label_use {
	const char *name;       /* NULL: none */
	struct text_place position;
};

/* A word of the program until labels and descriptor numbers are known. insn.row is the instruction table's. */
struct pending {
	struct insn insn;
	uint64_t word;                  /* set by finish_program, unless raw */
	bool raw;                       /* the machine's own text: the descriptor has its number already */
	struct label_use target, until;
	struct text_place position;
};

/* The target of the encoding. */
extern const struct isa_target words_target;

/* A float uniform, or a uniform with an address register: what only a wide source holds. */
bool operand_wide(const struct operand *o);
/* v0 … b15, a0 and a1: a letter and a decimal number within the file. Components and token stay. */
bool register_named(const struct token *t, struct operand *out);
/* The number of registers in a file. */
int register_count(unsigned file);
/* Letters of the register files, by number. */
extern const char register_letters[];
/* Bits of a selector that take `component` at a position, 0 to 3. */
static inline uint8_t selector(int position, unsigned component)
{
	return (uint8_t)(component << (6 - 2 * position));
}

void set_destination(struct insn *m, const struct operand *o);
/* Component i of the source goes to the place of the destination's i-th component, or without `dst` to place i. */
void set_source(struct insn *m, int i, const struct operand *o, const struct operand *dst);
void set_target(struct insn *m, uint32_t word);
/* A pending word of a row of the instruction table. */
struct pending pending_word(const char *row, struct text_place position);
/* Encode the words that are not raw. */
void encode_words(struct pending *word, uint32_t n);
/* The operand descriptor of an encoded word. */
uint32_t word_descriptor(const struct pending *p);
bool word_is_mad(const struct pending *p);
/* Append an element to a growing table in the arena; NULL: no memory, told in *d. */
void *table_grow(struct arena *a, struct diag *d, void **table, uint32_t *count, uint32_t *capacity, size_t size);
/* A token's text; NULL: no memory, told in *d. */
char *token_copy(struct arena *a, struct diag *d, const struct token *t);

#endif
