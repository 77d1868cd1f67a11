/* Sources in forms that instructions have: a parameter as an s[] operand, a number as an immediate or a word of c1[], a
 * register. Selections become instructions under a guard, with the result in the register of the value below. */
#include "core/compile/ir.h"

#include <string.h>

enum { CONSTANTS_MAX = 56 }; /* words of c1[] that halves reach, with a reserve for emit.c */

static bool is_param(const struct source *s)
{
	return s->kind == SOURCE_VALUE && s->value->def && s->value->def->op == IR_LDPARAM && !s->value->def->dead;
}

/* A parameter as an s[] operand, if the source's field has bits for the offset. */
static bool as_shared(const struct source *s, struct source *out)
{
	const struct ir_insn *p = s->value->def;
	uint32_t offset = p->offset;
	unsigned type = p->type, log = type == PTX_U32 ? 2 : type == PTX_U8 ? 0 : 1;

	if (s->half && type == PTX_U8)
		return false;
	if (s->half && type == PTX_U32) {
		offset += s->half == 2 ? 2 : 0;
		type = PTX_U16;
		log = 1;
	} else if (s->half == 2) {
		return false;
	}
	if (offset >> log > 31 || offset & ((1u << log) - 1))
		return false;
	*out = *s;
	out->kind = SOURCE_SHARED;
	out->type = (uint8_t)type;
	out->bits = offset;
	out->value = NULL;
	out->half = 0;
	return true;
}

/* No instruction between a load and the user of the word may write memory. */
static bool undisturbed(const struct ir_insn *load, const struct ir_insn *user)
{
	unsigned steps = 0;

	for (const struct ir_insn *i = load->next; i != user; i = i->next)
		if (!i || ++steps > 64 || (ir_op_info[i->op].flags & EFFECT && i->op != IR_CLOCK))
			return false;
	return true;
}

/* A load from s[] with a single user becomes the user's operand. */
static bool as_load(const struct source *s, const struct ir_insn *user, struct source *out)
{
	struct ir_insn *d = s->kind == SOURCE_VALUE && !s->sub && s->half != 2 ? s->value->def : NULL;

	if (!d || d->dead || d->op != IR_LD || d->space != SPACE_SHARED || d->is_volatile || d->guard.kind ||
	    d->dst->uses != 1 || d->block != user->block || (s->half && ptx_bytes((enum ptx_type)d->type) != 2) ||
	    !undisturbed(d, user))
		return false;
	*out = *s;
	out->half = 0;
	out->load = d;
	out->type = d->type == PTX_B32 ? PTX_U32 : d->type;
	out->value = d->src[0].kind == SOURCE_VALUE ? d->src[0].value : NULL;
	out->sub = d->src[0].sub;
	out->kind = out->value ? SOURCE_VALUE : SOURCE_SHARED;
	out->bits = d->offset & 0xffff;
	ir_remove(d);
	return true;
}

/* A word of c0[] at a known place. */
static bool as_constant(const struct source *s, struct source *out)
{
	const struct ir_insn *d = s->kind == SOURCE_VALUE && !s->sub && !s->half ? s->value->def : NULL;

	if (!d || d->op != IR_LD || d->space != SPACE_CONST || d->bank || d->type != PTX_B32 || d->is_volatile ||
	    d->guard.kind || d->src[0].kind != SOURCE_NUMBER || d->offset & 3 || d->offset >= 4 * CONSTANTS_MAX)
		return false;
	*out = *s;
	out->kind = SOURCE_CONST;
	out->bits = d->offset;
	out->value = NULL;
	return true;
}

static struct ir_insn *move_before(struct ir *f, struct ir_insn *at, struct source from)
{
	struct ir_insn *m = ir_insn_new(f, IR_MOV);

	m->line = at->line;
	m->file = at->file;
	m->source_line = at->source_line;
	m->type = PTX_U32;
	m->nsrc = 1;
	m->src[0] = from;
	m->src[0].neg = m->src[0].abs = m->src[0].not = false;
	m->src[0].half = 0;
	m->dst = ir_value(f, CLASS_WORD);
	m->dst->def = m;
	ir_before(at, m);
	return m;
}

