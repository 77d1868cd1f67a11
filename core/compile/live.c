/* Values alive at the begin and at the end of each block, in lists: from each use up to the definition. Time and memory
 * go with the length of these lists, not with values times blocks. */
#include "core/compile/allocate.h"

#include <string.h>

#define LIVE_MAX (UINT64_C(1) << 26) /* of all lists: 512 MB */

/* Blocks with a use of value v: use[begin[v]] to use[begin[v + 1] - 1], twice the block's id, and 1 for a use at the
 * end of the block, by a phi of the next. */
struct uses {
	size_t *begin;
	uint32_t *use;
	bool fills;              /* second turn: the numbers of uses are known */
};

void each_use(struct ir_insn *i, void (*fn)(void *, struct source *), void *context)
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

struct use_context {
	struct uses *uses;
	const struct ir_block *block;
};

static void note(struct uses *u, const struct value *v, const struct ir_block *b, bool end)
{
	if (!end && v->def && v->def->block == b)
		return;
	if (u->fills)
		u->use[u->begin[v->id]++] = 2 * b->id + end;
	else
		u->begin[v->id + 2]++;
}

static void note_use(void *context, struct source *s)
{
	const struct use_context *c = context;

	note(c->uses, s->value, c->block, false);
}

static void note_uses(struct ir *f, struct uses *u)
{
	for (size_t n = 0; n < f->nblocks; n++) {
		struct ir_block *b = f->blocks[n];
		struct use_context c = { u, b };
		for (struct ir_insn *i = b->head; i; i = i->next) {
			for (unsigned k = 0; i->op == IR_PHI && k < i->nsrc; k++)
				if (i->args[k].kind == SOURCE_VALUE)
					note(u, i->args[k].value, b->from[k], true);
			each_use(i, note_use, &c);
		}
		if (b->end == END_BRANCH && b->test.kind == SOURCE_VALUE)
			note(u, b->test.value, b, false);
	}
}

static struct uses find_uses(struct ir *f)
{
	struct uses u = { .begin = ptx_new(f->m, (f->nvalues + 3) * sizeof *u.begin) };

	note_uses(f, &u);
	for (size_t v = 1; v < f->nvalues + 2; v++)
		u.begin[v + 1] += u.begin[v];
	u.use = ptx_new(f->m, (u.begin[f->nvalues + 1] + 1) * sizeof *u.use);
	u.begin++; /* filling moves each begin to the next value's */
	u.fills = true;
	note_uses(f, &u);
	u.begin--;
	return u;
}

bool live_put(struct ir *f, struct live_list *l, uint32_t id)
{
	if (l->n && l->id[l->n - 1] == id)
		return false;
	if (++f->nlive > LIVE_MAX)
		ptx_fail(f->m, f->func->line, 1,
			 "%.60s has %zu values in %zu blocks, which is more than this compiler takes: fewer unrolled "
			 "loops or calls", f->func->name,
			 f->nvalues, f->nblocks);
	if (l->n == l->space) {
		uint32_t *more = ptx_new(f->m, (2 * l->space + 8) * sizeof *more);
		if (l->n)
			memcpy(more, l->id, l->n * sizeof *more);
		l->id = more;
		l->space = 2 * l->space + 8;
	}
	l->id[l->n++] = id;
	return true;
}

/* The value is alive from its definition to the begin of b, or to the end. */
static void alive(struct ir *f, const struct value *v, struct ir_block *b, bool end, struct ir_block **stack)
{
	size_t top = 0;

	if (end && (!live_put(f, &b->live_out, v->id) || (v->def && v->def->block == b)))
		return;
	if (live_put(f, &b->live_in, v->id))
		stack[top++] = b;
	while (top) {
		struct ir_block *x = stack[--top];
		for (size_t k = 0; k < x->nfrom; k++) {
			struct ir_block *p = x->from[k];
			if (live_put(f, &p->live_out, v->id) && !(v->def && v->def->block == p) &&
			    live_put(f, &p->live_in, v->id))
				stack[top++] = p;
		}
	}
}

static void use_live(void *live, struct source *s)
{
	bool *known = live;

	s->kill = !known[s->value->id];
	known[s->value->id] = true;
}

static void last_uses(struct ir_block *b, bool *live)
{
	for (size_t k = 0; k < b->live_out.n; k++)
		live[b->live_out.id[k]] = true;
	if (b->end == END_BRANCH && b->test.kind == SOURCE_VALUE)
		use_live(live, &b->test);
	for (struct ir_insn *i = b->tail; i; i = i->previous) {
		if (i->dst)
			live[i->dst->id] = false;
		if (i->flags)
			live[i->flags->id] = false;
		each_use(i, use_live, live);
	}
	for (size_t k = 0; k < b->live_in.n; k++)
		live[b->live_in.id[k]] = false;
}

void liveness(struct ir *f)
{
	struct uses u = find_uses(f);
	struct ir_block **stack = ptx_new(f->m, (f->nblocks + 1) * sizeof *stack);
	bool *live = ptx_new(f->m, f->nvalues + 1);

	f->nlive = 0;
	for (size_t n = 0; n < f->nblocks; n++)
		f->blocks[n]->live_in.n = f->blocks[n]->live_out.n = 0;
	for (size_t v = 0; v < f->nvalues; v++)
		for (size_t k = u.begin[v]; k < u.begin[v + 1]; k++)
			alive(f, f->values[v], f->blocks[u.use[k] / 2], u.use[k] & 1, stack);
	for (size_t n = 0; n < f->nblocks; n++)
		last_uses(f->blocks[n], live);
}
