/* A line to a word: the reverse of printing. The index knows the rows whose words the line has; rows are tried in the
 * table's order by walking the template, where each choice of an alternative decides bits and a later, different
 * decision fails. Where several alternatives can begin, all but the last are followed to the end of the line. Only when
 * no row fits are all rows walked again, to collect the texts possible at the furthest place that any row reached. */
#include "core/isa/parse.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/base/near.h"
#include "core/isa/encode.h"
#include "core/isa/index.h"

/* A text possible at the furthest place. */
enum expect {
	EXPECT_WORD,                /* a literal word */
	EXPECT_PHRASE,              /* a phrase that describes a text */
	EXPECT_OPERAND,             /* the operand of an alternative */
	EXPECT_OFFSET,              /* a memory operand's offset */
	EXPECT_ADDRESS,             /* the address register of a memory operand */
};
enum { EXPECTATIONS = 12 };

struct expectation {
	enum expect what;
	const char *word;
	unsigned len;
	const struct isa_alt *alt;  /* of a word: the alternative that begins with the word, NULL for none */
};

struct parser {
	const struct isa_target *target;
	const char *text;
	const struct isa_symbols *symbols;
	unsigned skip;              /* statuses of alternatives to skip */
	bool explain;               /* no row fits: collect expectations */
	bool symbolic;              /* a symbol was looked for */
	const char *furthest;
	struct expectation expected[EXPECTATIONS];
	unsigned nexpected;         /* above EXPECTATIONS: a lower bound, not kept */
	const char *undefined;      /* a label without a value */
	struct isa_code code;       /* the result without its row */
};

/* How far an attempt has come: copied at each choice. */
struct state {
	const char *cursor;
	uint64_t bits, fixed;       /* values of bits; mask of the decided bits */
	uint32_t target;
	uint16_t registers;
	bool has_target;
	bool clash;                 /* the last text read contradicts an earlier decision */
};

/* The rest to read: a template, then the field of an alternative, then `next`. */
struct pending {
	const struct isa_token *tok, *end;
	const struct isa_alt *alt;
	const struct pending *next;
};

