/* nihstro: from instructions to words. Descriptors are shared and numbered in order of first use; those of MAD, whose
 * words have five bits for the number, come first when they would not fit otherwise. */
#include <string.h>

#include "core/isa/pica/nihstro_impl.h"

struct descriptors {
	uint32_t value[SHADER_MAX_DESC];
	uint32_t count;
};

static uint32_t find(const struct descriptors *t, uint32_t value)
{
	uint32_t i = 0;

	while (i < t->count && t->value[i] != value)
		i++;
	return i;
}

/* Descriptors of raw lines stand where the lines say. */
static bool place_raw(struct nihstro *n, struct descriptors *t)
{
	bool taken[SHADER_MAX_DESC] = { false };

	for (uint32_t i = 0; i < n->nwords; i++) {
		const struct pending *p = &n->word[i];
		uint32_t number = p->insn.mod[MOD_DESC];
		if (!p->raw || !pica_described(&p->insn))
			continue;
		if (taken[number] && t->value[number] != word_descriptor(p))
			return diag_place(n->d, p->position, "operand descriptor @%u is 0x%08x here and 0x%08x before",
					  number, word_descriptor(p), t->value[number]);
		taken[number] = true;
		t->value[number] = word_descriptor(p);
		t->count = number < t->count ? t->count : number + 1;
	}
	return true;
}

/* Add the descriptors of all words, or only of the MADs. */
static bool collect(struct nihstro *n, struct descriptors *t, bool mad_only)
{
	for (uint32_t i = 0; i < n->nwords; i++) {
		const struct pending *p = &n->word[i];
		if (p->raw || !pica_described(&p->insn) || (mad_only && !word_is_mad(p)))
			continue;
		uint32_t at = find(t, word_descriptor(p));
		if (at == SHADER_MAX_DESC)
			return diag_place(n->d, p->position, "the program needs more than %d operand descriptors",
					  SHADER_MAX_DESC);
		if (mad_only && at == SHADER_MAD_DESC)
			return diag_place(n->d, p->position, "the mads of the program need more than the %d operand "
					  "descriptors that their words can name", SHADER_MAD_DESC);
		if (at == t->count)
			t->value[t->count++] = word_descriptor(p);
	}
	return true;
}

static bool mads_fit(struct nihstro *n, const struct descriptors *t)
{
	for (uint32_t i = 0; i < n->nwords; i++)
		if (!n->word[i].raw && word_is_mad(&n->word[i]) &&
		    find(t, word_descriptor(&n->word[i])) >= SHADER_MAD_DESC)
			return false;
	return true;
}

bool finish_program(struct nihstro *n, struct shader *out)
{
	struct descriptors table = { .count = 0 }, fixed;

	encode_words(n->word, n->nwords);
	if (!place_raw(n, &table))
		return false;
	fixed = table;
	if (!collect(n, &table, false))
		return false;
	if (!mads_fit(n, &table)) {
		table = fixed;
		if (!collect(n, &table, true) || !collect(n, &table, false))
			return false;
	}
	out->ncode = n->nwords;
	out->ndesc = table.count;
	out->code = ARENA_ARRAY(n->arena, uint32_t, n->nwords + 1);
	out->desc = arena_memdup(n->arena, table.value, sizeof table.value);
	out->line = ARENA_ARRAY(n->arena, uint32_t, n->nwords + 1);
	if (!out->code || !out->desc || !out->line)
		return diag_set(n->d, DIAG_ENV, "no memory for the assembly");
	for (uint32_t i = 0; i < n->nwords; i++) {
		const struct pending *p = &n->word[i];
		bool number = !p->raw && pica_described(&p->insn);
		out->line[i] = p->position.file == n->options->file ? (uint32_t)p->position.line : 0;
		out->code[i] = (uint32_t)p->word | (number ? find(&table, word_descriptor(p)) : 0);
	}
	return true;
}
