/* Making the index of a table, when the project is built, and looking up a text's words. Templates are cut into tokens;
 * the parts needed for decoding become steps and choices; each node of the tree from words to rows tests the run of
 * bits that leaves the fewest rows; and each row gets the words common to all its texts and the words in none, since a
 * line agrees with both for very few rows but its own. */
#include "core/isa/index.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/diag.h"

enum { NODES_MAX = 8192, LEAF_MAX = 16384, RUN_MAX = 4, DEPTH_MAX = 8 };

struct maker {
	const struct isa_table *table;
	struct arena *arena;
	struct isa_index *out;
	struct isa_token *token;
	struct isa_template *alt, *row;
	struct isa_step *step;
	struct isa_choice *choice;
	struct isa_template *row_steps;
	uint64_t *row_claims;
	uint16_t *kind_alt;
	struct isa_omission *omit;
	struct isa_node *node;
	uint16_t *leaf;
	const char **word;
	uint16_t *slot;
	bool full;
};

/* ---- tokens ---- */

static struct isa_template cut(struct maker *m, const char *text)
{
	struct isa_template tp = { (uint16_t)m->out->ntoken, 0 };
	struct isa_token tok;

	while (text && isa_token_next(m->table, &text, &tok)) {
		if (m->token)
			m->token[m->out->ntoken] = tok;
		m->out->ntoken++;
		tp.count++;
	}
	return tp;
}

static uint16_t two_characters(const char *word, size_t n)
{
	return (uint16_t)((unsigned char)word[0] | (n > 1 ? (unsigned char)word[1] << 8 : 0));
}

static uint16_t alt_first(const struct maker *m, struct isa_template tp, const struct isa_alt *a)
{
	const struct isa_token *tok = &m->token[tp.first_token];
	if (tp.count)
		return tok->kind < 0 ? two_characters(tok->word, tok->len) : 0;
	if (!a->names && (a->shape == OPND_REG || a->shape == OPND_MEM))
		return two_characters(a->name, strlen(a->name));
	return 0;
}

/* Possible first characters of an alternative's own field. */
static uint64_t field_begin(const struct isa_alt *a)
{
	static const char number[] = "+-.0123456789#";
	const char *first = a->shape == OPND_SINK ? "#" : number;
	uint64_t begin = 0;

	if (a->shape == OPND_NONE)
		return ISA_BEGIN_EMPTY;
	for (unsigned i = 0; i < a->nnames; i++)
		if (a->names[i])
			begin |= *a->names[i] ? isa_begin_bit(*a->names[i]) : ISA_BEGIN_EMPTY;
	if (a->names)
		return begin;
	if (a->shape == OPND_REG || a->shape == OPND_MEM || a->shape == OPND_VECTOR)
		return !a->name || !*a->name
			       ? ~0ull
			       : isa_begin_bit(*a->name) | (a->shape == OPND_VECTOR ? isa_begin_bit('#') : 0);
	while (*first)
		begin |= isa_begin_bit(*first++);
	return begin;
}

/* A kind that no row uses may be endless: isa_check looks at the other kinds. */
static uint64_t alt_begin(const struct maker *m, struct isa_template tp, const struct isa_alt *a, unsigned depth)
{
	const struct isa_table *t = m->table;
	uint64_t begin = ISA_BEGIN_EMPTY;

	for (unsigned i = tp.first_token; (begin & ISA_BEGIN_EMPTY) && i < tp.first_token + tp.count; i++) {
		const struct isa_token *tok = &m->token[i];
		if (depth == DEPTH_MAX)
			return ~0ull;
		begin &= ~(uint64_t)ISA_BEGIN_EMPTY;
		if (tok->kind < 0)
			begin |= isa_begin_bit(*tok->word);
		for (unsigned j = 0; tok->kind >= 0 && j < t->kind[tok->kind].nalt; j++)
			begin |= alt_begin(m, m->alt[m->kind_alt[tok->kind] + j], &t->kind[tok->kind].alt[j],
					   depth + 1);
	}
	return begin & ISA_BEGIN_EMPTY ? (begin & ~(uint64_t)ISA_BEGIN_EMPTY) | field_begin(a) : begin;
}

