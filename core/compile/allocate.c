/* Registers. The dominator tree is walked top down, with the register of a value known at each use;
 * a value takes the lowest free register, or a register that saves a copy. Values without a register go to l[].
 * Copies of phis are made at the ends of the blocks before. */
#include "core/compile/ir.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 128, PREDS = 4, HALVES_MAX = 64 };
#define LIVE_BYTES_MAX (UINT64_C(1) << 30)

struct allocation {
	struct ir *f;
	unsigned limit; /* registers there are */
	size_t set_words; /* 64-bit words of a set of values */
	struct value *word[WORDS]; /* value in each register */
	struct value *pred[PREDS];
	uint64_t *live;
	uint32_t most; /* highest register used + 1 */
	struct value *failed; /* a value without a register; NULL: all have one */
};

static bool has(const uint64_t *set, uint32_t id) { return set[id / 64] >> (id % 64) & 1; }
static void add(uint64_t *set, uint32_t id) { set[id / 64] |= 1ull << (id % 64); }
static void take(uint64_t *set, uint32_t id) { set[id / 64] &= ~(1ull << (id % 64)); }

/* ---- liveness ---- */

static void each_use(struct ir_insn *i, void (*fn)(void *, struct source *), void *context)
{
	if (i->op != IR_PHI)
		IR_EACH_SOURCE(i, s)
			if (s->kind == SOURCE_VALUE)
				fn(context, s);
	if (i->guard.kind == SOURCE_VALUE)
		fn(context, &i->guard);
	if (i->old.kind == SOURCE_VALUE)
		fn(context, &i->old);
}

static void use_live(void *set, struct source *s)
{
	s->kill = !has(set, s->value->id);
	add(set, s->value->id);
}

/* From the live values at the end of a block to those at its begin; marks last uses. */
static void scan_back(struct ir_block *b, uint64_t *live)
{
	if (b->end == END_BRANCH && b->test.kind == SOURCE_VALUE)
		use_live(live, &b->test);
	for (struct ir_insn *i = b->tail; i; i = i->previous) {
		if (i->dst)
			take(live, i->dst->id);
		if (i->flags)
			take(live, i->flags->id);
		each_use(i, use_live, live);
	}
}

static void liveness(struct ir *f)
{
	size_t words = (f->nvalues + 63) / 64;
	uint64_t *live;

	if ((uint64_t)words * 16 * (f->nblocks + 1) > LIVE_BYTES_MAX)
		ptx_fail(f->m, f->func->line, 1,
			 "%.60s has %zu values in %zu blocks, which is more than this compiler takes", f->func->name,
			 f->nvalues, f->nblocks);
	if (words > f->live_words) {
		f->live_words = words + words / 4;
		for (size_t n = 0; n < f->nblocks; n++) {
			f->blocks[n]->live_in = ptx_new(f->m, f->live_words * sizeof *live);
			f->blocks[n]->live_out = ptx_new(f->m, f->live_words * sizeof *live);
		}
	} else {
		for (size_t n = 0; n < f->nblocks; n++) {
			memset(f->blocks[n]->live_in, 0, words * sizeof *live);
			memset(f->blocks[n]->live_out, 0, words * sizeof *live);
		}
	}
	live = ptx_new(f->m, words * sizeof *live);
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t n = f->nblocks; n--;) {
			struct ir_block *b = f->blocks[n];
			for (unsigned e = 0; e < ir_edges(b); e++) {
				struct ir_block *to = b->to[e];
				size_t from = ir_from(to, b);
				for (size_t w = 0; w < words; w++)
					b->live_out[w] |= to->live_in[w];
				for (struct ir_insn *phi = to->head; phi && phi->op == IR_PHI; phi = phi->next)
					if (phi->args[from].kind == SOURCE_VALUE)
						add(b->live_out, phi->args[from].value->id);
			}
			memcpy(live, b->live_out, words * sizeof *live);
			scan_back(b, live);
			for (size_t w = 0; w < words && !changed; w++)
				changed = live[w] != b->live_in[w];
			memcpy(b->live_in, live, words * sizeof *live);
		}
	}
}

/* ---- registers ---- */

static void hold(struct allocation *a, struct value *v, struct value *who)
{
	if (v->reg == NO_REG)
		return;
	if (v->class == CLASS_PRED) {
		a->pred[v->reg] = who;
		return;
	}
	for (unsigned k = 0; k < class_words(v->class); k++)
		a->word[v->reg + k] = who;
	if (who && v->reg + class_words(v->class) > a->most)
		a->most = v->reg + class_words(v->class);
}