/* Not an initializer: clearing `expected` takes longer than most lines. */
static void start_parser(struct parser *ps, const struct isa_target *t, const char *text,
			 const struct isa_symbols *symbols)
{
	ps->target = t;
	ps->text = ps->furthest = text;
	ps->symbols = symbols;
	ps->skip = 0;
	ps->explain = ps->symbolic = false;
	ps->nexpected = 0;
	ps->undefined = NULL;
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static bool is_word(char c)
{
	return isa_is_letter(c) || c == '.';
}

/* The unit of a text's numbers. */
static unsigned unit_of(const struct isa_alt *a)
{
	return a->flags & ALT_UNSCALED ? 1 : 1u << a->shift;
}

/* The memory space of an alternative, by name; NULL: another shape. */
static const char *memory_of(const struct isa_alt *a)
{
	return a && a->shape == OPND_MEM ? a->name : NULL;
}

static bool same_expectation(const struct expectation *x, const struct expectation *y)
{
	if (x->what != y->what)
		return false;
	const struct isa_alt *a = x->alt, *b = y->alt;
	if (x->word)
		return x->len == y->len && memcmp(x->word, y->word, x->len) == 0 && memory_of(a) == memory_of(b);
	return a->shape == b->shape && a->name == b->name && a->tail == b->tail && a->names == b->names &&
	       (a->flags & ALT_HALVES) == (b->flags & ALT_HALVES) &&
	       (x->what != EXPECT_OFFSET || unit_of(a) == unit_of(b));
}

/* Remember an expectation at p, unless an attempt got further. Returns false, for callers to return. */
static bool miss(struct parser *ps, const char *p, struct expectation e)
{
	if (!ps->explain)
		return false;
	p = skip_blanks(p);
	if (p < ps->furthest)
		return false;
	if (p > ps->furthest)
		ps->nexpected = 0;
	ps->furthest = p;
	for (unsigned i = 0; i < ps->nexpected && i < EXPECTATIONS; i++)
		if (same_expectation(&ps->expected[i], &e)) {
			if (e.alt && (!ps->expected[i].alt || e.alt->num.n > ps->expected[i].alt->num.n))
				ps->expected[i].alt = e.alt;
			return false;
		}
	if (ps->nexpected++ < EXPECTATIONS)
		ps->expected[ps->nexpected - 1] = e;
	return false;
}

static bool miss_phrase(struct parser *ps, const char *p, const char *phrase)
{
	struct expectation e = { EXPECT_PHRASE, phrase, (unsigned)strlen(phrase), NULL };
	return miss(ps, p, e);
}

static bool miss_operand(struct parser *ps, const char *p, enum expect what, const struct isa_alt *a)
{
	return miss(ps, p, (struct expectation){ what, NULL, 0, a });
}

/* Decide bits; false if a bit is decided otherwise. */
static bool decide(struct state *s, uint64_t mask, uint64_t value)
{
	s->clash = ((s->bits ^ value) & s->fixed & mask) != 0;
	if (s->clash)
		return false;
	s->bits |= value & mask;
	s->fixed |= mask;
	return true;
}

static bool put_field(struct state *s, struct isa_field f, uint64_t v)
{
	if (!f.n2)
		return !(v >> f.n) && decide(s, ISA_ONES(f.n) << f.lo, v << f.lo);
	uint64_t low = v & ISA_ONES(f.n), high = v >> f.n;
	if (high & ~ISA_ONES(f.n2))
		return false;
	return decide(s, isa_field_mask(f), low << f.lo | high << f.lo2);
}

/* Put a number into the field of an alternative; false if too large. */
static bool put_number(struct state *s, const struct isa_alt *a, int64_t v)
{
	unsigned bits = a->num.n + a->num.n2;
	unsigned shift = a->flags & ALT_UNSCALED ? 0 : a->shift;
	if (v & ((1ll << shift) - 1))
		return false;
	v >>= shift;
	int64_t limit = (int64_t)1 << bits;
	int64_t low = a->flags & (ALT_SIGNED | ALT_WRAPS) ? -(limit / 2) : 0;
	int64_t high = a->flags & ALT_SIGNED ? limit / 2 : limit;
	return v >= low && v < high && put_field(s, a->num, (uint64_t)v & ISA_ONES(bits));
}

/* A binary32 constant in C's syntax; needs a point, so as not to look like an integer. */
static bool parse_float(const char *p, const char **end, int64_t *value)
{
	size_t n = strspn(p, "+-.0123456789");
	if (!memchr(p, '.', n))
		return false;
	char *stop;
	float f = strtof(p, &stop);
	uint32_t bits;
	memcpy(&bits, &f, sizeof(bits));
	*value = bits;
	*end = *stop == 'f' ? stop + 1 : stop;
	return stop != p;
}

bool isa_parse_number(const char **text, int64_t *value)
{
	const char *p = skip_blanks(*text), *end;
	if (parse_float(p, &end, value)) {
		*text = end;
		return true;
	}
	bool negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	if (!isdigit((unsigned char)*p))
		return false;
	bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	char *stop;
	errno = 0;
	uint64_t v = strtoull(hex ? p + 2 : p, &stop, hex ? 16 : 10);
	if (errno || (hex && !isxdigit((unsigned char)p[2])) || is_word(*stop))
		return false;
	*value = (int64_t)(negative ? 0 - v : v);
	*text = stop;
	return true;
}

/* A number or "#label". */
static bool read_value(struct parser *ps, struct state *s, int64_t *v)
{
	const char *p = skip_blanks(s->cursor);
	if (*p != '#' || !ps->symbols || !(isalpha((unsigned char)p[1]) || p[1] == '_' || p[1] == '.'))
		return isa_parse_number(&s->cursor, v);
	const char *name = ++p;
	while (is_word(*p))
		p++;
	ps->symbolic = true;
	if (!ps->symbols->find(ps->symbols->context, name, (size_t)(p - name), v)) {
		ps->undefined = name;
		return false;
	}
	s->cursor = p;
	return true;
}

static bool read_char(struct state *s, char c)
{
	const char *p = skip_blanks(s->cursor);
	if (*p != c)
		return false;
	s->cursor = p + 1;
	return true;
}

/* A prefix and decimal digits: "$r12", "c3". */
static bool read_numbered(struct state *s, const char *prefix, unsigned *n)
{
	const char *p = skip_blanks(s->cursor);
	while (*prefix && *p == *prefix)
		p++, prefix++;
	if (*prefix || !is_digit(*p))
		return false;
	*n = 0;
	while (is_digit(*p) && *n < 100000)
		*n = *n * 10 + (unsigned)(*p++ - '0');
	s->cursor = p;
	return true;
}

/* The end of a word at p; NULL if another word is there. A word ends before a point, so that a component mask can
 * follow a register. The caller of match_name has compared the first character. */
static const char *match_word(const char *p, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] != word[i])
			return NULL;
	return is_word(word[len - 1]) && isa_is_letter(p[len]) ? NULL : p + len;
}

static const char *match_name(const char *p, const char *name)
{
	size_t n = 1;
	while (name[n] && p[n] == name[n])
		n++;
	return name[n] || (is_word(name[n - 1]) && isa_is_letter(p[n])) ? NULL : p + n;
}

static bool read_word(struct state *s, const char *word, size_t len)
{
	const char *end = match_word(skip_blanks(s->cursor), word, len);
	s->cursor = end ? end : s->cursor;
	return end;
}

static bool read_register_number(struct state *s, const struct isa_alt *a, unsigned *n)
{
	if (!read_numbered(s, a->name, n))
		return false;
	const char *tail = a->tail ? a->tail : "";
	if (a->flags & ALT_HALVES) {
		if (*s->cursor != 'l' && *s->cursor != 'h')
			return false;
		*n = *n << 1 | (*s->cursor++ == 'h');
	} else if (strncmp(s->cursor, tail, strlen(tail)) == 0) {
		s->cursor += strlen(tail);
	}
	/* "$r1" of "$r1d" is not the register $r1 */
	return !is_word(*s->cursor) && (!*tail || s->cursor[-1] == *tail);
}