/* Without arrays to fill, tokens are only counted. */
static void cut_all(struct maker *m, struct isa_template *form)
{
	const struct isa_table *t = m->table;

	m->out->ntoken = m->out->nalt = 0;
	for (unsigned i = 0; i < t->nform; i++) {
		struct isa_template tp = cut(m, t->form[i].prefix);
		if (form)
			form[i] = tp;
	}
	for (unsigned i = 0; i < t->nrow; i++) {
		struct isa_template tp = cut(m, t->row[i].text);
		if (m->row)
			m->row[i] = tp;
	}
	for (unsigned i = 0; i < t->nkind; i++) {
		if (m->kind_alt)
			m->kind_alt[i] = (uint16_t)m->out->nalt;
		for (unsigned j = 0; j < t->kind[i].nalt; j++, m->out->nalt++) {
			struct isa_template tp = cut(m, t->kind[i].alt[j].text);
			if (m->alt)
				m->alt[m->out->nalt] = tp;
		}
	}
}

static bool make_tokens(struct maker *m)
{
	const struct isa_table *t = m->table;
	struct isa_template *form = ARENA_ARRAY(m->arena, struct isa_template, t->nform);

	cut_all(m, NULL);
	m->full |= m->out->ntoken > UINT16_MAX || m->out->nalt > UINT16_MAX || t->nrow > ISA_ROWS_MAX;
	m->token = ARENA_ARRAY(m->arena, struct isa_token, m->out->ntoken + 1);
	m->row = ARENA_ARRAY(m->arena, struct isa_template, t->nrow);
	m->alt = ARENA_ARRAY(m->arena, struct isa_template, m->out->nalt + 1);
	m->kind_alt = ARENA_ARRAY(m->arena, uint16_t, t->nkind + 1);
	if (!form || !m->token || !m->row || !m->alt || !m->kind_alt)
		return false;
	cut_all(m, form);
	m->out->token = m->token;
	m->out->form = form;
	m->out->row = m->row;
	m->out->alt = m->alt;
	m->out->kind_alt = m->kind_alt;
	return true;
}

/* ---- steps ---- */

static uint64_t alt_claims(const struct isa_kind *k, const struct isa_alt *a)
{
	if (a->status & ALT_LOOSE)
		return 0;
	return k->claims | isa_cond_mask(a->when) | isa_field_mask(a->num) | isa_field_mask(a->bank) |
	       isa_field_mask(a->addr);
}

/* False for an alternative without a value, such as a mere claim of bits without an effect: inside another kind it must
 * leave the outer kind's value alone. */
static bool has_value(const struct isa_alt *a)
{
	return a->shape != OPND_NONE || a->text || a->names || a->value;
}

/* Is a choice impossible for words with `when`? Certain? */
static bool conflicts(const struct isa_choice *c, isa_cond when)
{
	return (c->bits ^ isa_cond_value(when)) & c->mask & isa_cond_mask(when);
}

static bool certain(const struct isa_choice *c, isa_cond when)
{
	return c->always && !(c->mask & ~isa_cond_mask(when)) && !conflicts(c, when);
}

/* Keep the choices of a step that are possible for words with `when`: behind the first certain choice, none. */
static void narrow(const struct maker *m, struct isa_step *st, isa_cond when)
{
	while (st->begin < st->end && conflicts(&m->choice[st->begin], when))
		st->begin++;
	for (unsigned i = st->begin; i < st->end; i++)
		if (certain(&m->choice[i], when))
			st->end = (uint16_t)(i + 1);
}

/* The steps of a template, for words with `when`. Certain alternatives without a value are no steps; returns the bits
 * claimed by them. */
static uint64_t add_steps(struct maker *m, struct isa_template *steps, struct isa_template tp, isa_cond when)
{
	uint64_t claims = 0;

	for (unsigned i = tp.first_token; i < tp.first_token + tp.count; i++) {
		const struct isa_token *tok = &m->token[i];
		if (tok->kind < 0)
			continue;
		const struct isa_kind *k = &m->table->kind[tok->kind];
		unsigned first = m->kind_alt[tok->kind];
		struct isa_step st = { (uint16_t)tok->kind, (uint16_t)first, (uint16_t)(first + k->nalt),
		                       tok->to ? tok->to : k->to };
		narrow(m, &st, when);
		const struct isa_choice *c = &m->choice[st.begin];
		if (st.end == st.begin + 1 && certain(c, when) && !c->has_value) {
			claims |= c->claims;
			continue;
		}
		m->step[m->out->nstep++] = st;
		steps->count++;
	}
	return claims;
}