/* A register that holds the source, with the source's modifiers. */
static void into_register(struct ir *f, struct ir_insn *i, struct source *s)
{
	struct source was = *s;

	if (was.kind == SOURCE_NUMBER && was.half) { /* numbers of halves are 16 bits already */
		was.half = 0;
	}
	*s = of(move_before(f, i, was)->dst);
	s->neg = was.neg;
	s->abs = was.abs;
	s->not = was.not;
	if (ir_halves(i) && s - i->src < 2)
		s->half = 1;
}

/* ---- selections ---- */

static bool may_have_guard(const struct ir_insn *i)
{
	return i->dst && i->dst->class == CLASS_WORD && !i->flags && !i->guard.kind && ir_op_info[i->op].flags & FREE &&
	       i->op != IR_PHI && i->op != IR_LDPARAM && i->op != IR_ADDC && i->op != IR_TOREG && i->op != IR_PHYSID &&
	       i->op != IR_MOV;
}

/* An operation made for the selection alone takes over the guard. */
static void merge_guard(struct ir_insn *i)
{
	struct ir_insn *m = i->src[0].kind == SOURCE_VALUE && !i->src[0].sub ? i->src[0].value->def : NULL;

	if (!m || m->dead || m->block != i->block || !may_have_guard(m) || m->dst->uses != 1)
		return;
	struct ir_insn kept = *i;
	*i = *m;
	i->guard = kept.guard;
	i->old = kept.old;
	i->dst = kept.dst;
	i->dst->def = i;
	i->block = kept.block;
	i->next = kept.next;
	i->previous = kept.previous;
	ir_remove(m);
}

static void opposite_guard(struct ir_insn *i)
{
	struct source s = i->src[0];

	i->src[0] = i->old;
	i->old = s;
	i->guard.not = !i->guard.not;
}

/* An unlocking store under a guard stores the word of lanes under the guard: no selection is needed. A selection is
 * free where the old word has no use besides the operation and the selection. */
static void unlock_without_selection(struct ir_insn *i)
{
	struct ir_insn *m = i->src[1].kind == SOURCE_VALUE ? i->src[1].value->def : NULL;

	if (m && m->op == IR_MOV && m->guard.kind && m->guard.value == i->guard.value && m->old.kind == SOURCE_VALUE &&
	    m->old.value->uses > 2)
		i->src[1] = m->src[0];
}

static void selections(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++) {
		for (struct ir_insn *i = f->blocks[n]->head, *next; i; i = next) {
			next = i->next;
			if (!i->guard.kind || !i->dst || !i->old.kind || i->op != IR_MOV)
				continue;
			struct ir_insn *other = i->old.kind == SOURCE_VALUE && !i->old.sub ? i->old.value->def : NULL;
			struct ir_insn *mine =
				i->src[0].kind == SOURCE_VALUE && !i->src[0].sub ? i->src[0].value->def : NULL;
			bool mergeable = mine && !mine->dead && may_have_guard(mine) && mine->dst->uses == 1 &&
					 mine->block == i->block;
			bool other_way = other && !other->dead && may_have_guard(other) && other->dst->uses == 1 &&
					 other->block == i->block;
			if ((!mergeable && other_way) ||
			    (i->src[0].kind == SOURCE_NUMBER && i->old.kind != SOURCE_NUMBER))
				opposite_guard(i);
			merge_guard(i);
			next = i->next;
		}
	}
}

/* The result of a guarded instruction overwrites the value for the other lanes, in a copy made right before. The copy
 * costs nothing where the register is free anyway; the instruction itself reads the copy, too. */
static void result_in_place(struct ir *f, struct ir_insn *i)
{
	struct source was = i->old;

	i->old = of(move_before(f, i, was)->dst);
	IR_EACH_SOURCE(i, s)
		if (was.kind == SOURCE_VALUE && s->kind == SOURCE_VALUE && s->value == was.value && s->sub == was.sub) {
			s->value = i->old.value;
			s->sub = 0;
		}
}

