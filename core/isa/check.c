/* The checker of an ISA's table: finds rows with unaccounted bits, rows for the same words, and rows that do not come
 * back from their own text. */
#include "core/isa/check.h"

#include <stdio.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/base/rng.h"
#include "core/isa/encode.h"
#include "core/isa/index.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"

enum { DEPTH_MAX = 8, SAMPLES = 32, REACHED_MAX = 400 };

struct checker {
	const struct isa_ops *isa;
	const struct isa_table *table;
	struct isa_target target;       /* chip and program type under check */
	struct diag *d;
};

#define WRONG(c, ...) diag_set((c)->d, DIAG_INTERNAL, __VA_ARGS__)

static bool agree(isa_cond a, isa_cond b)
{
	return ((isa_cond_value(a) ^ isa_cond_value(b)) & isa_cond_mask(a) & isa_cond_mask(b)) == 0;
}

/* Whether b holds wherever a does. */
static bool implies(isa_cond a, isa_cond b)
{
	return (isa_cond_mask(b) & ~isa_cond_mask(a)) == 0 && agree(a, b);
}

static isa_cond row_cond(const struct checker *c, const struct isa_row *r)
{
	return r->when | c->table->form[r->form].when;
}

/* ---- templates and kinds ---- */

static bool check_text(const struct checker *c, const char *text, const char *owner, unsigned depth)
{
	struct isa_token tok;
	if (depth > DEPTH_MAX)
		return WRONG(c, "%s: its templates do not end", owner);
	while (isa_token_next(c->table, &text, &tok)) {
		if (tok.kind < 0 && *tok.word != '{')
			continue;
		if (tok.kind < 0)
			return WRONG(c, "%s: there is no kind %.*s", owner, (int)tok.len, tok.word);
		if (tok.to > TO_SRC3)
			return WRONG(c, "%s: %.*s names a place that does not exist", owner, (int)tok.len, tok.word);
		const struct isa_kind *k = &c->table->kind[tok.kind];
		for (unsigned i = 0; i < k->nalt; i++)
			if (k->alt[i].text && !check_text(c, k->alt[i].text, owner, depth + 1))
				return false;
	}
	return true;
}

/* An alternative is dead if an earlier one of its standing always holds first. */
static bool is_dead(const struct isa_alt *earlier, const struct isa_alt *a)
{
	bool modes = !earlier->modes || (a->modes && !(a->modes & ~earlier->modes));
	bool standing = !(earlier->features & ~a->features) && !(earlier->status & ~a->status);
	return modes && standing && implies(a->when, earlier->when);
}

static bool check_names(const struct checker *c, const struct isa_kind *k, const struct isa_alt *a)
{
	unsigned bits = a->num.n + a->num.n2;
	if (a->nnames == 0 || (uint64_t)a->nnames > ISA_ONES(bits) + 1)
		return WRONG(c, "kind %.8s: %u names for a field of %u bits", k->name, a->nnames, bits);
	for (unsigned i = 0; i < a->nnames; i++)
		for (unsigned j = 0; j < i; j++)
			if (a->names[i] && a->names[j] && *a->names[i] && strcmp(a->names[i], a->names[j]) == 0)
				return WRONG(c, "kind %.8s: '%s' stands for both %u and %u", k->name, a->names[i], j,
					     i);
	return true;
}

static bool check_kind(const struct checker *c, const struct isa_kind *k)
{
	for (unsigned i = 0; i < k->nalt; i++) {
		const struct isa_alt *a = &k->alt[i];
		if (a->names && !check_names(c, k, a))
			return false;
		for (unsigned j = 0; j < i; j++)
			if (is_dead(&k->alt[j], a))
				return WRONG(c, "kind %.8s: alternative %u is never chosen, %u always holds before it",
					     k->name, i, j);
	}
	for (const struct isa_kind *other = c->table->kind; other < k; other++)
		if (memcmp(other->name, k->name, sizeof(k->name)) == 0)
			return WRONG(c, "kind %.8s is there twice", k->name);
	return true;
}