static bool is_free(const struct allocation *a, enum value_class c, unsigned reg)
{
	unsigned n = class_words(c);

	if (c == CLASS_PRED)
		return reg < PREDS && !a->pred[reg];
	if (reg % class_step(c) || reg + n > a->limit)
		return false;
	for (unsigned k = 0; k < n; k++)
		if (a->word[reg + k])
			return false;
	return true;
}

/* Register that would save a copy: of the phi that joins the value, of the pair or quad around the value. */
static unsigned wish(const struct value *v)
{
	return v->hint ? v->hint->reg == NO_REG ? NO_REG : v->hint->reg + v->hint_sub : NO_REG;
}

static unsigned beside_part(const struct allocation *a, const struct value *v)
{
	if (!v->hint || v->hint->reg != NO_REG || class_words(v->hint->class) == class_words(v->class))
		return NO_REG;
	for (unsigned r = 0; r < a->limit; r++) {
		const struct value *x = a->word[r];
		if (x && x->hint == v->hint && x->reg >= x->hint_sub && x->reg == r &&
		    (x->reg - x->hint_sub) % class_step(v->hint->class) == 0)
			return x->reg - x->hint_sub + v->hint_sub;
	}
	return NO_REG;
}

static void give(struct allocation *a, struct value *v)
{
	unsigned want = wish(v), n = class_words(v->class);

	if (want != NO_REG && is_free(a, v->class, want)) {
		v->reg = (uint16_t)want;
		hold(a, v, v);
		return;
	}
	/* A part of a pair or quad without a register yet goes beside another part that has one, or takes a place with
	 * space for the whole. */
	want = beside_part(a, v);
	if (want != NO_REG && is_free(a, v->class, want)) {
		v->reg = (uint16_t)want;
		hold(a, v, v);
		return;
	}
	if (v->hint && v->hint->reg == NO_REG && class_words(v->hint->class) > n) {
		unsigned whole = class_words(v->hint->class);
		for (unsigned r = 0; r + whole <= a->limit; r += class_step(v->hint->class)) {
			bool fits = true;
			for (unsigned k = 0; k < whole; k++) {
				const struct value *x = a->word[r + k];
				bool mine = k >= v->hint_sub && k < v->hint_sub + n;
				fits &= !x || (!mine && x->hint == v->hint && x->reg + (k - x->hint_sub) == r + k);
			}
			if (fits) {
				v->reg = (uint16_t)(r + v->hint_sub);
				hold(a, v, v);
				return;
			}
		}
	}
	for (unsigned r = 0; r < (v->class == CLASS_PRED ? PREDS : a->limit); r += class_step(v->class)) {
		if (is_free(a, v->class, r)) {
			v->reg = (uint16_t)r;
			hold(a, v, v);
			return;
		}
	}
	if (!a->failed)
		a->failed = v;
	v->reg = 0;
}

static void release(void *context, struct source *s)
{
	if (s->kill)
		hold(context, s->value, NULL);
}

static void allocate_block(struct allocation *a, struct ir_block *b)
{
	memset(a->word, 0, sizeof a->word);
	memset(a->pred, 0, sizeof a->pred);
	for (uint32_t w = 0; w < a->set_words; w++)
		for (uint64_t bits = b->live_in[w]; bits; bits &= bits - 1) {
			struct value *v = a->f->values[64 * w + (uint32_t)__builtin_ctzll(bits)];
			hold(a, v, v);
		}
	for (struct ir_insn *i = b->head; i; i = i->next) {
		if (i->op == IR_PHI) {
			for (unsigned k = 0; k < i->nsrc && i->dst->reg == NO_REG;
			     k++) /* where an argument ends here */
				if (i->args[k].kind == SOURCE_VALUE && i->args[k].value->reg != NO_REG &&
				    i->args[k].value->class == CLASS_WORD &&
				    is_free(a, CLASS_WORD, i->args[k].value->reg)) {
					i->dst->reg = i->args[k].value->reg;
					hold(a, i->dst, i->dst);
				}
			if (i->dst->reg == NO_REG)
				give(a, i->dst);
			continue;
		}
		each_use(i, release, a);
		if (i->dst) {
			if (i->old.kind == SOURCE_VALUE) {
				i->dst->reg = i->old.value->reg;
				hold(a, i->dst, i->dst);
			} else {
				if (i->op == IR_LDLOCK) /* the lock's loop reads its sources again */
					IR_EACH_SOURCE(i, s)
						if (s->kind == SOURCE_VALUE)
							hold(a, s->value, s->value);
				give(a, i->dst);
			}
		}
		if (i->flags)
			give(a, i->flags);
		if (i->dst && !i->dst->uses)
			hold(a, i->dst, NULL);
		if (i->flags && !i->flags->uses)
			hold(a, i->flags, NULL);
	}
}

