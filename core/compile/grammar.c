/* An instruction of PTX against the table of forms (grammar.def): every word, type and operand belongs to a form, or is
 * refused by name. The lowering meets no others. */
#include "core/compile/lower.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

enum { SLOTS_MAX = 24, PTX_CLASSES = 14 };      /* the version from which on registers have classes */

static const struct form {
	const char *op, *words, *operands, *why;         /* why: of a form that no chip has */
} forms[] = {
#define FORM(op, words, operands) { op, words, operands, NULL },
#define NEVER(op, words, why) { op, words, NULL, why },
#include "core/compile/grammar.def"
};

enum { FORMS = sizeof forms / sizeof *forms };

/* ---- words ---- */

struct slots {
	const char *text[SLOTS_MAX];     /* alternatives, without the '?' */
	size_t size[SLOTS_MAX];
	bool filled[SLOTS_MAX], may_stay[SLOTS_MAX];
	unsigned n;
	bool any;                        /* further words of any kind */
};

static struct slots slots_of(const struct form *f)
{
	struct slots s = { .n = 0 };

	for (const char *p = f->words; *p;) {
		size_t n = strcspn(p, " ");
		if (*p == '*') {
			s.any = true;
		} else if (n && s.n < SLOTS_MAX) {
			s.may_stay[s.n] = *p == '?';
			s.text[s.n] = p + (*p == '?');
			s.size[s.n++] = n - (*p == '?');
		}
		p += n + (p[n] == ' ');
	}
	return s;
}

static bool has_word(const char *text, size_t size, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= size; i++)
		if (!memcmp(text + i, word, n) && (!i || text[i - 1] == '|') && (i + n == size || text[i + n] == '|'))
			return true;
	return false;
}

/* Number of the first word without a slot; n->nwords: all have one. Types keep their order. */
static unsigned fill(struct slots *s, const struct ptx_insn *n)
{
	unsigned types = 0; /* slots up to the last type's */

	for (unsigned w = 1; w < n->nwords; w++) {
		bool is_type = ptx_type_named(n->word[w], strlen(n->word[w])) != PTX_NONE;
		unsigned k = is_type ? types : 0;
		while (k < s->n && (s->filled[k] || !has_word(s->text[k], s->size[k], n->word[w])))
			k++;
		if (k < s->n)
			s->filled[k] = true;
		else if (!s->any)
			return w;
		types = is_type && k < s->n ? k + 1 : types;
	}
	return n->nwords;
}

static bool complete(const struct slots *s)
{
	for (unsigned k = 0; k < s->n; k++)
		if (!s->filled[k] && !s->may_stay[k])
			return false;
	return true;
}

/* The alternatives of a slot as ".a .b .c", behind the text so far, each once. */
static void list_words(const struct slots *s, unsigned slot, char *out, size_t size)
{
	const char *p = s->text[slot], *end = p + s->size[slot];

	while (p < end) {
		size_t n = 0;
		char word[40];
		while (p + n < end && p[n] != '|')
			n++;
		snprintf(word, sizeof word, " .%.*s", (int)n, p);
		size_t have = strlen(out), length = strlen(word);
		const char *found = strstr(out, word);
		while (found && found[length] && found[length] != ' ')
			found = strstr(found + 1, word);
		if (!found && have + length + 4 < size)
			strcat(out, word);
		p += n + 1;
	}
}

