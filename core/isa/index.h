/* What the engine derives from a table at first use: templates cut into tokens, the few rows possible for a word by the
 * word's opcode, and the rows possible for a text by the text's words. */
#ifndef WB_CORE_ISA_INDEX_H
#define WB_CORE_ISA_INDEX_H

#include "core/isa/table.h"

/* A template: the tokens from `first_token` on. */
struct isa_template {
	uint16_t first_token, count;
};

enum {
	ISA_TOKENS_MAX = 1536, ISA_FORMS_MAX = 8, ISA_ROWS_MAX = 192, ISA_KINDS_MAX = 256, ISA_ALTS_MAX = 512,
	ISA_OPCODE_BITS = 7, ISA_KEYS = 256,
};

struct isa_rows {               /* a set of rows by number */
	uint64_t bits[ISA_ROWS_MAX / 64];
};

static inline bool isa_has_row(const struct isa_rows *rows, unsigned row)
{
	return rows->bits[row / 64] >> row % 64 & 1;
}

/* The lowest row of a set from `row` on; ISA_ROWS_MAX: none. Walks a set in the table's order. */
static inline unsigned isa_next_row(const struct isa_rows *rows, unsigned row)
{
	for (uint64_t rest; row < ISA_ROWS_MAX; row = (row / 64 + 1) * 64)
		if ((rest = rows->bits[row / 64] >> row % 64))
			return row + (unsigned)__builtin_ctzll(rest);
	return ISA_ROWS_MAX;
}

/* Words are runs of letters of a text; isa_is_letter is true for letters. */
static inline bool isa_is_letter(char c)
{
	static const bool letter[256] = { ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true,
	                                  ['_'] = true, ['$'] = true };
	return letter[(unsigned char)c];
}

struct isa_index {
	bool made;
	unsigned ntoken;
	struct isa_token token[ISA_TOKENS_MAX];
	struct isa_template form[ISA_FORMS_MAX], row[ISA_ROWS_MAX];
	struct isa_template alt[ISA_ALTS_MAX];          /* the alternatives of all kinds, kind after kind */
	uint16_t kind_alt[ISA_KINDS_MAX];               /* by kind: number of its first alternative in alt */
	struct isa_rows opcode[1 << ISA_OPCODE_BITS];   /* by the table's opcode field: rows with such words */
	struct isa_rows keyed[ISA_KEYS], keyless;       /* by the hash of the first word in all texts of a row */
	uint64_t words[ISA_ROWS_MAX];                   /* by row: set of the hashes of words in every text */
};

/* Take the next piece of *text; false at its end. A name that is no kind is a word that begins with the brace. */
bool isa_token_next(const struct isa_table *t, const char **text, struct isa_token *tok);

/* Fill in the index, all zeros so far, of a table with sound templates. False: the table is too large for an index. */
bool isa_index_make(const struct isa_table *t, struct isa_index *out);

/* The table's index, made by the first caller. The index follows from constants alone, so any thread may be first. */
const struct isa_index *isa_index_first(const struct isa_table *t);
static inline const struct isa_index *isa_index_of(const struct isa_table *t)
{
	return __atomic_load_n(&t->index->made, __ATOMIC_ACQUIRE) ? t->index : isa_index_first(t);
}

/* The number of an alternative among the alternatives of all kinds. */
static inline size_t isa_alt_number(const struct isa_table *t, unsigned kind, const struct isa_alt *a)
{
	return t->index->kind_alt[kind] + (size_t)(a - t->kind[kind].alt);
}

/* The possible rows of a word, by the opcode. */
static inline const struct isa_rows *isa_rows_of_word(const struct isa_table *t, const struct isa_index *x,
						      uint64_t word)
{
	return &x->opcode[isa_field_get(t->opcode, word)];
}

/* The possible rows of a text. No row is ruled out that could read the text, wherever in the text words begin. */
struct isa_rows isa_rows_of_text(const struct isa_index *x, const char *text);

#endif