/* Remember the registers of an operand. */
static bool put_registers(struct state *s, const struct isa_alt *a, unsigned reg, uint64_t slots)
{
	struct opnd o = { .shape = a->shape, .file = a->file, .width = a->width, .reg = (uint16_t)reg,
	                  .mask = (uint8_t)slots };
	unsigned n = isa_operand_registers(&o);
	s->registers = n > s->registers ? (uint16_t)n : s->registers;
	return true;
}

static bool read_register(struct state *s, const struct isa_alt *a)
{
	unsigned n;
	if (!read_register_number(s, a, &n))
		return false;
	n <<= a->flags & ALT_HALVES ? 0 : a->shift;
	return put_number(s, a, n) && put_registers(s, a, n, 0);
}

/* "$r4:#:$r5:#": enabled slots take consecutive registers. With none enabled the first register stays open. */
static bool read_vector(struct state *s, const struct isa_alt *a)
{
	unsigned count = 0, first = 0, next = 0;
	uint64_t slots = 0;
	do {
		unsigned n;
		if (count == 8)
			return false;
		if (!read_char(s, '#')) {
			if (!read_register_number(s, a, &n) || (slots && n != next))
				return false;
			if (!slots)
				first = n;
			next = n + 1;
			slots |= 1u << count;
		}
		count++;
	} while (read_char(s, ':'));
	if (count < a->value || !put_field(s, a->more, count - a->value))
		return false;
	if (a->slots.n ? !put_field(s, a->slots, slots) : slots != ISA_ONES(count))
		return false;
	return !slots || (put_number(s, a, first) && put_registers(s, a, first, slots));
}

/* The address in brackets: "$a1+0x10", "0x10", "$a1", with post-increment "$a1++0x10". */
static bool read_address(struct parser *ps, struct state *s, const struct isa_alt *a)
{
	const char *start = s->cursor;
	unsigned reg = 0;
	int64_t v = 0;
	bool post = a->flags & ALT_POST, has_reg = read_numbered(s, a->areg, &reg);
	if (!has_reg && post) {
		if (!isa_parse_number(&s->cursor, &v) || v != 0)
			return false;
		has_reg = true;
	}
	if (a->flags & ALT_BYREG)
		return (has_reg && put_number(s, a, reg) && put_registers(s, a, reg, 0)) ||
		       miss_operand(ps, start, EXPECT_ADDRESS, a);
	for (int i = 0; post && i < 2; i++)
		if (!read_char(s, '+'))
			return false;
	bool has_offset = post || !has_reg || (read_char(s, '+') && *skip_blanks(s->cursor) != '+');
	if (has_offset) {
		const char *p = s->cursor;
		if (!read_value(ps, s, &v))
			return miss_phrase(ps, p, "a number");
		if (!put_number(s, a, v))
			return miss_operand(ps, p, EXPECT_OFFSET, a);
	} else if (!put_number(s, a, 0)) {
		return false;
	}
	return (a->addr.n || !reg) && put_field(s, a->addr, reg);
}

static bool read_memory(struct parser *ps, struct state *s, const struct isa_alt *a)
{
	unsigned bank;
	if (a->bank.n) {
		if (!read_numbered(s, a->name, &bank) || !put_field(s, a->bank, bank))
			return false;
	} else if (!read_word(s, a->name, strlen(a->name))) {
		return false;
	}
	return read_char(s, '[') && read_address(ps, s, a) && read_char(s, ']');
}

static bool read_operand(struct parser *ps, struct state *s, const struct isa_alt *a)
{
	int64_t v;
	switch (a->shape) {
	case OPND_REG:
		return read_register(s, a);
	case OPND_MEM:
		return read_memory(ps, s, a);
	case OPND_VECTOR:
		return read_vector(s, a);
	case OPND_SINK:
		return read_char(s, '#') && !is_word(*s->cursor) && *s->cursor != ':';
	case OPND_TARGET:
		if (!read_value(ps, s, &v) || !put_number(s, a, v))
			return false;
		s->target = (uint32_t)v;
		return s->has_target = true;
	default:
		return read_value(ps, s, &v) && put_number(s, a, v);
	}
}

/* Whether a text of an alternative can begin at p, by its first character. */
static bool can_begin(const struct isa_index *x, size_t number, const struct isa_alt *a, const char *p)
{
	const struct isa_token *tok = &x->token[x->alt[number].first_token];
	if (x->alt[number].count)
		return tok->kind >= 0 || *tok->word == *p;
	return a->names || (a->shape != OPND_REG && a->shape != OPND_MEM) || *a->name == *p;
}

static bool parse_on(struct parser *ps, struct state *s, struct pending now, const struct isa_alt *a, size_t number);

static uint64_t place(struct isa_field f, uint64_t v)
{
	return (v & ISA_ONES(f.n)) << f.lo | v >> f.n << f.lo2;
}

static bool follow_name(struct parser *ps, struct state s, const struct pending *now, const struct isa_alt *a,
			unsigned i, const char *end)
{
	s.cursor = end;
	decide(&s, isa_field_mask(a->num), place(a->num, i));
	return parse_on(ps, &s, *now, NULL, 0);
}

/* Read a name of an alternative. Where several fit, such as the empty name, all but the last are followed to the end of
 * the line; true with *done: a name led to the end. */
