/* Values without a register go to l[]: the live values whose reloads cost least, until nowhere are more alive than
 * registers. All values of a turn are chosen first, and then all uses are replaced in one walk. */
#include "core/compile/allocate.h"

#include <string.h>

enum { SOURCES_MAX = 8 };        /* of an instruction, guard and old result among them */

static struct ir_insn *memory_insn(struct ir *f, enum ir_op op, const struct value *v, uint32_t slot)
{
	struct ir_insn *i = ir_insn_new(f, op);

	i->space = SPACE_LOCAL;
	i->type = v->class == CLASS_WORD ? PTX_B32 : v->class == CLASS_PAIR ? PTX_B64 : PTX_NONE;
	i->offset = slot;
	i->src[0] = number(0);
	i->nsrc = op == IR_LD ? 1 : 2;
	return i;
}

/* The value is made again for each use: a number, a parameter, a pair of numbers. */
static bool cheap(const struct value *v)
{
	struct ir_insn *i = v->def;

	if (!i || i->guard.kind || (i->op != IR_MOV && i->op != IR_PACK))
		return false;
	IR_EACH_SOURCE(i, s)
		if (s->kind == SOURCE_VALUE)
			return false;
	return true;
}

/* A copy of the spilled value for one use, before `at` or at the end of block b. */
static struct value *reload(struct ir *f, struct value *v, uint32_t slot, struct ir_insn *at, struct ir_block *b)
{
	struct ir_insn *i;

	if (v->class == CLASS_PRED) {
		i = ir_insn_new(f, IR_TOCOND);
		i->nsrc = 1;
		i->src[0] = of(v->saved);
		i->flags = ir_value(f, CLASS_PRED);
		i->flags->test = v->test;
		i->flags->def = i;
		i->flags->uses = 1;
		i->flags->spilled = true;
		v->saved->uses++;
	} else {
		if (cheap(v)) {
			i = ir_insn_new(f, v->def->op);
			i->type = v->def->type;
			i->nsrc = v->def->nsrc;
			i->src[0] = v->def->src[0];
			i->args = v->def->args;
		} else {
			i = memory_insn(f, IR_LD, v, slot);
		}
		i->dst = ir_value(f, v->class);
		i->dst->def = i;
		i->dst->uses = 1;
		i->dst->spilled = true;
	}
	i->line = at ? at->line : b->line;
	i->file = at ? at->file : b->file;
	i->source_line = at ? at->source_line : b->source_line;
	if (at)
		ir_before(at, i);
	else
		ir_append(f, b, i);
	return v->class == CLASS_PRED ? i->flags : i->dst;
}

/* Some instruction from `i` to the end of the block reloads the slot. */
static bool reloads_after(const struct ir_insn *i, uint32_t slot)
{
	for (; i; i = i->next)
		if (i->op == IR_LD && i->space == SPACE_LOCAL && i->dst->spilled && i->offset == slot)
			return true;
	return false;
}

/* A phi in memory: each block before stores its argument, behind the reloads for other phis; right behind the
 * argument's own reload where no other one needs the slot. */
static void store_arguments(struct ir *f, struct value *v, uint32_t slot)
{
	struct ir_insn *phi = v->def;

	for (unsigned k = 0; k < phi->nsrc; k++) {
		struct ir_block *b = phi->block->from[k];
		struct source s = phi->args[k];
		if (s.kind == SOURCE_NONE || (s.kind == SOURCE_VALUE && s.value == v))
			continue;
		bool zero = s.kind == SOURCE_NUMBER && !s.bits;
		if (s.kind != SOURCE_VALUE && !zero) { /* a store takes a register */
			struct ir_insn *m = ir_insn_new(f, IR_MOV);
			m->type = PTX_U32;
			m->nsrc = 1;
			m->src[0] = s;
			m->dst = ir_value(f, CLASS_WORD);
			m->dst->def = m;
			m->dst->uses = 1;
			m->dst->spilled = true;
			ir_append(f, b, m);
			s = of(m->dst);
		}
		struct ir_insn *i = memory_insn(f, IR_ST, v, slot);
		i->src[1] = s;
		i->line = b->line;
		i->file = b->file;
		i->source_line = b->source_line;
		struct ir_insn *load = s.kind == SOURCE_VALUE && s.value->spilled ? s.value->def : NULL;
		if (load && load->block == b && load->next && load->op == IR_LD && !reloads_after(load->next, slot))
			ir_before(load->next, i);
		else
			ir_append(f, b, i);
	}
	ir_remove(phi);
}

/* ---- choice ---- */

static bool cheaper(struct candidate a, struct candidate b)
{
	return a.weight < b.weight || (!(b.weight < a.weight) && a.id < b.id);
}

