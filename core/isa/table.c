/* Decoding by an ISA's table: candidates from its index, then conditions, fields and operands. */
#include "core/isa/table.h"

#include <string.h>

#include "core/isa/index.h"

static int kind_find(const struct isa_table *t, const char *name, size_t len)
{
	char key[ISA_KIND_NAME] = { 0 };
	if (len > sizeof(key))
		return -1;
	memcpy(key, name, len);
	for (unsigned i = 0; i < t->nkind; i++)
		if (memcmp(t->kind[i].name, key, sizeof(key)) == 0)
			return (int)i;
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

static inline const struct isa_alt *find_alt(uint32_t features, uint32_t mode, const struct isa_kind *k, uint64_t word,
					     unsigned skip)
{
	const struct isa_alt *a = k->alt, *end = a + k->nalt;
	for (; a < end; a++)
		if (isa_holds(a->when, word) && !(a->status & skip) && !(a->features & ~features) &&
		    (!a->modes || (a->modes & mode)))
			return a;
	return NULL;
}

const struct isa_alt *isa_alt_find(const struct isa_target *t, const struct isa_kind *k, uint64_t word, unsigned skip)
{
	return find_alt(t->features, t->mode, k, word, skip);
}

/* The value of a number in the alternative's field. */
static inline int64_t value_of(const struct isa_alt *a, uint64_t raw)
{
	int64_t v = (int64_t)raw;
	unsigned bits = a->num.n + a->num.n2;
	if ((a->flags & ALT_SIGNED) && bits && (v >> (bits - 1) & 1))
		v -= (int64_t)1 << bits;
	return v * ((int64_t)1 << a->shift);
}

int64_t isa_alt_value(const struct isa_alt *a, uint64_t word)
{
	return value_of(a, isa_field_get(a->num, word));
}

const char *isa_alt_name(const struct isa_alt *a, uint64_t word)
{
	uint64_t i = isa_field_get(a->num, word);
	return i < a->nnames ? a->names[i] : NULL;
}

const struct isa_form *isa_form_find(const struct isa_table *t, uint64_t word, unsigned bytes)
{
	uint64_t known = ISA_ONES(bytes * 8);
	for (unsigned i = 0; i < t->nform; i++) {
		const struct isa_form *f = &t->form[i];
		if (((word ^ isa_cond_value(f->when)) & isa_cond_mask(f->when) & known) != 0)
			continue;
		if (f->unless == ANY || !isa_holds(f->unless, word))
			return f;
	}
	return NULL;
}

static bool form_holds(const struct isa_form *f, uint64_t word)
{
	return isa_holds(f->when, word) && (f->unless == ANY || !isa_holds(f->unless, word));
}

const struct isa_row *isa_row_find(const struct isa_target *t, uint64_t word)
{
	const struct isa_table *tab = t->isa->table;
	const struct isa_row *undoc = NULL;
	for (const uint16_t *i = isa_index_word(tab->index, word); *i != ISA_ROW_END; i++) {
		const struct isa_row *r = &tab->row[*i];
		if ((r->flags & ROW_ALIAS) || !isa_holds(r->when, word) || !(r->modes & t->mode) ||
		    (r->features & ~t->features) || !form_holds(&tab->form[r->form], word))
			continue;
		if (!(r->flags & ROW_UNDOC))
			return r;
		if (!undoc)
			undoc = r;
	}
	return undoc;
}

struct decoder {
	const struct isa_target *target;
	uint64_t word, claimed;
	struct insn *out;
};

static void take_vector(const struct isa_alt *a, uint64_t word, struct opnd *o)
{
	o->count = (uint8_t)(a->value + isa_field_get(a->more, word));
	o->mask = (uint8_t)(a->slots.n ? isa_field_get(a->slots, word) : ISA_ONES(o->count));
}

static void take_operand(const struct isa_alt *a, uint64_t word, int64_t v, struct opnd *o)
{
	*o = (struct opnd){ .shape = a->shape, .file = a->file, .width = a->width, .is_signed = a->is_signed };
	switch (a->shape) {
	case OPND_VECTOR:
		take_vector(a, word, o);
		o->reg = (uint16_t)v;
		break;
	case OPND_REG:
		o->reg = (uint16_t)v;
		break;
	case OPND_MEM:
		o->bank = (uint8_t)isa_field_get(a->bank, word);
		o->addr_reg = (uint8_t)isa_field_get(a->addr, word);
		o->post = !!(a->flags & ALT_POST);
		if (a->flags & ALT_BYREG)
			o->reg = (uint16_t)v;
		else
			o->value = (int32_t)v;
		break;
	default:
		o->value = (int32_t)v;
	}
}

/* a: NULL for a value without a field. */
static inline void take(const struct decoder *d, const struct isa_alt *a, int64_t v, unsigned to)
{
	struct insn *in = d->out;
	if (to >= TO_MOD) {
		in->mod[to - TO_MOD] = (uint8_t)v;
		return;
	}
	switch (to) {
	case TO_DST:
		if (a)
			take_operand(a, d->word, v, &in->dst);
		break;
	case TO_SRC0: case TO_SRC1: case TO_SRC2: case TO_SRC3:
		if (!a)
			break;
		take_operand(a, d->word, v, &in->src[to - TO_SRC0]);
		if (in->nsrc <= to - TO_SRC0)
			in->nsrc = (uint8_t)(to - TO_SRC0 + 1);
		break;
	case TO_FLAGS:
		if (a)
			in->flags_dst = (uint8_t)v;
		break;
	case TO_PRED:
		in->pred = (uint8_t)v;
		break;
	case TO_PRED_REG:
		in->pred_reg = (uint8_t)v;
		break;
	case TO_MARKS:
		in->marks = (uint8_t)v;
		break;
	case TO_LANES:
		in->lane_mask = (uint8_t)v;
		break;
	default:
		break;
	}
}

/* The alternative of a step that holds for the word, skipping alternatives with a status of `skip`; NULL for none. */
static inline const struct isa_choice *choose(const struct isa_target *t, const struct isa_choice *choices,
					      const struct isa_step *st, uint64_t word, unsigned skip)
{
	for (const struct isa_choice *c = choices + st->begin, *end = choices + st->end; c < end; c++)
		if (!((word ^ c->bits) & c->mask) &&
		    (c->always || (!(c->status & skip) && (c->modes & t->mode) && !(c->features & ~t->features))))
			return c;
	return NULL;
}

/* Constants of the walk are in variables: for the compiler, writing an instruction's bytes might change any memory. */
static bool decode_steps(struct decoder *d, struct isa_template steps, unsigned parent)
{
	const struct isa_target *target = d->target;
	const struct isa_table *tab = target->isa->table;
	const struct isa_choice *choices = tab->index->choice;
	const struct isa_step *st = tab->index->step + steps.first_token, *end = st + steps.count;
	uint64_t word = d->word, claimed = 0;
	for (; st < end; st++) {
		const struct isa_choice *c = choose(target, choices, st, word, ALT_QUIRK);
		if (!c)
			return false;
		if ((c->status & ALT_UNDOC) && !choose(target, choices, st, word, ALT_UNDOC))
			d->out->undoc = 1;
		claimed |= c->claims;
		if (!c->has_value)
			continue;
		const struct isa_alt *a = NULL;
		int64_t v = c->value;
		if (c->shape != OPND_NONE) {
			a = tab->kind[st->kind].alt + (c - choices - tab->index->kind_alt[st->kind]);
			uint64_t raw = c->plain ? word >> c->low & c->ones : isa_field_get(a->num, word);
			if (!c->plain && a->names && (raw >= a->nnames || !a->names[raw]))
				return false;
			v = c->plain ? (int64_t)(raw << c->shift) : value_of(a, raw);
		}
		unsigned to = st->to ? st->to : parent;
		take(d, a, v, to);
		if (c->steps.count && !decode_steps(d, c->steps, to))
			return false;
	}
	d->claimed |= claimed;
	return true;
}

/* Decode a word as a program of one word, for machines with a decoder of their own. */
static bool decode_alone(const struct isa_target *t, uint64_t word, struct insn *out)
{
	uint8_t bytes[8];
	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(word >> 8 * i);
	return t->isa->decode(t, bytes, sizeof(bytes), 0, out);
}

bool isa_decode_word(const struct isa_target *t, uint64_t word, struct insn *out)
{
	const struct isa_table *tab = t->isa->table;
	if (!tab->index)
		return decode_alone(t, word, out);
	const struct isa_row *row = isa_row_find(t, word);
	const struct isa_form *form = row ? &tab->form[row->form] : isa_form_find(tab, word, sizeof(word));
	*out = (struct insn){ .word = word, .length = form ? form->length : tab->unit, .pred = tab->always,
	                      .lane_mask = 0xf, .flags_dst = FLAGS_NONE };
	if (!row)
		return false;
	struct decoder d = { t, word, tab->index->row_claims[row - tab->row], out };
	if (!decode_steps(&d, tab->index->row_steps[row - tab->row], TO_NONE))
		return false;
	out->row = row;
	out->undoc |= row->flags & ROW_UNDOC;
	out->loose = word & ~d.claimed;
	return true;
}

static uint64_t fetch4(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t fetch(const uint8_t *p, unsigned bytes)
{
	if (bytes == 8)
		return fetch4(p) | fetch4(p + 4) << 32;
	if (bytes == 4)
		return fetch4(p);
	uint64_t word = 0;
	for (unsigned i = 0; i < bytes; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}

bool isa_decode_at(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out)
{
	const struct isa_table *tab = t->isa->table;
	uint64_t word = pc < size && size - pc >= tab->unit ? fetch(code + pc, tab->unit) : 0;
	const struct isa_form *form = pc < size ? isa_form_find(tab, word, tab->unit) : NULL;
	if (!form || form->length > size - pc) {
		*out = (struct insn){ .length = tab->unit, .pc = pc, .word = word };
		return false;
	}
	bool ok = isa_decode_word(t, fetch(code + pc, form->length), out);
	out->pc = pc;
	return ok;
}

unsigned isa_registers(const struct insn *in)
{
	unsigned n = isa_operand_registers(&in->dst);
	for (unsigned i = 0; i < in->nsrc; i++) {
		unsigned s = isa_operand_registers(&in->src[i]);
		n = s > n ? s : n;
	}
	return n;
}

unsigned isa_registers_allocated(const struct isa_table *t, const struct insn *in)
{
	struct insn rest = *in;
	for (unsigned i = 0; t->zero && i < rest.nsrc; i++)
		if (isa_operand_registers(&rest.src[i]) == t->zero + 1u)
			rest.src[i] = (struct opnd){.shape = OPND_NONE};
	return isa_registers(&rest);
}

bool isa_name_find(const struct isa_name *list, const char *name, size_t len, uint32_t *value)
{
	for (; list->name; list++) {
		if (strlen(list->name) == len && memcmp(list->name, name, len) == 0) {
			*value = list->value;
			return true;
		}
	}
	return false;
}