/* ---- rows ---- */

static bool excluded(const struct checker *c, const struct isa_row *r, isa_cond cond)
{
	isa_cond unless = c->table->form[r->form].unless;
	return unless != ANY && implies(cond, unless);
}

static bool together(const struct checker *c, const struct isa_row *a, const struct isa_row *b)
{
	if (!(a->modes & b->modes) || ((a->flags ^ b->flags) & ROW_UNDOC) || ((a->flags | b->flags) & ROW_ALIAS))
		return false;
	for (const struct isa_name *chip = c->table->chips; chip->name; chip++)
		if (!((a->features | b->features) & ~chip->value))
			return true;
	return false;
}

static bool check_pair(const struct checker *c, const struct isa_row *a, const struct isa_row *b)
{
	if (!together(c, a, b))
		return true;
	isa_cond ca = row_cond(c, a), cb = row_cond(c, b);
	if (agree(ca, cb) && !excluded(c, a, cb) && !excluded(c, b, ca))
		return WRONG(c, "rows '%s' and '%s' hold for the same word", a->text, b->text);
	if (a->form == b->form && strcmp(a->text, b->text) == 0)
		return WRONG(c, "two rows have the text '%s'", a->text);
	return true;
}

/* The alternatives that a row can reach, each with the condition of its reading. */
struct reached {
	const struct isa_kind *kind;
	const struct isa_alt *alt;
	isa_cond when;
	unsigned token;             /* of the row's template */
};

struct reach {
	const struct checker *c;
	struct reached list[REACHED_MAX];
	unsigned n, token;
	/* places filled by the present token; by all tokens before; bit = enum isa_to */
	uint64_t places, all_places;
	bool twice;
};

static void reach_text(struct reach *r, const char *text, isa_cond when, unsigned parent)
{
	struct isa_token tok;
	while (isa_token_next(r->c->table, &text, &tok)) {
		if (tok.kind < 0)
			continue;
		const struct isa_kind *k = &r->c->table->kind[tok.kind];
		unsigned to = tok.to ? tok.to : k->to ? k->to : parent;
		r->places |= to ? 1ull << to : 0;
		for (unsigned i = 0; i < k->nalt; i++) {
			const struct isa_alt *a = &k->alt[i];
			if (!agree(when, a->when) || (a->modes && !(a->modes & r->c->target.mode)) ||
			    (a->features & ~r->c->target.features))
				continue;
			if (r->n < REACHED_MAX)
				r->list[r->n++] = (struct reached){ k, a, when | a->when, r->token };
			if (a->text)
				reach_text(r, a->text, when | a->when, to);
		}
	}
}

/* Places are per token of the row: alternatives of a kind may fill the same places. */
static void reach_row(struct reach *r, const char *text, isa_cond when)
{
	struct isa_token tok;
	const char *p = text;
	while (isa_token_next(r->c->table, &p, &tok)) {
		char one[32];
		snprintf(one, sizeof(one), "%.*s", (int)tok.len, tok.word);
		r->token++;
		r->places = 0;
		reach_text(r, one, when, TO_NONE);
		r->twice |= (r->places & r->all_places) != 0;
		r->all_places |= r->places;
	}
}

static uint64_t number_mask(const struct isa_alt *a)
{
	return isa_field_mask(a->num) | isa_field_mask(a->bank) | isa_field_mask(a->addr);
}

static bool half_over(struct isa_field a, struct isa_field b)
{
	uint64_t both = isa_field_mask(a) & isa_field_mask(b);
	return both && (isa_field_mask(a) != isa_field_mask(b) || a.lo != b.lo);
}

static bool check_fields(const struct checker *c, const struct isa_row *row, const struct reach *r)
{
	uint64_t fixed = isa_cond_mask(row_cond(c, row));
	for (unsigned i = 0; i < r->n; i++) {
		const struct reached *a = &r->list[i];
		if (number_mask(a->alt) & fixed)
			return WRONG(c, "row '%s': the number of kind %.8s lies over fixed bits", row->text,
				     a->kind->name);
		for (unsigned j = 0; j < i; j++) {
			const struct reached *b = &r->list[j];
			if (a->token != b->token && agree(a->when, b->when) && half_over(a->alt->num, b->alt->num))
				return WRONG(c, "row '%s': the numbers of kinds %.8s and %.8s overlap", row->text,
					     b->kind->name, a->kind->name);
		}
	}
	return true;
}

