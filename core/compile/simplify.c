/* Phis of a single value go, predicates are joined as words, common operations are made once, dead operations not at
 * all, and products of words become shifts or products of halves as ranges and constants allow. */
#include "core/compile/ir.h"

#include <string.h>

/* ---- phis ---- */

static bool same_source(const struct source *a, const struct source *b)
{
	return a->kind == b->kind && a->value == b->value && a->sub == b->sub && a->half == b->half &&
	       a->bits == b->bits && a->type == b->type && a->neg == b->neg && a->abs == b->abs && a->not == b->not;
}

static void resolve_all(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++) {
		struct ir_block *b = f->blocks[n];
		for (struct ir_insn *i = b->head; i; i = i->next) {
			IR_EACH_SOURCE(i, s)
				ir_resolve(s);
			ir_resolve(&i->guard);
			ir_resolve(&i->old);
		}
		ir_resolve(&b->test);
	}
}

/* A phi of the same number from everywhere becomes an ordinary copy, behind the phis. */
static void copy_number(struct ir *f, struct ir_block *b, struct ir_insn *i, const struct source *number)
{
	struct ir_insn *at;

	i->op = IR_MOV;
	i->nsrc = 1;
	i->src[0] = *number;
	i->args = NULL;
	ir_remove(i);
	i->dead = false;
	i->next = i->previous = NULL;
	for (at = b->head; at && at->op == IR_PHI; at = at->next)
		;
	if (at)
		ir_before(at, i);
	else
		ir_append(f, b, i);
}

/* A phi of a single value, besides the phi itself, is the value. A phi of a number or a part of a pair becomes a copy.
 */
static bool drop_copies(struct ir *f, struct ir_block *b)
{
	bool changed = false;

	for (struct ir_insn *i = b->head, *next; i && i->op == IR_PHI; i = next) {
		struct source one = { 0 };
		bool copy = true;
		next = i->next;
		for (unsigned k = 0; k < i->nsrc && copy; k++) {
			ir_resolve(&i->args[k]);
			if (i->args[k].kind == SOURCE_VALUE && i->args[k].value == i->dst && !i->args[k].not)
				continue;
			copy = one.kind == SOURCE_NONE || same_source(&one, &i->args[k]);
			one = i->args[k];
		}
		bool whole = one.kind == SOURCE_VALUE && !one.sub &&
			     (!one.not || i->dst->class == CLASS_PRED) && one.value->class == i->dst->class;
		if (copy && whole) {
			i->dst->same = one.value;
			i->dst->same_not = one.not;
			ir_remove(i);
			changed = true;
		} else if (copy && one.kind != SOURCE_NONE && i->dst->class == CLASS_WORD && !one.not) {
			copy_number(f, b, i, &one);
			changed = true;
		}
	}
	return changed;
}

/* A phi of predicates becomes a phi of words: 0 or all ones. */
static void words_for_predicates(struct ir *f)
{
	size_t blocks = f->nblocks;

	for (size_t n = 0; n < blocks; n++) {
		struct ir_block *b = f->blocks[n];
		for (struct ir_insn *i = b->head, *next; i && i->op == IR_PHI; i = next) {
			next = i->next;
			if (i->dst->class != CLASS_PRED)
				continue;
			struct value *p = i->dst;
			i->dst = ir_value(f, CLASS_WORD);
			i->dst->def = i;
			struct ir_insn *at = b->head;
			while (at && at->op == IR_PHI)
				at = at->next;
			struct ir_insn *set = ir_insn_new(f, IR_SET);
			set->type = PTX_U32;
			set->cond = COND_LG;
			set->nsrc = 2;
			set->src[0] = of(i->dst);
			set->src[1] = number(0);
			set->flags = p;
			p->def = set;
			if (at)
				ir_before(at, set);
			else
				ir_append(f, b, set);
			f->before = NULL;
			for (unsigned k = 0; k < i->nsrc; k++) {
				f->current = b->from[k];
				f->line = f->current->line;
				f->file = f->current->file;
				f->source_line = f->current->source_line;
				i->args[k] = ir_mask_of(f, i->args[k]);
			}
		}
	}
}

/* ---- copies and common operations ---- */

static uint32_t mix(uint32_t h, uint32_t x) { return (h ^ x) * 0x9e3779b1u + (h >> 15); }

static uint32_t hash_source(uint32_t h, const struct source *s)
{
	h = mix(h, (uint32_t)(s->kind | s->sub << 4 | s->half << 8 | s->neg << 12 | s->abs << 13 | s->not << 14));
	return mix(h, s->kind == SOURCE_VALUE ? s->value->id : s->bits);
}

