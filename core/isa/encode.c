/* Instructions into words, by the fields of their rows; the reverse of decoding. A template is walked as the parser
 * walks the template: each choice of an alternative decides bits, and a later, different decision fails. Where several
 * alternatives can hold, each is followed to the end of the template. At the end every place of the instruction that
 * has a value has given the value to some field: so the word decodes to the same instruction. */
#include "core/isa/encode.h"

#include <string.h>

#include "core/isa/index.h"

struct encoder {
	const struct isa_target *target;
	const struct insn *in;
	const struct isa_index *index;
	unsigned skip;              /* statuses of alternatives to skip */
	uint64_t valued;            /* places of the instruction with a value; bit = enum isa_to */
	uint64_t word;              /* the result */
};

/* How far an attempt has come: copied at each choice. */
struct state {
	uint64_t bits, fixed;       /* values of bits; mask of the decided bits */
	uint64_t filled;            /* places whose values have bits; bit = enum isa_to */
};

/* The rest of a template, whose values go to `parent` where kinds have no place of their own, then `next`. */
struct pending {
	const struct isa_token *tok, *end;
	unsigned parent;
	const struct pending *next;
};

const struct isa_row *isa_row_named(const struct isa_table *t, const char *name)
{
	size_t n = strlen(name);

	for (unsigned i = 0; i < t->nrow; i++)
		if (strncmp(t->row[i].text, name, n) == 0 && (t->row[i].text[n] == ' ' || !t->row[i].text[n]))
			return &t->row[i];
	return NULL;
}

const struct isa_row *isa_row_with(const struct isa_table *t, unsigned exec)
{
	for (unsigned i = 0; i < t->nrow; i++)
		if (t->row[i].exec == exec)
			return &t->row[i];
	return NULL;
}

static bool decide(struct state *s, uint64_t mask, uint64_t value)
{
	if ((s->bits ^ value) & s->fixed & mask)
		return false;
	s->bits |= value & mask;
	s->fixed |= mask;
	return true;
}

static bool put_field(struct state *s, struct isa_field f, uint64_t raw)
{
	unsigned bits = f.n + f.n2;

	return (bits >= 64 || !(raw >> bits)) &&
	       decide(s, isa_field_mask(f), (raw & ISA_ONES(f.n)) << f.lo | raw >> f.n << f.lo2);
}

/* A number in the field of an alternative; false: no such number there. */
static bool put_number(struct state *s, const struct isa_alt *a, int64_t v)
{
	unsigned bits = a->num.n + a->num.n2;
	int64_t limit = (int64_t)1 << bits, high = a->flags & ALT_SIGNED ? limit / 2 : limit;
	int64_t low = a->flags & (ALT_SIGNED | ALT_WRAPS) ? -(limit / 2) : 0;

	if (v & (int64_t)ISA_ONES(a->shift))
		return false;
	v >>= a->shift;
	if (v < low || v >= high)
		return false;
	uint64_t raw = (uint64_t)v & ISA_ONES(bits);
	if (a->names && (raw >= a->nnames || !a->names[raw]))
		return false;
	return put_field(s, a->num, raw);
}

static bool put_memory(struct state *s, const struct isa_alt *a, const struct opnd *o)
{
	bool by_register = a->flags & ALT_BYREG;

	return o->width == a->width && o->is_signed == a->is_signed && o->post == !!(a->flags & ALT_POST) &&
	       put_field(s, a->bank, o->bank) && put_field(s, a->addr, o->addr_reg) &&
	       put_number(s, a, by_register ? o->reg : o->value);
}

static bool put_vector(struct state *s, const struct isa_alt *a, const struct opnd *o)
{
	return o->width == a->width && o->count >= a->value && put_field(s, a->more, o->count - a->value) &&
	       (a->slots.n ? put_field(s, a->slots, o->mask) : o->mask == ISA_ONES(o->count)) &&
	       put_number(s, a, o->reg);
}

static bool put_operand(struct state *s, const struct isa_alt *a, const struct opnd *o)
{
	if (o->shape != a->shape || (o->file != a->file && o->shape != OPND_SINK))
		return false;
	switch (a->shape) {
	case OPND_REG:
		return o->width == a->width && put_number(s, a, o->reg);
	case OPND_MEM:
		return put_memory(s, a, o);
	case OPND_VECTOR:
		return put_vector(s, a, o);
	case OPND_SINK: /* as wide as the row's results */
		return true;
	default:
		return put_number(s, a, o->value);
	}
}

/* The operand of a place; NULL: the place is a number. */
static const struct opnd *operand_of(const struct insn *in, unsigned to)
{
	return to == TO_DST ? &in->dst : to >= TO_SRC0 && to <= TO_SRC3 ? &in->src[to - TO_SRC0] : NULL;
}

static unsigned number_of(const struct insn *in, unsigned to)
{
	switch (to) {
	case TO_FLAGS:
		return in->flags_dst;
	case TO_PRED:
		return in->pred;
	case TO_PRED_REG:
		return in->pred_reg;
	case TO_MARKS:
		return in->marks;
	case TO_LANES:
		return in->lane_mask;
	default:
		return in->mod[to - TO_MOD];
	}
}