static bool same_operand(const struct opnd *a, const struct opnd *b)
{
	return a->shape == b->shape && a->file == b->file && a->width == b->width && a->is_signed == b->is_signed &&
	       a->bank == b->bank && a->addr_reg == b->addr_reg && a->post == b->post && a->count == b->count &&
	       a->mask == b->mask && a->value == b->value &&
	       (a->reg == b->reg || (a->shape == OPND_VECTOR && !a->mask));
}

static bool same_insn(const struct insn *a, const struct insn *b)
{
	if (a->row->exec != b->row->exec || a->marks != b->marks || a->pred != b->pred || a->pred_reg != b->pred_reg ||
	    a->lane_mask != b->lane_mask || a->flags_dst != b->flags_dst || a->nsrc != b->nsrc)
		return false;
	for (unsigned i = 0; i < ISA_MAX_SRC; i++)
		if (!same_operand(&a->src[i], &b->src[i]))
			return false;
	return same_operand(&a->dst, &b->dst) && memcmp(a->mod, b->mod, sizeof(a->mod)) == 0;
}

/* isa_row_find among all rows. */
static const struct isa_row *scan(const struct checker *c, uint64_t word)
{
	const struct isa_row *undoc = NULL;
	for (unsigned i = 0; i < c->table->nrow; i++) {
		const struct isa_row *r = &c->table->row[i];
		isa_cond unless = c->table->form[r->form].unless;
		if (!isa_holds(row_cond(c, r), word) || (unless != ANY && isa_holds(unless, word)) ||
		    !(r->modes & c->target.mode) || (r->features & ~c->target.features))
			continue;
		if (!(r->flags & ROW_UNDOC))
			return r;
		undoc = undoc ? undoc : r;
	}
	return undoc;
}

/* The encoder gives an instruction a word that decodes to the same instruction. */
static bool check_encoding(const struct checker *c, uint64_t word, const struct insn *in)
{
	struct insn again;
	uint64_t made;
	if (!isa_encode(&c->target, in->row, in, &made))
		return WRONG(c, "row '%s': the instruction of its word %016llx has no encoding", in->row->text,
			     (unsigned long long)word);
	if (!isa_decode_word(&c->target, made, &again) || !same_insn(in, &again))
		return WRONG(c, "row '%s': the instruction of its word %016llx is encoded as %016llx, another one",
			     in->row->text, (unsigned long long)word, (unsigned long long)made);
	return true;
}

static bool check_word(const struct checker *c, uint64_t word, const struct insn *in)
{
	char text[ISA_LINE];
	struct isa_code code;
	struct insn again;
	struct diag why = { 0 };
	isa_print(&c->target, in, text, sizeof(text));
	struct isa_rows may = isa_rows_of_text(c->table->index, text);
	if (!isa_has_row(&may, (unsigned)(in->row - c->table->row)))
		return WRONG(c, "'%s', printed for %016llx, is not of row '%s' by the words in it", text,
			     (unsigned long long)word, in->row->text);
	if (!isa_parse(&c->target, text, false, NULL, &code, &why))
		return WRONG(c, "'%s', printed for %016llx, is not assembled: %s", text,
			     (unsigned long long)word, why.text);
	if (!check_encoding(c, word, in))
		return false;
	if (in->row->flags & ROW_LOSSY)
		return true;
	if (!isa_decode_word(&c->target, code.word, &again) || !same_insn(in, &again))
		return WRONG(c, "'%s', printed for %016llx, is assembled to %016llx, another instruction", text,
			     (unsigned long long)word, (unsigned long long)code.word);
	return true;
}