void heap_push(struct ir *f, struct heap *h, struct candidate new)
{
	size_t k = h->n++;

	if (k == h->space) {
		struct candidate *more = ptx_new(f->m, (2 * h->space + 64) * sizeof *more);
		if (k)
			memcpy(more, h->c, k * sizeof *more);
		h->c = more;
		h->space = 2 * h->space + 64;
	}
	for (; k && cheaper(new, h->c[(k - 1) / 2]); k = (k - 1) / 2)
		h->c[k] = h->c[(k - 1) / 2];
	h->c[k] = new;
}

void heap_pop(struct heap *h)
{
	struct candidate moved = h->c[--h->n];
	size_t k = 0;

	for (size_t low; (low = 2 * k + 1) < h->n; k = low) {
		low += low + 1 < h->n && cheaper(h->c[low + 1], h->c[low]);
		if (!cheaper(h->c[low], moved))
			break;
		h->c[k] = h->c[low];
	}
	h->c[k] = moved;
}

/* A value that goes to l[]. */
struct chosen {
	struct value *value;
	struct ir_insn *behind;  /* store, or flags as a word, behind the definition; NULL: none */
	uint32_t slot;
};

struct pressure {
	struct ir *f;
	size_t before;           /* values that count: made before this turn */
	uint32_t *live;          /* by id: `block` while the value is alive */
	uint32_t block;          /* 1 + number of the block that is walked: values of others are not alive */
	uint32_t *choice;        /* by id: 1 + index of the value's row of `chosen`; 0: not chosen */
	struct chosen *chosen;
	size_t nchosen;
	float *weight;
	struct heap heap[2];     /* words, predicates */
	unsigned words, preds;
};

/* Cost of reloading: uses, weighted by the depth of loops. */
static void weigh(struct ir *f, float *weight)
{
	static const float depth_weight[] = { 1, 8, 64, 512, 4096 };

	for (size_t n = 0; n < f->nblocks; n++) {
		const struct ir_block *b = f->blocks[n];
		float w = depth_weight[b->depth < 5 ? b->depth : 4];
		for (struct ir_insn *i = b->head; i; i = i->next) {
			IR_EACH_SOURCE(i, s)
				if (s->kind == SOURCE_VALUE)
					weight[s->value->id] += w;
			if (i->guard.kind == SOURCE_VALUE)
				weight[i->guard.value->id] += w;
			if (i->old.kind == SOURCE_VALUE)
				weight[i->old.value->id] += 1e9f; /* shares a register with a result */
			if (i->dst)
				weight[i->dst->id] += i->old.kind ? 1e9f : w;
		}
	}
}

static void count(struct pressure *p, const struct value *v, int sign)
{
	if (v->class == CLASS_PRED)
		p->preds += (unsigned)sign;
	else
		p->words += (unsigned)sign * class_words(v->class);
}

static bool may_go(const struct value *v)
{
	return !v->spilled && v->uses && v->def && v->def->op != IR_NOP &&
	       !(v->class >= CLASS_RUN2 && v->class <= CLASS_RUN4);
}

static bool is_alive(const struct pressure *p, uint32_t id) { return p->live[id] == p->block; }

static void begins(struct pressure *p, const struct value *v)
{
	if (is_alive(p, v->id))
		return;
	p->live[v->id] = p->block;
	count(p, v, 1);
	if (may_go(v) && !p->choice[v->id])
		heap_push(p->f, &p->heap[v->class == CLASS_PRED],
			  (struct candidate){ cheap(v) ? p->weight[v->id] / 4 : p->weight[v->id], v->id });
}

/* A use of a chosen value is a copy's, made right before. */
static void begins_by_use(void *pressure, struct source *s)
{
	struct pressure *p = pressure;

	if (!p->choice[s->value->id])
		begins(p, s->value);
}

static void ends(struct pressure *p, const struct value *v)
{
	if (is_alive(p, v->id)) {
		p->live[v->id] = 0;
		count(p, v, -1);
	}
}

static void begins_at_end(struct pressure *p, struct ir_block *b)
{
	p->block++;
	p->words = p->preds = 0;
	p->heap[0].n = p->heap[1].n = 0;
	for (size_t k = 0; k < b->live_out.n; k++)
		if (!p->choice[b->live_out.id[k]])
			begins(p, p->f->values[b->live_out.id[k]]);
	if (b->end == END_BRANCH && b->test.kind == SOURCE_VALUE)
		begins_by_use(p, &b->test);
}

/* The live value whose reloads cost least; NULL: none may go to memory. */
static struct value *cheapest(struct pressure *p, bool preds)
{
	struct heap *h = &p->heap[preds];

	while (h->n && (!is_alive(p, h->c[0].id) || p->choice[h->c[0].id]))
		heap_pop(h);
	return h->n ? p->f->values[h->c[0].id] : NULL;
}

