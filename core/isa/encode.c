/* Instructions into words, by the fields of their rows; the reverse of decoding. */
#include "core/isa/encode.h"

#include <string.h>

#include "core/isa/index.h"

struct encoder {
	const struct isa_target *target;
	const struct insn *in;
	uint64_t bits, fixed;       /* values of bits; mask of the decided bits */
};

const struct isa_row *isa_row_named(const struct isa_table *t, const char *name)
{
	size_t n = strlen(name);

	for (unsigned i = 0; i < t->nrow; i++)
		if (strncmp(t->row[i].text, name, n) == 0 && (t->row[i].text[n] == ' ' || !t->row[i].text[n]))
			return &t->row[i];
	return NULL;
}

static bool decide(struct encoder *e, uint64_t mask, uint64_t value)
{
	if ((e->bits ^ value) & e->fixed & mask)
		return false;
	e->bits |= value & mask;
	e->fixed |= mask;
	return true;
}

static bool put_field(struct encoder *e, const struct isa_alt *a, int64_t v)
{
	struct isa_field f = a->num;
	uint64_t raw = (uint64_t)(v >> a->shift);

	if (v & (int64_t)ISA_ONES(a->shift) || raw >> (f.n + f.n2))
		return false;
	if (a->names && (raw >= a->nnames || !a->names[raw]))
		return false;
	return decide(e, isa_field_mask(f), (raw & ISA_ONES(f.n)) << f.lo | raw >> f.n << f.lo2);
}

static bool put_operand(struct encoder *e, const struct isa_alt *a, const struct opnd *o)
{
	if (a->shape == OPND_NONE)
		return o->shape == OPND_NONE || a->text;    /* left to a nested kind */
	if (o->shape != a->shape || o->file != a->file)
		return false;
	switch (a->shape) {
	case OPND_REG:
		return put_field(e, a, o->reg);
	case OPND_IMM: case OPND_TARGET:
		return put_field(e, a, o->value);
	default:
		return false;
	}
}

static bool put_alt(struct encoder *e, const struct isa_alt *a, unsigned to)
{
	const struct insn *in = e->in;

	if (to == TO_NONE)
		return a->shape == OPND_NONE;
	if (to == TO_DST)
		return put_operand(e, a, &in->dst);
	if (to >= TO_SRC0 && to <= TO_SRC3)
		return put_operand(e, a, &in->src[to - TO_SRC0]);
	if (to < TO_MOD)
		return false;
	uint8_t v = in->mod[to - TO_MOD];
	return a->shape == OPND_NONE ? v == a->value : put_field(e, a, v);
}

static bool encode_template(struct encoder *e, struct isa_template tp, unsigned parent);

/* The first alternative with bits for the value. */
static bool encode_kind(struct encoder *e, unsigned kind, unsigned to)
{
	const struct isa_table *tab = e->target->isa->table;
	const struct isa_kind *k = &tab->kind[kind];

	for (unsigned i = 0; i < k->nalt; i++) {
		const struct isa_alt *a = &k->alt[i];
		struct encoder before = *e;
		bool here = !(a->features & ~e->target->features) && (!a->modes || (a->modes & e->target->mode));
		if (here && decide(e, isa_cond_mask(a->when), isa_cond_value(a->when)) && put_alt(e, a, to) &&
		    (!a->text || encode_template(e, tab->index->alt[isa_alt_number(tab, kind, a)], to)))
			return true;
		*e = before;
	}
	return false;
}

static bool encode_template(struct encoder *e, struct isa_template tp, unsigned parent)
{
	const struct isa_table *tab = e->target->isa->table;
	const struct isa_token *tok = &tab->index->token[tp.first_token], *end = tok + tp.count;

	for (; tok < end; tok++) {
		if (tok->kind < 0)
			continue;
		unsigned own = tab->kind[tok->kind].to;
		if (!encode_kind(e, (unsigned)tok->kind, tok->to ? tok->to : own ? own : parent))
			return false;
	}
	return true;
}

bool isa_encode(const struct isa_target *t, const struct isa_row *r, const struct insn *in, uint64_t *word)
{
	const struct isa_table *tab = t->isa->table;
	const struct isa_index *x = isa_index_of(tab);
	const struct isa_form *form = &tab->form[r->form];
	struct encoder e = { .target = t, .in = in };

	decide(&e, isa_cond_mask(form->when), isa_cond_value(form->when));
	if (!decide(&e, isa_cond_mask(r->when), isa_cond_value(r->when)) ||
	    !encode_template(&e, x->form[r->form], TO_NONE) || !encode_template(&e, x->row[r - tab->row], TO_NONE))
		return false;
	*word = e.bits;
	return true;
}
