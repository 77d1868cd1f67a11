/* What can be known of a table before the first word or text is looked at, worked out when the project is built: its
 * templates cut into tokens, a tree that leads from a word to the few rows that it may be, and the rows that a text may
 * be by the words in it. core/isa/index_main.c writes it as C for each table. isa_check makes it again and compares. */
#ifndef WB_CORE_ISA_INDEX_H
#define WB_CORE_ISA_INDEX_H

#include "core/isa/table.h"

struct arena;
struct diag;

/* A template: the tokens from `first` on. */
struct isa_template {
	uint16_t first, count;
};

/* A character in a set of those that a text can begin with. Upper and lower case are one; no text begins with a blank,
 * which stands for texts that are empty. */
enum { ISA_BEGIN_EMPTY = 1 };
static inline uint64_t isa_begin_bit(char c)
{
	unsigned u = (unsigned char)c;
	return 1ull << (u & 0x40 ? 0x20 | (u & 0x1f) : u & 0x1f);
}

/* Decoding takes of a template only its kinds, and of a row's those that a word of the row can still choose in. Of
 * their alternatives, decoding and reading mostly look at what is here: the bits that select one, those that it
 * accounts for, the steps of its own template, whether it stands for a value, and what its text may begin with:
 * isa_begin_bit, and the first two characters, 0 for any. */
struct isa_step {
	uint16_t kind, first, end;  /* numbers of alternatives that the word may have, among those of all kinds */
	uint8_t to;                 /* enum isa_to; TO_NONE: the parent's */
};
struct isa_choice {
	uint64_t mask, bits, claims, begin;
	uint32_t modes, features;
	struct isa_template steps;
	uint16_t value, first;      /* first: the first character in the low byte */
	uint8_t status, shape;
	bool has_value;
	bool always;                /* documented, for every chip and program type */
	bool plain;                 /* the value is the bits `ones` of the word from bit `low` on, shifted left */
	uint8_t low, shift;
	uint32_t ones;
};

/* What leaving out a kind decides: the bits `mask`, unless the text goes on with a character of `begin`, which its
 * other alternatives can begin with. A kind that cannot be left out, or in several ways, has all characters in `begin`.
 */
struct isa_omission {
	uint64_t begin, mask, bits;
};

/* Words by their bit in a set of them. Beside those of templates there are classes: "$r#" for what begins so and ends
 * with digits only, "#" for a number. */
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

/* A node of the tree looks at the bits `ones` of the word from bit `low` on, and goes on at node next + their value.
 * One that looks at none is a leaf: its rows are in `leaf` from `next` on, in the table's order; ISA_ROW_END ends
 * them. */
enum { ISA_ROW_END = 0xffff };
struct isa_node {
	uint8_t low, ones;
	uint16_t next;
};

/* Words are the characters of a text that stand together and for which this holds. */
static inline bool isa_is_letter(char c)
{
	static const bool letter[256] = { ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true,
	                                  ['_'] = true, ['$'] = true };
	return letter[(unsigned char)c];
}

/* Each has a place in `slot`, a table of open addressing that holds numbers of words and 1, 0 where it is free. */
enum { ISA_SLOTS = 1024 };

struct isa_index {
	unsigned ntoken, nstep, nalt, nnode, nleaf, nword;
	const struct isa_token *token;
	const struct isa_template *form, *row, *alt;    /* alt: the alternatives of all kinds, one kind after another */
	const struct isa_step *step;
	const struct isa_template *row_steps;           /* of the form's template and the row's */
	const uint64_t *row_claims;                     /* bits that every word of the row accounts for */
	const struct isa_choice *choice;                /* by alternative */
	const uint16_t *kind_alt;                       /* by kind: where its alternatives begin in alt */
	const struct isa_omission *omit;                /* by kind */
	const struct isa_node *node;                    /* the first is the root */
	const uint16_t *leaf;
	const char *const *word;
	uint64_t marks;                                 /* isa_begin_bit of words that are no letters, such as "(" */
	const uint16_t *slot;
	const struct isa_words *needs;                  /* by row: words that every text of it has */
	/* By word: rows that can begin with it, form's prefix apart, and at the end those that can begin with something
	 * else; and rows that can have it, prefix and all. */
	const struct isa_rows *begins, *has;
};

/* The number of an alternative among those of all kinds. */
static inline size_t isa_alt_number(const struct isa_table *t, unsigned kind, const struct isa_alt *a)
{
	return t->index->kind_alt[kind] + (size_t)(a - t->kind[kind].alt);
}

/* Whether a text that goes on with a character leaves out a kind, in the one way there is. */
static inline bool isa_left_out(const struct isa_index *x, unsigned kind, char c)
{
	return !(x->omit[kind].begin & isa_begin_bit(c));
}

/* The number of a word, -1 if no row knows it. */
int isa_word_find(const struct isa_index *x, const char *word, size_t n);

/* The rows that a text may be of by its words. No row is ruled out that the text could be read by, wherever in the text
 * its own words begin. */
struct isa_rows isa_index_text(const struct isa_index *x, const char *text);

/* The rows that a word may be of, in the table's order; ISA_ROW_END ends them. */
static inline const uint16_t *isa_index_word(const struct isa_index *x, uint64_t word)
{
	const struct isa_node *node = x->node;
	while (node->ones)
		node = &x->node[node->next + (word >> node->low & node->ones)];
	return &x->leaf[node->next];
}

/* Work out the index of a table whose templates are sound, in the arena. False, with *d: there is no memory, or the
 * table is larger than an index can be. */
bool isa_index_make(const struct isa_table *t, struct arena *a, struct isa_index *out, struct diag *d);
/* Whether two indices of t say the same. */
bool isa_index_equal(const struct isa_table *t, const struct isa_index *x, const struct isa_index *y);

#endif
