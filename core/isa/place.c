/* Lengths do not depend on targets: the items are encoded with target 0 and laid out, then branches are encoded
 * again. */
#include "core/isa/place.h"

#include "core/isa/encode.h"

/* The operand with the target of a branch; NULL: the instruction has none. */
static struct opnd *target_of(struct insn *in)
{
	return in->src[0].shape == OPND_TARGET ? &in->src[0] : NULL;
}

static bool encode_with(const struct isa_target *t, struct isa_item *it, uint32_t target)
{
	struct opnd *to = target_of(&it->in);

	if (!to)
		return isa_encode_shortest(t, &it->in, it->wide, &it->code);
	struct insn in = it->in;
	target_of(&in)->value = (int32_t)target;
	return isa_encode_shortest(t, &in, it->wide, &it->code);
}

/* Widen a short instruction right before item i, the nearest that can be wide. Every second instruction cannot: it
 * would be misplaced itself. */
static bool widen_before(const struct isa_target *t, struct isa_item *items, size_t i, unsigned align)
{
	for (size_t k = i; k-- > 0 && items[k].code.length < align;) {
		struct isa_item *it = &items[k];
		struct isa_code code;
		if (it->in.pc % align || !isa_encode_shortest(t, &it->in, true, &code) || code.length != align)
			continue;
		it->code = code;
		it->wide = true;
		for (size_t n = k + 1; n <= i; n++)
			items[n].in.pc = items[n - 1].in.pc + items[n - 1].code.length;
		return true;
	}
	return false;
}

static enum isa_placing lay_out(const struct isa_target *t, struct isa_item *items, size_t n, uint32_t *end)
{
	const struct isa_form *forms = t->isa->table->form;
	uint32_t pc = 0;

	for (size_t i = 0; i < n; i++) {
		*end = (uint32_t)i;
		items[i].in.pc = pc;
		if (!encode_with(t, &items[i], 0))
			return ISA_NO_WORD;
		unsigned align = forms[items[i].code.row->form].align;
		if (pc % align && !widen_before(t, items, i, align))
			return ISA_MISPLACED;
		pc = items[i].in.pc + items[i].code.length;
		if (pc > ISA_CODE_MAX)
			return ISA_TOO_LONG;
	}
	*end = pc;
	return ISA_PLACED;
}

enum isa_placing isa_place(const struct isa_target *t, struct isa_item *items, size_t n, uint32_t *end)
{
	enum isa_placing result = lay_out(t, items, n, end);

	for (size_t i = 0; i < n && result == ISA_PLACED; i++) {
		const struct opnd *to = target_of(&items[i].in);
		if (!to)
			continue;
		uint32_t pc = (size_t)to->value < n ? items[to->value].in.pc : *end;
		if (encode_with(t, &items[i], pc))
			continue;
		*end = (uint32_t)i;
		result = ISA_NO_WORD;
	}
	return result;
}

void isa_put_words(const struct isa_item *items, size_t n, uint8_t *bytes)
{
	for (size_t i = 0; i < n; i++)
		for (unsigned b = 0; b < items[i].code.length; b++)
			bytes[items[i].in.pc + b] = (uint8_t)(items[i].code.word >> 8 * b);
}