/* ---- hints ---- */

static void hints(struct ir *f)
{
	for (size_t v = 0; v < f->nvalues; v++)
		f->values[v]->hint = NULL;
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next) {
			bool part = i->op == IR_PACK;
			for (unsigned k = 0; (i->op == IR_PHI || part) && k < i->nsrc; k++) {
				struct source *s = &i->args[k];
				if (s->kind == SOURCE_VALUE && s->value->class == CLASS_WORD && !s->value->hint) {
					s->value->hint = i->dst;
					s->value->hint_sub = (uint8_t)(part ? k : 0);
				} else if (part && s->kind == SOURCE_VALUE && s->value->class == CLASS_PAIR &&
					   i->dst->class == CLASS_QUAD && !s->value->hint && k >= s->sub &&
					   !((k - s->sub) & 1)) {
					s->value->hint = i->dst;
					s->value->hint_sub = (uint8_t)(k - s->sub);
				}
			}
			/* A copy wishes for the register of its source, a copy below a guarded result for the result's.
			 */
			if (i->op == IR_MOV && i->src[0].kind == SOURCE_VALUE && !i->src[0].load && !i->dst->hint) {
				i->dst->hint = i->src[0].value;
				i->dst->hint_sub = i->src[0].sub;
			}
			if (i->old.kind == SOURCE_VALUE && i->dst->hint &&
			    i->old.value->def->src[0].kind != SOURCE_VALUE)
				i->old.value->hint = i->dst->hint;
			/* Short and immediate forms want the result in the place of the last source. */
			if ((i->op == IR_MAD16 || i->op == IR_MAD24 || i->op == IR_FMAD) &&
			    i->src[2].kind == SOURCE_VALUE && !i->dst->hint) {
				i->dst->hint = i->src[2].value;
				i->dst->hint_sub = i->src[2].sub;
			}
		}
}

/* ---- spills ---- */

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

struct replacing {
	struct ir *f;
	struct value *v;
	uint32_t slot;
	struct ir_insn *before;
	struct value *copy;
};