static void make_choice(struct maker *m, unsigned kind, unsigned n, const struct isa_alt *a)
{
	bool plain = a->num.n <= 32 && !a->num.n2 && !a->names && !(a->flags & ALT_SIGNED);

	m->choice[n] = (struct isa_choice){
		.mask = isa_cond_mask(a->when), .bits = isa_cond_value(a->when),
		.claims = alt_claims(&m->table->kind[kind], a), .modes = a->modes ? a->modes : UINT32_MAX,
		.features = a->features, .value = a->value, .status = a->status,
		.shape = a->shape, .has_value = has_value(a),
		.begin = alt_begin(m, m->alt[n], a, 0), .first_characters = alt_first(m, m->alt[n], a),
		.always = !a->status && !a->features && !a->modes,
		.plain = plain, .low = a->num.lo, .ones = (uint32_t)ISA_ONES(a->num.n), .shift = a->shift,
	};
}

/* The decision of the empty text for an alternative's own field; false: not a text of the field, or ambiguous. */
static bool omit_field(const struct isa_alt *a, struct isa_omission *o)
{
	uint64_t empty = 0;
	unsigned n = 0;

	if (a->shape == OPND_NONE)
		return true;
	for (unsigned i = 0; i < a->nnames; i++)
		if (a->names[i] && !*a->names[i]) {
			empty = i;
			n++;
		}
	o->mask |= isa_field_mask(a->num);
	o->bits |= (empty & ISA_ONES(a->num.n)) << a->num.lo | empty >> a->num.n << a->num.lo2;
	return n == 1 && !(isa_cond_mask(a->when) & isa_field_mask(a->num));
}

static struct isa_omission make_omission(const struct maker *m, unsigned kind)
{
	const struct isa_kind *k = &m->table->kind[kind];
	struct isa_omission o = { 0, 0, 0 };
	unsigned ways = 0;
	bool plain = true;

	for (unsigned i = 0; i < k->nalt; i++) {
		const struct isa_alt *a = &k->alt[i];
		const struct isa_choice *c = &m->choice[m->kind_alt[kind] + i];
		o.begin |= c->begin & ~(uint64_t)ISA_BEGIN_EMPTY;
		if (!(c->begin & ISA_BEGIN_EMPTY))
			continue;
		ways++;
		o.mask |= c->mask;
		o.bits |= c->bits;
		plain = c->always && !m->alt[m->kind_alt[kind] + i].count && omit_field(a, &o);
	}
	return ways == 1 && plain ? o : (struct isa_omission){ ~0ull, 0, 0 };
}

static isa_cond row_cond(const struct maker *m, unsigned row)
{
	const struct isa_row *r = &m->table->row[row];
	return r->when | m->table->form[r->form].when;
}

static bool make_steps(struct maker *m)
{
	const struct isa_template *form = m->out->form;
	const struct isa_table *t = m->table;
	unsigned most = m->out->ntoken;

	for (unsigned i = 0; i < t->nrow; i++)
		most += form[t->row[i].form].count;
	m->step = ARENA_ARRAY(m->arena, struct isa_step, most + 1);
	m->row_steps = ARENA_ARRAY(m->arena, struct isa_template, t->nrow);
	m->row_claims = ARENA_ARRAY(m->arena, uint64_t, t->nrow);
	m->choice = ARENA_ARRAY(m->arena, struct isa_choice, m->out->nalt + 1);
	m->omit = ARENA_ARRAY(m->arena, struct isa_omission, t->nkind + 1);
	m->full |= most > UINT16_MAX;
	if (!m->step || !m->row_steps || !m->row_claims || !m->choice || !m->omit)
		return false;
	for (unsigned i = 0; i < t->nkind; i++) {
		for (unsigned j = 0; j < t->kind[i].nalt; j++)
			make_choice(m, i, m->kind_alt[i] + j, &t->kind[i].alt[j]);
		m->omit[i] = make_omission(m, i);
	}
	for (unsigned i = 0; i < t->nrow; i++) {
		isa_cond when = row_cond(m, i);
		m->row_steps[i] = (struct isa_template){ (uint16_t)m->out->nstep, 0 };
		m->row_claims[i] = isa_cond_mask(when) | add_steps(m, &m->row_steps[i], form[t->row[i].form], when) |
				   add_steps(m, &m->row_steps[i], m->row[i], when);
	}
	for (unsigned i = 0; i < m->out->nalt; i++) {
		struct isa_template steps = { (uint16_t)m->out->nstep, 0 };
		m->choice[i].claims |= add_steps(m, &steps, m->alt[i], ANY);
		m->choice[i].steps = steps;
	}
	m->out->step = m->step;
	m->out->row_steps = m->row_steps;
	m->out->row_claims = m->row_claims;
	m->out->choice = m->choice;
	m->out->omit = m->omit;
	return true;
}

/* ---- from a word to rows ---- */