/* No form has the words: the longest beginning that some form has, the word behind, and what could stand there. */
static _Noreturn void refuse_words(struct lowering *l, const struct ptx_insn *n)
{
	unsigned furthest = 0;
	char expected[200] = "";

	for (size_t i = 0; i < FORMS; i++) {
		struct slots s = slots_of(&forms[i]);
		if (strcmp(forms[i].op, n->word[0]) || forms[i].why)
			continue;
		unsigned w = fill(&s, n);
		if (w < furthest)
			continue;
		if (w > furthest)
			*expected = '\0';
		furthest = w;
		for (unsigned k = 0; k < s.n; k++)
			if (!s.filled[k] && (w < n->nwords || !s.may_stay[k]))
				list_words(&s, k, expected, sizeof expected);
	}
	const char *op = spelled(l, n);
	if (furthest < n->nwords) {
		char word[64];
		text_clean(n->word[furthest], strlen(n->word[furthest]), "", word, sizeof word);
		lower_fail(l, n, "`%.80s`: found `.%.40s`, expected%s", op, word,
			   *expected ? expected : " no more words");
	}
	lower_fail(l, n, "`%.80s`: expected one word more:%s", op, expected);
}

static uint32_t hash_words(const struct ptx_insn *n)
{
	uint32_t h = 2166136261u;

	for (unsigned w = 0; w < n->nwords; w++)
		for (const char *p = n->word[w];; p++) {
			h = (h ^ (uint8_t)*p) * 16777619u;
			if (!*p)
				break;
		}
	return h ^ h >> 15;
}

static bool same_words(const struct ptx_insn *a, const struct ptx_insn *b)
{
	if (a->nwords != b->nwords)
		return false;
	for (unsigned w = 0; w < a->nwords; w++)
		if (strcmp(a->word[w], b->word[w]))
			return false;
	return true;
}

/* The form with the instruction's words. */
static const struct form *form_of(struct lowering *l, const struct ptx_insn *n)
{
	struct ptx_form_seen *seen = &l->m->forms_seen[hash_words(n) % PTX_FORMS_SEEN];
	bool known = false;

	if (seen->insn && same_words(seen->insn, n))
		return &forms[seen->form];
	for (size_t i = 0; i < FORMS; i++) {
		if (strcmp(forms[i].op, n->word[0]))
			continue;
		known = true;
		struct slots s = slots_of(&forms[i]);
		if (fill(&s, n) < n->nwords || !complete(&s))
			continue;
		if (forms[i].why)
			lower_never(l, n, NULL, forms[i].why);
		*seen = (struct ptx_form_seen){ n, (uint16_t)i };
		return &forms[i];
	}
	if (known)
		refuse_words(l, n);
	char name[64];
	text_clean(n->word[0], strlen(n->word[0]), "", name, sizeof name);
	lower_fail(l, n, "unknown instruction `%s`", name);
}

/* ---- operands ---- */

static const char *kind_name(const struct ptx_operand *o)
{
	static const char *const names[] = {
		[OPERAND_NONE] = "nothing", [OPERAND_REG] = "a register", [OPERAND_INT] = "an integer",
		[OPERAND_FLOAT] = "a fraction", [OPERAND_DOUBLE] = "a fraction",
		[OPERAND_SPECIAL] = "a special register", [OPERAND_VAR] = "a variable",
		[OPERAND_FUNC] = "a function", [OPERAND_LABEL] = "a label", [OPERAND_VECTOR] = "a vector",
		[OPERAND_ADDRESS] = "an address", [OPERAND_SINK] = "'_'", [OPERAND_LIST] = "a list",
		[OPERAND_PART] = "a part of a register",
	};

	return o->kind == OPERAND_REG && o->reg->type == PTX_PRED ? "a predicate" : names[o->kind];
}

static _Noreturn void refuse_operand(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o,
				     const char *expected)
{
	unsigned k = 0;

	while (k < n->noperands && o != &n->operand[k])
		k++;
	char place[24];
	snprintf(place, sizeof place, k < n->noperands ? "operand %u" : "an operand", k + 1);
	if (o->kind == OPERAND_REG && o->reg->type != PTX_PRED)
		lower_fail(l, n, "%s of `%.80s`: found a register of %u bits, expected %s", place, spelled(l, n),
			   8 * ptx_bytes(o->reg->type), expected);
	lower_fail(l, n, "%s of `%.80s`: found %s, expected %s", place, spelled(l, n), kind_name(o), expected);
}