static void replace_use(void *context, struct source *s)
{
	struct replacing *r = context;

	if (s->value != r->v)
		return;
	if (!r->copy)
		r->copy = reload(r->f, r->v, r->slot, r->before, NULL);
	s->value = r->copy;
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
		if (s.kind == SOURCE_NUMBER && s.bits) {
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

static void spill(struct ir *f, struct value *v)
{
	uint32_t bytes = 4 * class_words(v->class), slot = 0;
	struct ir_insn *def = v->def, *behind = NULL;

	v->spilled = true;
	if (v->class == CLASS_PRED) { /* flags as a word, a candidate for a spill in turn */
		behind = ir_insn_new(f, IR_TOREG);
		behind->nsrc = 1;
		behind->src[0] = of(v);
		behind->dst = v->saved = ir_value(f, CLASS_WORD);
		behind->dst->def = behind;
	} else if (!cheap(v)) {
		slot = (f->local_bytes + f->spill_bytes + bytes - 1) & -bytes;
		f->spill_bytes = slot + bytes - f->local_bytes;
		if (def->op != IR_PHI) {
			behind = memory_insn(f, IR_ST, v, slot);
			behind->src[1] = of(v);
		}
	}
	for (size_t n = 0; n < f->nblocks; n++) {
		struct ir_block *b = f->blocks[n];
		for (struct ir_insn *i = b->head; i; i = i->next) {
			struct replacing r = { f, v, slot, i, NULL };
			if (i->op == IR_PHI) {
				for (unsigned k = 0; k < i->nsrc; k++)
					if (i != def && i->args[k].kind == SOURCE_VALUE && i->args[k].value == v)
						i->args[k].value = reload(f, v, slot, NULL, b->from[k]);
			} else if (i != behind && i != def) {
				each_use(i, replace_use, &r);
			}
		}
		if (b->end == END_BRANCH && b->test.kind == SOURCE_VALUE && b->test.value == v)
			b->test.value = reload(f, v, slot, NULL, b);
	}
	if (def->op == IR_PHI) {
		store_arguments(f, v, slot);
	} else if (behind) {
		struct ir_insn *at = def->next;
		behind->line = def->line;
		behind->file = def->file;
		behind->source_line = def->source_line;
		if (at)
			ir_before(at, behind);
		else
			ir_append(f, def->block, behind);
		if (v->class == CLASS_PRED)
			v->saved->uses++;
	} else {
		def->dst->uses = 0;
	}
}

struct pressure {
	struct ir *f;
	uint64_t *live;
	size_t set_words, before;        /* before: ids of values that count */
	unsigned words, preds;
};

static void count(struct pressure *p, const struct value *v, int sign)
{
	if (v->class == CLASS_PRED)
		p->preds += (unsigned)sign;
	else
		p->words += (unsigned)sign * class_words(v->class);
}

static void begins(struct pressure *p, const struct value *v)
{
	if (v->id < p->before && !has(p->live, v->id)) {
		add(p->live, v->id);
		count(p, v, 1);
	}
}

static void ends(struct pressure *p, const struct value *v)
{
	if (v->id < p->before && has(p->live, v->id)) {
		take(p->live, v->id);
		count(p, v, -1);
	}
}

static void begins_at_end(struct pressure *p, const struct ir_block *b)
{
	p->words = p->preds = 0;
	memset(p->live, 0, p->set_words * sizeof(uint64_t));
	for (size_t w = 0; w < p->set_words; w++)
		for (uint64_t bits = b->live_out[w]; bits; bits &= bits - 1)
			begins(p, p->f->values[64 * w + (size_t)__builtin_ctzll(bits)]);
	if (b->end == END_BRANCH && b->test.kind == SOURCE_VALUE)
		begins(p, b->test.value);
}

/* The live value whose reloads cost least; NULL: none may go to memory. */
static struct value *cheapest(const struct pressure *p, const float *weight, bool preds)
{
	struct value *best = NULL;
	float least = 0;

	for (size_t w = 0; w < p->set_words; w++)
		for (uint64_t bits = p->live[w]; bits; bits &= bits - 1) {
			struct value *x = p->f->values[64 * w + (size_t)__builtin_ctzll(bits)];
			if (x->spilled || !x->uses || (x->class == CLASS_PRED) != preds || !x->def ||
			    x->def->op == IR_NOP || (x->class >= CLASS_RUN2 && x->class <= CLASS_RUN4))
				continue;
			float wx = cheap(x) ? weight[x->id] / 4 : weight[x->id];
			if (!best || wx < least) {
				best = x;
				least = wx;
			}
		}
	return best;
}

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

/* Spill values until nowhere are more alive than registers. True: the program has changed. */
static bool spill_some(struct ir *f, unsigned limit)
{
	size_t words = (f->nvalues + 63) / 64, before = f->nvalues;
	struct pressure p = { f, ptx_new(f->m, words * sizeof(uint64_t)), words, before, 0, 0 };
	float *weight = ptx_new(f->m, f->nvalues * sizeof *weight);

	weigh(f, weight);
	for (size_t n = 0; n < f->nblocks; n++) {
		begins_at_end(&p, f->blocks[n]);
		for (struct ir_insn *i = f->blocks[n]->tail;; i = i->previous) {
			if (i && i->dst) /* a result without a use needs a register, too */
				begins(&p, i->dst);
			if (i && i->flags)
				begins(&p, i->flags);
			while (p.words > limit || p.preds > PREDS) {
				struct value *best = cheapest(&p, weight, p.preds > PREDS);
				if (!best)
					break;
				spill(f, best);
				ends(&p, best);
			}
			if (!i)
				break;
			if (i->dst)
				ends(&p, i->dst);
			if (i->flags)
				ends(&p, i->flags);
			if (i->op == IR_PHI)
				continue;
			IR_EACH_SOURCE(i, s)
				if (s->kind == SOURCE_VALUE)
					begins(&p, s->value);
			if (i->guard.kind == SOURCE_VALUE)
				begins(&p, i->guard.value);
			if (i->old.kind == SOURCE_VALUE)
				begins(&p, i->old.value);
		}
	}
	return f->nvalues != before;
}

/* ---- copies of phis ---- */

struct copy {
	unsigned to;
	struct source from;
	unsigned reg;
	bool done;
};

static void emit_copy(struct ir *f, struct ir_block *b, unsigned to, struct source from, unsigned reg)
{
	struct ir_insn *i = ir_insn_new(f, IR_MOV);

	i->type = PTX_U32;
	i->nsrc = 1;
	i->line = b->line;
	i->file = b->file;
	i->source_line = b->source_line;
	i->src[0] = from;
	if (from.kind == SOURCE_VALUE) {
		struct value *v = ir_value(f, CLASS_WORD);
		v->reg = (uint16_t)reg;
		i->src[0] = of(v);
	}
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->reg = (uint16_t)to;
	i->dst->uses = 1;
	ir_append(f, b, i);
}

/* Copies with the effect of all at once: a copy goes first when no other copy reads its target; a circle is opened by
 * exclusive or. */
static void parallel_copies(struct ir *f, struct ir_block *b, struct copy *c, size_t n)
{
	size_t left = n;

	for (size_t i = 0; i < n; i++) /* undefined words are not copied */
		if (c[i].from.kind == SOURCE_NONE) {
			c[i].done = true;
			left--;
		}
	while (left) {
		bool progress = false;
		for (size_t i = 0; i < n; i++) {
			bool read = false;
			if (c[i].done)
				continue;
			for (size_t k = 0; k < n; k++)
				read |= k != i && !c[k].done && c[k].from.kind == SOURCE_VALUE && c[k].reg == c[i].to;
			if (read)
				continue;
			if (c[i].from.kind != SOURCE_VALUE || c[i].reg != c[i].to)
				emit_copy(f, b, c[i].to, c[i].from, c[i].reg);
			c[i].done = true;
			left--;
			progress = true;
		}
		if (progress)
			continue;
		size_t i = 0;
		while (c[i].done)
			i++;
		unsigned x = c[i].to, y = c[i].reg; /* swap x and y; copies from x read y now */
		for (unsigned step = 0; step < 3; step++) {
			unsigned to = step == 1 ? y : x;
			struct ir_insn * xor = ir_insn_new(f, IR_XOR);
			struct value *vx = ir_value(f, CLASS_WORD), *vy = ir_value(f, CLASS_WORD),
				     *d = ir_value(f, CLASS_WORD);
			vx->reg = (uint16_t)x;
			vy->reg = (uint16_t)y;
			d->reg = (uint16_t)to;
			d->uses = 1;
			xor->type = PTX_U32;
			xor->nsrc = 2;
			xor->src[0] = of(vx);
			xor->src[1] = of(vy);
			xor->dst = d;
			xor->line = b->line;
			ir_append(f, b, xor);
		}
		c[i].done = true;
		left--;
		for (size_t k = 0; k < n; k++)
			if (!c[k].done && c[k].from.kind == SOURCE_VALUE)
				c[k].reg = c[k].reg == x ? y : c[k].reg == y ? x : c[k].reg;
	}
}

static void copies_of_phis(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++) {
		struct ir_block *b = f->blocks[n];
		size_t phis = 0;
		for (struct ir_insn *i = b->head; i && i->op == IR_PHI; i = i->next)
			phis++;
		struct copy *c = ptx_new(f->m, (phis + 1) * sizeof *c);
		for (size_t k = 0; phis && k < b->nfrom; k++) {
			size_t at = 0;
			for (struct ir_insn *i = b->head; i && i->op == IR_PHI; i = i->next) {
				struct source s = i->args[k];
				c[at++] = (struct copy){ i->dst->reg, s,
							 s.kind == SOURCE_VALUE ? s.value->reg + (unsigned)s.sub : 0,
							 false };
			}
			parallel_copies(f, b->from[k], c, at);
		}
		for (struct ir_insn *i = b->head, *next; i && i->op == IR_PHI; i = next) {
			next = i->next;
			ir_remove(i);
		}
	}
}

/* Copies on an edge behind a branch may stand before the branch where the other edge does not need the registers. The
 * block of the edge is empty then, and no jump goes through. */
static void hoist_copies(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++) {
		struct ir_block *b = f->blocks[n], *from = b->nfrom == 1 ? b->from[0] : NULL, *other;
		bool clear = true;
		if (!from || from->end != END_BRANCH || b->end != END_JUMP || b->join || b->njoinat || !b->head)
			continue;
		other = from->to[from->to[0] == b];
		for (struct ir_insn *i = b->head; i && clear; i = i->next) {
			clear = (i->op == IR_MOV || i->op == IR_XOR) && i->dst->id >= f->nbefore;
			for (size_t w = 0; clear && w < (f->nbefore + 63) / 64; w++)
				for (uint64_t bits = other->live_in[w]; bits && clear; bits &= bits - 1) {
					const struct value *v = f->values[64 * w + (size_t)__builtin_ctzll(bits)];
					clear = v->class == CLASS_PRED || i->dst->reg < v->reg ||
						i->dst->reg >= v->reg + class_words(v->class);
				}
		}
		if (!clear || other == b || other->njoinat || from->njoinat || from->hoisted)
			continue;
		for (struct ir_insn *i = b->head, *next; i; i = next) {
			next = i->next;
			i->next = i->previous = NULL;
			ir_append(f, from, i);
		}
		b->head = b->tail = NULL;
		from->hoisted = true;
	}
}