static void results_in_place(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next)
			if (i->old.kind && i->op != IR_TEX)
				result_in_place(f, i);
}

/* ---- slots ---- */

static bool swap_sources(struct ir_insn *i)
{
	static const uint8_t swapped[8] = { 0, COND_G, COND_E, COND_GE, COND_L, COND_LG, COND_LE, COND_LGE };
	unsigned flags = ir_op_info[i->op].flags;

	if (i->op == IR_SUB || i->op == IR_SUBR)
		i->op = i->op == IR_SUB ? IR_SUBR : IR_SUB;
	else if (i->op == IR_SET || i->op == IR_FSET || i->op == IR_DSET)
		i->cond = (uint8_t)(swapped[i->cond & 7] | (i->cond & COND_U));
	else if (!(flags & COMM))
		return false;
	struct source s = i->src[0];
	i->src[0] = i->src[1];
	i->src[1] = s;
	return true;
}

static bool constant_fits(struct ir *f, const struct ir_insn *i, uint32_t bits)
{
	if (!bits && !(ir_halves(i)))
		return true; /* $r124 */
	if (f->c1.few)
		return false;
	if (ir_immediate(i))
		return true;
	for (size_t k = 0; k < f->c1.n; k++)
		if (f->c1.words[k] == bits)
			return true;
	if (f->c1.n >= CONSTANTS_MAX)
		return false;
	*(uint32_t *)ptx_push(f->m, &f->c1.words, &f->c1.n, sizeof bits) = bits;
	return true;
}

static bool is_load(const struct source *s, const struct ir_insn *user)
{
	const struct ir_insn *d = s->kind == SOURCE_VALUE && !s->sub && !s->half ? s->value->def : NULL;

	return d && d->op == IR_LD && d->space == SPACE_SHARED && d->dst->uses == 1 && d->block == user->block;
}

/* Sources change places where the second slot takes what the first does not. */
static void order_sources(struct ir_insn *i)
{
	struct source c;

	if (as_constant(&i->src[0], &c) && !as_constant(&i->src[1], &c) && i->src[1].kind == SOURCE_VALUE)
		swap_sources(i);
	bool first = is_param(&i->src[0]) || is_load(&i->src[0], i);
	bool second = is_param(&i->src[1]) || is_load(&i->src[1], i);
	if ((i->src[0].kind == SOURCE_NUMBER && i->src[1].kind != SOURCE_NUMBER) || (!first && second))
		swap_sources(i);
}

/* A source for a slot that takes c[] or an immediate. *memory: one of these is there already. */
static void constant_slot(struct ir *f, struct ir_insn *i, unsigned k, bool *memory)
{
	struct source *s = &i->src[k], constant;

	if (!*memory && as_constant(s, &constant)) {
		*s = constant;
		*memory = true;
	}
	if (s->kind != SOURCE_NUMBER)
		return;
	if (*memory || !constant_fits(f, i, s->bits))
		into_register(f, i, s);
	else if (s->bits || (ir_halves(i) && k < 2)) /* halves of 0 are no $r124 */
		*memory = true;
}