static const char *width_text(struct lowering *l, const char *what, unsigned bytes, bool or_more)
{
	char text[80];

	snprintf(text, sizeof text, "%s of %u bits%s", what, 8 * bytes, or_more ? " or more" : "");
	return arena_strdup(l->m->arena, text);
}

/* Register `o` of `bytes`, or of more where the instruction extends or cuts. */
static bool has_width(const struct ptx_operand *o, unsigned bytes, bool or_more)
{
	return o->kind == OPERAND_REG && o->reg->type != PTX_PRED &&
	       (ptx_bytes(o->reg->type) == bytes || (or_more && ptx_bytes(o->reg->type) > bytes));
}

static void check_result(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, unsigned bytes,
			 bool or_more)
{
	if (o->kind != OPERAND_SINK && !has_width(o, bytes, or_more))
		refuse_operand(l, n, o, width_text(l, "a register", bytes, or_more));
}

/* A source of type t. Fractions stand for floats, and their bits for words without a kind. */
static void check_source(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t,
			 bool or_more)
{
	unsigned bytes = ptx_bytes(t);
	bool bits = t >= PTX_B8 && t <= PTX_B64, fits = false;

	switch (o->kind) {
	case OPERAND_REG: fits = has_width(o, bytes, or_more); break;
	case OPERAND_INT: fits = !ptx_float(t); break;
	case OPERAND_FLOAT: fits = ptx_float(t) ? !ptx_half(t) : bits && bytes == 4; break;
	case OPERAND_DOUBLE: fits = ptx_float(t) ? !ptx_half(t) : bits && bytes == 8; break;
	case OPERAND_SPECIAL: fits = !ptx_float(t); break;
	case OPERAND_VAR: fits = !ptx_float(t) && bytes >= 4; break;
	default: break;
	}
	if (fits)
		return;
	if (ptx_float(t) && o->kind == OPERAND_INT)
		refuse_operand(l, n, o, "a fraction");
	if (!ptx_float(t) && (o->kind == OPERAND_FLOAT || o->kind == OPERAND_DOUBLE))
		refuse_operand(l, n, o, "an integer");
	const char *what = ptx_float(t) ? "a register or a fraction" : "a register or a number";
	refuse_operand(l, n, o, width_text(l, what, bytes, or_more));
}

static void check_predicate(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, bool result)
{
	bool is_register = o->kind == OPERAND_REG && o->reg->type == PTX_PRED;

	if (!is_register && (result ? o->kind != OPERAND_SINK : o->kind != OPERAND_INT))
		refuse_operand(l, n, o, "a predicate");
}

/* Scalars, or the registers of a vector by the word .v2 or .v4. */
static void check_each(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t,
		       bool result)
{
	unsigned count = 0;

	for (unsigned w = 1; w < n->nwords; w++)
		if (!strcmp(n->word[w], "v2") || !strcmp(n->word[w], "v4"))
			count = (unsigned)(n->word[w][1] - '0');
	if (count && (o->kind != OPERAND_VECTOR || o->nitems != count))
		refuse_operand(l, n, o, count == 2 ? "a vector of 2" : "a vector of 4");
	for (unsigned i = 0; i < (count ? count : 1); i++) {
		const struct ptx_operand *each = count ? &o->item[i] : o;
		if (result)
			check_result(l, n, each, ptx_bytes(t), true);
		else
			check_source(l, n, each, t, true);
	}
}

static enum ptx_type twice(enum ptx_type t)
{
	static const uint8_t wide[PTX_TYPES] = {
		[PTX_U16] = PTX_U32, [PTX_S16] = PTX_S32, [PTX_U32] = PTX_U64, [PTX_S32] = PTX_S64,
	};

	return (enum ptx_type)wide[t];
}

/* Counts of 16 bits stand in files of the first compilers. */
static void check_count(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o)
{
	if (!has_width(o, 2, false))
		check_source(l, n, o, PTX_U32, false);
}

