/* Instructions as text, by the templates of their rows. */
#include "core/isa/print.h"

#include <stdio.h>
#include <string.h>

#include "core/isa/index.h"

struct printer {
	const struct isa_target *target;
	uint64_t word;
	char *buf;
	size_t size, len;
	const char *label;          /* label of the branch target; NULL: the number */
};

/* Listings and reports print every instruction of a program: text is put together without format strings. */
static void put_bytes(struct printer *p, const char *text, size_t n)
{
	size_t fit = p->size - 1 - p->len;

	fit = n < fit ? n : fit;
	memcpy(p->buf + p->len, text, fit);
	p->len += fit;
	p->buf[p->len] = '\0';
}

static void put(struct printer *p, const char *text)
{
	put_bytes(p, text, strlen(text));
}

static void put_digits(struct printer *p, uint64_t v, unsigned base)
{
	char digits[24], *end = digits + sizeof digits, *first = end;

	do
		*--first = "0123456789abcdef"[v % base];
	while (v /= base);
	put_bytes(p, first, (size_t)(end - first));
}

/* A name and its number, such as $r5. */
static void put_numbered(struct printer *p, const char *name, unsigned n)
{
	put(p, name);
	put_digits(p, n, 10);
}

static void put_hex(struct printer *p, const char *before, uint64_t v)
{
	put(p, before);
	put_digits(p, v, 16);
}

/* Words are set apart by one space, except behind a text that opens or begins something, and before a text that closes
 * or continues. */
static void separate(struct printer *p, char next)
{
	char before = p->len ? p->buf[p->len - 1] : '@';

	if (before != '(' && before != '-' && before != '@' && next != ')' && next != ',' && next != '.' && next != '[')
		put_bytes(p, " ", 1);
}

static void put_number(struct printer *p, int64_t v)
{
	put_hex(p, v < 0 ? "-0x" : "0x", v < 0 ? -(uint64_t)v : (uint64_t)v);
}

static void put_register(struct printer *p, const struct isa_alt *a, unsigned n)
{
	bool halves = a->flags & ALT_HALVES;

	put_numbered(p, a->name, halves ? n >> 1 : n);
	put(p, halves ? n & 1 ? "h" : "l" : a->tail ? a->tail : "");
}

static void put_vector(struct printer *p, const struct isa_alt *a)
{
	unsigned reg = (unsigned)isa_alt_value(a, p->word);
	unsigned count = a->value + (unsigned)isa_field_get(a->more, p->word);
	uint64_t slots = a->slots.n ? isa_field_get(a->slots, p->word) : ISA_ONES(count);
	for (unsigned i = 0; i < count; i++) {
		if (i)
			put(p, ":");
		if (slots >> i & 1)
			put_register(p, a, reg++);
		else
			put(p, "#");
	}
}

static void put_memory(struct printer *p, const struct isa_alt *a)
{
	unsigned addr = (unsigned)isa_field_get(a->addr, p->word);
	int64_t v = isa_alt_value(a, p->word) / (a->flags & ALT_UNSCALED ? (int64_t)1 << a->shift : 1);
	put(p, a->name);
	if (a->bank.n)
		put_digits(p, isa_field_get(a->bank, p->word), 10);
	put(p, "[");
	if (a->flags & ALT_BYREG) {
		put_numbered(p, a->areg, (unsigned)v);
	} else if (a->flags & ALT_POST) {
		/* The public disassembler's format: no register is 0x0, the step is a 64-bit number. */
		if (addr)
			put_numbered(p, a->areg, addr);
		else
			put(p, "0x0");
		put_hex(p, "++0x", (uint64_t)v);
	} else {
		if (addr)
			put_numbered(p, a->areg, addr);
		if (addr && v)
			put(p, "+");
		if (v || !addr)
			put_number(p, v);
	}
	put(p, "]");
}

static bool put_alt(struct printer *p, const struct isa_alt *a)
{
	if (a->shape == OPND_NONE)
		return true;
	if (a->names) {
		const char *name = isa_alt_name(a, p->word);
		if (name && *name) {
			separate(p, *name);
			put(p, name);
		}
		return name != NULL;
	}
	separate(p, 0);
	switch (a->shape) {
	case OPND_REG:
		put_register(p, a, (unsigned)isa_alt_value(a, p->word));
		break;
	case OPND_MEM:
		put_memory(p, a);
		break;
	case OPND_VECTOR:
		put_vector(p, a);
		break;
	case OPND_SINK:
		put(p, "#");
		break;
	default:
		if (p->label && a->shape == OPND_TARGET) {
			put(p, "#");
			put(p, p->label);
			break;
		}
		put_number(p, isa_alt_value(a, p->word));
	}
	return true;
}

static bool print_template(struct printer *p, struct isa_template tp)
{
	const struct isa_table *tab = p->target->isa->table;
	const struct isa_token *tok = &tab->index->token[tp.first_token], *end = tok + tp.count;
	unsigned skip = p->target->undoc ? ALT_QUIRK : ALT_UNDOC;
	for (; tok < end; tok++) {
		if (tok->kind < 0) {
			separate(p, *tok->word);
			put_bytes(p, tok->word, tok->len);
			continue;
		}
		const struct isa_kind *k = &tab->kind[tok->kind];
		const struct isa_alt *a = isa_alt_find(p->target, k, p->word, skip);
		if (!a)
			return false;
		struct isa_template inner = tab->index->alt[isa_alt_number(tab, (unsigned)tok->kind, a)];
		if (!print_template(p, inner) || !put_alt(p, a))
			return false;
	}
	return true;
}

static bool print_insn(struct printer *p, const struct insn *in)
{
	if (!in->row || (in->undoc && !p->target->undoc))
		return false;
	const struct isa_table *tab = p->target->isa->table;
	const struct isa_index *x = isa_index_of(tab);
	return print_template(p, x->form[in->row->form]) && print_template(p, x->row[in->row - tab->row]);
}

/* Bits that no field of the instruction has. */
static void put_unknown(struct printer *p, const struct insn *in)
{
	char text[40];

	if (in->length > 4)
		snprintf(text, sizeof text, " [unknown: %08x %08x]", (uint32_t)in->loose, (uint32_t)(in->loose >> 32));
	else
		snprintf(text, sizeof text, " [unknown: %08x]", (uint32_t)in->loose);
	put(p, text);
}

size_t isa_print(const struct isa_target *t, const struct insn *in, char *buf, size_t size)
{
	return isa_print_named(t, in, NULL, buf, size);
}

size_t isa_print_named(const struct isa_target *t, const struct insn *in, const char *label, char *buf, size_t size)
{
	struct printer p = { t, in->word, buf, size, 0, label };

	if (t->isa->text.print)
		return t->isa->text.print(t, in, label, buf, size);
	buf[0] = 0;
	if (!print_insn(&p, in)) {
		p.len = 0;
		put(&p, "???");
		return p.len;
	}
	if (in->loose)
		put_unknown(&p, in);
	return p.len;
}
