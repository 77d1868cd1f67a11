/* Making the index of a table, and looking up a text. Templates are cut into tokens once, as finding the kind of a name
 * takes long. A set of words is a set of hashes: two words with equal hashes cost a row tried in vain. */
#include "core/isa/index.h"

#include <assert.h>
#include <string.h>

#include "core/base/host_threads.h"

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* ---- tokens ---- */

static int kind_find(const struct isa_table *t, const char *name, size_t len)
{
	uint64_t key = 0, other;
	if (len > sizeof(key))
		return -1;
	memcpy(&key, name, len);
	for (unsigned i = 0; i < t->nkind; i++) {
		memcpy(&other, t->kind[i].name, sizeof(other));
		if (other == key)
			return (int)i;
	}
	return -1;
}

static void token_kind(const struct isa_table *t, struct isa_token *tok)
{
	const char *name = tok->word + 1;
	size_t len = tok->len - 2;
	if (len > 2 && name[len - 2] == ':') {
		char place = name[len - 1];
		tok->to = place == 'd' ? TO_DST : (uint8_t)(TO_SRC0 + (place - '0'));
		len -= 2;
	}
	tok->kind = (int16_t)kind_find(t, name, len);
}

bool isa_token_next(const struct isa_table *t, const char **text, struct isa_token *tok)
{
	const char *p = *text;
	while (*p == ' ')
		p++;
	*text = p;
	if (!*p)
		return false;
	while (**text && **text != ' ')
		++*text;
	*tok = (struct isa_token){ .word = p, .len = (uint8_t)(*text - p), .kind = -1 };
	if (*p == '{')
		token_kind(t, tok);
	return true;
}

/* Cut a template; too many tokens are counted only. */
static struct isa_template cut(const struct isa_table *t, struct isa_index *x, const char *text)
{
	struct isa_template tp = { (uint16_t)x->ntoken, 0 };
	struct isa_token tok;

	while (text && isa_token_next(t, &text, &tok)) {
		if (x->ntoken < ISA_TOKENS_MAX)
			x->token[x->ntoken] = tok;
		x->ntoken++;
		tp.count++;
	}
	return tp;
}

static bool cut_all(const struct isa_table *t, struct isa_index *x)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->nform; i++)
		x->form[i] = cut(t, x, t->form[i].prefix);
	for (unsigned i = 0; i < t->nrow; i++)
		x->row[i] = cut(t, x, t->row[i].text);
	for (unsigned i = 0; i < t->nkind; i++) {
		x->kind_alt[i] = (uint16_t)n;
		for (unsigned j = 0; j < t->kind[i].nalt && n < ISA_ALTS_MAX; j++)
			x->alt[n++] = cut(t, x, t->kind[i].alt[j].text);
	}
	return x->ntoken <= ISA_TOKENS_MAX && n < ISA_ALTS_MAX;
}

/* ---- rows by opcode ---- */

static void add_row(struct isa_rows *rows, unsigned row)
{
	rows->bits[row / 64] |= 1ull << row % 64;
}

/* Add a row to all opcodes of the row's words. */
static void add_opcodes(const struct isa_table *t, struct isa_index *x, unsigned row)
{
	isa_cond when = t->row[row].when | t->form[t->row[row].form].when;
	unsigned fixed = (unsigned)isa_field_get(t->opcode, isa_cond_mask(when) & isa_cond_value(when));
	unsigned open = (unsigned)isa_field_get(t->opcode, ~isa_cond_mask(when)), some = 0;

	do {
		add_row(&x->opcode[fixed | some], row);
		some = (some - open) & open;    /* the next subset */
	} while (some);
}

/* ---- rows by words ---- */

/* Hashes of a word of texts, a run of letters or a single other character, and of the word without the last digits, the
 * name of a register or memory such as $r5 or c1. */
struct word {
	unsigned hash, name;
	const char *end;
};

static inline struct word word_at(const char *p)
{
	unsigned h = (unsigned char)*p++, name = h;

	if (isa_is_letter(p[-1]))
		for (; isa_is_letter(*p); p++) {
			name = is_digit(*p) && is_digit(p[-1]) ? name : h;
			h = h * 31 + (unsigned char)*p;
		}
	return (struct word){ h ^ h >> 6, is_digit(p[-1]) ? name ^ name >> 6 : h ^ h >> 6, p };
}