/* Random words of a row without loose bits, decoded, printed and assembled; undocumented rows included. */
static bool check_samples(const struct checker *c, const struct isa_row *row)
{
	isa_cond when = row_cond(c, row);
	uint64_t seed = 1, width = ISA_ONES(c->table->form[row->form].length * 8);
	unsigned decoded = 0;
	for (unsigned i = 0; i < SAMPLES; i++) {
		uint64_t word = rng_next(&seed);
		struct insn in;
		word = ((word & ~isa_cond_mask(when)) | isa_cond_value(when)) & width;
		if (isa_row_find(&c->target, word) != scan(c, word))
			return WRONG(c, "row '%s': the opcode of its word %016llx leads to other rows", row->text,
				     (unsigned long long)word);
		if (!isa_decode_word(&c->target, word, &in) || in.row != row)
			continue;
		decoded++;
		word &= ~in.loose;
		isa_decode_word(&c->target, word, &in);
		if (!check_word(c, word, &in))
			return false;
	}
	return decoded || row->flags & ROW_ALIAS || WRONG(c, "row '%s': no word of it decodes", row->text);
}

static bool check_row(const struct checker *c, const struct isa_row *row)
{
	const struct isa_form *form = &c->table->form[row->form];
	if (!agree(row->when, form->when))
		return WRONG(c, "row '%s' contradicts its form %s", row->text, form->name);
	struct reach r = { .c = c };
	reach_row(&r, form->prefix, row_cond(c, row));
	reach_row(&r, row->text, row_cond(c, row));
	if (r.twice)
		return WRONG(c, "row '%s' fills one place twice", row->text);
	if (r.n == REACHED_MAX)
		return WRONG(c, "row '%s' has more than %d alternatives", row->text, REACHED_MAX);
	return check_fields(c, row, &r) && check_samples(c, row);
}

static bool check_target(const struct checker *c)
{
	for (unsigned i = 0; i < c->table->nrow; i++) {
		const struct isa_row *row = &c->table->row[i];
		if ((row->modes & c->target.mode) && !(row->features & ~c->target.features) && !check_row(c, row))
			return false;
	}
	return true;
}

/* Some chips have several names. */
static bool seen_before(const struct isa_table *t, const struct isa_name *chip)
{
	for (const struct isa_name *other = t->chips; other < chip; other++)
		if (other->value == chip->value)
			return true;
	return false;
}

static bool check_templates(const struct checker *c)
{
	const struct isa_table *t = c->table;
	for (unsigned i = 0; i < t->nform; i++)
		if (!check_text(c, t->form[i].prefix, t->form[i].name, 0))
			return false;
	for (unsigned i = 0; i < t->nrow; i++)
		if (!check_text(c, t->row[i].text, t->row[i].text, 0))
			return false;
	for (unsigned i = 0; i < t->nkind; i++)
		if (!check_kind(c, &t->kind[i]))
			return false;
	return true;
}

static bool check_targets(struct checker *c)
{
	const struct isa_table *t = c->table;
	for (const struct isa_name *chip = t->chips; chip->name; chip++)
		for (const struct isa_name *mode = t->modes; mode->name && !seen_before(t, chip); mode++) {
			c->target.features = chip->value;
			c->target.mode = mode->value;
			if (!check_target(c))
				return false;
		}
	return true;
}

bool isa_check(const struct isa_ops *isa, struct diag *d)
{
	struct isa_index index = { .made = false };
	struct isa_table t = *isa->table;
	struct isa_ops ops = *isa;
	struct checker c = { .isa = &ops, .table = &t, .d = d, .target = { .isa = &ops, .undoc = true } };
	bool ok = check_templates(&c);
	if (ok && !isa_index_make(&t, &index))
		ok = WRONG(&c, "table %s is too large for an index", t.name);
	index.made = true;
	t.index = &index;
	ops.table = &t;
	for (unsigned i = 0; i < t.nrow; i++)
		for (unsigned j = 0; ok && j < i; j++)
			ok = check_pair(&c, &t.row[j], &t.row[i]);
	return ok && check_targets(&c);
}