static void slots(struct ir *f, struct ir_insn *i)
{
	bool memory = false;

	if (i->op == IR_NOTB) {
		i->op = IR_XOR;
		i->nsrc = 2;
		i->src[1] = number(~0u);
	}
	const char *slot = ir_op_info[i->op].slots;

	if (i->nsrc >= 2 && slot[0] == 's' && slot[1] == 'k')
		order_sources(i);
	if (i->waits && i->src[i->nsrc - 1].kind == SOURCE_NUMBER && !constant_fits(f, i, i->src[i->nsrc - 1].bits))
		into_register(f, i, &i->src[i->nsrc - 1]);
	for (unsigned k = 0; k < i->nsrc && slot[k]; k++) {
		struct source *s = &i->src[k], shared;
		switch (slot[k]) {
		case 'm':
			if (is_param(s) && as_shared(s, &shared))
				*s = shared;
			break;
		case 's':
			if ((is_param(s) && as_shared(s, &shared)) || as_load(s, i, &shared))
				*s = shared;
			else if (s->kind == SOURCE_NUMBER && (s->bits || ir_halves(i) || i->op == IR_CVT))
				into_register(f, i, s);
			break;
		case 'k':
			constant_slot(f, i, k, &memory);
			break;
		case 'r':
			if (s->kind == SOURCE_NUMBER && (s->bits || ir_op_info[i->op].flags & PAIR ||
							 (k == 1 && i->op == IR_ST && ptx_bytes(i->type) < 4)))
				into_register(f, i, s);
			break;
		}
	}
}

/* (x + number) + y as (x + y) + number, which an address takes for nothing. */
static void number_outside(struct ir *f, struct ir_insn *sum)
{
	for (unsigned k = 0; k < 2; k++) {
		struct source *s = &sum->src[k];
		struct ir_insn *d = s->kind == SOURCE_VALUE && !s->sub && !s->half ? s->value->def : NULL;
		if (!d || d->op != IR_ADD || d->guard.kind || d->flags || d->src[1].kind != SOURCE_NUMBER ||
		    d->src[0].kind != SOURCE_VALUE || sum->src[!k].kind != SOURCE_VALUE || sum->flags)
			continue;
		struct ir_insn *inner = ir_insn_new(f, IR_ADD);
		inner->line = sum->line;
		inner->file = sum->file;
		inner->source_line = sum->source_line;
		inner->type = PTX_U32;
		inner->nsrc = 2;
		inner->src[0] = d->src[0];
		inner->src[1] = sum->src[!k];
		inner->dst = ir_value(f, CLASS_WORD);
		inner->dst->def = inner;
		ir_before(sum, inner);
		sum->src[0] = of(inner->dst);
		sum->src[1] = d->src[1];
		return;
	}
}

/* s[], l[] and c[] have an address register and an offset: sums with numbers and shifts left move there. */
static void fold_address(struct ir *f, struct ir_insn *i)
{
	struct source *s = &i->src[0];

	if (i->space == SPACE_GLOBAL)
		return;
	for (;;) {
		struct ir_insn *d = s->kind == SOURCE_VALUE && !s->sub ? s->value->def : NULL;
		if (s->kind == SOURCE_NUMBER) {
			i->offset += s->bits << i->shift;
			*s = number(0);
			return;
		}
		if (d && d->op == IR_ADD && !d->guard.kind)
			number_outside(f, d);
		if (!d || d->guard.kind || d->nsrc != 2 || d->src[1].kind != SOURCE_NUMBER)
			return;
		if (d->op == IR_ADD) {
			i->offset += d->src[1].bits << i->shift;
		} else if (d->op == IR_SHL && d->src[1].bits + i->shift < 16) {
			i->shift = (uint8_t)(i->shift + d->src[1].bits);
		} else {
			return;
		}
		*s = d->src[0];
	}
}

/* ---- textures ---- */

static void used_component(struct source *s)
{
	struct ir_insn *d = s->kind == SOURCE_VALUE ? s->value->def : NULL;

	if (d && d->op == IR_TEX)
		d->mask |= (uint8_t)(1u << s->sub);
}

static void rank_component(struct source *s)
{
	struct ir_insn *d = s->kind == SOURCE_VALUE ? s->value->def : NULL;

	if (d && d->op == IR_TEX)
		s->sub = (uint8_t)__builtin_popcount(d->mask & ((1u << s->sub) - 1));
}

/* A texture read has registers for the coordinates and for the components in use alone. Reads of several textures into
 * the same registers, for lanes of their own (lower_texture.c), have the components of the last. */