static void choose(struct pressure *p, struct value *v)
{
	struct ir *f = p->f;
	uint32_t bytes = 4 * class_words(v->class);
	struct chosen *c = ptx_push(f->m, &p->chosen, &p->nchosen, sizeof *c);

	*c = (struct chosen){ .value = v };
	p->choice[v->id] = (uint32_t)p->nchosen;
	v->spilled = true;
	if (v->class == CLASS_PRED) { /* flags as a word, a candidate for a spill in turn */
		c->behind = ir_insn_new(f, IR_TOREG);
		c->behind->nsrc = 1;
		c->behind->src[0] = of(v);
		c->behind->dst = v->saved = ir_value(f, CLASS_WORD);
		c->behind->dst->def = c->behind;
	} else if (!cheap(v)) {
		c->slot = (f->local_bytes + f->spills.bytes + bytes - 1) & -bytes;
		f->spills.bytes = c->slot + bytes - f->local_bytes;
		struct slot_home *home = ptx_push(f->m, &f->spills.homes, &f->spills.n, sizeof *home);
		*home = (struct slot_home){ c->slot, v };
		if (v->def->op != IR_PHI) {
			c->behind = memory_insn(f, IR_ST, v, c->slot);
			c->behind->src[1] = of(v);
		}
	}
}

static void choose_in_block(struct pressure *p, struct ir_block *b, unsigned limit)
{
	begins_at_end(p, b);
	for (struct ir_insn *i = b->tail;; i = i->previous) {
		if (i && i->dst) /* a result without a use needs a register, too */
			begins(p, i->dst);
		if (i && i->flags)
			begins(p, i->flags);
		while (p->words > limit || p->preds > PREDS) {
			struct value *best = cheapest(p, p->preds > PREDS);
			if (!best)
				break;
			choose(p, best);
			ends(p, best);
		}
		if (!i)
			break;
		if (i->dst)
			ends(p, i->dst);
		if (i->flags)
			ends(p, i->flags);
		each_use(i, begins_by_use, p);
	}
}

/* ---- uses ---- */

struct replacing {
	struct pressure *p;
	struct ir_insn *user;
	struct value *was[SOURCES_MAX], *copy[SOURCES_MAX];
	unsigned n;
};

static const struct chosen *chosen_of(const struct pressure *p, const struct source *s)
{
	bool known = s->kind == SOURCE_VALUE && s->value->id < p->before && p->choice[s->value->id];

	return known ? &p->chosen[p->choice[s->value->id] - 1] : NULL;
}

static void replace_use(void *context, struct source *s)
{
	struct replacing *r = context;
	const struct chosen *c = chosen_of(r->p, s);
	unsigned k = 0;

	if (!c)
		return;
	while (k < r->n && r->was[k] != s->value)
		k++;
	if (k == r->n) {
		r->was[r->n] = s->value;
		r->copy[r->n++] = reload(r->p->f, s->value, c->slot, r->user, NULL);
	}
	s->value = r->copy[k];
}

static void replace_in_block(struct pressure *p, struct ir_block *b)
{
	for (struct ir_insn *i = b->head; i; i = i->next) {
		struct replacing r = { .p = p, .user = i };
		for (unsigned k = 0; i->op == IR_PHI && k < i->nsrc; k++) {
			const struct chosen *c = chosen_of(p, &i->args[k]);
			if (c && c->value != i->dst)
				i->args[k].value = reload(p->f, c->value, c->slot, NULL, b->from[k]);
		}
		each_use(i, replace_use, &r);
	}
	const struct chosen *c = b->end == END_BRANCH ? chosen_of(p, &b->test) : NULL;
	if (c)
		b->test.value = reload(p->f, c->value, c->slot, NULL, b);
}

/* The definition stores the value, or there is none any more. */
static void at_definition(struct ir *f, const struct chosen *c)
{
	struct value *v = c->value;
	struct ir_insn *def = v->def;

	if (def->op == IR_PHI) {
		store_arguments(f, v, c->slot);
	} else if (c->behind) {
		c->behind->line = def->line;
		c->behind->file = def->file;
		c->behind->source_line = def->source_line;
		if (def->next)
			ir_before(def->next, c->behind);
		else
			ir_append(f, def->block, c->behind);
		if (v->class == CLASS_PRED)
			v->saved->uses++;
	} else {
		def->dst->uses = 0;
	}
}

bool spill_some(struct ir *f, unsigned limit)
{
	size_t before = f->nvalues;
	struct pressure p = { .f = f, .before = before };

	p.live = ptx_new(f->m, (before + 1) * sizeof *p.live);
	p.choice = ptx_new(f->m, (before + 1) * sizeof *p.choice);
	p.weight = ptx_new(f->m, (before + 1) * sizeof *p.weight);
	weigh(f, p.weight);
	for (size_t n = 0; n < f->nblocks; n++)
		choose_in_block(&p, f->blocks[n], limit);
	if (!p.nchosen)
		return false;
	for (size_t n = 0; n < f->nblocks; n++)
		replace_in_block(&p, f->blocks[n]);
	for (size_t k = 0; k < p.nchosen; k++)
		at_definition(f, &p.chosen[k]);
	return true;
}
