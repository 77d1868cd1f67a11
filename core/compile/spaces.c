/* Memory behind generic addresses: ld and st without a space, of PTX from 2.0 on. The address is followed to the roots:
 * a cvta names a space, a parameter or a loaded word points to global memory. Pointers to two spaces are refused, since
 * the machine has no generic access. */
#include "core/compile/ir.h"

static const char *const names[] = {
	[SPACE_GLOBAL] = ".global", [SPACE_SHARED] = ".shared", [SPACE_LOCAL] = ".local", [SPACE_CONST] = ".const"
};

static enum ptx_space space_of(struct ir *f, struct source s, const struct ir_insn *user);

/* The space of a pointer that is a or b; a number is a null pointer. */
static enum ptx_space either(struct ir *f, enum ptx_space a, enum ptx_space b, const struct ir_insn *user)
{
	if (a && b && a != b)
		ptx_fail(f->m, (int)user->line, 1, "the address may be in %s or in %s memory", names[a], names[b]);
	return a ? a : b;
}

static enum ptx_space space_of_value(struct ir *f, struct value *v, const struct ir_insn *user)
{
	struct ir_insn *i = v->def;
	enum ptx_space space = SPACE_NONE;

	switch (i->op) {
	case IR_PHI:
		for (unsigned k = 0; k < i->nsrc; k++)
			space = either(f, space, space_of(f, i->args[k], user), user);
		return space;
	case IR_MOV:
		space = space_of(f, i->src[0], user);
		return i->guard.kind ? either(f, space, space_of(f, i->old, user), user) : space;
	case IR_ADD:
	case IR_SUB:
	case IR_SUBR:
	case IR_AND:
	case IR_OR: {
		/* A pointer and an index: the part with a named space is the pointer. */
		enum ptx_space a = space_of(f, i->src[0], user), b = space_of(f, i->src[1], user);
		return a == SPACE_GLOBAL && b ? b : b == SPACE_GLOBAL && a ? a : either(f, a, b, user);
	}
	default: return SPACE_GLOBAL;
	}
}

static enum ptx_space space_of(struct ir *f, struct source s, const struct ir_insn *user)
{
	enum ptx_space space;

	ir_resolve(&s);
	if (s.kind != SOURCE_VALUE || !s.value->def || s.value->walking)
		return SPACE_NONE;
	if (s.value->space)
		return (enum ptx_space)s.value->space;
	s.value->walking = true;
	space = space_of_value(f, s.value, user);
	s.value->walking = false;
	return space;
}

void find_spaces(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->first; i; i = i->next) {
			if ((i->op != IR_LD && i->op != IR_ST && i->op != IR_ATOM) || i->space != SPACE_NONE)
				continue;
			enum ptx_space space = space_of(f, i->src[0], i);
			i->space = (uint8_t)(space ? space : SPACE_GLOBAL);
			if (i->op == IR_ATOM && i->space != SPACE_GLOBAL)
				ptx_fail(f->m, (int)i->line, 1, "a generic atomic of %s memory is not supported",
					 names[space]);
			if (i->space == SPACE_SHARED && ptx_bytes((enum ptx_type)i->type) != 4 && i->op == IR_LD &&
			    (i->dst->class != CLASS_WORD || i->type == PTX_S8))
				ptx_fail(f->m, (int)i->line, 1,
					 "a generic access of %s memory of this size is not supported", names[space]);
		}
}