/* A byte or half of a register of 32 bits, or a whole word. */
static void check_part(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, bool result)
{
	struct ptx_operand whole = { .kind = OPERAND_REG, .reg = o->reg };

	if (o->kind == OPERAND_PART && has_width(&whole, 4, false))
		return;
	if (result)
		check_result(l, n, o, 4, false);
	else
		check_source(l, n, o, PTX_B32, false);
}

/* The type that an instruction gives to an operand's letter; PTX_NONE: any. */
static enum ptx_type type_of(char letter, const enum ptx_type t[3])
{
	switch (letter) {
	case 'd': case 'r': case 'R': case 's': case 'X': case 'm': return t[0];
	case 't': case 'x': return t[1];
	case 'D': case 'S': return twice(t[0]);
	case 'u': case 'n': return PTX_U32;
	default: return PTX_NONE;
	}
}

/* Registers of floats take no part in instructions on whole numbers, nor the reverse, as in ptxas: an addition of bits
 * that were meant as another number would be silent. Registers of bits are for both, and halves of floats are in any
 * register of 16 bits, as the first compilers wrote. The very first (PTX 1.0) divided floats in any register. */
static void check_class(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t)
{
	bool whole = (t >= PTX_U8 && t <= PTX_S64), bits = t == PTX_NONE || (t >= PTX_B8 && t <= PTX_B64);
	unsigned count = o->kind == OPERAND_VECTOR ? o->nitems : 0;

	for (unsigned i = 0; i < count; i++)
		check_class(l, n, &o->item[i], t);
	if (o->kind != OPERAND_REG || bits || o->reg->type == PTX_PRED || l->m->version < PTX_CLASSES)
		return;
	if (o->reg->type <= PTX_B64 || ptx_float(o->reg->type) != whole || ptx_half(t) || ptx_half(o->reg->type))
		return;
	char name[64];
	text_clean(o->reg->name, strlen(o->reg->name), "", name, sizeof name);
	lower_fail(l, n, "`%.80s`: found `%.40s`, a register of %s, expected one of %s; cvt makes a number of the "
		   "other kind, mov.b%u takes the bits as they are", spelled(l, n), name,
		   whole ? "floats" : "whole numbers", whole ? "whole numbers" : "floats",
		   8 * ptx_bytes(o->reg->type));
}

/* Spaces within a block have addresses of 32 bits, in registers of 64 as well. */
static bool is_near(const struct ptx_insn *n)
{
	static const char *const spaces[] = {
		"shared", "shared::cta", "local", "const", "param", "param::entry", "param::func",
	};

	for (unsigned w = 1; w < n->nwords; w++)
		for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
			if (!strcmp(n->word[w], spaces[i]))
				return true;
	return false;
}

static void check_address(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o)
{
	const struct ptx_operand *base = o->nitems ? &o->item[0] : o;

	if (o->kind != OPERAND_ADDRESS)
		refuse_operand(l, n, o, "an address in brackets");
	if (base->kind != OPERAND_REG)
		return;
	check_class(l, n, base, PTX_U64);
	if (l->m->address_size == 64 && ptx_bytes(base->reg->type) == 4 && !is_near(n))
		refuse_operand(l, n, base, "an address of 64 bits, as .address_size says");
}

static void check_component(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o)
{
	bool has = o->special == SPECIAL_TID || o->special == SPECIAL_NTID || o->special == SPECIAL_CTAID ||
		   o->special == SPECIAL_NCTAID;

	if (o->kind == OPERAND_SPECIAL && has && !strchr(o->name, '.'))
		lower_fail(l, n, "`%.80s`: found `%.20s`, which has components, expected `%.20s.x`, `.y` or `.z`",
			   spelled(l, n), o->name, o->name);
}

