/* Registers by name, and the table's instructions out of operands. */
#include "core/isa/pica/words.h"

#include <assert.h>
#include <string.h>

#include "core/isa/encode.h"
#include "core/isa/pica/ops.h"

static const struct isa_ops machine = { .name = "pica", .table = &pica_table };
const struct isa_target words_target = { .isa = &machine, .mode = PICA_GS };

const char register_letters[] = "vrcoiba";

int register_count(unsigned file)
{
	static const int count[REG_FILES] = {
		[REG_V] = SHADER_VECTORS, [REG_R] = SHADER_VECTORS, [REG_C] = SHADER_FLOATS, [REG_O] = SHADER_VECTORS,
		[REG_I] = SHADER_INTS, [REG_B] = SHADER_BOOLS, [REG_ADDRESS] = 2,
	};

	return count[file];
}

bool register_named(const struct token *t, struct operand *out)
{
	const char *letter = t->length > 1 ? strchr(register_letters, t->text[0]) : NULL;
	int number = 0;

	if (!letter || !*letter || t->length > 3 || (t->length == 3 && t->text[1] == '0'))
		return false;
	for (int i = 1; i < t->length; i++) {
		if (t->text[i] < '0' || t->text[i] > '9')
			return false;
		number = 10 * number + t->text[i] - '0';
	}
	*out = (struct operand){ .file = (uint8_t)(letter - register_letters), .reg = number };
	return number < register_count(out->file);
}

bool operand_wide(const struct operand *o)
{
	return o->file == REG_C || o->index;
}

static uint8_t source_number(const struct operand *o)
{
	static const uint8_t base[REG_FILES] = { [REG_R] = SRC_TEMPORARY, [REG_C] = SRC_UNIFORM };

	return (uint8_t)(base[o->file] + o->reg);
}

void set_destination(struct insn *m, const struct operand *o)
{
	m->dst = (struct opnd){ .shape = OPND_REG, .file = FILE_DST, .width = 16 };
	m->dst.reg = (uint16_t)((o->file == REG_R ? DST_TEMPORARY : 0) + o->reg);
	for (int i = 0; i < o->n; i++)
		m->mod[MOD_MASK] |= (uint8_t)(8 >> o->comp[i]);
}

void set_source(struct insn *m, int i, const struct operand *o, const struct operand *dst)
{
	m->src[i] = (struct opnd){ .shape = OPND_REG, .file = FILE_SRC, .width = 16, .reg = source_number(o) };
	m->mod[MOD_NEG1 + i] = o->negate;
	m->mod[MOD_INDEX] |= o->index;
	for (int k = 0; k < o->n; k++)
		m->mod[MOD_SEL1 + i] |= selector(dst ? dst->comp[k] : k, o->comp[k]);
}

void set_target(struct insn *m, uint32_t word)
{
	m->src[0] = (struct opnd){ .shape = OPND_TARGET, .value = (int32_t)word * 4 };
}

struct pending pending_word(const char *row, struct text_place position)
{
	const struct isa_row *named = isa_row_named(&pica_table, row);

	assert(named);
	return (struct pending){ .insn = isa_insn(&pica_table, named), .position = position };
}

void encode_words(struct pending *word, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (word[i].raw)
			continue;
		bool fits = isa_encode(&words_target, word[i].insn.row, &word[i].insn, &word[i].word);
		assert(fits);
		(void)fits;
	}
}

uint32_t word_descriptor(const struct pending *p)
{
	return (uint32_t)(p->word >> 32);
}

bool word_is_mad(const struct pending *p)
{
	return p->insn.row->exec == PICA_EXEC_mad;
}

void *table_grow(struct arena *a, struct diag *d, void **table, uint32_t *count, uint32_t *capacity, size_t size)
{
	if (*count == *capacity) {
		uint32_t more = *capacity ? *capacity * 2 : 16;
		void *bigger = arena_alloc(a, more * size, 16);
		if (!bigger) {
			diag_set(d, DIAG_ENV, "no memory for the assembly");
			return NULL;
		}
		if (*count)
			memcpy(bigger, *table, *count * size);
		*table = bigger;
		*capacity = more;
	}
	return (char *)*table + size * (*count)++;
}

char *token_copy(struct arena *a, struct diag *d, const struct token *t)
{
	char *name = arena_alloc(a, (size_t)t->length + 1, 1);

	if (name)
		memcpy(name, t->text, (size_t)t->length);
	else
		diag_set(d, DIAG_ENV, "no memory for the assembly");
	return name;
}