static bool parse_name(struct parser *ps, struct state *s, const struct pending *now, const struct isa_alt *a,
		       bool *done)
{
	const char *p = skip_blanks(s->cursor), *fits = NULL;
	uint64_t mask = isa_field_mask(a->num), decided = s->fixed & mask;
	unsigned i = 0, end = a->nnames, fit = 0;
	if (decided == mask) {
		i = (unsigned)isa_field_get(a->num, s->bits);
		end = i < end ? i + 1 : i;
	}
	for (; i < end; i++) {
		const char *name = a->names[i];
		if (!name || (*name && *name != *p) ||
		    (decided && ((place(a->num, i) ^ s->bits) & decided)))
			continue;
		const char *after = *name ? match_name(p, name) : s->cursor;
		if (!after)
			continue;
		if (fits && follow_name(ps, *s, now, a, fit, fits))
			return *done = true;
		fits = after;
		fit = i;
	}
	/* names belong in the message even if the rest of the line is wrong */
	if (fits && ps->explain && follow_name(ps, *s, now, a, fit, fits))
		return *done = true;
	if (!fits || ps->explain)
		return miss_operand(ps, p, EXPECT_OPERAND, a);
	s->cursor = fits;
	return decide(s, mask, place(a->num, fit));
}

/* Read the field of an alternative. */
static bool parse_field(struct parser *ps, struct state *s, const struct pending *now, const struct isa_alt *a,
			bool *done)
{
	if (a->names)
		return parse_name(ps, s, now, a, done);
	const char *p = s->cursor;
	if (read_operand(ps, s, a))
		return true;
	return s->clash ? miss_phrase(ps, p, "an operand that agrees with the operands before")
	                : miss_operand(ps, p, EXPECT_OPERAND, a);
}

static bool follow(struct parser *ps, const struct state *s, const struct pending *now, const struct isa_alt *a,
		   size_t number)
{
	struct state chosen = *s;
	decide(&chosen, isa_cond_mask(a->when), isa_cond_value(a->when));
	return parse_on(ps, &chosen, *now, a, number);
}

/* Choose an alternative of a kind, with its number. All but the last alternative that can begin here are followed to
 * the end, as in parse_name. */
static const struct isa_alt *parse_kind(struct parser *ps, struct state *s, const struct pending *now, unsigned kind,
					size_t *number, bool *done)
{
	const struct isa_target *t = ps->target;
	const struct isa_table *tab = t->isa->table;
	const struct isa_kind *k = &tab->kind[kind];
	const struct isa_alt *fits = NULL;
	const char *p = skip_blanks(s->cursor);
	size_t first = tab->index->kind_alt[kind];
	for (unsigned i = 0; i < k->nalt; i++) {
		const struct isa_alt *a = &k->alt[i];
		if (((s->bits ^ isa_cond_value(a->when)) & s->fixed & isa_cond_mask(a->when)) ||
		    (a->status & ps->skip) || (a->features & ~t->features) || (a->modes && !(a->modes & t->mode)) ||
		    (!ps->explain && !can_begin(tab->index, first + i, a, p)))
			continue;
		if (fits && follow(ps, s, now, fits, *number)) {
			*done = true;
			return NULL;
		}
		fits = &k->alt[i];
		*number = first + i;
	}
	if (fits)
		decide(s, isa_cond_mask(fits->when), isa_cond_value(fits->when));
	return fits;
}

enum { BELOW = 8 };

/* Read the rest: first the chosen alternative, if any, `number` of the table's. */
static bool parse_on(struct parser *ps, struct state *s, struct pending now, const struct isa_alt *a, size_t number)
{
	const struct isa_table *tab = ps->target->isa->table;
	const struct isa_index *x = tab->index;
	struct pending below[BELOW];
	unsigned nbelow = 0;
	bool done = false;
	for (;;) {
		if (a && x->alt[number].count) {
			if (nbelow == BELOW)
				return parse_on(ps, s, now, a, number);
			below[nbelow] = now;
			now.tok = &x->token[x->alt[number].first_token];
			now.end = now.tok + x->alt[number].count;
			now.alt = a;
			now.next = &below[nbelow++];
			a = NULL;
		} else if (a) {
			if (a->shape != OPND_NONE && (!parse_field(ps, s, &now, a, &done) || done))
				return done;
			a = NULL;
		} else if (now.tok < now.end) {
			const struct isa_token *tok = now.tok++;
			if (tok->kind >= 0) {
				a = parse_kind(ps, s, &now, (unsigned)tok->kind, &number, &done);
				if (!a)
					return done;
			} else if (!read_word(s, tok->word, tok->len)) {
				return miss(ps, s->cursor,
					    (struct expectation){ EXPECT_WORD, tok->word, tok->len, now.alt });
			}
		} else if (now.next) {
			const struct isa_alt *own = now.alt;
			now = *now.next;
			if (own && own->shape != OPND_NONE && (!parse_field(ps, s, &now, own, &done) || done))
				return done;
		} else {
			break;
		}
	}
	ps->code = (struct isa_code){ .word = s->bits, .target = s->target, .registers = s->registers,
	                              .has_target = s->has_target };
	return !*skip_blanks(s->cursor) || miss_phrase(ps, s->cursor, "the end of the line");
}

