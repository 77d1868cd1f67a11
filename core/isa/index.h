/* Knowledge of a table before the first word or text, computed when the project is built: templates cut into tokens, a
 * tree from a word to its few possible rows, and the possible rows of a text by its words. core/isa/index_main.c writes
 * the index as C for each table. isa_check makes the index again and compares. */
#ifndef WB_CORE_ISA_INDEX_H
#define WB_CORE_ISA_INDEX_H

#include "core/isa/table.h"

struct arena;
struct diag;

/* A template: the tokens from `first_token` on. */
struct isa_template {
	uint16_t first_token, count;
};

/* A character as a bit in the set of possible first characters of a text. Upper and lower case are one; no text begins
 * with a blank, so a blank stands for empty texts. */
enum { ISA_BEGIN_EMPTY = 1 };
static inline uint64_t isa_begin_bit(char c)
{
	unsigned u = (unsigned char)c;
	return 1ull << (u & 0x40 ? 0x20 | (u & 0x1f) : u & 0x1f);
}

/* Decoding uses only the kinds of a template, and of a row's kinds only those that a word of the row can still choose
 * in. Of alternatives, decoding and reading mostly use the members here: the selecting bits, the claimed bits, the
 * steps of the alternative's template, whether the alternative has a value, and the possible first characters:
 * isa_begin_bit, and the first two characters, 0 for any. */
struct isa_step {
	uint16_t kind, begin, end;  /* numbers of the word's possible alternatives, among all kinds' alternatives */
	uint8_t to;                 /* enum isa_to; TO_NONE: the parent's */
};
struct isa_choice {
	uint64_t mask, bits, claims, begin;
	uint32_t modes, features;
	struct isa_template steps;
	uint16_t value, first_characters; /* first_characters: the first in the low byte */
	uint8_t status, shape;
	bool has_value;
	bool always;                /* documented, for every chip and program type */
	bool plain;                 /* the value is the bits `ones` of the word from bit `low` on, shifted left */
	uint8_t low, shift;
	uint32_t ones;
};

/* The decision of leaving out a kind: the bits `mask`, unless the text goes on with a character of `begin`, a possible
 * beginning of the other alternatives. A kind that cannot be left out, or in several ways, has all characters in
 * `begin`. */
struct isa_omission {
	uint64_t begin, mask, bits;
};

/* Words by their bit in a set. Besides words of templates there are classes: "$r#" for "$r" and digits, "#" for a
 * number. */
enum { ISA_WORDS_MAX = 128, ISA_ROWS_MAX = 384 };
struct isa_words {
	uint64_t bits[ISA_WORDS_MAX / 64];
};
struct isa_rows {               /* the same for rows */
	uint64_t bits[ISA_ROWS_MAX / 64];
};

static inline bool isa_has_row(const struct isa_rows *rows, unsigned row)
{
	return rows->bits[row / 64] >> row % 64 & 1;
}

/* A node of the tree tests the bits `ones` of the word from bit `low` on, and goes on at node next + their value. A
 * node without bits is a leaf: its rows are in `leaf` from `next` on, in the table's order, up to ISA_ROW_END. */
enum { ISA_ROW_END = 0xffff };
struct isa_node {
	uint8_t low, ones;
	uint16_t next;
};

/* Words are runs of letters of a text; isa_is_letter is true for letters. */
static inline bool isa_is_letter(char c)
{
	static const bool letter[256] = { ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true,
	                                  ['_'] = true, ['$'] = true };
	return letter[(unsigned char)c];
}

/* Each word has a place in `slot`, a table of open addressing with numbers of words plus 1, 0 for free places. */
enum { ISA_SLOTS = 1024 };

struct isa_index {
	unsigned ntoken, nstep, nalt, nnode, nleaf, nword;
	const struct isa_token *token;
	const struct isa_template *form, *row, *alt;    /* alt: the alternatives of all kinds, kind after kind */
	const struct isa_step *step;
	const struct isa_template *row_steps;           /* of the form's template and the row's */
	const uint64_t *row_claims;                     /* bits that every word of the row accounts for */
	const struct isa_choice *choice;                /* by alternative */
	const uint16_t *kind_alt;                       /* by kind: number of its first alternative in alt */
	const struct isa_omission *omit;                /* by kind */
	const struct isa_node *node;                    /* the first is the root */
	const uint16_t *leaf;
	const char *const *word;
	uint64_t marks;                                 /* isa_begin_bit of words that are no letters, such as "(" */
	const uint16_t *slot;
	const struct isa_words *needs;                  /* by row: words common to all texts of the row */
	/* By word: rows that can begin with the word, form's prefix apart, and at the end rows that can begin with
	 * something else; and rows that can contain the word, prefix and all. */
	const struct isa_rows *begins, *has;
};

/* The number of an alternative among the alternatives of all kinds. */
static inline size_t isa_alt_number(const struct isa_table *t, unsigned kind, const struct isa_alt *a)
{
	return t->index->kind_alt[kind] + (size_t)(a - t->kind[kind].alt);
}

/* Does a text that goes on with character c leave out a kind, in its only way? */
static inline bool isa_left_out(const struct isa_index *x, unsigned kind, char c)
{
	return !(x->omit[kind].begin & isa_begin_bit(c));
}

/* The number of a word, -1 if unknown to all rows. */
int isa_word_find(const struct isa_index *x, const char *word, size_t n);

/* The possible rows of a text, by its words. No row is ruled out that could read the text, wherever in the text words
 * begin. */
struct isa_rows isa_index_text(const struct isa_index *x, const char *text);

/* The possible rows of a word, in the table's order, up to ISA_ROW_END. */
static inline const uint16_t *isa_index_word(const struct isa_index *x, uint64_t word)
{
	const struct isa_node *node = x->node;
	while (node->ones)
		node = &x->node[node->next + (word >> node->low & node->ones)];
	return &x->leaf[node->next];
}

/* Compute the index of a table with sound templates, in the arena. False, with *d: no memory, or the table is too large
 * for an index. */
bool isa_index_make(const struct isa_table *t, struct arena *a, struct isa_index *out, struct diag *d);
/* Whether two indices of t say the same. */
bool isa_index_equal(const struct isa_table *t, const struct isa_index *x, const struct isa_index *y);

#endif
