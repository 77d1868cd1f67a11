/* Proof that lanes meet: the blocks are walked as a warp walks, with the entries of joinats on the machine's stack.
 *
 * Each join takes the entry of a joinat to the same block: lanes wait for lanes of the same joinat, and for no others.
 * Lanes that part come together before a barrier, vote or exchange that follows: the block of the barrier is not
 * reached from both sides of a branch past the target on the top of the stack. A program without such ways is refused,
 * because the stack of this machine cannot bring the lanes together. */
#include "core/compile/ir.h"

#include <string.h>

/* An entry of the stack: of a joinat. */
struct entry {
	struct ir_block *target;
	const struct entry *below;
	bool used;
};

struct walk {
	struct ir *f;
	const struct entry **before, **after;    /* by id: stack at a block's begin and end */
	struct entry **pushed;           /* by id: entries of a block's joinats */
	bool *seen, *waits;              /* by id: came to; is in the list */
	struct ir_block **list;
	size_t n;
};

/* The stack where ways with different stacks come together: no join may take an entry. */
static const struct entry unknown;

static void come_to(struct walk *w, struct ir_block *b, const struct entry *stack)
{
	if (w->seen[b->id] && (w->before[b->id] == stack || w->before[b->id] == &unknown))
		return;
	w->before[b->id] = w->seen[b->id] ? &unknown : stack;
	w->seen[b->id] = true;
	if (!w->waits[b->id])
		w->list[w->n++] = b;
	w->waits[b->id] = true;
}

static void again(struct walk *w, struct ir_block *b)
{
	if (w->seen[b->id] && !w->waits[b->id]) {
		w->list[w->n++] = b;
		w->waits[b->id] = true;
	}
}

/* The stack at the block's end. */
static const struct entry *behind(struct walk *w, struct ir_block *b)
{
	const struct entry *stack = w->before[b->id];

	if (b->join && (!stack || stack->target != b))
		ptx_fault(w->f->m, (int)b->line, "%.60s: lanes come to a meeting point without having been sent there",
			  w->f->func->name);
	if (b->join)
		stack = stack->below;
	if (b->njoinat && !w->pushed[b->id])
		w->pushed[b->id] = ptx_new(w->f->m, b->njoinat * sizeof(struct entry));
	for (size_t k = 0; k < b->njoinat; k++) {
		struct entry *e = &w->pushed[b->id][k];
		if (e->used && e->below != stack)
			again(w, b->joinat[k]);
		*e = (struct entry){ b->joinat[k], stack, true };
		stack = e;
	}
	return stack;
}

static void walk_stacks(struct walk *w)
{
	come_to(w, w->f->entry, NULL);
	while (w->n) {
		struct ir_block *b = w->list[--w->n];
		w->waits[b->id] = false;
		w->after[b->id] = behind(w, b);
		for (unsigned e = 0; e < ir_edges(b); e++)
			come_to(w, b->to[e], w->after[b->id]);
	}
}

/* ---- barriers ---- */

/* A barrier, a vote or an exchange of the block. */
static const struct ir_insn *gathering(const struct ir_block *b)
{
	const struct ir_insn *i = b->head;

	while (i && i->op != IR_BAR && i->op != IR_VOTE && i->op != IR_MEET)
		i = i->next;
	return i;
}

static bool follows(const struct ir_block *x, const struct ir_block *b)
{
	for (b = b->ipdom; b && b != x;)
		b = b->ipdom;
	return b == x;
}

/* Find the blocks between `from` and the meeting point, for graph_inside. */
static void side(struct ir *f, struct ir_block *from, const struct ir_block *meet)
{
	graph_region(f, from, meet);
	if (from != meet && !graph_inside(f, from)) {
		from->region = f->region.number;
		f->region.blocks[f->region.n++] = from;
	}
}

void find_gathering(struct ir *f)
{
	struct ir_gathering *g = &f->gather;

	*g = (struct ir_gathering){ 0 };
	for (size_t k = 0; k < f->nblocks; k++)
		if ((f->blocks[k]->gathers = gathering(f->blocks[k]) != NULL))
			*(struct ir_block **)ptx_push(f->m, &g->blocks, &g->n, sizeof *g->blocks) = f->blocks[k];
}

const struct ir_insn *meets_too_late(struct ir *f, struct ir_block *b, const struct ir_block *meet, bool must_follow)
{
	struct ir_block **gather = f->gather.blocks;
	size_t both = 0;

	if (!f->gather.n || b->to[0] == meet || b->to[1] == meet)
		return NULL;
	side(f, b->to[0], meet);
	for (size_t k = 0; k < f->gather.n; k++)
		if (graph_inside(f, gather[k]) && gather[k] != b && (!must_follow || follows(gather[k], b))) {
			struct ir_block *x = gather[k];
			gather[k] = gather[both];
			gather[both++] = x;
		}
	if (!both)
		return NULL;
	side(f, b->to[1], meet);
	for (size_t k = 0; k < both; k++)
		if (graph_inside(f, gather[k]))
			return gathering(gather[k]);
	return NULL;
}

static void check_barriers(struct walk *w)
{
	struct ir *f = w->f;

	for (size_t k = 0; f->gather.n && k < f->nblocks; k++) {
		struct ir_block *b = f->blocks[k];
		const struct entry *top = w->after[b->id];
		const struct ir_insn *at = NULL;
		if (b->end == END_BRANCH && !b->uniform)
			at = meets_too_late(f, b, top ? top->target : NULL, true);
		if (at)
			ptx_fail(f->m, (int)at->line, 1, "found a %s that lanes reach apart after they part on line "
				 "%u; expected ways that meet before, as loops with one entry do",
				 at->op == IR_BAR ? "barrier" : at->op == IR_VOTE ? "vote" : "warp primitive",
				 b->line);
	}
}

void check_meetings(struct ir *f)
{
	size_t n = f->nblocks + 1;
	struct walk w = { .f = f };

	w.before = ptx_new(f->m, n * sizeof *w.before);
	w.after = ptx_new(f->m, n * sizeof *w.after);
	w.pushed = ptx_new(f->m, n * sizeof *w.pushed);
	w.list = ptx_new(f->m, n * sizeof *w.list);
	w.seen = ptx_new(f->m, n);
	w.waits = ptx_new(f->m, n);
	walk_stacks(&w);
	check_barriers(&w);
}
