/* picasso: from instructions to words. An instruction shares the first operand descriptor that agrees in the bits read
 * by the instruction and by the descriptor's earlier users; further bits of the instruction are added. The words of MAD
 * have five bits for the number: a descriptor behind number 31 changes places with the first without a MAD. */
#include <string.h>

#include "core/isa/pica/ops.h"
#include "core/isa/pica/picasso_impl.h"

/* By executor: does component i of the result need component i of each source, and no other? */
enum { ALIKE, ALIKE_FAST = 0, EACH, EACH_FAST = 1 };
#define COMPONENTWISE(name, class, kind, meaning) [PICA_EXEC_##name] = kind,
static const bool componentwise[PICA_EXEC_COUNT] = { PICA_EXEC_ALU(COMPONENTWISE) };

struct descriptors {
	uint32_t value[SHADER_MAX_DESC];
	uint32_t read[SHADER_MAX_DESC]; /* bits that an instruction reads */
	bool of_mad[SHADER_MAX_DESC];
	uint32_t count;
};

enum { ALL_COMPONENTS = 15 };

/* The sign and the selectors of some components of a source: bit i of `components` is component i. */
static uint32_t source_bits(int source, unsigned components)
{
	uint32_t bits = 1;

	for (int i = 0; i < 4; i++)
		if (components >> i & 1)
			bits |= (uint32_t)selector(i, 3) << 1;
	return bits << (4 + 9 * source);
}

/* Components read of a source, as bits. */
static unsigned components_read(const struct insn *in, int source)
{
	unsigned mask = in->mod[MOD_MASK], written = 0;

	for (int i = 0; i < 4; i++)
		written |= (mask >> (3 - i) & 1) << i;
	if (componentwise[in->row->exec])
		return written;
	switch (in->row->exec) {
	case PICA_EXEC_dp3:
		return 7;
	case PICA_EXEC_dph:
		return source ? ALL_COMPONENTS : 7;
	case PICA_EXEC_cmp:
		return source ? ALL_COMPONENTS : 3;     /* picasso keeps all of the second */
	case PICA_EXEC_mova:
		return written & 3;
	case PICA_EXEC_ex2:
	case PICA_EXEC_lg2:
	case PICA_EXEC_rcp:
	case PICA_EXEC_rsq:
		return 1;
	default:
		return ALL_COMPONENTS;
	}
}

/* The bits of its descriptor that an instruction reads. */
static uint32_t bits_read(const struct insn *in)
{
	uint32_t bits = in->row->exec == PICA_EXEC_cmp ? 0 : 0xf;

	for (int i = 0; i < 3; i++)
		if (in->src[i].shape == OPND_REG)
			bits |= source_bits(i, components_read(in, i));
	return bits;
}

static bool share(struct picasso *p, struct descriptors *t, const struct pending *w, uint32_t *number)
{
	uint32_t value = word_descriptor(w), read = bits_read(&w->insn);

	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t common = read & t->read[i];
		if ((value ^ t->value[i]) & common)
			continue;
		t->value[i] = (t->value[i] & ~read) | (value & read);
		t->read[i] |= read;
		*number = i;
		return true;
	}
	if (t->count == SHADER_MAX_DESC)
		return diag_place(p->d, w->position, "the program needs more than %d operand descriptors: use fewer "
				  "different masks, components and signs", SHADER_MAX_DESC);
	t->value[t->count] = value;
	t->read[t->count] = read;
	*number = t->count++;
	return true;
}

static void exchange(struct picasso *p, struct descriptors *t, uint32_t words, uint32_t a, uint32_t b)
{
	uint32_t value = t->value[a], read = t->read[a];

	t->value[a] = t->value[b], t->read[a] = t->read[b];
	t->value[b] = value, t->read[b] = read;
	for (uint32_t i = 0; i < words; i++) {
		uint8_t *number = &p->word[i].insn.mod[MOD_DESC];
		if (pica_described(&p->word[i].insn) && (*number == a || *number == b))
			*number = (uint8_t)(*number == a ? b : a);
	}
}

/* Place the descriptor of a MAD, numbered so far, where its word can name it. */
static bool place_mad(struct picasso *p, struct descriptors *t, uint32_t word, uint32_t *number)
{
	uint32_t free = 0;

	if (*number >= SHADER_MAD_DESC) {
		while (free < SHADER_MAD_DESC && t->of_mad[free])
			free++;
		if (free == SHADER_MAD_DESC)
			return diag_place(p->d, p->word[word].position, "the mads of the program need more than the "
					  "%d operand descriptors that their words can name: use mul and add here",
					  SHADER_MAD_DESC);
		exchange(p, t, word, free, *number);
		*number = free;
	}
	t->of_mad[*number] = true;
	return true;
}

static bool number_words(struct picasso *p, struct descriptors *t)
{
	for (uint32_t i = 0; i < p->nwords; i++) {
		struct pending *w = &p->word[i];
		uint32_t number = 0;
		if (!pica_described(&w->insn))
			continue;
		if (!share(p, t, w, &number) || (word_is_mad(w) && !place_mad(p, t, i, &number)))
			return false;
		w->insn.mod[MOD_DESC] = (uint8_t)number;
	}
	return true;
}

bool finish_words(struct picasso *p, const char *file, struct shader *out)
{
	struct descriptors table = { .count = 0 };

	encode_words(p->word, p->nwords);
	if (!number_words(p, &table))
		return false;
	out->ncode = p->nwords;
	out->ndesc = table.count;
	out->code = ARENA_ARRAY(p->arena, uint32_t, p->nwords + 1);
	out->desc = arena_memdup(p->arena, table.value, sizeof table.value);
	out->line = ARENA_ARRAY(p->arena, uint32_t, p->nwords + 1);
	if (!out->code || !out->desc || !out->line)
		return picasso_no_memory(p);
	for (uint32_t i = 0; i < p->nwords; i++) {
		const struct pending *w = &p->word[i];
		out->line[i] = w->position.file == file ? (uint32_t)w->position.line : 0;
		out->code[i] = (uint32_t)w->word | (pica_described(&w->insn) ? w->insn.mod[MOD_DESC] : 0);
	}
	return true;
}
