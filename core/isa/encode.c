#include "core/isa/encode.h"

#include <string.h>

struct encoder {
	const struct isa_target *target;
	const struct insn *in;
	uint64_t bits, fixed;       /* values of bits, and which are decided */
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
		return o->shape == OPND_NONE || a->text;    /* a nested kind takes it */
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

static bool encode_text(struct encoder *e, const char *text, unsigned parent);

/* The first alternative that has bits for the value. */
static bool encode_kind(struct encoder *e, const struct isa_kind *k, unsigned to)
{
	for (unsigned i = 0; i < k->nalt; i++) {
		const struct isa_alt *a = &k->alt[i];
		struct encoder before = *e;
		bool here = !(a->features & ~e->target->features) && (!a->modes || (a->modes & e->target->mode));
		if (here && decide(e, isa_cond_mask(a->when), isa_cond_value(a->when)) && put_alt(e, a, to) &&
		    (!a->text || encode_text(e, a->text, to)))
			return true;
		*e = before;
	}
	return false;
}

static bool encode_text(struct encoder *e, const char *text, unsigned parent)
{
	struct isa_token tok;

	while (isa_token_next(e->target->isa->table, &text, &tok)) {
		if (!tok.kind)
			continue;
		unsigned to = tok.to ? tok.to : tok.kind->to ? tok.kind->to : parent;
		if (!encode_kind(e, tok.kind, to))
			return false;
	}
	return true;
}

bool isa_encode(const struct isa_target *t, const struct isa_row *r, const struct insn *in, uint64_t *word)
{
	const struct isa_form *form = &t->isa->table->form[r->form];
	struct encoder e = { .target = t, .in = in };

	decide(&e, isa_cond_mask(form->when), isa_cond_value(form->when));
	if (!decide(&e, isa_cond_mask(r->when), isa_cond_value(r->when)) || !encode_text(&e, form->prefix, TO_NONE) ||
	    !encode_text(&e, r->text, TO_NONE))
		return false;
	*word = e.bits;
	return true;
}
