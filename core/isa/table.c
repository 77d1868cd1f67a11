/* Decoding by an ISA's table: the rows of the word's opcode, then conditions, fields and operands. */
#include "core/isa/table.h"

#include <string.h>

#include "core/isa/index.h"

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

int64_t isa_alt_value(const struct isa_alt *a, uint64_t word)
{
	int64_t v = (int64_t)isa_field_get(a->num, word);
	unsigned bits = a->num.n + a->num.n2;
	if ((a->flags & ALT_SIGNED) && bits && (v >> (bits - 1) & 1))
		v -= (int64_t)1 << bits;
	return v * ((int64_t)1 << a->shift);
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
	const struct isa_rows *rows = isa_rows_of_word(tab, isa_index_of(tab), word);
	const struct isa_row *undoc = NULL;
	for (unsigned i = isa_next_row(rows, 0); i < ISA_ROWS_MAX; i = isa_next_row(rows, i + 1)) {
		const struct isa_row *r = &tab->row[i];
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

/* Bits that an alternative accounts for. */
static inline uint64_t claims_of(const struct isa_kind *k, const struct isa_alt *a)
{
	return a->status & ALT_LOOSE ? 0
	                             : k->claims | isa_cond_mask(a->when) | isa_field_mask(a->num) |
				       isa_field_mask(a->bank) | isa_field_mask(a->addr);
}

/* False for an alternative without a value, such as a mere claim of bits without an effect: inside another kind it must
 * leave the outer kind's value alone. */
static inline bool has_value(const struct isa_alt *a)
{
	return a->shape != OPND_NONE || a->text || a->names || a->value;
}

static bool decode_template(struct decoder *d, struct isa_template tp, unsigned parent)
{
	const struct isa_target *t = d->target;
	const struct isa_table *tab = t->isa->table;
	const struct isa_token *tok = &tab->index->token[tp.first_token], *end = tok + tp.count;
	for (; tok < end; tok++) {
		if (tok->kind < 0)
			continue;
		const struct isa_kind *k = &tab->kind[tok->kind];
		const struct isa_alt *a = find_alt(t->features, t->mode, k, d->word, ALT_QUIRK);
		if (!a)
			return false;
		if ((a->status & ALT_UNDOC) && !find_alt(t->features, t->mode, k, d->word, ALT_UNDOC))
			d->out->undoc = 1;
		d->claimed |= claims_of(k, a);
		if (!has_value(a))
			continue;
		if (a->names && !isa_alt_name(a, d->word))
			return false;
		unsigned to = tok->to ? tok->to : k->to ? k->to : parent;
		bool field = a->shape != OPND_NONE;
		take(d, field ? a : NULL, field ? isa_alt_value(a, d->word) : a->value, to);
		struct isa_template inner = tab->index->alt[isa_alt_number(tab, (unsigned)tok->kind, a)];
		if (inner.count && !decode_template(d, inner, to))
			return false;
	}
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
	struct decoder d = { t, word, isa_cond_mask(row->when | form->when), out };
	if (!decode_template(&d, tab->index->form[row->form], TO_NONE) ||
	    !decode_template(&d, tab->index->row[row - tab->row], TO_NONE))
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