/* Whether the first plain word of a row's template is in the text at all: rules out most rows at little cost. */
static bool plausible(const struct parser *ps, const struct isa_row *r)
{
	const struct isa_table *tab = ps->target->isa->table;
	struct isa_template tp = tab->index->row[r - tab->row];
	for (unsigned i = tp.first_token; i < tp.first_token + tp.count; i++) {
		const struct isa_token *tok = &tab->index->token[i];
		if (tok->kind < 0)
			return memmem(ps->text, strlen(ps->text), tok->word, tok->len) != NULL;
	}
	return true;
}

static bool row_is_for(const struct isa_target *t, const struct isa_row *r)
{
	return (r->modes & t->mode) && !(r->features & ~t->features);
}

enum { ROWS_PLAUSIBLE = 1, ROWS_UNDOC = 2 };

static bool parse_row(struct parser *ps, const char *start, bool wide, unsigned which, const struct isa_row *r)
{
	const struct isa_table *tab = ps->target->isa->table;
	const struct isa_form *f = &tab->form[r->form];
	if (!row_is_for(ps->target, r) || (wide && !f->wide) || ((r->flags & ROW_UNDOC) && !(which & ROWS_UNDOC)))
		return false;
	struct state s = { .cursor = start, .bits = isa_cond_value(f->when | r->when),
	                   .fixed = isa_cond_mask(f->when | r->when) };
	struct isa_template form = tab->index->form[r->form], own = tab->index->row[r - tab->row];
	const struct isa_token *token = tab->index->token;
	struct pending row = { token + own.first_token, token + own.first_token + own.count, NULL, NULL };
	struct pending prefix = { token + form.first_token, token + form.first_token + form.count, NULL, &row };
	return parse_on(ps, &s, prefix, NULL, 0);
}

static const struct isa_row *parse_candidates(struct parser *ps, const char *start, bool wide, unsigned which,
					      const struct isa_rows *may)
{
	const struct isa_table *tab = ps->target->isa->table;
	for (unsigned i = isa_next_row(may, 0); i < ISA_ROWS_MAX; i = isa_next_row(may, i + 1))
		if (parse_row(ps, start, wide, which, &tab->row[i]))
			return &tab->row[i];
	return NULL;
}

/* Try all rows, to learn where each misses. */
static void miss_rows(struct parser *ps, const char *start, bool wide, unsigned which)
{
	const struct isa_table *tab = ps->target->isa->table;
	for (unsigned i = 0; i < tab->nrow; i++)
		if (!(which & ROWS_PLAUSIBLE) || plausible(ps, &tab->row[i]))
			parse_row(ps, start, wide, which, &tab->row[i]);
}

/* Messages when no row fits. */

static void describe_names(const struct isa_alt *a, char *buf, size_t size)
{
	size_t len = 0;
	for (unsigned i = 0; i < a->nnames && len + 16 < size; i++)
		if (a->names[i] && *a->names[i])
			len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? "|" : "", a->names[i]);
}

static void describe_operand(const struct isa_alt *a, char *buf, size_t size)
{
	unsigned bits = a->num.n + a->num.n2;
	unsigned long long max = ISA_ONES(bits);
	const char *tail = a->tail ? a->tail : "";
	switch (a->shape) {
	case OPND_REG:
		if (a->flags & ALT_HALVES)
			snprintf(buf, size, "%s0l to %s%lluh", a->name, a->name, max >> 1);
		else
			snprintf(buf, size, "%s0%s to %s%llu%s", a->name, tail, a->name, max, tail);
		break;
	case OPND_MEM:
		if (a->bank.n)
			snprintf(buf, size, "%s0[] to %s%llu[]", a->name, a->name,
				 (unsigned long long)ISA_ONES(a->bank.n));
		else
			snprintf(buf, size, "%s[]", a->name);
		break;
	case OPND_VECTOR:
		snprintf(buf, size, "a list like %s0:%s1", a->name, a->name);
		break;
	case OPND_SINK:
		snprintf(buf, size, "#");
		break;
	case OPND_TARGET:
		snprintf(buf, size, "a multiple of 4 or #label");
		break;
	default:
		if (a->flags & ALT_SIGNED)
			snprintf(buf, size, "a number from -0x%llx to 0x%llx", (max >> 1) + 1, max >> 1);
		else
			snprintf(buf, size, "a number up to 0x%llx", max);
	}
}

/* A memory operand after its types: "u8|u16|s16|b32 s[]", all expected types of a space together. */
static void describe_typed(const struct parser *ps, unsigned first, char *buf, size_t size)
{
	const char *space = memory_of(ps->expected[first].alt);
	char memory[40];
	size_t len = 0;
	buf[0] = 0;
	for (unsigned i = 0; i < ps->nexpected && i < EXPECTATIONS; i++) {
		const struct expectation *e = &ps->expected[i];
		if (e->what != EXPECT_WORD || memory_of(e->alt) != space)
			continue;
		if (i < first)
			return;     /* already in the list */
		if (len < size)
			len += (size_t)snprintf(buf + len, size - len, "%s%.*s", len ? "|" : "", (int)e->len, e->word);
	}
	describe_operand(ps->expected[first].alt, memory, sizeof(memory));
	if (len < size)
		snprintf(buf + len, size - len, " %s", memory);
}