static uint32_t hash_insn(struct ir_insn *i)
{
	uint32_t h = mix(mix((uint32_t)i->op, (uint32_t)(i->type | i->from << 8 | i->cond << 16 | i->round << 24)),
			 i->offset);

	IR_EACH_SOURCE(i, s)
		h = hash_source(h, s);
	return mix(h, (uint32_t)(i->sat | i->negate << 1 | i->absolute << 2));
}

static bool same_insn(const struct ir_insn *a, const struct ir_insn *b)
{
	if (a->op != b->op || a->type != b->type || a->from != b->from || a->cond != b->cond || a->round != b->round ||
	    a->nsrc != b->nsrc || a->sat != b->sat || a->negate != b->negate || a->absolute != b->absolute ||
	    a->offset != b->offset || a->number != b->number || !a->dst != !b->dst || !a->flags != !b->flags ||
	    (a->flags && a->flags->test != b->flags->test))
		return false;
	const struct source *x = a->op == IR_PACK ? a->args : a->src, *y = b->op == IR_PACK ? b->args : b->src;
	for (unsigned k = 0; k < a->nsrc; k++)
		if (!same_source(&x[k], &y[k]))
			return false;
	return true;
}

/* The source of a copy takes the place of the result. */
static void put_through(struct source *s)
{
	for (;;) {
		ir_resolve(s);
		struct ir_insn *i = s->kind == SOURCE_VALUE ? s->value->def : NULL;
		if (!i || i->op != IR_MOV || i->guard.kind || i->dst != s->value || i->src[0].kind == SOURCE_SHARED)
			return;
		struct source from = i->src[0];
		ir_resolve(&from);
		if (from.kind == SOURCE_NUMBER) {
			if (s->neg || s->abs || s->not)
				return;
			*s = s->half ? half_of(from, s->half) : from;
			return;
		}
		from.half = s->half;
		from.neg = s->neg;
		from.abs = s->abs;
		from.not = s->not;
		*s = from;
	}
}

enum { SEEN_MAX = 256 }; /* operations of a bucket that are looked at: blocks side by side may all make the same */

struct seen {
	struct ir_insn *insn;
	struct seen *next;
};

/* An operation of which a source has become a number is folded anew. True: the operation is gone. */
static bool fold_again(struct ir *f, struct ir_insn *i)
{
	static const enum ir_op ops[] = { IR_ADD, IR_SUB, IR_SUBR, IR_AND, IR_OR,  IR_XOR,   IR_SHL,
					  IR_SHR, IR_SAR, IR_MIN,  IR_MAX, IR_NOTB, IR_MUL16, IR_MUL24 };
	bool folds = false;

	for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
		folds |= i->op == ops[k];
	if (!folds || i->guard.kind || i->flags || i->dst->class != CLASS_WORD)
		return false;
	f->before = i;
	f->line = i->line;
	f->file = i->file;
	f->source_line = i->source_line;
	struct source s = ir_typed(f, i->op, (enum ptx_type)i->type, i->nsrc, i->src);
	f->before = NULL;
	if (s.kind == SOURCE_VALUE && !s.half && !s.sub && s.value->class == CLASS_WORD) {
		i->dst->same = s.value;
		ir_remove(i);
		return true;
	}
	i->op = IR_MOV;
	i->type = PTX_U32;
	i->nsrc = 1;
	i->src[0] = s;
	return false;
}

/* Sources, but a phi's, take what their values are the same as. True: a value has become a number. */
static bool sources_through(struct ir_insn *i)
{
	bool numbers = false;

	if (i->op == IR_PHI)
		return false;
	IR_EACH_SOURCE(i, s) {
		bool was = s->kind == SOURCE_VALUE;
		put_through(s);
		numbers |= was && s->kind == SOURCE_NUMBER;
	}
	return numbers;
}

