/* Listings of code with labels where branches go. */
#include "core/isa/list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa/parse.h"
#include "core/isa/print.h"

enum { NAME = 24 };                 /* bytes of a label that the listing makes */

struct listing {
	const struct isa_target *target;
	const uint8_t *code;
	size_t size;
	struct isa_label *labels;   /* by pc */
	size_t nlabels, next_label;
	uint8_t *targets;           /* a bit a unit of code: target of a branch; NULL: no targets shown */
	/* a bit a unit of code: an instruction begins or the program ends; NULL: not wanted */
	uint8_t *starts;
	FILE *out;
};

static unsigned unit_of(const struct isa_target *t)
{
	return t->isa->table->unit;
}

static bool decode(const struct listing *l, size_t pc, struct insn *in)
{
	return l->target->isa->decode(l->target, l->code, l->size, (uint32_t)pc, in);
}

/* The pc of the next instruction; a rest shorter than a word counts as an instruction. */
static size_t next_pc(const struct listing *l, size_t pc, const struct insn *in)
{
	size_t left = l->size - pc;
	return pc + (in->length && in->length < left ? in->length : left);
}

static bool marked(const struct listing *l, const uint8_t *marks, size_t pc)
{
	unsigned unit = unit_of(l->target);
	return marks && pc <= l->size && pc % unit == 0 && (marks[pc / unit / 8] >> pc / unit % 8 & 1);
}

static void mark(uint8_t *marks, size_t unit)
{
	marks[unit / 8] |= (uint8_t)(1 << unit % 8);
}

static void mark_targets(struct listing *l)
{
	unsigned unit = unit_of(l->target);
	struct insn in;
	if (l->starts)
		mark(l->starts, l->size / unit);
	for (size_t pc = 0; pc < l->size; pc = next_pc(l, pc, &in)) {
		bool known = decode(l, pc, &in);
		if (l->starts)
			mark(l->starts, pc / unit);
		if (!known || in.src[0].shape != OPND_TARGET)
			continue;
		size_t to = (uint32_t)in.src[0].value / unit;
		if (to <= l->size / unit)
			mark(l->targets, to);
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
	bool named = false;
	for (; l->next_label < l->nlabels && l->labels[l->next_label].pc <= pc; l->next_label++) {
		const struct isa_label *label = &l->labels[l->next_label];
		if (label->pc != pc)
			continue;
		fprintf(l->out, "%s:\n", label->name);
		named = true;
	}
	if (!named && marked(l, l->targets, pc))
		fprintf(l->out, "L_%zx:\n", pc);
}

static void put_line(const struct listing *l, const struct insn *in, unsigned flags,
		     const struct isa_list_notes *notes)
{
	char text[ISA_LINE];
	isa_print(l->target, in, text, sizeof(text));
	if (flags & ISA_LIST_BARE)
		fprintf(l->out, "%s", text);
	else if (in->length > 4)
		fprintf(l->out, "%08x: %08x %08x  %s", in->pc, (uint32_t)in->word, (uint32_t)(in->word >> 32), text);
	else
		fprintf(l->out, "%08x: %08x %8s  %s", in->pc, (uint32_t)in->word, "", text);
	if (notes && notes->behind && !(flags & ISA_LIST_BARE))
		notes->behind(notes->user, text, l->out);
	fputc('\n', l->out);
}

/* ---- as source ---- */

/* Is the label a label for the assembler, and distinct from the listing's own "L_<address>"? */
static bool usable(const struct isa_label *label)
{
	const char *p = label->name;
	char own[NAME];
	snprintf(own, sizeof(own), "L_%x", label->pc);
	if (strncmp(p, "L_", 2) == 0 && strspn(p + 2, "0123456789abcdef") == strlen(p + 2))
		return strcmp(p, own) == 0;
	if (!isalpha((unsigned char)*p) && *p != '_' && *p != '.')
		return false;
	while (isalnum((unsigned char)*p) || *p == '_' || *p == '.')
		p++;
	return !*p;
}

/* Keep only the labels that source can have: usable, at an instruction or at the end, the first of a name. */
static void choose_labels(struct listing *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->nlabels; i++) {
		bool take = usable(&l->labels[i]) && marked(l, l->starts, l->labels[i].pc);
		for (size_t j = 0; take && j < n; j++)
			take = strcmp(l->labels[j].name, l->labels[i].name) != 0;
		if (take)
			l->labels[n++] = l->labels[i];
	}
	l->nlabels = n;
}