static void describe(const struct parser *ps, unsigned i, char *buf, size_t size)
{
	const struct expectation *e = &ps->expected[i];
	if (e->what == EXPECT_WORD && memory_of(e->alt))
		describe_typed(ps, i, buf, size);
	else if (e->what == EXPECT_WORD)
		snprintf(buf, size, "'%.*s'", (int)e->len, e->word);
	else if (e->what == EXPECT_PHRASE)
		snprintf(buf, size, "%s", e->word);
	else if (e->what == EXPECT_OFFSET)
		snprintf(buf, size, "an offset up to 0x%llx in steps of %u",
			 (unsigned long long)ISA_ONES(e->alt->num.n) * unit_of(e->alt), unit_of(e->alt));
	else if (e->what == EXPECT_ADDRESS)
		snprintf(buf, size, "%s0 to %s%llu", e->alt->areg, e->alt->areg,
			 (unsigned long long)ISA_ONES(e->alt->num.n));
	else if (e->alt->names)
		describe_names(e->alt, buf, size);
	else
		describe_operand(e->alt, buf, size);
}

static size_t word_length(const char *p)
{
	size_t n = *p == '%';
	while (is_word(p[n]))
		n++;
	return n ? n : 1;
}

/* ---- suggestions ---- */

/* Returns whether one of the names is empty. */
static bool try_names(struct near *near, const struct isa_alt *a)
{
	bool empty = false;
	for (unsigned i = 0; i < a->nnames; i++) {
		if (a->names[i])
			near_try(near, a->names[i], strlen(a->names[i]));
		empty |= a->names[i] && !*a->names[i];
	}
	return empty;
}

/* Try a template's literal words and names up to the first text that cannot be empty, the instruction's own word;
 * returns whether all can be empty. */
static bool try_template(struct near *near, const struct isa_table *tab, struct isa_template tp)
{
	const struct isa_token *tok = &tab->index->token[tp.first_token], *end = tok + tp.count;
	bool empty = true;
	for (; empty && tok < end; tok++) {
		if (tok->kind < 0) {
			near_try(near, tok->word, tok->len);
			return false;
		}
		const struct isa_kind *k = &tab->kind[tok->kind];
		empty = false;
		for (unsigned i = 0; i < k->nalt; i++) {
			const struct isa_alt *a = &k->alt[i];
			if (try_template(near, tab, tab->index->alt[tab->index->kind_alt[tok->kind] + i]))
				empty |= try_names(near, a) || a->shape == OPND_NONE;
		}
	}
	return empty;
}

/* All words that can begin a line under the target: words of forms, and of rows. */
static void try_instructions(const struct parser *ps, struct near *near)
{
	const struct isa_table *tab = ps->target->isa->table;
	const struct isa_index *x = isa_index_of(tab);
	for (unsigned i = 0; i < tab->nform; i++)
		for (unsigned k = x->form[i].first_token; k < x->form[i].first_token + x->form[i].count; k++)
			for (unsigned n = 0; x->token[k].kind >= 0 && n < tab->kind[x->token[k].kind].nalt; n++)
				try_names(near, &tab->kind[x->token[k].kind].alt[n]);
	for (unsigned r = 0; r < tab->nrow; r++)
		if (row_is_for(ps->target, &tab->row[r]))
			try_template(near, tab, x->row[r]);
}

/* The register of an alternative without its sign, or with another assembler's: "r3", "%r3", "R3". */
static bool meant_register(const struct isa_alt *a, const char *word, size_t n, char *buf, size_t size)
{
	struct state s = { .cursor = buf };
	size_t at = 1;
	if (a->shape != OPND_REG || !a->name || *a->name != '$' || n + 2 > size)
		return false;
	while (n && !isalnum((unsigned char)*word))
		word++, n--;
	buf[0] = *a->name;
	while (n--)
		buf[at++] = (char)tolower((unsigned char)*word++);
	buf[at] = 0;
	return read_register(&s, a) && !*s.cursor;
}

/* The word at the furthest place as probably meant, in buf or a constant; NULL if no name is near. */
static const char *meant(const struct parser *ps, bool instruction, char *buf, size_t size)
{
	struct near near = { .word = ps->furthest, .n = word_length(ps->furthest) };
	if (instruction)
		try_instructions(ps, &near);
	for (unsigned i = 0; !instruction && i < ps->nexpected && i < EXPECTATIONS; i++) {
		const struct expectation *e = &ps->expected[i];
		if (e->what == EXPECT_WORD)
			near_try(&near, e->word, e->len);
		else if (e->alt && e->alt->names)
			try_names(&near, e->alt);
		else if (e->what == EXPECT_OPERAND && meant_register(e->alt, near.word, near.n, buf, size))
			return buf;
	}
	if (!near.best || !near.distance)
		return NULL;
	snprintf(buf, size, "%.*s", (int)near.nbest, near.best);
	return buf;
}

/* ---- other targets ---- */

static bool parses_for(const struct parser *ps, const struct isa_target *t, const char *start, bool wide)
{
	struct isa_code code;
	struct isa_line line = { .text = ps->text, .start = start };
	line.may = isa_rows_of_text(isa_index_of(t->isa->table), start);
	return isa_line_parse(t, &line, wide, ps->symbols, &code, NULL);
}