/* A run of bits tested by a node. */
struct run {
	unsigned low, count;
};

/* Can a row have `value` in a run of its words' bits? */
static bool row_has(const struct maker *m, unsigned row, struct run run, unsigned value)
{
	isa_cond c = row_cond(m, row);
	return !((isa_cond_value(c) >> run.low ^ value) & isa_cond_mask(c) >> run.low & ISA_ONES(run.count));
}

/* Bits that are 1 in words of some row and 0 in words of another. */
static uint64_t bits_that_differ(const struct maker *m, const uint16_t *rows, unsigned n)
{
	uint64_t ones = 0, zeros = 0;

	for (unsigned i = 0; i < n; i++) {
		isa_cond c = row_cond(m, rows[i]);
		ones |= isa_cond_mask(c) & isa_cond_value(c);
		zeros |= isa_cond_mask(c) & ~isa_cond_value(c);
	}
	return ones & zeros;
}

/* Rows left by a run on average, all values being equally likely, times 2^RUN_MAX: a row that knows k bits of the run
 * is left by one value in 2^k. */
static unsigned rows_left(const struct maker *m, const uint16_t *rows, unsigned n, struct run run)
{
	unsigned left = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t known = isa_cond_mask(row_cond(m, rows[i])) >> run.low & ISA_ONES(run.count);
		left += 1u << (RUN_MAX - __builtin_popcountll(known));
	}
	return left;
}

/* The run that leaves the fewest rows; of equals the shortest. A run of no bits: no run rules out a row for each value,
 * as no bit differs. */
static struct run best_run(const struct maker *m, const uint16_t *rows, unsigned n)
{
	struct run best = { 0, 0 };
	unsigned least = n << RUN_MAX;
	uint64_t differ = bits_that_differ(m, rows, n);

	for (unsigned count = 1; count <= RUN_MAX; count++)
		for (unsigned low = 0; low + count <= 64; low++) {
			struct run run = { low, count };
			unsigned left = differ >> low & ISA_ONES(count) ? rows_left(m, rows, n, run) : least;
			if (left < least) {
				best = run;
				least = left;
			}
		}
	return best;
}

static uint16_t make_leaf(struct maker *m, const uint16_t *rows, unsigned n)
{
	unsigned at = m->out->nleaf;

	if (at + n + 1 > LEAF_MAX) {
		m->full = true;
		return 0;
	}
	memcpy(m->leaf + at, rows, n * sizeof(*rows));
	m->leaf[at + n] = ISA_ROW_END;
	m->out->nleaf += n + 1;
	return (uint16_t)at;
}

/* Fill in a node. Behind its rows the array has elements for the rows of the nodes below. */
static void make_node(struct maker *m, unsigned at, uint16_t *rows, unsigned n)
{
	struct run run = best_run(m, rows, n);
	unsigned next = m->out->nnode, values = 1u << run.count;

	if (!run.count || next + values > NODES_MAX) {
		m->full |= run.count != 0;
		m->node[at] = (struct isa_node){ 0, 0, make_leaf(m, rows, n) };
		return;
	}
	m->node[at] = (struct isa_node){ (uint8_t)run.low, (uint8_t)(values - 1), (uint16_t)next };
	m->out->nnode += values;
	for (unsigned v = 0; v < values; v++) {
		unsigned side = 0;
		for (unsigned i = 0; i < n; i++)
			if (row_has(m, rows[i], run, v))
				rows[n + side++] = rows[i];
		make_node(m, next + v, rows + n, side);
	}
}

/* Each node has fewer rows than its parent. */
static bool make_tree(struct maker *m)
{
	unsigned n = m->table->nrow;
	uint16_t *rows = ARENA_ARRAY(m->arena, uint16_t, (n + 1) * (n + 2) / 2);

	m->node = ARENA_ARRAY(m->arena, struct isa_node, NODES_MAX);
	m->leaf = ARENA_ARRAY(m->arena, uint16_t, LEAF_MAX);
	if (!rows || !m->node || !m->leaf)
		return false;
	for (unsigned i = 0; i < n; i++)
		rows[i] = (uint16_t)i;
	m->out->node = m->node;
	m->out->leaf = m->leaf;
	m->out->nnode = 1;
	make_node(m, 0, rows, n);
	return true;
}

/* ---- from a text to rows ---- */

/* The hash of a word, character by character from 0 on. */
static inline unsigned hash_on(unsigned h, char c)
{
	return h * 31 + (unsigned char)c;
}

/* The number of a word of n characters, by its hash; -1: unknown to the table. `class`: a '#' follows the
 * characters. */