/* Words of a pair or quad are moved into place, as parallel copies, since a move may overwrite another's source. */
static void copies_of_packs(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++) {
		for (struct ir_insn *i = f->blocks[n]->head, *next; i; i = next) {
			next = i->next;
			if (i->op != IR_PACK)
				continue;
			struct copy c[4];
			struct ir_block at = { .line = i->line, .file = i->file, .source_line = i->source_line };
			for (unsigned k = 0; k < i->nsrc; k++)
				c[k] = (struct copy){ i->dst->reg + k, i->args[k],
						      i->args[k].kind == SOURCE_VALUE
							      ? i->args[k].value->reg + (unsigned)i->args[k].sub
							      : 0,
						      false };
			parallel_copies(f, &at, c, i->nsrc);
			for (struct ir_insn *m = at.head, *after; m; m = after) {
				after = m->next;
				m->next = m->previous = NULL;
				ir_before(i, m);
			}
			ir_remove(i);
		}
	}
}

/* Only the lower registers have names for their halves. */
static bool halves_beyond(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next) {
			bool narrow = (i->op == IR_CVT && (ptx_bytes(i->from) == 2 || ptx_bytes(i->type) == 2)) ||
				      (i->op == IR_ST && i->space == SPACE_SHARED && ptx_bytes(i->type) < 4);
			IR_EACH_SOURCE(i, s)
				if (s->kind == SOURCE_VALUE && (s->half || narrow) && s->value->class != CLASS_PRED &&
				    s->value->reg + s->sub >= HALVES_MAX)
					return true;
			if (narrow && i->dst && i->dst->reg >= HALVES_MAX)
				return true;
		}
	return false;
}