/* Walk in reverse postorder: an operation of a dominating block is not made again. */
void common_operations(struct ir *f)
{
	size_t buckets = 1;
	struct seen **table;

	while (buckets < f->nvalues + 16)
		buckets *= 2;
	table = ptx_new(f->m, buckets * sizeof(struct seen *));
	for (size_t n = 0; n < f->nblocks; n++) {
		struct ir_block *b = f->blocks[n];
		for (struct ir_insn *i = b->head, *next; i; i = next) {
			next = i->next;
			if (sources_through(i) && fold_again(f, i))
				continue;
			ir_resolve(&i->guard);
			put_through(&i->old);
			if (!(ir_op_info[i->op].flags & FREE) || i->op == IR_PHI || i->coords || i->guard.kind ||
			    (i->dst && i->flags))
				continue;
			struct seen **bucket = &table[hash_insn(i) & (buckets - 1)], *x = *bucket;
			unsigned steps = 0;
			while (x && !(same_insn(x->insn, i) && !x->insn->dead &&
				      (x->insn->block == b || (!i->flags && graph_dominates(x->insn->block, b)))))
				x = ++steps < SEEN_MAX ? x->next : NULL;
			if (x) {
				if (i->dst)
					i->dst->same = x->insn->dst;
				if (i->flags)
					i->flags->same = x->insn->flags;
				ir_remove(i);
			} else {
				struct seen *new = ptx_new(f->m, sizeof *new);
				*new = (struct seen){ i, *bucket };
				*bucket = new;
			}
		}
		ir_resolve(&b->test);
	}
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i && i->op == IR_PHI; i = i->next)
			IR_EACH_SOURCE(i, s)
				put_through(s);
	resolve_all(f);
}

/* ---- dead operations ---- */

static void use(struct source *s, struct ir_insn **work, size_t *n)
{
	if (s->kind != SOURCE_VALUE || s->value->uses++)
		return;
	struct ir_insn *i = s->value->def;
	if (i && i->dead) {
		i->dead = false;
		work[(*n)++] = i;
	}
}

/* Nobody reads the result of an instruction that stays. */
static void drop_result(struct ir_insn *i)
{
	bool reduces = i->op == IR_ATOM && !strncmp(i->word, "ld ", 3); /* no use of the old word */

	if (reduces) {
		i->op = IR_RED;
		i->word += 3;
	}
	if (reduces || (i->flags && i->op != IR_LDLOCK)) /* the lock's load has no form without */
		i->dst = NULL;
}

void drop_dead(struct ir *f)
{
	struct ir_insn **work = ptx_new(f->m, (f->ninsns + 1) * sizeof *work);
	size_t n = 0;

	for (size_t v = 0; v < f->nvalues; v++)
		f->values[v]->uses = 0;
	for (size_t b = 0; b < f->nblocks; b++)
		for (struct ir_insn *i = f->blocks[b]->head; i; i = i->next) {
			i->dead = !(ir_op_info[i->op].flags & EFFECT) && !i->is_volatile && i->op != IR_NOP;
			if (!i->dead)
				work[n++] = i;
		}
	for (size_t b = 0; b < f->nblocks; b++)
		if (f->blocks[b]->end == END_BRANCH)
			use(&f->blocks[b]->test, work, &n);
	while (n) {
		struct ir_insn *i = work[--n];
		IR_EACH_SOURCE(i, s)
			use(s, work, &n);
		use(&i->guard, work, &n);
		use(&i->old, work, &n);
	}
	for (size_t b = 0; b < f->nblocks; b++)
		for (struct ir_insn *i = f->blocks[b]->head, *next; i; i = next) {
			next = i->next;
			if (i->dead)
				ir_remove(i);
			else if (i->flags && !i->flags->uses && i->op != IR_VOTE && i->op != IR_LDLOCK)
				i->flags = NULL;
			if (!i->dead && i->dst && !i->dst->uses)
				drop_result(i);
		}
}

/* ---- products of words ---- */

static unsigned bits_of(const struct source *s)
{
	uint32_t zeros = s->kind == SOURCE_NUMBER                                              ? ~s->bits
			 : s->kind == SOURCE_VALUE && s->value->class == CLASS_WORD && !s->sub ? s->value->zeros
											       : 0;

	return ~zeros ? 32u - (unsigned)__builtin_clz(~zeros) : 0;
}

/* By shifts and at most one sum or difference. */
static bool by_shifts(struct ir *f, struct source a, uint32_t n, struct source *out)
{
	uint32_t low = n & -n, rest = n - low;
	unsigned shift = (unsigned)__builtin_ctz(n);

	if (!(n & (n - 1))) {
		*out = OP(f, SHL, a, number(shift));
		return true;
	}
	if (rest && !(rest & (rest - 1))) {
		*out = OP(f, ADD, OP(f, SHL, a, number((uint32_t)__builtin_ctz(rest))), OP(f, SHL, a, number(shift)));
		return true;
	}
	uint32_t up = n + low;
	if (!(up & (up - 1))) {
		struct source high = up ? OP(f, SHL, a, number((uint32_t)__builtin_ctz(up))) : number(0);
		*out = OP(f, SUB, high, OP(f, SHL, a, number(shift)));
		return true;
	}
	return false;
}