static inline int find_hashed(const struct isa_index *x, const char *word, size_t n, unsigned h, bool class)
{
	for (unsigned i = (h ^ h >> 10) % ISA_SLOTS; x->slot[i]; i = (i + 1) % ISA_SLOTS) {
		const char *known = x->word[x->slot[i] - 1];
		size_t same = 0;
		while (same < n && known[same] == word[same])
			same++;
		if (same == n && known[n] == (class ? '#' : 0))
			return x->slot[i] - 1;
	}
	return -1;
}

static unsigned hash_of(const char *word, size_t n)
{
	unsigned h = 0;
	for (size_t i = 0; i < n; i++)
		h = hash_on(h, word[i]);
	return h;
}

int isa_word_find(const struct isa_index *x, const char *word, size_t n)
{
	return find_hashed(x, word, n, hash_of(word, n), false);
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* The word at the beginning of a text, or its class if the table lacks the word; -1: neither. *end: the end of the
 * word. */
static inline int find_run(const struct isa_index *x, const char *p, const char **end)
{
	unsigned h = 0, before = 0;     /* hashes of the word and of its part before the last digits */
	size_t n = 0, prefix = 0;
	bool digits = false;
	for (; isa_is_letter(p[n]); n++) {
		if (is_digit(p[n]) && !digits) {
			before = h;
			prefix = n;
		}
		digits = is_digit(p[n]);
		h = hash_on(h, p[n]);
	}
	*end = p + n;
	int known = find_hashed(x, p, n, h, false);
	if (known < 0 && n > 2 && p[0] == '0' && p[1] == 'x')
		return find_hashed(x, p, 0, hash_on(0, '#'), true);
	return known < 0 && digits ? find_hashed(x, p, prefix, hash_on(before, '#'), true) : known;
}

/* Add a new word. */
static int add_word(struct maker *m, const char *word, size_t n)
{
	char *copy = arena_alloc(m->arena, n + 1, 1);
	if (!copy || m->out->nword == ISA_WORDS_MAX) {
		m->full = true;
		return -1;
	}
	memcpy(copy, word, n);
	unsigned h = hash_of(word, n), at = (h ^ h >> 10) % ISA_SLOTS;
	while (m->slot[at])
		at = (at + 1) % ISA_SLOTS;
	m->word[m->out->nword++] = copy;
	m->slot[at] = (uint16_t)m->out->nword;
	return (int)m->out->nword - 1;
}

/* The length of the run of letters at the beginning of a text. */
static size_t run_of(const char *p)
{
	size_t n = 0;
	while (isa_is_letter(p[n]))
		n++;
	return n;
}

/* The number of a word, added if new; -1 for a text that is neither a run of letters nor a single other character, such
 * as "(". A '#' is part of a class's name. */
static int word_number(struct maker *m, const char *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isa_is_letter(word[i]) && (n > 1 || *word == '#'))
			return -1;
	int known = isa_word_find(m->out, word, n);
	return known >= 0 || !n ? known : add_word(m, word, n);
}

/* The number of the class of a prefix and digits; -1 if prefix and digits are more than a run of letters. */
static int class_number(struct maker *m, const char *prefix)
{
	char word[16];
	size_t n = strlen(prefix);
	if (run_of(prefix) != n || n + 2 > sizeof(word) || (n && is_digit(prefix[n - 1])))
		return -1;
	memcpy(word, prefix, n);
	word[n] = '#';
	int known = isa_word_find(m->out, word, n + 1);
	return known >= 0 ? known : add_word(m, word, n + 1);
}

static void set_add(struct isa_words *s, int word)
{
	if (word >= 0)
		s->bits[word / 64] |= 1ull << word % 64;
}

static struct isa_words template_needs(struct maker *m, struct isa_template tp);

static struct isa_words kind_needs(struct maker *m, const struct isa_kind *k)
{
	struct isa_words all;

	memset(&all, k->nalt ? 0xff : 0, sizeof(all));
	for (unsigned i = 0; i < k->nalt; i++) {
		const struct isa_alt *a = &k->alt[i];
		struct isa_words one = template_needs(m, m->alt[m->kind_alt[k - m->table->kind] + i]);
		if (!a->names && a->shape == OPND_MEM)                          /* "s" of "s[0x10]" */
			set_add(&one, a->bank.n ? class_number(m, a->name)
			                        : word_number(m, a->name, strlen(a->name)));
		if (!a->names && a->shape == OPND_REG && !a->tail && !(a->flags & ALT_HALVES))
			set_add(&one, class_number(m, a->name));
		for (unsigned b = 0; b < ISA_WORDS_MAX / 64; b++)
			all.bits[b] &= one.bits[b];
	}
	return all;
}