/* The name of a branch's target; NULL for a target that source has as a number. */
static const char *target_name(const struct listing *l, const struct insn *in, char own[NAME])
{
	uint32_t pc = (uint32_t)in->src[0].value;
	if (!in->row || in->src[0].shape != OPND_TARGET)
		return NULL;
	for (size_t i = 0; i < l->nlabels; i++)
		if (l->labels[i].pc == pc)
			return l->labels[i].name;
	snprintf(own, NAME, "L_%x", pc);
	return marked(l, l->starts, pc) ? own : NULL;
}

static bool no_symbol(void *context, const char *name, size_t len, int64_t *value)
{
	return false;
}

/* Does the assembler turn a text into the instruction's words at the pc? */
static bool gives(const struct listing *l, const struct insn *in, const char *text, bool wide)
{
	const struct isa_symbols here = { no_symbol, NULL, in->pc };
	struct isa_target t = *l->target;
	struct isa_code code;
	t.undoc = false;            /* as in the assembler */
	return isa_parse(&t, text, wide, &here, &code, NULL) && code.word == in->word && code.length == in->length &&
	       in->pc % t.isa->table->form[code.row->form].align == 0;
}

static void put_source(const struct listing *l, const struct insn *in)
{
	struct isa_target t = *l->target;
	char text[ISA_LINE], named[ISA_LINE], own[NAME];
	t.undoc = true;
	isa_print(&t, in, text, sizeof(text));
	isa_print_named(&t, in, target_name(l, in, own), named, sizeof(named));
	if (gives(l, in, text, false))
		fprintf(l->out, "\t%s\n", named);
	else if (gives(l, in, text, true))
		fprintf(l->out, "\t%s %s\n", t.isa->table->wide, named);
	else if (in->length > 4)
		fprintf(l->out, "\t.word 0x%08x 0x%08x   // %s\n", (uint32_t)in->word, (uint32_t)(in->word >> 32),
			text);
	else
		fprintf(l->out, "\t.word 0x%08x   // %s\n", (uint32_t)in->word, text);
}

static void sort_labels(struct listing *l, const struct isa_label *labels, size_t n)
{
	memcpy(l->labels, labels, n * sizeof(*labels));
	qsort(l->labels, n, sizeof(*labels), by_pc);
	l->nlabels = n;
}

/* Targets of branches, and labels in the order of their places; with ISA_LIST_BARE neither. False: no memory. */
static bool listing_begin(struct listing *l, const struct isa_label *labels, size_t nlabels, unsigned flags)
{
	size_t bytes = l->size / l->target->isa->table->unit / 8 + 1;

	if (!(flags & ISA_LIST_BARE)) {
		l->targets = calloc(bytes, 1);
		l->labels = calloc(nlabels + 1, sizeof(*l->labels));
		if (!l->targets || !l->labels)
			return false;
	}
	if (flags & ISA_LIST_SOURCE && !(l->starts = calloc(bytes, 1)))
		return false;
	if (l->targets)
		mark_targets(l);
	if (l->labels && nlabels)
		sort_labels(l, labels, nlabels);
	if (flags & ISA_LIST_SOURCE)
		choose_labels(l);
	return true;
}

static void listing_end(struct listing *l)
{
	free(l->targets);
	free(l->starts);
	free(l->labels);
}

size_t isa_list(const struct isa_target *t, const uint8_t *code, size_t size, const struct isa_label *labels,
		size_t nlabels, unsigned flags, const struct isa_list_notes *notes, FILE *out)
{
	struct listing l = { .target = t, .code = code, .size = size, .out = out };
	struct insn in;
	size_t invalid = 0;
	if (!listing_begin(&l, labels, nlabels, flags)) {
		listing_end(&l);
		return ISA_LIST_NO_MEMORY;
	}
	size_t from = notes && notes->to ? notes->from : 0, to = notes && notes->to ? notes->to : size;
	for (size_t pc = from; pc < to; pc = next_pc(&l, pc, &in)) {
		invalid += !decode(&l, pc, &in);
		if (!(flags & ISA_LIST_BARE))
			put_labels(&l, pc);
		if (notes && notes->before)
			notes->before(notes->user, (uint32_t)pc, out);
		if (flags & ISA_LIST_SOURCE)
			put_source(&l, &in);
		else
			put_line(&l, &in, flags, notes);
	}
	if (flags & ISA_LIST_SOURCE)
		put_labels(&l, size);
	listing_end(&l);
	return invalid;
}
