/* Memory behind generic addresses: ld, st, atom and isspacep without a space, of PTX from 2.0 on. The machine has no
 * generic access: a lowering for the purpose finds the space of each access, and the next lowering takes the spaces.
 * Spaces flow from variables and cvta through sums, copies, selections and phis. A parameter or a loaded word is global
 * as an address, and an index beside a named space. */
#include "core/compile/ir.h"

#include <string.h>

static const char *const names[] = {
	[SPACE_GLOBAL] = ".global", [SPACE_SHARED] = ".shared", [SPACE_LOCAL] = ".local", [SPACE_CONST] = ".const"
};

/* What a value may point to, a set: 1 << SPACE_..., and MAYBE: global if the word, loaded or a parameter, is a pointer
 * at all. */
enum { MAYBE = 1 };

/* Sums: any source may be the pointer. Choices: all sources are. */
static bool is_sum(const struct ir_insn *i)
{
	return i->op == IR_ADD || i->op == IR_SUB || i->op == IR_SUBR || i->op == IR_AND || i->op == IR_OR;
}

static bool is_choice(const struct ir_insn *i) { return i->op == IR_PHI || i->op == IR_MOV || i->op == IR_SLCT; }

static unsigned spaces_of(const struct source *s)
{
	struct source at = *s;

	ir_resolve(&at);
	return at.kind == SOURCE_VALUE ? at.value->spaces : 0;
}

static unsigned merged(unsigned a, unsigned b)
{
	return (a | b) & ~(unsigned)MAYBE ? (a | b) & ~(unsigned)MAYBE : a | b; /* beside a named space an index */
}

/* One round over all operations; true: something changed. `weak`: words that may be pointers count, too. */
static bool flow(struct ir *f, bool weak)
{
	bool changed = false;

	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next) {
			unsigned spaces = 0;
			if (!i->dst || i->dst->class == CLASS_PRED)
				continue;
			if (weak && (i->op == IR_LD || i->op == IR_LDPARAM || i->op == IR_ATOM))
				spaces = MAYBE;
			if (is_sum(i) || is_choice(i))
				IR_EACH_SOURCE(i, s)
					spaces = merged(spaces, spaces_of(s));
			if (i->op == IR_MOV && i->guard.kind)
				spaces = merged(spaces, spaces_of(&i->old));
			spaces = merged(i->dst->spaces, spaces);
			changed |= spaces != i->dst->spaces;
			i->dst->spaces = (uint8_t)spaces;
		}
	return changed;
}

/* A choice between a named space and a word that is global by itself. */
static void mixed_choices(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next) {
			bool maybe = false;
			if (!i->dst || !is_choice(i))
				continue;
			IR_EACH_SOURCE(i, s)
				maybe |= spaces_of(s) == MAYBE;
			maybe |= i->op == IR_MOV && i->guard.kind && spaces_of(&i->old) == MAYBE;
			if (maybe && i->dst->spaces != MAYBE)
				i->dst->spaces |= 1 << SPACE_GLOBAL;
		}
}

static void note(struct ir *f, uint8_t *spaces, const struct ir_insn *i)
{
	unsigned all = spaces_of(&i->src[0]), lowest = all ? (unsigned)__builtin_ctz(all) : 0, rest = all & (all - 1);

	if (rest)
		ptx_fail(f->m, (int)i->line, 1, "the address may be in %s or in %s memory", names[lowest],
			 names[__builtin_ctz(rest)]);
	if (!all)
		ptx_warn(f->m, (int)i->line, 1,
			 "Cannot tell what pointer points to, assuming global memory space");
	spaces[i->generic - 1] = (uint8_t)(lowest ? lowest : SPACE_GLOBAL);
}

uint8_t *find_spaces(struct ir *f)
{
	uint8_t *spaces = ptx_new(f->m, f->ngeneric + 1);

	memset(spaces, SPACE_GLOBAL, f->ngeneric + 1);
	graph_order(f);
	for (unsigned weak = 0; weak < 2; weak++)
		while (flow(f, weak))
			;
	mixed_choices(f);
	while (flow(f, true))
		;
	for (size_t n = 0; n < f->nblocks; n++)
		for (const struct ir_insn *i = f->blocks[n]->head; i; i = i->next)
			if (i->generic && !(i->previous && i->previous->generic == i->generic))
				note(f, spaces, i);
	return spaces;
}
