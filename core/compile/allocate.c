/* Registers. The dominator tree is walked top down, with the register of a value known at each use;
 * a value takes the lowest free register, or a register that saves a copy. Values without a register go to l[].
 * Copies of phis are made at the ends of the blocks before. */
#include "core/compile/allocate.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 128, HALVES_MAX = 64 };

struct allocation {
	struct ir *f;
	unsigned limit; /* registers there are */
	struct value *word[WORDS]; /* value in each register */
	struct value *pred[PREDS];
	uint32_t most; /* highest register used + 1 */
	struct value *failed; /* a value without a register; NULL: all have one */
};

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

/* The number of words that are where they belong if the pack begins at `reg`. */
static unsigned words_at(const struct ir_insn *pack, unsigned reg)
{
	unsigned there = 0;

	for (unsigned n = 0; n < pack->nsrc; n++)
		there += pack->args[n].kind == SOURCE_VALUE &&
			 pack->args[n].value->reg + (unsigned)pack->args[n].sub == reg + n;
	return there;
}

/* A pair or quad goes where most of its words are already, if these end here. */
static void give_pack(struct allocation *a, const struct ir_insn *pack)
{
	struct value *v = pack->dst;
	unsigned most = 0;

	for (unsigned k = 0; k < pack->nsrc && wish(v) == NO_REG; k++) {
		const struct source *s = &pack->args[k];
		unsigned reg = s->kind == SOURCE_VALUE ? s->value->reg + (unsigned)s->sub : 0, there = 0;
		if (s->kind != SOURCE_VALUE || reg < k || !is_free(a, v->class, reg - k))
			continue;
		there = words_at(pack, reg - k);
		if (there > most) {
			most = there;
			v->reg = (uint16_t)(reg - k);
		}
	}
	if (most)
		hold(a, v, v);
	else
		give(a, v);
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
	for (size_t k = 0; k < b->live_in.n; k++) {
		struct value *v = a->f->values[b->live_in.id[k]];
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
				if (i->op == IR_PACK)
					give_pack(a, i);
				else
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

/* A word of registers x and y is exchanged by three exclusive ors. */
static void emit_swap(struct ir *f, struct ir_block *b, unsigned x, unsigned y)
{
	for (unsigned step = 0; step < 3; step++) {
		struct ir_insn * xor = ir_insn_new(f, IR_XOR);
		struct value *vx = ir_value(f, CLASS_WORD), *vy = ir_value(f, CLASS_WORD),
			     *d = ir_value(f, CLASS_WORD);
		vx->reg = (uint16_t)x;
		vy->reg = (uint16_t)y;
		d->reg = (uint16_t)(step == 1 ? y : x);
		d->uses = 1;
		xor->type = PTX_U32;
		xor->nsrc = 2;
		xor->src[0] = of(vx);
		xor->src[1] = of(vy);
		xor->dst = d;
		xor->line = b->line;
		ir_append(f, b, xor);
	}
}

/* Copies whose target no other copy has yet to read. Returns their number. */
static size_t free_copies(struct ir *f, struct ir_block *b, struct copy *c, size_t n, unsigned *readers)
{
	size_t made = 0;

	for (size_t i = 0; i < n; i++) {
		bool reads = c[i].from.kind == SOURCE_VALUE;
		if (c[i].done || readers[c[i].to] > (reads && c[i].reg == c[i].to))
			continue;
		if (!reads || c[i].reg != c[i].to)
			emit_copy(f, b, c[i].to, c[i].from, c[i].reg);
		if (reads)
			readers[c[i].reg]--;
		c[i].done = true;
		made++;
	}
	return made;
}

/* Copies with the effect of all at once: a copy goes first when no other copy reads its target; a circle is opened by
 * exclusive or. */
static void parallel_copies(struct ir *f, struct ir_block *b, struct copy *c, size_t n)
{
	unsigned readers[WORDS] = { 0 };         /* copies to be made that read a register */
	size_t left = n;

	for (size_t i = 0; i < n; i++) {
		if (c[i].from.kind == SOURCE_NONE) { /* undefined words are not copied */
			c[i].done = true;
			left--;
		}
		if (!c[i].done && c[i].from.kind == SOURCE_VALUE)
			readers[c[i].reg]++;
	}
	while (left) {
		size_t made = free_copies(f, b, c, n, readers), i = 0;
		left -= made;
		if (made)
			continue;
		while (c[i].done)
			i++;
		unsigned x = c[i].to, y = c[i].reg; /* copies from x read y now */
		emit_swap(f, b, x, y);
		c[i].done = true;
		left--;
		readers[x] = readers[y] = 0;
		for (size_t k = 0; k < n; k++)
			if (!c[k].done && c[k].from.kind == SOURCE_VALUE) {
				c[k].reg = c[k].reg == x ? y : c[k].reg == y ? x : c[k].reg;
				readers[c[k].reg] += c[k].reg == x || c[k].reg == y;
			}
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
			clear = (i->op == IR_MOV || i->op == IR_XOR) && i->dst && i->dst->id >= f->nbefore;
			for (size_t k = 0; clear && k < other->live_in.n; k++) {
				const struct value *v = f->values[other->live_in.id[k]];
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

/* Registers of all blocks' values, in the order of blocks. */
static struct allocation allocate_blocks(struct ir *f, unsigned limit)
{
	struct allocation a = { .f = f, .limit = limit };

	for (size_t v = 0; v < f->nvalues; v++)
		f->values[v]->reg = NO_REG;
	for (size_t n = 0; n < f->nblocks; n++) {
		struct ir_insn *tid = n ? NULL : f->entry->head;
		if (tid && tid->op == IR_NOP)
			tid->dst->reg = 0;
		allocate_block(&a, f->blocks[n]);
	}
	return a;
}

/* Allocation again with more in l[], until everything has a register. */
static struct allocation allocate_all(struct ir *f)
{
	unsigned limit = f->target.max_regs, space = limit;
	struct allocation a = { .f = f };

	for (unsigned round = 0;; round++) {
		f->current = f->entry;
		liveness(f);
		if (spill_some(f, space)) {
			if (round > 200) {
				a.failed = f->values[0];
				return a;
			}
			drop_dead(f);
			continue;
		}
		hints(f);
		a = allocate_blocks(f, limit);
		if (!a.failed && a.most > HALVES_MAX && halves_beyond(f)) {
			limit = space = HALVES_MAX;
			continue;
		}
		if (!a.failed || space < 6 || round > 200)
			return a;
		space -= space > 32 ? 4 : 2; /* aligned pairs leave holes */
	}
}

static void drop_copies_in_place(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head, *next; i; i = next) {
			next = i->next;
			if (i->op == IR_NOP || (i->op == IR_MOV && i->src[0].kind == SOURCE_VALUE && !i->src[0].load &&
						i->src[0].value->class != CLASS_PRED &&
						i->src[0].value->reg + i->src[0].sub == i->dst->reg))
				ir_remove(i);
		}
}

void allocate(struct ir *f)
{
	struct meanings *meanings = note_meanings(f);
	struct allocation a = allocate_all(f);

	f->unfit = a.failed;
	if (f->unfit)
		return;
	f->regs = a.most ? a.most : 1;
	note_slots(f, meanings);
	share_slots(f);
	f->nbefore = f->nvalues;
	copies_of_packs(f);
	copies_of_phis(f);
	hoist_copies(f);
	verify_places(f, meanings);
	drop_copies_in_place(f);
}