static inline uint64_t word_bit(unsigned hash)
{
	return 1ull << hash % 64;
}

/* The set of a piece of a template; empty if no word of texts. */
static uint64_t literal(const char *text, size_t n)
{
	struct word w = word_at(text);
	return n && w.end == text + n ? word_bit(w.hash) : 0;
}

/* The set of an operand's name in front of a number or a bracket. */
static uint64_t operand_word(const struct isa_alt *a)
{
	bool numbered = a->shape == OPND_REG && !a->tail && !(a->flags & ALT_HALVES);
	return !a->names && a->name && (numbered || a->shape == OPND_MEM) ? literal(a->name, strlen(a->name)) : 0;
}

/* The words common to all texts of a template. */
static uint64_t words_of(const struct isa_table *t, const struct isa_index *x, struct isa_template tp)
{
	const struct isa_token *tok = &x->token[tp.first_token], *stop = tok + tp.count;
	uint64_t words = 0;

	for (; tok < stop; tok++) {
		uint64_t all = tok->kind < 0 ? literal(tok->word, tok->len) : ~0ull;
		for (unsigned i = 0; tok->kind >= 0 && i < t->kind[tok->kind].nalt; i++)
			all &= words_of(t, x, x->alt[x->kind_alt[tok->kind] + i]) |
			       operand_word(&t->kind[tok->kind].alt[i]);
		words |= all;
	}
	return words;
}

/* The key of a row is the first word of its template. */
static void add_words(const struct isa_table *t, struct isa_index *x, unsigned row)
{
	const struct isa_token *tok = &x->token[x->row[row].first_token], *stop = tok + x->row[row].count;

	while (tok < stop && (tok->kind >= 0 || !literal(tok->word, tok->len)))
		tok++;
	add_row(tok < stop ? &x->keyed[word_at(tok->word).hash % ISA_KEYS] : &x->keyless, row);
	x->words[row] = words_of(t, x, x->row[row]);
}

struct words {
	uint64_t set;
	struct isa_rows rows;       /* rows with a word of the text as key */
};

static inline struct word take_word(const struct isa_index *x, const char *p, struct words *out)
{
	struct word w = word_at(p);

	out->set |= word_bit(w.hash) | word_bit(w.name);
	for (unsigned i = 0; i < ISA_ROWS_MAX / 64; i++)
		out->rows.bits[i] |= x->keyed[w.hash % ISA_KEYS].bits[i];
	return w;
}

/* The parser finds a word only where no letter is in front, except for the digits of a number with a point: the C
 * library decides their end. So behind a point every letter may begin a word. */
struct isa_rows isa_rows_of_text(const struct isa_index *x, const char *text)
{
	struct words words = { 0, x->keyless };

	for (const char *p = text, *end; *p; p = end) {
		end = *p == ' ' ? p + 1 : take_word(x, p, &words).end;
		for (const char *q = p + 1; q < end && p > text && p[-1] == '.'; q++)
			take_word(x, q, &words);
	}
	for (unsigned i = isa_next_row(&words.rows, 0); i < ISA_ROWS_MAX; i = isa_next_row(&words.rows, i + 1))
		words.rows.bits[i / 64] &= ~((uint64_t)!!(x->words[i] & ~words.set) << i % 64);
	return words.rows;
}

/* ---- the index ---- */

bool isa_index_make(const struct isa_table *t, struct isa_index *out)
{
	if (t->nform > ISA_FORMS_MAX || t->nrow > ISA_ROWS_MAX || t->nkind > ISA_KINDS_MAX ||
	    t->opcode.n + t->opcode.n2 > ISA_OPCODE_BITS || !cut_all(t, out))
		return false;
	for (unsigned i = 0; i < t->nrow; i++) {
		add_opcodes(t, out, i);
		add_words(t, out, i);
	}
	return true;
}

const struct isa_index *isa_index_first(const struct isa_table *t)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	if (!t->index->made) {
		bool ok = isa_index_make(t, t->index);
		assert(ok);     /* isa_check */
		(void)ok;
		__atomic_store_n(&t->index->made, true, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&lock);
	return t->index;
}