static struct source product(struct ir *f, struct source a, struct source b)
{
	struct source out;
	unsigned x = bits_of(&a), y = bits_of(&b);

	if (b.kind == SOURCE_NUMBER && b.bits && by_shifts(f, a, b.bits, &out))
		return out;
	if (x <= 16 && y <= 16)
		return TYPED(f, MUL16, PTX_U16, half_of(a, 1), half_of(b, 1));
	if (x <= 24 && y <= 24)
		return TYPED(f, MUL24, PTX_U32, a, b);
	struct source low = number(0);
	if (y <= 16) /* half of the cross products is gone */
		low = TYPED(f, MUL16, PTX_U16, half_of(a, 2), half_of(b, 1));
	else if (x <= 16)
		low = TYPED(f, MUL16, PTX_U16, half_of(a, 1), half_of(b, 2));
	else {
		low = TYPED(f, MUL16, PTX_U16, half_of(a, 2), half_of(b, 1));
		low = TYPED(f, MAD16, PTX_U16, half_of(a, 1), half_of(b, 2), low);
	}
	return TYPED(f, MAD16, PTX_U16, half_of(a, 1), half_of(b, 1), OP(f, SHL, low, number(16)));
}

static void products(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++) {
		for (struct ir_insn *i = f->blocks[n]->head, *next; i; i = next) {
			next = i->next;
			if (i->op != IR_IMUL)
				continue;
			struct value *twin = i->twin;
			while (twin && twin->same)
				twin = twin->same;
			struct source out;
			if (twin && twin->def && !twin->def->dead && twin->def->block == i->block && twin->uses) {
				/* The sum stands before the product: the upper word was made first. */
				out = of(twin);
			} else {
				f->before = i;
				f->line = i->line;
				f->file = i->file;
				f->source_line = i->source_line;
				out = product(f, i->src[0], i->src[1]);
				f->before = NULL;
			}
			if (out.kind == SOURCE_VALUE && !out.sub) {
				i->dst->same = out.value;
				ir_remove(i);
			} else {
				i->op = IR_MOV;
				i->nsrc = 1;
				i->src[0] = out;
			}
		}
	}
	resolve_all(f);
}

/* A sum with a product of a single use. */
static void multiply_and_add(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++) {
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next) {
			if (i->op != IR_ADD || i->guard.kind || i->flags)
				continue;
			for (unsigned k = 0; k < 2; k++) {
				struct ir_insn *m = i->src[k].kind == SOURCE_VALUE ? i->src[k].value->def : NULL;
				if (!m || m->dead || m->guard.kind || m->flags || m->dst->uses != 1 ||
				    m->block != i->block ||
				    (m->op != IR_MUL16 && m->op != IR_MUL24 && m->op != IR_MUL24H))
					continue;
				struct source c = i->src[!k];
				if (c.kind == SOURCE_NUMBER && m->src[1].kind == SOURCE_NUMBER)
					continue;
				i->op = m->op == IR_MUL16 ? IR_MAD16 : m->op == IR_MUL24 ? IR_MAD24 : IR_MAD24H;
				i->type = m->type;
				i->nsrc = 3;
				i->src[0] = m->src[0];
				i->src[1] = m->src[1];
				i->src[2] = c;
				ir_remove(m);
				break;
			}
		}
	}
}

void simplify_phis_of(struct ir *f, struct ir_block *b)
{
	drop_copies(f, b);
}

/* A phi may wait for phis of blocks before, or of loops inside. Turns go through the blocks in their order; from the
 * fourth on every second turn goes backwards, which takes loops nested at any depth at once. */
void simplify_phis(struct ir *f)
{
	bool changed;
	unsigned turn = 0;

	do {
		bool back = turn > 2 && turn % 2;
		changed = false;
		resolve_all(f);
		for (size_t n = 0; n < f->nblocks; n++)
			changed |= drop_copies(f, f->blocks[back ? f->nblocks - 1 - n : n]);
		ptx_tick(f->m);
		turn++;
	} while (changed);
}

void simplify(struct ir *f)
{
	graph_order(f);
	graph_dominators(f);
	simplify_phis(f);
	words_for_predicates(f);
	resolve_all(f);
	common_operations(f);
	drop_dead(f);
	products(f);
	common_operations(f);
	drop_dead(f);
	multiply_and_add(f);
	drop_dead(f);
}