/* Places of *in with a value that decoding does not give to a word without fields for the value. */
static uint64_t valued_places(const struct isa_table *t, const struct insn *in)
{
	uint64_t places = 0;

	for (unsigned to = TO_DST; to <= TO_SRC3; to++)
		places |= (uint64_t)(operand_of(in, to)->shape != OPND_NONE) << to;
	for (unsigned i = 0; i < ISA_MAX_MOD; i++)
		places |= (uint64_t)(in->mod[i] != 0) << (TO_MOD + i);
	return places | (uint64_t)(in->flags_dst != FLAGS_NONE) << TO_FLAGS |
	       (uint64_t)(in->pred != t->always) << TO_PRED | (uint64_t)(in->pred_reg != 0) << TO_PRED_REG |
	       (uint64_t)(in->marks != 0) << TO_MARKS | (uint64_t)(in->lane_mask != 0xf) << TO_LANES;
}

/* Whether the text of an alternative has kinds, which may have the alternative's value. */
static bool has_kinds(const struct isa_index *x, struct isa_template tp)
{
	for (unsigned i = 0; i < tp.count; i++)
		if (x->token[tp.first_token + i].kind >= 0)
			return true;
	return false;
}

/* The value of a place by an alternative; the kinds in its text follow. An alternative without a value leaves the place
 * of an outer kind alone. */
static bool put_alt(const struct encoder *e, struct state *s, const struct isa_alt *a, struct isa_template text,
		    unsigned to, bool outer)
{
	const struct opnd *o = operand_of(e->in, to);

	if (to == TO_NONE)
		return a->shape == OPND_NONE;
	if (a->shape == OPND_NONE && a->text && (o || (!a->value && has_kinds(e->index, text))))
		return true;
	if (a->shape == OPND_NONE && !a->text && !a->value)
		return outer || !(e->valued >> to & 1);
	s->filled |= 1ull << to;
	if (o)
		return put_operand(s, a, o);
	unsigned v = number_of(e->in, to);
	return a->shape == OPND_NONE ? v == a->value
				     : put_number(s, a, a->flags & ALT_SIGNED ? (int8_t)v : (int64_t)v);
}

/* Put the rest of a template; true with e->word at the end. */
static bool encode_on(struct encoder *e, struct state s, struct pending now)
{
	const struct isa_target *t = e->target;
	const struct isa_table *tab = t->isa->table;

	for (;;) {
		while (now.tok == now.end && now.next)
			now = *now.next;
		if (now.tok == now.end) {
			e->word = s.bits;
			return !(e->valued & ~s.filled);
		}
		const struct isa_token *tok = now.tok++;
		if (tok->kind < 0)
			continue;
		const struct isa_kind *k = &tab->kind[tok->kind];
		unsigned own = tok->to ? tok->to : k->to, to = own ? own : now.parent;
		size_t first = e->index->kind_alt[tok->kind];
		for (unsigned i = 0; i < k->nalt; i++) {
			const struct isa_alt *a = &k->alt[i];
			struct isa_template text = e->index->alt[first + i];
			const struct isa_token *inner = &e->index->token[text.first_token];
			struct state chosen = s;
			if ((a->status & e->skip) || (a->features & ~t->features) ||
			    (a->modes && !(a->modes & t->mode)) ||
			    !decide(&chosen, isa_cond_mask(a->when), isa_cond_value(a->when)) ||
			    !put_alt(e, &chosen, a, text, to, !own))
				continue;
			if (encode_on(e, chosen, (struct pending){ inner, inner + text.count, to, &now }))
				return true;
		}
		return false;
	}
}

static bool encode_row(struct encoder *e, const struct isa_row *r)
{
	const struct isa_table *tab = e->target->isa->table;
	isa_cond when = tab->form[r->form].when | r->when;
	struct isa_template form = e->index->form[r->form], own = e->index->row[r - tab->row];
	const struct isa_token *token = e->index->token;
	struct pending row = { token + own.first_token, token + own.first_token + own.count, TO_NONE, NULL };
	struct pending prefix = { token + form.first_token, token + form.first_token + form.count, TO_NONE, &row };

	return encode_on(e, (struct state){ .bits = isa_cond_value(when), .fixed = isa_cond_mask(when) }, prefix);
}

static struct encoder encoder_of(const struct isa_target *t, const struct insn *in)
{
	const struct isa_table *tab = t->isa->table;

	return (struct encoder){ .target = t, .in = in, .index = isa_index_of(tab),
				 .valued = valued_places(tab, in) };
}

bool isa_encode(const struct isa_target *t, const struct isa_row *r, const struct insn *in, uint64_t *word)
{
	struct encoder e = encoder_of(t, in);

	e.skip = ALT_LOOSE | ALT_QUIRK | ALT_UNDOC;
	if (!encode_row(&e, r)) {
		e.skip = ALT_LOOSE | ALT_QUIRK;
		if (!encode_row(&e, r))
			return false;
	}
	*word = e.word;
	return true;
}

bool isa_encode_shortest(const struct isa_target *t, const struct insn *in, bool wide, struct isa_code *out)
{
	const struct isa_table *tab = t->isa->table;
	struct encoder e = encoder_of(t, in);

	e.skip = ALT_LOOSE | ALT_QUIRK | ALT_UNDOC;
	for (const struct isa_row *r = in->row; r < tab->row + tab->nrow; r++) {
		if (r->exec != in->row->exec || !(r->modes & t->mode) || (r->features & ~t->features) ||
		    (r->flags & (ROW_UNDOC | ROW_ALIAS)) || (wide && !tab->form[r->form].wide) || !encode_row(&e, r))
			continue;
		*out = (struct isa_code){ .word = e.word, .row = r, .length = tab->form[r->form].length,
					  .registers = (uint16_t)isa_registers(in) };
		return true;
	}
	return false;
}