static void check_operand(struct lowering *l, const struct ptx_insn *n, char letter, const enum ptx_type t[3],
			  const struct ptx_operand *o)
{
	switch (letter) {
	case 'd': check_result(l, n, o, ptx_bytes(t[0]), false); break;
	case 'D': check_result(l, n, o, ptx_bytes(twice(t[0])), false); break;
	case 'u':
	case 'U': check_result(l, n, o, 4, false); break;
	case 'r': check_result(l, n, o, ptx_bytes(t[0]), true); break;
	case 'w':
		if (!has_width(o, 4, false))
			refuse_operand(l, n, o, "a register of 32 bits");
		break;
	case 'R': check_each(l, n, o, t[0], true); break;
	case 'X': check_each(l, n, o, t[0], false); break;
	case 's': check_source(l, n, o, t[0], false); break;
	case 't': check_source(l, n, o, t[1], false); break;
	case 'S': check_source(l, n, o, twice(t[0]), false); break;
	case 'x': check_source(l, n, o, t[1], true); break;
	case 'n': check_count(l, n, o); break;
	case 'M': check_source(l, n, o, PTX_B32, false); break;
	case 'Y': check_part(l, n, o, true); break;
	case 'y': check_part(l, n, o, false); break;
	case 'p':
	case 'P': check_predicate(l, n, o, true); break;
	case 'q': check_predicate(l, n, o, false); break;
	case 'k':
		if (o->kind != OPERAND_INT)
			refuse_operand(l, n, o, "a constant");
		break;
	case 'c':
		if (!has_width(o, 8, false))
			refuse_operand(l, n, o, "a register of 64 bits");
		break;
	case 'a':
		check_address(l, n, o);
		break;
	case 'T':
	case 'm': /* of a narrower register the upper bits would be anything, of a wider one they would be lost */
		if (o->kind == OPERAND_REG && o->reg->type != PTX_PRED && t[0] != PTX_NONE &&
		    ptx_bytes(o->reg->type) != ptx_bytes(t[0]))
			refuse_operand(l, n, o, width_text(l, "a register", ptx_bytes(t[0]), false));
		break;
	default: break;
	}
	check_class(l, n, o, type_of(letter, t));
	check_component(l, n, o);
	if (o->negated && letter != 'q' && letter != '*')
		lower_fail(l, n, "found '!' before an operand of `%.80s` that is no predicate", spelled(l, n));
}

static void count_operands(const char *letters, unsigned *least, unsigned *most)
{
	*least = *most = 0;
	for (const char *p = letters; *p; p++) {
		if (*p == '*') {
			*most = PTX_OPERANDS;
		} else if (*p == '?') {
			--*least;
		} else {
			++*least;
			++*most;
		}
	}
}

static void check_operands(struct lowering *l, const struct ptx_insn *n, const char *letters)
{
	enum ptx_type t[3] = { PTX_NONE, PTX_NONE, PTX_NONE };
	unsigned least, most, ntypes = 0;

	for (unsigned w = 1; w < n->nwords && ntypes < 3; w++)
		if ((t[ntypes] = ptx_type_named(n->word[w], strlen(n->word[w]))))
			ntypes++;
	count_operands(letters, &least, &most);
	if (n->noperands < least || n->noperands > most) {
		char number_of[40];
		snprintf(number_of, sizeof number_of, least == most ? "%u" : "%u to %u", least, most);
		lower_fail(l, n, "`%.80s` has %u operands, expected %s", spelled(l, n), n->noperands, number_of);
	}
	if (n->dual && *letters != 'P' && *letters != 'U' && *letters != 'T')
		lower_fail(l, n, "found a second result of `%.80s`, expected one", spelled(l, n));
	if (n->dual)
		check_predicate(l, n, n->dual, true);
	const char *p = letters;
	for (unsigned k = 0; k < n->noperands && *p; k++) {
		check_operand(l, n, *p, t, &n->operand[k]);
		p += *p != '*';
		p += *p == '?';
	}
}

void grammar_check(struct lowering *l, const struct ptx_insn *n)
{
	check_operands(l, n, form_of(l, n)->operands);
}