static struct isa_words template_needs(struct maker *m, struct isa_template tp)
{
	struct isa_words needs = { { 0 } };

	for (unsigned i = tp.first_token; i < tp.first_token + tp.count; i++) {
		const struct isa_token *tok = &m->token[i];
		struct isa_words one = { { 0 } };
		if (tok->kind < 0)
			set_add(&one, word_number(m, tok->word, tok->len));
		else
			one = kind_needs(m, &m->table->kind[tok->kind]);
		for (unsigned b = 0; b < ISA_WORDS_MAX / 64; b++)
			needs.bits[b] |= one.bits[b];
	}
	return needs;
}

/* ---- possible words of a text ---- */

/* All the words of a literal text. */
static void text_has(const struct maker *m, const char *p, size_t n, struct isa_words *has)
{
	for (const char *end = p + n, *next; p < end; p = next > p ? next : p + 1)
		set_add(has, isa_is_letter(*p) ? find_run(m->out, p, &next) : isa_word_find(m->out, next = p, 1));
}

/* Where a register or the address of memory can stand, "$r1" can. */
static void class_has(const struct maker *m, const char *prefix, struct isa_words *has)
{
	size_t n;
	const char *run;

	prefix = prefix ? prefix : "";
	n = strlen(prefix);
	run = prefix + n;
	while (run > prefix && isa_is_letter(run[-1]) && !is_digit(run[-1]))
		run--;
	n -= (size_t)(run - prefix);
	set_add(has, find_hashed(m->out, run, n, hash_on(hash_of(run, n), '#'), true));
}

static void field_has(const struct maker *m, const struct isa_alt *a, struct isa_words *has)
{
	if (a->shape == OPND_NONE)
		return;
	for (unsigned i = 0; i < a->nnames; i++)
		if (a->names[i])
			text_has(m, a->names[i], strlen(a->names[i]), has);
	if (a->names)
		return;
	if (a->name)
		text_has(m, a->name, strlen(a->name), has);
	class_has(m, a->name, has);
	class_has(m, a->areg, has);
	if (a->shape != OPND_REG && a->shape != OPND_VECTOR)
		class_has(m, "", has);
}

static void template_has(const struct maker *m, struct isa_template tp, unsigned depth, struct isa_words *has)
{
	if (depth == DEPTH_MAX) {
		memset(has, 0xff, sizeof(*has));
		return;
	}
	for (unsigned i = tp.first_token; i < tp.first_token + tp.count; i++) {
		const struct isa_token *tok = &m->token[i];
		if (tok->kind < 0)
			text_has(m, tok->word, tok->len, has);
		for (unsigned j = 0; tok->kind >= 0 && j < m->table->kind[tok->kind].nalt; j++) {
			template_has(m, m->alt[m->kind_alt[tok->kind] + j], depth + 1, has);
			field_has(m, &m->table->kind[tok->kind].alt[j], has);
		}
	}
}

/* How a text can begin. */
struct beginning {
	struct isa_words words;
	bool other;                 /* with something else than a word */
	bool empty;                 /* or empty */
};

static void begin_with_word(struct maker *m, struct beginning *b, const char *word, size_t n)
{
	int number = word_number(m, word, n);
	set_add(&b->words, number);
	b->other |= number < 0;
}

static void begin_with_field(struct maker *m, struct beginning *b, const struct isa_alt *a)
{
	if (a->shape == OPND_NONE)
		return;
	b->empty = false;
	b->other |= !a->names;
	for (unsigned i = 0; i < a->nnames; i++) {
		if (a->names[i] && *a->names[i])
			begin_with_word(m, b, a->names[i], strlen(a->names[i]));
		b->empty |= a->names[i] && !*a->names[i];
	}
}

static void begin_with(struct maker *m, struct beginning *b, struct isa_template tp)
{
	b->empty = true;
	for (unsigned i = tp.first_token; b->empty && i < tp.first_token + tp.count; i++) {
		const struct isa_token *tok = &m->token[i];
		b->empty = false;
		if (tok->kind < 0) {
			begin_with_word(m, b, tok->word, tok->len);
			continue;
		}
		const struct isa_kind *k = &m->table->kind[tok->kind];
		bool empty = false;
		for (unsigned j = 0; j < k->nalt; j++) {
			begin_with(m, b, m->alt[m->kind_alt[tok->kind] + j]);
			if (b->empty)
				begin_with_field(m, b, &k->alt[j]);
			empty |= b->empty;
		}
		b->empty = empty;
	}
}

