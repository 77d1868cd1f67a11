/* Instructions as text, by the templates of their rows. */
#include "core/isa/print.h"

#include <inttypes.h>
#include <stdarg.h>
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

static void __attribute__((format(printf, 2, 3))) put(struct printer *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(p->buf + p->len, p->size - p->len, fmt, ap);
	va_end(ap);
	p->len += (size_t)n;
	if (p->len >= p->size)
		p->len = p->size - 1;
}

/* Words are set apart by one space, except behind a text that opens or begins something, and before a text that closes
 * or continues. */
static void separate(struct printer *p, char next)
{
	if (p->len && !strchr("(-@", p->buf[p->len - 1]) && !(next && strchr("),.[", next)))
		put(p, " ");
}

static void put_number(struct printer *p, int64_t v)
{
	put(p, v < 0 ? "-0x%" PRIx64 : "0x%" PRIx64, (uint64_t)(v < 0 ? -v : v));
}

static void put_register(struct printer *p, const struct isa_alt *a, unsigned n)
{
	if (a->flags & ALT_HALVES)
		put(p, "%s%u%c", a->name, n >> 1, n & 1 ? 'h' : 'l');
	else
		put(p, "%s%u%s", a->name, n, a->tail ? a->tail : "");
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
	put(p, "%s", a->name);
	if (a->bank.n)
		put(p, "%u", (unsigned)isa_field_get(a->bank, p->word));
	put(p, "[");
	if (a->flags & ALT_BYREG) {
		put(p, "%s%u", a->areg, (unsigned)v);
	} else if (a->flags & ALT_POST) {
		/* The public disassembler's format: no register is 0x0, the step is a 64-bit number. */
		if (addr)
			put(p, "%s%u", a->areg, addr);
		else
			put(p, "0x0");
		put(p, "++0x%" PRIx64, (uint64_t)v);
	} else {
		if (addr)
			put(p, "%s%u%s", a->areg, addr, v ? "+" : "");
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
			put(p, "%s", name);
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
		if (p->label && a->shape == OPND_TARGET)
			put(p, "#%s", p->label);
		else
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
			put(p, "%.*s", (int)tok->len, tok->word);
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
	return print_template(p, tab->index->form[in->row->form]) &&
	       print_template(p, tab->index->row[in->row - tab->row]);
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
	if (in->loose && in->length > 4)
		put(&p, " [unknown: %08x %08x]", (uint32_t)in->loose, (uint32_t)(in->loose >> 32));
	else if (in->loose)
		put(&p, " [unknown: %08x]", (uint32_t)in->loose);
	return p.len;
}