/* Whether an instruction of the target begins with a word. */
static bool begins_for(const struct isa_target *t, const char *word)
{
	const struct isa_table *tab = t->isa->table;
	struct near same = { .word = word, .n = word_length(word) };
	for (unsigned r = 0; r < tab->nrow; r++)
		if (row_is_for(t, &tab->row[r]))
			try_template(&same, tab, isa_index_of(tab)->row[r]);
	return same.best && !same.distance;
}

static const char *name_of(const struct isa_name *list, uint32_t value)
{
	while (list->name && list->value != value)
		list++;
	return list->name ? list->name : "?";
}

/* Name the chips, or else the program types, with the line as an instruction, or with its first word; returns "chip" or
 * the like, NULL for none. Names of chips beyond the first are left out. */
static const char *others(const struct parser *ps, const char *start, bool wide, bool instruction, char *buf,
			  size_t size)
{
	const struct isa_table *tab = ps->target->isa->table;
	for (unsigned modes = 0; modes < 2; modes++) {
		const struct isa_name *list = modes ? tab->modes : tab->chips;
		size_t len = 0;
		for (const struct isa_name *n = list; n->name; n++) {
			struct isa_target t = *ps->target;
			*(modes ? &t.mode : &t.features) = n->value;
			if (name_of(list, n->value) != n->name ||
			    !(parses_for(ps, &t, start, wide) || (instruction && begins_for(&t, ps->furthest))))
				continue;
			if (len < size)
				len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? ", " : "", n->name);
		}
		if (len)
			return modes ? "program type" : "chip";
	}
	return NULL;
}

/* ---- common mistakes ---- */

/* Whether the line has one of the words, separated by '|', in front of the furthest place. */
static bool has_before(const struct parser *ps, const char *words)
{
	for (const char *p = ps->text; p < ps->furthest;) {
		size_t n = *p == '$' ? 1 + word_length(p + 1) : word_length(p);
		for (const char *w = words, *end; *w; w = end + (*end == '|')) {
			end = w + strcspn(w, "|");
			if ((size_t)(end - w) == n && !strncmp(p, w, n))
				return true;
		}
		p += n;
	}
	return false;
}

/* Whether one of the patterns, separated by '|', fits the text from the furthest place on. */
static bool fits_found(const char *patterns, const char *text)
{
	char one[64];
	for (const char *p = patterns, *end; *p; p = end + (*end == '|')) {
		end = p + strcspn(p, "|");
		snprintf(one, sizeof(one), "%.*s", (int)(end - p), p);
		if (!fnmatch(one, text, 0))
			return true;
	}
	return false;
}

/* The way out of the mistake at the furthest place; NULL: no common mistake. */
static const struct isa_hint *hint(const struct parser *ps, bool instruction)
{
	for (const struct isa_hint *h = ps->target->isa->table->hints; h && h->text; h++) {
		bool here = *h->before == '^' ? instruction : !*h->before || has_before(ps, h->before);
		if (here && fits_found(h->found, ps->furthest))
			return h;
	}
	return NULL;
}

/* Whether the word at the furthest place is a label without its '#'. */
static bool meant_label(const struct parser *ps)
{
	int64_t value;
	bool target = false;
	for (unsigned i = 0; i < ps->nexpected && i < EXPECTATIONS; i++)
		target |= ps->expected[i].what == EXPECT_OPERAND && ps->expected[i].alt->shape == OPND_TARGET;
	return target && ps->symbols && ps->symbols->find(ps->symbols->context, ps->furthest,
							  word_length(ps->furthest), &value);
}

/* In front of, or in place of, an instruction nearly anything is expected: more than is listed. */
static bool explain_instruction(const struct parser *ps, struct diag *d)
{
	int column = (int)(ps->furthest - ps->text) + 1, n = (int)word_length(ps->furthest);
	char word[40];
	size_t len = strlen(ps->text);
	if (!*ps->furthest && isa_row_named(ps->target->isa->table, "nop")) {
		while (len && isspace((unsigned char)ps->text[len - 1]))
			len--;
		return diag_text(d, 1, column, "the line ends, expected an instruction; '%.*s' alone is written "
				 "'%.*s nop'", (int)len, ps->text, (int)len, ps->text);
	}
	const char *known = meant(ps, true, word, sizeof(word));
	return diag_text(d, 1, column, known ? "unknown instruction '%.*s'; did you mean '%s'?"
	                                     : "unknown instruction '%.*s'", n, ps->furthest, known);
}

/* As many of the expected things as fit beside `taken` bytes. */
static void list_expected(const struct parser *ps, char *list, size_t size, size_t taken)
{
	char one[120];
	size_t len = strlen(list);
	for (unsigned i = 0; i < ps->nexpected; i++) {
		describe(ps, i, one, sizeof(one));
		if (*one && len + strlen(one) + 8 < size - taken)
			len += (size_t)snprintf(list + len, size - len, "%s%s", len ? ", " : "", one);
	}
}