static bool make_words(struct maker *m)
{
	unsigned n = m->table->nrow;
	struct isa_words *needs = ARENA_ARRAY(m->arena, struct isa_words, n);
	struct beginning *b = ARENA_ARRAY(m->arena, struct beginning, n);

	m->word = ARENA_ARRAY(m->arena, const char *, ISA_WORDS_MAX);
	m->slot = ARENA_ARRAY(m->arena, uint16_t, ISA_SLOTS);
	if (!needs || !b || !m->word || !m->slot)
		return false;
	m->out->word = m->word;
	m->out->slot = m->slot;
	class_number(m, "");
	for (unsigned i = 0; i < n; i++) {
		needs[i] = template_needs(m, m->row[i]);
		begin_with(m, &b[i], m->row[i]);
	}
	for (unsigned w = 0; w < m->out->nword; w++)
		m->out->marks |= isa_is_letter(*m->word[w]) || *m->word[w] == '#' ? 0 : isa_begin_bit(*m->word[w]);
	struct isa_rows *begins = ARENA_ARRAY(m->arena, struct isa_rows, m->out->nword + 1);
	struct isa_rows *has = ARENA_ARRAY(m->arena, struct isa_rows, m->out->nword + 1);
	if (!begins || !has)
		return false;
	for (unsigned i = 0; i < n; i++) {
		struct isa_words any = { { 0 } };       /* known by now: nothing is asked of others */
		template_has(m, m->out->form[m->table->row[i].form], 0, &any);
		template_has(m, m->row[i], 0, &any);
		for (unsigned w = 0; w <= m->out->nword; w++) {
			bool in = w < m->out->nword ? b[i].words.bits[w / 64] >> w % 64 & 1 : b[i].other || b[i].empty;
			begins[w].bits[i / 64] |= (uint64_t)in << i % 64;
			if (w == m->out->nword)
				continue;
			has[w].bits[i / 64] |= (any.bits[w / 64] >> w % 64 & 1) << i % 64;
		}
	}
	m->out->needs = needs;
	m->out->begins = begins;
	m->out->has = has;
	return true;
}

bool isa_index_make(const struct isa_table *t, struct arena *a, struct isa_index *out, struct diag *d)
{
	*out = (struct isa_index){ .ntoken = 0 };
	struct maker m = { .table = t, .arena = a, .out = out };

	bool ok = make_tokens(&m) && (m.full || (make_steps(&m) && make_tree(&m) && make_words(&m)));
	if (!ok)
		return diag_set(d, DIAG_ENV, "out of memory");
	return !m.full || diag_set(d, DIAG_INTERNAL, "table %s is too large for an index", t->name);
}

/* The words of a text, and the rows possible by the words. */
struct words_of {
	struct isa_words possible;      /* words that a parser may find */
	struct isa_rows begun;          /* rows that can begin with a word of `possible` */
	struct isa_rows allowed;        /* rows that can have the words that a parser cannot skip */
};

static inline void found(const struct isa_index *x, int number, bool sure, struct words_of *w)
{
	if (number < 0)
		return;
	set_add(&w->possible, number);
	for (unsigned i = 0; i < ISA_ROWS_MAX / 64; i++) {
		w->begun.bits[i] |= x->begins[number].bits[i];
		w->allowed.bits[i] &= x->has[number].bits[i] | (sure ? 0 : ~0ull);
	}
}

static inline bool has_all(const struct isa_words *some, const struct isa_words *needs)
{
	uint64_t missing = 0;
	for (unsigned i = 0; i < ISA_WORDS_MAX / 64; i++)
		missing |= needs->bits[i] & ~some->bits[i];
	return !missing;
}

/* The parser finds a word only where no letter is in front, except for the digits of a number with a point: the C
 * library decides their end. So behind a point every text may be a word, and none is certain; nor is the name of a
 * label. */