void allocate(struct ir *f)
{
	struct allocation a = { .f = f };
	unsigned limit = f->max_regs, space = f->max_regs;

	for (unsigned round = 0;; round++) {
		f->current = f->entry;
		liveness(f);
		if (spill_some(f, space)) {
			if (round > 200) {
				a.failed = f->values[0];
				break;
			}
			drop_dead(f);
			continue;
		}
		hints(f);
		a = (struct allocation){ .f = f, .limit = limit, .set_words = (f->nvalues + 63) / 64 };
		for (size_t v = 0; v < f->nvalues; v++)
			f->values[v]->reg = NO_REG;
		for (size_t n = 0; n < f->nblocks; n++) {
			struct ir_insn *tid = n ? NULL : f->entry->head;
			if (tid && tid->op == IR_NOP)
				tid->dst->reg = 0;
			allocate_block(&a, f->blocks[n]);
		}
		if (!a.failed && a.most > HALVES_MAX && halves_beyond(f)) {
			limit = space = HALVES_MAX;
			continue;
		}
		if (!a.failed)
			break;
		if (space < 6 || round > 200)
			break;
		space -= space > 32 ? 4 : 2; /* aligned pairs leave holes */
	}
	if (a.failed)
		ptx_fail(f->m, f->func->line, 1, "%.60s does not fit %u registers", f->func->name, f->max_regs);
	f->regs = a.most ? a.most : 1;
	f->nbefore = f->nvalues;
	copies_of_packs(f);
	copies_of_phis(f);
	hoist_copies(f);
	for (size_t n = 0; n < f->nblocks; n++) /* copies to the same place */
		for (struct ir_insn *i = f->blocks[n]->head, *next; i; i = next) {
			next = i->next;
			if (i->op == IR_NOP || (i->op == IR_MOV && i->src[0].kind == SOURCE_VALUE && !i->src[0].load &&
						i->src[0].value->class != CLASS_PRED &&
						i->src[0].value->reg + i->src[0].sub == i->dst->reg))
				ir_remove(i);
		}
}