static void textures(struct ir *f)
{
	for (unsigned pass = 0; pass < 2; pass++) {
		for (size_t n = 0; n < f->nblocks; n++)
			for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next) {
				IR_EACH_SOURCE(i, s)
					(pass ? rank_component : used_component)(s);
				if (i->op != IR_TEX)
					(pass ? rank_component : used_component)(&i->old);
			}
		for (size_t n = 0; !pass && n < f->nblocks; n++)
			for (struct ir_insn *i = f->blocks[n]->tail; i; i = i->previous)
				if (i->op == IR_TEX && i->old.value->def->op == IR_TEX)
					i->old.value->def->mask = i->mask;
	}
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next) {
			if (i->op != IR_TEX)
				continue;
			unsigned words = (unsigned)__builtin_popcount(i->mask);
			words = words > i->coords ? words : i->coords;
			i->dst->class = i->old.value->class = class_run(words);
			if (i->old.value->def->op == IR_PACK)
				i->old.value->def->nsrc = words;
		}
}

/* A parameter goes to the phi's register at once. */
static void params_of_phi(struct ir_insn *phi)
{
	IR_EACH_SOURCE(phi, s)
		if (is_param(s) && !s->half)
			*s = (struct source){ .kind = SOURCE_SHARED, .type = s->value->def->type,
					      .bits = s->value->def->offset };
}

static bool reads(struct ir_insn *i, const struct value *v)
{
	bool found = (i->guard.kind == SOURCE_VALUE && i->guard.value == v) ||
		     (i->old.kind == SOURCE_VALUE && i->old.value == v);

	IR_EACH_SOURCE(i, s)
		found |= s->kind == SOURCE_VALUE && s->value == v;
	return found;
}

/* The next value of a loop's variable, computed of the present one alone, is computed behind the last reader of the
 * present one: both fit in one register. */
static void next_values_last(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *phi = f->blocks[n]->head; phi && phi->op == IR_PHI; phi = phi->next)
			IR_EACH_SOURCE(phi, s) {
				struct ir_insn *d = s->kind == SOURCE_VALUE && !s->sub ? s->value->def : NULL,
					       *last = NULL;
				if (!d || d->op == IR_PHI || d->op == IR_PACK || !(ir_op_info[d->op].flags & FREE) ||
				    d->guard.kind || d->flags || d->dst->uses != 1 || !reads(d, phi->dst))
					continue;
				bool alone = true;
				IR_EACH_SOURCE(d, x)
					alone &= !x->load && (x->kind != SOURCE_VALUE || x->value == phi->dst);
				for (struct ir_insn *i = d->next; i && alone; i = i->next)
					last = reads(i, phi->dst) ? i : last;
				if (!last)
					continue;
				struct ir_block *b = d->block;
				ir_remove(d);
				d->dead = false;
				d->next = d->previous = NULL;
				if (last->next)
					ir_before(last->next, d);
				else
					ir_append(f, b, d);
			}
}

void legalize(struct ir *f)
{
	f->c1.n = 0;
	f->c1.words = NULL;
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next)
			if (i->op == IR_LD || i->op == IR_ST || i->op == IR_LDLOCK || i->op == IR_STUNLOCK)
				fold_address(f, i);
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next)
			if (i->op == IR_STUNLOCK)
				unlock_without_selection(i);
	drop_dead(f);
	textures(f);
	selections(f);
	results_in_place(f);
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next)
			if (i->op == IR_PHI)
				params_of_phi(i);
			else if (i->op != IR_PACK && i->op != IR_LDPARAM)
				slots(f, i);
	/* Numbers and parameters as parts of pairs are copied there by allocate.c. Parameters that are no s[] operand
	 * anywhere are moved to a register. */
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next)
			if (i->op == IR_LDPARAM) {
				i->op = IR_MOV;
				i->nsrc = 1;
				i->src[0] =
					(struct source){ .kind = SOURCE_SHARED, .type = i->type, .bits = i->offset };
				i->type = PTX_U32;
				i->offset = 0;
			}
	drop_dead(f);
	next_values_last(f);
}