struct isa_rows isa_index_text(const struct isa_index *x, const char *text)
{
	struct words_of w = { .possible = { { 0 } } };
	for (unsigned i = 0; i < ISA_ROWS_MAX / 64; i++) {
		w.begun.bits[i] = x->begins[x->nword].bits[i];
		w.allowed.bits[i] = ~0ull;
	}
	for (const char *p = text, *end; *p; p = end) {
		if (!isa_is_letter(*p)) {
			if (x->marks & isa_begin_bit(*p))
				found(x, isa_word_find(x, p, 1), true, &w);
			end = p + 1;
			continue;
		}
		bool behind_point = p > text && p[-1] == '.';
		found(x, find_run(x, p, &end), !behind_point && (p == text || p[-1] != '#'), &w);
		for (const char *q = p + 1; behind_point && q < end; q++)
			found(x, find_run(x, q, &end), false, &w);
	}
	for (unsigned i = 0; i < ISA_ROWS_MAX / 64; i++)
		for (uint64_t rest = w.begun.bits[i] &= w.allowed.bits[i]; rest; rest &= rest - 1)
			if (!has_all(&w.possible, &x->needs[i * 64 + (unsigned)__builtin_ctzll(rest)]))
				w.begun.bits[i] &= ~(rest & -rest);
	return w.begun;
}

/* ---- comparing indices ---- */

static bool equal_tokens(const struct isa_index *x, const struct isa_index *y)
{
	for (unsigned i = 0; i < x->ntoken; i++) {
		const struct isa_token *a = &x->token[i], *b = &y->token[i];
		if (a->kind != b->kind || a->to != b->to || a->len != b->len || memcmp(a->word, b->word, a->len) != 0)
			return false;
	}
	return true;
}

static bool equal_choice(const struct isa_choice *a, const struct isa_choice *b)
{
	return a->mask == b->mask && a->bits == b->bits && a->claims == b->claims && a->modes == b->modes &&
	       a->features == b->features && a->steps.first_token == b->steps.first_token &&
	       a->steps.count == b->steps.count && a->begin == b->begin &&
	       a->first_characters == b->first_characters && a->value == b->value && a->status == b->status &&
	       a->shape == b->shape && a->has_value == b->has_value && a->always == b->always && a->plain == b->plain &&
	       a->low == b->low && a->ones == b->ones && a->shift == b->shift;
}

static bool equal_steps(const struct isa_table *t, const struct isa_index *x, const struct isa_index *y)
{
	for (unsigned i = 0; i < x->nstep; i++) {
		const struct isa_step *a = &x->step[i], *b = &y->step[i];
		if (a->kind != b->kind || a->begin != b->begin || a->end != b->end || a->to != b->to)
			return false;
	}
	for (unsigned i = 0; i < x->nalt; i++)
		if (!equal_choice(&x->choice[i], &y->choice[i]))
			return false;
	return memcmp(x->row_steps, y->row_steps, t->nrow * sizeof(*x->row_steps)) == 0 &&
	       memcmp(x->row_claims, y->row_claims, t->nrow * sizeof(*x->row_claims)) == 0;
}

static bool equal_tree(const struct isa_index *x, const struct isa_index *y)
{
	for (unsigned i = 0; i < x->nnode; i++)
		if (x->node[i].low != y->node[i].low || x->node[i].ones != y->node[i].ones ||
		    x->node[i].next != y->node[i].next)
			return false;
	return memcmp(x->leaf, y->leaf, x->nleaf * sizeof(*x->leaf)) == 0;
}

static bool equal_words(const struct isa_table *t, const struct isa_index *x, const struct isa_index *y)
{
	for (unsigned i = 0; i < x->nword; i++)
		if (strcmp(x->word[i], y->word[i]) != 0)
			return false;
	return memcmp(x->slot, y->slot, ISA_SLOTS * sizeof(*x->slot)) == 0 &&
	       memcmp(x->needs, y->needs, t->nrow * sizeof(*x->needs)) == 0 &&
	       memcmp(x->has, y->has, x->nword * sizeof(*x->has)) == 0 &&
	       memcmp(x->begins, y->begins, (x->nword + 1) * sizeof(*x->begins)) == 0;
}

bool isa_index_equal(const struct isa_table *t, const struct isa_index *x, const struct isa_index *y)
{
	return x->ntoken == y->ntoken && x->nalt == y->nalt && x->nnode == y->nnode && x->nleaf == y->nleaf &&
	       x->nword == y->nword && x->nstep == y->nstep &&
	       equal_tokens(x, y) && equal_steps(t, x, y) &&
	       memcmp(x->form, y->form, t->nform * sizeof(*x->form)) == 0 &&
	       memcmp(x->row, y->row, t->nrow * sizeof(*x->row)) == 0 &&
	       memcmp(x->alt, y->alt, x->nalt * sizeof(*x->alt)) == 0 &&
	       memcmp(x->kind_alt, y->kind_alt, t->nkind * sizeof(*x->kind_alt)) == 0 &&
	       memcmp(x->omit, y->omit, t->nkind * sizeof(*x->omit)) == 0 && equal_tree(x, y) && equal_words(t, x, y);
}
