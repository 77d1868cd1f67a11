/* Memory behind addresses that name none: ld, st, atom and isspacep without a space, and ld.const of a register, the
 * address of a .const variable or of a buffer that the host bound as constant memory. A lowering for the purpose finds
 * for each such statement the set of spaces with the address. The next lowering names the space where the set has one
 * member, and else chooses at run time, by the window of the address (ir.h).
 *
 * A set is a proof: a doubt makes the set larger. Two sets describe a value: spaces that the value points to, and
 * spaces of pointers of which the value has a part (a difference, a shifted or packed word). Variables and cvta begin;
 * copies and choices go on; a pointer plus an index points to the pointer's space; of a part anything may be made. A
 * word of memory may be any pointer that the kernel stores anywhere. Parameters and words of memory are global
 * pointers, and indices beside a pointer. */
#include "core/compile/ir.h"

#include <string.h>

/* Of struct value.spaces: spaces pointed to, spaces of parts, and a word that is global if it is a pointer at all. */
enum { POINTS = 0xf, PART_SHIFT = 4, PARTS = POINTS << PART_SHIFT, MAYBE = 0x100 };

_Static_assert((SPACE_CONST - SPACE_GLOBAL + 1) << WINDOW_BITS == COMPILE_WINDOWS_END, "the windows side by side");

struct search {
	struct ir *f;
	bool weak;               /* words that may be global pointers count, too */
	bool changed;
	unsigned stored;         /* spaces of pointers, and of parts, that memory may hold */
};

/* nvcc takes a pointer from constant memory for a global one, since later chips have constants in global memory, too: a
 * load of .global asks where a program keeps pointers to constants. Before PTX 2.0 an address of constants is one. */
bool asks_space(const struct ptx_module *m, const struct ptx_insn *n)
{
	static const char *const ops[] = { "ld", "ldu", "st", "atom", "red", "isspacep", NULL };
	static const char *const spaces[] = { "param", "global", "shared", "local", "const", NULL };
	const char *named = NULL;        /* shared, shared::cta */
	bool access = false;

	for (unsigned k = 0; ops[k]; k++)
		access |= !strcmp(n->word[0], ops[k]);
	for (unsigned i = 1; access && i < n->nwords; i++)
		for (unsigned k = 0; spaces[k]; k++) {
			size_t length = strlen(spaces[k]);
			if (!strncmp(n->word[i], spaces[k], length) && strchr(":", n->word[i][length]))
				named = spaces[k];
		}
	if (!access || !named || *n->word[0] == 'i')
		return access;
	const struct ptx_operand *o = n->noperands > 1 ? &n->operand[1] : NULL;
	bool constants = *named == 'c' && m->version >= 20, global = *named == 'g' && m->points_to_constants;
	bool reads = *n->word[0] == 'l' && (constants || global);
	return reads && o && o->kind == OPERAND_ADDRESS && o->nitems && o->item[0].kind == OPERAND_REG;
}

static unsigned spaces_of(const struct source *s)
{
	struct source at = *s;

	ir_resolve(&at);
	return at.kind == SOURCE_VALUE ? at.value->spaces : 0;
}

static unsigned parts(unsigned a) { return ((a & POINTS) << PART_SHIFT) | (a & ~(unsigned)POINTS); }

/* A pointer and an index, in any order. Two pointers, or parts of such: anything. */
static unsigned sum(unsigned a, unsigned b)
{
	bool of_a = a & (POINTS | PARTS), of_b = b & (POINTS | PARTS);

	return of_a && of_b ? parts(a | b) : of_a ? a : of_b ? b : a | b;
}

static unsigned difference(unsigned a, unsigned b) { return b & (POINTS | PARTS) ? parts(a | b) : sum(a, b); }

/* The number leaves the window of an address as it is. */
static bool keeps_window(const struct ir_insn *i)
{
	const struct source *s = &i->src[1];

	return s->kind == SOURCE_NUMBER && (i->op == IR_AND ? ~s->bits : s->bits) < WINDOW_BYTES;
}

static bool is_choice(const struct ir_insn *i)
{
	return i->op == IR_PHI || i->op == IR_MOV || i->op == IR_SLCT || i->op == IR_MIN || i->op == IR_MAX ||
	       i->op == IR_PACK;
}