static bool explain(const struct parser *ps, const char *start, bool wide, struct diag *d)
{
	char list[300] = "", word[40];
	int column = (int)(ps->furthest - ps->text) + 1, n = (int)word_length(ps->furthest);
	bool instruction = ps->nexpected > EXPECTATIONS;
	if (ps->undefined)
		return diag_text(d, 1, (int)(ps->undefined - ps->text), "label '%.*s' is not defined",
				 (int)word_length(ps->undefined), ps->undefined);
	const struct isa_hint *way = *ps->furthest ? hint(ps, instruction) : NULL;
	if (way && instruction)
		return diag_text(d, 1, column,
				 *way->before == '^' ? "unknown instruction '%.*s': %s" : "found '%.*s': %s", n,
				 ps->furthest, way->text);
	if (meant_label(ps))
		return diag_text(d, 1, column, "found '%.*s', expected a label; did you mean '#%.*s'?", n, ps->furthest,
				 n, ps->furthest);
	const char *what = *ps->furthest && !way ? others(ps, start, wide, instruction, list, sizeof(list)) : NULL;
	if (what) {
		const struct isa_table *tab = ps->target->isa->table;
		return diag_text(d, 1, column, instruction ? "unknown instruction '%.*s' for %s %s; for %s it is one"
				 : "found '%.*s', which %s %s does not have here, unlike %s", n, ps->furthest, what,
				 *what == 'c' ? name_of(tab->chips, ps->target->features)
				              : name_of(tab->modes, ps->target->mode), list);
	}
	if (instruction)
		return explain_instruction(ps, d);
	list_expected(ps, list, sizeof(list), way ? strlen(way->text) : 0);
	if (!*ps->furthest)
		return diag_text(d, 1, column, "the line ends, expected %s", list);
	if (way)
		return diag_text(d, 1, column, *list ? "found '%.*s', expected %s: %s" : "found '%.*s'%s: %s", n,
				 ps->furthest, list, way->text);
	const char *known = meant(ps, false, word, sizeof(word));
	return diag_text(d, 1, column, known ? "found '%.*s', expected %s; did you mean '%s'?"
	                                     : "found '%.*s', expected %s", n, ps->furthest, list, known);
}

void isa_line_read(const struct isa_target *t, const char *text, struct isa_line *line)
{
	const struct isa_table *tab = t->isa->table;
	struct state start = { .cursor = text };
	line->text = text;
	line->wide = !t->isa->text.parse && tab->wide && read_word(&start, tab->wide, strlen(tab->wide));
	line->start = start.cursor;
	if (!t->isa->text.parse)
		line->may = isa_rows_of_text(isa_index_of(tab), start.cursor);
}

unsigned isa_line_align(const struct isa_target *t, const struct isa_line *line)
{
	const struct isa_table *tab = t->isa->table;
	unsigned align = 0;
	if (t->isa->text.parse)
		return 0;
	for (unsigned i = isa_next_row(&line->may, 0); i < ISA_ROWS_MAX; i = isa_next_row(&line->may, i + 1)) {
		const struct isa_row *r = &tab->row[i];
		const struct isa_form *f = &tab->form[r->form];
		if (!row_is_for(t, r) || (line->wide && !f->wide))
			continue;
		if (align && align != f->align)
			return 0;
		align = f->align;
	}
	return align;
}

/* Documented encodings are preferred. */
static const struct isa_row *parse_both(struct parser *ps, const struct isa_line *line, bool wide)
{
	ps->skip = ALT_LOOSE | (ps->target->undoc ? ALT_QUIRK : ALT_UNDOC);
	const struct isa_row *row = parse_candidates(ps, line->start, wide, 0, &line->may);
	if (row)
		return row;
	ps->skip = ALT_LOOSE;
	return parse_candidates(ps, line->start, wide, ROWS_UNDOC, &line->may);
}

bool isa_line_parse(const struct isa_target *t, const struct isa_line *line, bool wide,
		    const struct isa_symbols *symbols, struct isa_code *out, struct diag *d)
{
	const struct isa_table *tab = t->isa->table;
	if (t->isa->text.parse)
		return t->isa->text.parse(t, line->text, symbols, out, d);
	isa_index_of(tab);
	struct parser ps;
	start_parser(&ps, t, line->text, symbols);
	wide |= line->wide;
	const struct isa_row *row = parse_both(&ps, line, wide);
	if (row) {
		*out = ps.code;
		out->row = row;
		out->length = tab->form[row->form].length;
		out->symbolic = ps.symbolic;
		return true;
	}
	if (!d)
		return false;
	ps.explain = true;
	ps.skip = ALT_LOOSE | (t->undoc ? ALT_QUIRK : ALT_UNDOC);
	miss_rows(&ps, line->start, wide, ROWS_PLAUSIBLE);
	ps.skip = ALT_LOOSE;
	miss_rows(&ps, line->start, wide, ROWS_PLAUSIBLE | ROWS_UNDOC);
	ps.skip = ALT_LOOSE | ALT_UNDOC;
	miss_rows(&ps, line->start, wide, 0);
	return explain(&ps, line->start, wide, d);
}

bool isa_parse(const struct isa_target *t, const char *text, bool wide, const struct isa_symbols *symbols,
	       struct isa_code *out, struct diag *d)
{
	struct isa_line line;
	isa_line_read(t, text, &line);
	return isa_line_parse(t, &line, wide, symbols, out, d);
}
