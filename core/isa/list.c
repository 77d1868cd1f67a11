#include "core/isa/list.h"

#include <stdlib.h>
#include <string.h>

#include "core/isa/print.h"

struct listing {
	const struct isa_target *target;
	const uint8_t *code;
	size_t size;
	struct isa_label *labels;   /* by pc */
	size_t nlabels, next_label;
	uint8_t *targets;           /* a bit a unit of code: something branches there; NULL: none are shown */
	FILE *out;
};

static bool decode(const struct listing *l, size_t pc, struct insn *in)
{
	return l->target->isa->decode(l->target, l->code, l->size, (uint32_t)pc, in);
}

/* Where the next instruction is; a rest that is shorter than a word is one. */
static size_t next_pc(const struct listing *l, size_t pc, const struct insn *in)
{
	size_t left = l->size - pc;
	return pc + (in->length && in->length < left ? in->length : left);
}

static void mark_targets(struct listing *l)
{
	unsigned unit = l->target->isa->table->unit;
	struct insn in;
	for (size_t pc = 0; pc < l->size; pc = next_pc(l, pc, &in)) {
		if (!decode(l, pc, &in) || in.src[0].shape != OPND_TARGET)
			continue;
		size_t to = (uint32_t)in.src[0].value / unit;
		if (to < l->size / unit)
			l->targets[to / 8] |= (uint8_t)(1 << to % 8);
	}
}

static int by_pc(const void *a, const void *b)
{
	const struct isa_label *x = a, *y = b;
	return x->pc != y->pc ? (x->pc > y->pc) - (x->pc < y->pc) : strcmp(x->name, y->name);
}

/* The given labels are passed once, as the listing goes on. */
static void put_labels(struct listing *l, size_t pc)
{
	unsigned unit = l->target->isa->table->unit;
	size_t at = pc / unit;
	bool named = false;
	for (; l->next_label < l->nlabels && l->labels[l->next_label].pc <= pc; l->next_label++) {
		const struct isa_label *label = &l->labels[l->next_label];
		if (label->pc != pc)
			continue;
		fprintf(l->out, "%s:\n", label->name);
		named = true;
	}
	if (!named && l->targets && pc % unit == 0 && (l->targets[at / 8] >> at % 8 & 1))
		fprintf(l->out, "L_%zx:\n", pc);
}

static void put_line(const struct listing *l, const struct insn *in, unsigned flags)
{
	char text[ISA_LINE];
	isa_print(l->target, in, text, sizeof(text));
	if (flags & ISA_LIST_BARE)
		fprintf(l->out, "%s\n", text);
	else if (in->length > 4)
		fprintf(l->out, "%08x: %08x %08x  %s\n", in->pc, (uint32_t)in->word, (uint32_t)(in->word >> 32), text);
	else
		fprintf(l->out, "%08x: %08x %8s  %s\n", in->pc, (uint32_t)in->word, "", text);
}

size_t isa_list(const struct isa_target *t, const uint8_t *code, size_t size, const struct isa_label *labels,
		size_t nlabels, unsigned flags, FILE *out)
{
	struct listing l = { .target = t, .code = code, .size = size, .out = out };
	struct insn in;
	size_t invalid = 0;
	/* without memory for them the listing goes without labels */
	if (!(flags & ISA_LIST_BARE)) {
		l.targets = calloc(size / t->isa->table->unit / 8 + 1, 1);
		l.labels = calloc(nlabels + 1, sizeof(*l.labels));
	}
	if (l.targets)
		mark_targets(&l);
	if (l.labels && nlabels) {
		memcpy(l.labels, labels, nlabels * sizeof(*labels));
		qsort(l.labels, nlabels, sizeof(*labels), by_pc);
		l.nlabels = nlabels;
	}
	for (size_t pc = 0; pc < size; pc = next_pc(&l, pc, &in)) {
		invalid += !decode(&l, pc, &in);
		if (!(flags & ISA_LIST_BARE))
			put_labels(&l, pc);
		put_line(&l, &in, flags);
	}
	free(l.targets);
	free(l.labels);
	return invalid;
}