/* All sources; a number may be an address, too. */
static unsigned chosen(const struct search *c, struct ir_insn *i)
{
	unsigned spaces = i->guard.kind ? spaces_of(&i->old) : 0;
	bool number_of = false;

	IR_EACH_SOURCE(i, s) {
		spaces |= spaces_of(s);
		number_of |= s->kind == SOURCE_NUMBER && s->bits;
	}
	number_of |= i->guard.kind && i->old.kind == SOURCE_NUMBER && i->old.bits;
	return number_of && c->weak ? spaces | MAYBE : spaces;
}

static unsigned result_spaces(const struct search *c, struct ir_insn *i)
{
	unsigned a = spaces_of(&i->src[0]), b = spaces_of(&i->src[1]), all = 0;

	if (i->op == IR_MOV && i->space && !i->statement) /* of in_space */
		return SPACE_BIT(i->space);
	switch (i->op) {
	case IR_LD:
		if (i->bank == 14)
			return SPACE_BIT(SPACE_GLOBAL);
		/* fall through */
	case IR_ATOM:
	case IR_LDLOCK: return c->stored | (c->weak ? MAYBE : 0);
	case IR_LDPARAM: return c->weak ? MAYBE : 0;
	case IR_ADD: return sum(a, b);
	case IR_SUB: return difference(a, b);
	case IR_SUBR: return difference(b, a);
	case IR_AND:
	case IR_OR:
	case IR_XOR: return keeps_window(i) ? a : parts(a | b);
	case IR_MAD16:
	case IR_MAD24: return sum(parts(a | b), spaces_of(&i->src[2]));
	default:
		if (is_choice(i))
			return chosen(c, i);
		IR_EACH_SOURCE(i, s)
			all |= spaces_of(s);
		return parts(all);
	}
}

/* Loads of the whole kernel may see the stored word, whatever the order. */
static void store(struct search *c, const struct ir_insn *i)
{
	unsigned spaces = c->stored;

	if (i->op != IR_ST && i->op != IR_STUNLOCK && i->op != IR_ATOM && i->op != IR_RED)
		return;
	for (unsigned k = 1; k < i->nsrc; k++)
		spaces |= spaces_of(&i->src[k]) & (POINTS | PARTS);
	c->changed |= spaces != c->stored;
	c->stored = spaces;
}

static void flow(struct search *c)
{
	do {
		c->changed = false;
		for (size_t n = 0; n < c->f->nblocks; n++)
			for (struct ir_insn *i = c->f->blocks[n]->head; i; i = i->next) {
				store(c, i);
				if (!i->dst || i->dst->class == CLASS_PRED)
					continue;
				unsigned spaces = i->dst->spaces | result_spaces(c, i);
				c->changed |= spaces != i->dst->spaces;
				i->dst->spaces = (uint16_t)spaces;
			}
	} while (c->changed);
}

/* The addresses of variables in the initial contents of others. */
static unsigned initial_of(const struct ptx_var *v)
{
	unsigned spaces = 0;

	for (; v; v = v->next)
		for (size_t i = 0; i < v->nfixups; i++)
			spaces |= SPACE_BIT(v->fixups[i].var->space);
	return spaces & POINTS;
}

/* Spaces of an access; a number alone is an address of the space that the statement names, or global. */
static unsigned set_of(struct ir *f, const struct ir_insn *i)
{
	unsigned spaces = spaces_of(&i->src[0]), set = (spaces | spaces >> PART_SHIFT) & POINTS;

	if (!spaces && i->space == SPACE_CONST)
		return SPACE_BIT(SPACE_CONST);
	if (!spaces)
		ptx_warn(f->m, (int)i->line, 1,
			 "Cannot tell what pointer points to, assuming global memory space");
	return spaces & (PARTS | MAYBE) || !spaces ? set | SPACE_BIT(SPACE_GLOBAL) : set;
}

uint8_t *find_spaces(struct ir *f)
{
	struct search c = { .f = f, .stored = initial_of(f->m->vars) };
	uint8_t *sets = ptx_new(f->m, f->lowering.nstatements + 1);

	for (const struct ptx_func *p = f->m->funcs; p; p = p->next)
		c.stored |= initial_of(p->vars);
	graph_order(f);
	flow(&c);
	c.weak = true;
	flow(&c);
	for (size_t n = 0; n < f->nblocks; n++)
		for (const struct ir_insn *i = f->blocks[n]->head; i; i = i->next)
			if (i->statement && !(i->previous && i->previous->statement == i->statement))
				sets[i->statement] |= (uint8_t)set_of(f, i);
	return sets;
}
