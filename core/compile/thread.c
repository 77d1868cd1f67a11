/* Branches that an earlier branch decides. A block of nothing but phis and a test goes to one of two blocks; on an edge
 * where the test's outcome is known (by numbers, or by a branch on the same comparison before), the edge goes to that
 * block at once. A loop whose test stands at the top has a copy of the test at the bottom instead of a jump to the top.
 * Values of the passed block then have several definitions, and are joined anew where users are.
 *
 * A passed block is no meeting point any more: lanes on the edge meet the other lanes where the ways of the block meet.
 * A block stays if an instruction on its ways notices which lanes are together: lanes without a lock would try again
 * without the winner, and the winner would wait for them with the lock. The copy of a loop's test needs no proof: all
 * lanes of a turn come to the copy from one block, together as before. */
#include "core/compile/ir.h"

#include <string.h>

enum {
	ROUNDS_MAX = 8,          /* chains of decided tests */
	STEPS_MAX = 64,          /* up the tree of dominators, for branches before an edge */
	PHIS_MAX = 16,           /* of a passed block, each of which may need a copy on an edge */
	FROM_MAX = 256           /* edges to a block, whose phis are made anew with each further one */
};

enum outcome { UNKNOWN, TAKEN, OTHER };

/* A passed edge: a new block with the values that the phis of the passed block would have had. */
struct copied {
	struct ir_block *edge;
	struct value *phi;
	struct source copy;
};

struct threading {
	struct ir *f;
	struct copied *copies;
	size_t ncopies;
	uint32_t *vars, *touched;        /* by id: variable of a phi; edges of a block have changed in this round */
	size_t nvalues, nblocks;         /* at the round's begin */
	struct ir_block **noticing;      /* blocks with an instruction that notices which lanes are together */
	size_t nnoticing;
};

static bool touched(const struct threading *t, const struct ir_block *b)
{
	return b->id >= t->nblocks || t->touched[b->id];
}

/* The value is a phi of a passed block, and no longer the same value everywhere. */
static bool joined_anew(const struct threading *t, const struct source *s)
{
	return s->kind == SOURCE_VALUE && (s->value->id >= t->nvalues || t->vars[s->value->id]);
}

static struct ir_insn *test_of(const struct ir_block *b)
{
	return b->end == END_BRANCH && b->test.kind == SOURCE_VALUE ? b->test.value->def : NULL;
}

static bool is_set(const struct ir_insn *i)
{
	return (i->op == IR_SET || i->op == IR_FSET || i->op == IR_DSET) && !i->dst && !i->guard.kind;
}

/* A block of phis and, at most, the comparison of its branch. */
static bool only_tests(const struct ir_block *b)
{
	struct ir_insn *test = test_of(b);
	unsigned phis = 0;

	if (!test || b->to[0] == b->to[1] || b->to[0] == b || b->to[1] == b || b->to[0]->nfrom > FROM_MAX ||
	    b->to[1]->nfrom > FROM_MAX || b->nfrom > FROM_MAX)
		return false;
	for (const struct ir_insn *i = b->head; i; i = i->next) {
		if (i->op == IR_PHI && i->dst->class == CLASS_WORD && ++phis <= PHIS_MAX)
			continue;
		if (i != test || !is_set(i) || i->flags->uses != 1)
			return false;
	}
	return true;
}

/* The source as the k-th block before b sees it. False: not to be named there. */
static bool before_phi(const struct ir_block *b, size_t k, const struct source *s, struct source *out)
{
	*out = *s;
	ir_resolve(out);
	const struct ir_insn *phi = out->kind == SOURCE_VALUE ? out->value->def : NULL;
	if (!phi || phi->op != IR_PHI || phi->block != b)
		return true;
	struct source from = phi->args[k];
	ir_resolve(&from);
	if (from.kind != SOURCE_VALUE) {
		*out = from;
		return from.kind == SOURCE_NUMBER && !s->half && !s->neg && !s->abs;
	}
	out->value = from.value;
	out->sub = (uint8_t)(out->sub + from.sub);
	return !from.half && !from.neg && !from.abs;
}

static bool same_source(const struct source *a, const struct source *b)
{
	return a->kind == b->kind && a->value == b->value && a->sub == b->sub && a->half == b->half &&
	       a->bits == b->bits && a->type == b->type && a->neg == b->neg && a->abs == b->abs;
}

/* Outcome of b's comparison `set` of sources `src` behind a branch with a known side. A comparison in b itself is made
 * anew, of other values of b's phis. */
static enum outcome compare(const struct ir_block *branch, bool taken, const struct ir_block *b,
			    const struct ir_insn *set, const struct source *src)
{
	struct source was = branch->test;
	ir_resolve(&was);
	struct ir_insn *i = was.kind == SOURCE_VALUE ? was.value->def : NULL;
	bool held = taken != was.not;
	unsigned opposite = set->op == IR_SET ? COND_LGE : COND_ALWAYS;

	if (!i)
		return UNKNOWN;
	if (i == set && set->block != b)
		return held ? TAKEN : OTHER;
	if (!is_set(i) || !is_set(set) || i->op != set->op || i->type != set->type ||
	    i->flags->test != set->flags->test || (i->cond != set->cond && (i->cond ^ set->cond) != (int)opposite))
		return UNKNOWN;
	for (unsigned k = 0; k < 2; k++) {
		struct source s = i->src[k];
		ir_resolve(&s);
		if (!same_source(&s, &src[k]))
			return UNKNOWN;
	}
	return held == (i->cond == set->cond) ? TAKEN : OTHER;
}

/* Outcome of b's comparison for lanes from the k-th block before. */
static enum outcome outcome_from(const struct threading *t, const struct ir_block *b, size_t k)
{
	struct ir_insn *set = test_of(b);
	const struct ir_block *at = b->from[k], *to = b;
	struct source src[2] = { set->src[0], set->src[1] };
	enum outcome known = UNKNOWN;

	if (set->block == b) {
		for (unsigned n = 0; n < 2; n++)
			if (!before_phi(b, k, &set->src[n], &src[n]) || joined_anew(t, &src[n]))
				return UNKNOWN;
		if (set->op == IR_SET && ptx_bytes((enum ptx_type)set->type) == 4 && src[0].kind == SOURCE_NUMBER &&
		    src[1].kind == SOURCE_NUMBER)
			return ir_holds(set->cond, set->type, src[0].bits, src[1].bits) ? TAKEN : OTHER;
	}
	for (unsigned n = 0; n < STEPS_MAX && known == UNKNOWN; n++) {
		if (at->end == END_BRANCH && at->to[0] != at->to[1] && !touched(t, at) && (to == b || !touched(t, to)))
			known = compare(at, at->to[0] == to, b, set, src);
		if (at == at->idom)
			break;
		for (; at->nfrom != 1 && at != at->idom && n < STEPS_MAX; n++) /* to a block with a single way in */
			at = at->idom;
		if (at->nfrom != 1 || touched(t, at)) /* a block that is passed has lost ways in: the others count */
			break;
		to = at;
		at = at->from[0];
	}
	return known;
}

/* ---- loops ---- */

static bool is_head(const struct ir_block *b) { return b->loop == b; }

/* An edge from a block to another one that enters no loop but through the loop's head. */
static bool enters_well(const struct ir_block *from, const struct ir_block *to)
{
	if (graph_dominates(to, from))
		return true;
	const struct ir_block *loop = is_head(to) ? to->outer : to->loop;
	return to->order > from->order && (!loop || graph_in_loop(from, loop));
}

/* All edges from outside into the loop of head b pass b, and the remaining edges to b come from blocks below `to`. */
static bool passes_head(const struct ir_block *b, const enum outcome *known, const struct ir_block **to)
{
	enum outcome one = UNKNOWN;

	for (size_t k = 0; k < b->nfrom; k++) {
		if (graph_in_loop(b->from[k], b))
			continue;
		if (known[k] == UNKNOWN || (one != UNKNOWN && known[k] != one))
			return false;
		one = known[k];
	}
	*to = b->to[one == OTHER];
	for (size_t k = 0; k < b->nfrom; k++)
		if (graph_in_loop(b->from[k], b) && (!graph_dominates(*to, b->from[k]) || b->from[k] == b))
			return false;
	return true;
}

/* ---- edges ---- */

/* `to` has the new predecessor `edge`, with b's values. */
static void also_from(struct ir *f, struct ir_block *to, const struct ir_block *b, struct ir_block *edge,
		      const struct copied *copies, size_t n)
{
	size_t k = ir_from(to, b);

	for (struct ir_insn *phi = to->head; phi && phi->op == IR_PHI; phi = phi->next) {
		struct source *args = ptx_new(f->m, (to->nfrom + 1) * sizeof *args);
		memcpy(args, phi->args, to->nfrom * sizeof *args);
		args[to->nfrom] = args[k];
		ir_resolve(&args[to->nfrom]);
		for (size_t c = 0; c < n; c++)
			if (args[k].kind == SOURCE_VALUE && args[to->nfrom].value == copies[c].phi)
				args[to->nfrom] = copies[c].copy;
		phi->args = args;
		phi->nsrc = (unsigned)to->nfrom + 1;
	}
	ir_edge(f, edge, to);
}

/* A block on the edge from the k-th block before b, with copies of the phis' arguments. */
static struct ir_block *edge_block(struct threading *t, struct ir_block *b, size_t k)
{
	struct ir *f = t->f;
	struct ir_block *from = b->from[k];

	f->line = b->line;
	f->file = b->file;
	f->source_line = b->source_line;
	struct ir_block *edge = ir_block(f), *previous = from->to[ir_edges(from) - 1] == b ? from : f->last_block;
	edge->sealed = edge->lowered = edge->reachable = true;
	edge->next = previous->next;
	previous->next = edge;
	if (f->last_block == previous)
		f->last_block = edge;
	for (unsigned e = 0; e < ir_edges(from); e++)
		if (from->to[e] == b)
			from->to[e] = edge;
	ir_edge(f, from, edge);
	for (struct ir_insn *phi = b->head; phi && phi->op == IR_PHI; phi = phi->next) {
		struct ir_insn *m = ir_insn_new(f, IR_MOV);
		m->type = PTX_U32;
		m->nsrc = 1;
		m->src[0] = phi->args[k];
		m->dst = ir_value(f, CLASS_WORD);
		m->dst->def = m;
		m->dst->zeros = phi->dst->zeros;
		ir_append(f, edge, m);
		*(struct copied *)ptx_push(f->m, &t->copies, &t->ncopies, sizeof *t->copies) =
			(struct copied){ edge, phi->dst, of(m->dst) };
		if (!t->vars[phi->dst->id])
			t->vars[phi->dst->id] = 4 * (uint32_t)(++f->nvars);
	}
	graph_drop_edge(b, k);
	return edge;
}

/* Copies from number `before` on; NULL before the first copy of all. */
static const struct copied *copies_from(const struct threading *t, size_t before)
{
	return t->copies ? t->copies + before : NULL;
}

static void pass(struct threading *t, struct ir_block *b, size_t k, struct ir_block *to)
{
	size_t before = t->ncopies;
	struct ir_block *edge = edge_block(t, b, k);

	edge->end = END_JUMP;
	edge->to[0] = to;
	also_from(t->f, to, b, edge, copies_from(t, before), t->ncopies - before);
	t->touched[b->id] = true;
	if (to->id < t->nblocks)
		t->touched[to->id] = true;
}

/* A copy of b's comparison and branch on the edge. */
static void repeat_test(struct threading *t, struct ir_block *b, size_t k)
{
	size_t before = t->ncopies;
	struct ir_insn *set = test_of(b);
	struct ir_block *edge = edge_block(t, b, k);
	struct ir_insn *copy = ir_insn_new(t->f, set->op);

	*copy = *set;
	copy->next = copy->previous = NULL;
	copy->flags = ir_value(t->f, CLASS_PRED);
	copy->flags->test = set->flags->test;
	copy->flags->def = copy;
	IR_EACH_SOURCE(copy, s)
		for (size_t c = before; c < t->ncopies; c++) {
			ir_resolve(s);
			if (s->kind == SOURCE_VALUE && s->value == t->copies[c].phi)
				s->value = t->copies[c].copy.value;
		}
	ir_append(t->f, edge, copy);
	edge->end = END_BRANCH;
	edge->test = b->test;
	edge->test.value = copy->flags;
	edge->to[0] = b->to[0];
	edge->to[1] = b->to[1];
	for (unsigned e = 0; e < 2; e++) {
		also_from(t->f, b->to[e], b, edge, copies_from(t, before), t->ncopies - before);
		if (b->to[e]->id < t->nblocks)
			t->touched[b->to[e]->id] = true;
	}
	t->touched[b->id] = true;
}

/* ---- joining anew ---- */

static void rename_source(struct threading *t, struct source *s, const struct ir_block *user, struct ir_block *read_at)
{
	ir_resolve(s);
	uint32_t var = s->kind == SOURCE_VALUE && s->value->id < t->nvalues ? t->vars[s->value->id] : 0;

	if (!var || s->value->def->block == user)
		return;
	struct source new = ir_read(t->f, read_at, var);
	if (new.kind == SOURCE_VALUE)
		s->value = new.value;
	else if (new.kind == SOURCE_NUMBER && !s->neg && !s->abs)
		*s = s->half ? half_of(new, s->half) : new;
}

static void rename_block(struct threading *t, struct ir_block *b)
{
	bool edge = !b->tree_size; /* a new block, whose copies read what comes from the block before */

	for (struct ir_insn *i = b->head; i; i = i->next) {
		unsigned k = 0;
		IR_EACH_SOURCE(i, s) {
			if (i->op == IR_PHI)
				rename_source(t, s, b->from[k], b->from[k]);
			else
				rename_source(t, s, b, edge && i->op == IR_MOV ? b->from[0] : b);
			k++;
		}
		rename_source(t, &i->guard, b, b);
		rename_source(t, &i->old, b, b);
	}
	rename_source(t, &b->test, b, b);
}

static void join_anew(struct threading *t)
{
	struct ir *f = t->f;

	graph_order(f);
	for (size_t c = 0; c < t->ncopies; c++) {
		struct copied *x = &t->copies[c];
		if (x->phi->def->block->reachable)
			ir_write(f, x->phi->def->block, t->vars[x->phi->id], of(x->phi));
		if (x->edge->reachable)
			ir_write(f, x->edge, t->vars[x->phi->id], x->copy);
	}
	for (size_t n = 0; n < f->nblocks; n++)
		rename_block(t, f->blocks[n]);
	simplify_phis(f);
}

/* ---- meeting points ---- */

/* The instruction's outcome depends on the lanes that are together, or on the order of lanes. */
static bool notices(const struct ir_insn *i)
{
	switch (i->op) {
	case IR_BAR:
	case IR_VOTE:
	case IR_BALLOT:
	case IR_SHFL:
	case IR_MATCH:
	case IR_REDUX:
	case IR_MEET:
	case IR_ATOM:
	case IR_LDLOCK:
	case IR_STUNLOCK: return true;
	default: return i->is_volatile;
	}
}

static void find_noticing(struct threading *t)
{
	struct ir *f = t->f;

	for (size_t n = 0; n < f->nblocks; n++) {
		const struct ir_insn *i = f->blocks[n]->head;
		while (i && !notices(i))
			i = i->next;
		if (i)
			*(struct ir_block **)ptx_push(f->m, &t->noticing, &t->nnoticing, sizeof *t->noticing) =
				f->blocks[n];
	}
	if (t->nnoticing)
		graph_postdominators(f, 0);
}

/* Nothing between b and the place where b's ways meet notices which lanes are together. */
static bool unnoticed(struct threading *t, struct ir_block *b)
{
	if (!t->nnoticing)
		return true;
	graph_region(t->f, b, b->ipdom);
	for (size_t k = 0; k < t->nnoticing; k++)
		if (graph_inside(t->f, t->noticing[k]))
			return false;
	return true;
}

/* ---- rounds ---- */

static bool pass_block(struct threading *t, struct ir_block *b)
{
	enum outcome *known = ptx_new(t->f->m, b->nfrom * sizeof *known);
	const struct ir_block *to = NULL;
	bool any = false;

	for (size_t k = 0; k < b->nfrom; k++) {
		const struct ir_block *from = b->from[k];
		if (from->id >= t->nblocks || (from->end == END_BRANCH && from->to[0] == from->to[1]))
			continue;
		known[k] = outcome_from(t, b, k);
		if (known[k] != UNKNOWN && b->test.not)
			known[k] = known[k] == TAKEN ? OTHER : TAKEN;
	}
	bool vanishes = true;
	for (size_t k = 0; k < b->nfrom; k++)
		vanishes &= known[k] != UNKNOWN;
	bool rotates = is_head(b) && passes_head(b, known, &to);
	for (size_t k = b->nfrom; k--;) {
		struct ir_block *goal = b->to[known[k] == OTHER];
		if (known[k] == UNKNOWN)
			continue;
		if (is_head(b) && !graph_in_loop(b->from[k], b) ? !rotates : !enters_well(b->from[k], goal))
			continue;
		/* Lanes of a loop's next turn meet in b, as long as some lanes come there. */
		if (!vanishes && graph_dominates(goal, b->from[k]))
			continue;
		if (!any && !unnoticed(t, b))
			break;
		pass(t, b, k, goal);
		any = true;
	}
	return any;
}

/* A loop with the test at the top and a single jump back: the test is repeated at the bottom. */
static bool rotate(struct threading *t, struct ir_block *b)
{
	size_t back = b->nfrom;
	unsigned inside = 0;

	for (size_t k = 0; k < b->nfrom; k++)
		if (graph_in_loop(b->from[k], b)) {
			back = k;
			inside++;
		}
	if (inside != 1 || b->from[back]->id >= t->nblocks || b->from[back]->end != END_JUMP || !is_set(test_of(b)) ||
	    test_of(b)->block != b)
		return false;
	bool first = graph_in_loop(b->to[0], b), second = graph_in_loop(b->to[1], b);
	if (first == second || !graph_dominates(b->to[second], b->from[back]) || b->to[second]->nfrom != 1)
		return false;
	repeat_test(t, b, back);
	return true;
}

static bool one_round(struct ir *f, bool rotating)
{
	struct threading t = { .f = f, .nvalues = f->nvalues, .nblocks = f->nblocks };
	bool any = false;

	t.vars = ptx_new(f->m, (f->nvalues + 1) * sizeof *t.vars);
	t.touched = ptx_new(f->m, (f->nblocks + 1) * sizeof *t.touched);
	if (!rotating)
		find_noticing(&t);
	for (size_t n = 1; n < t.nblocks; n++) {
		struct ir_block *b = f->blocks[n];
		ir_resolve(&b->test);
		if (touched(&t, b) || !only_tests(b))
			continue;
		any |= rotating ? is_head(b) && rotate(&t, b) : pass_block(&t, b);
	}
	if (any) {
		join_anew(&t);
		graph_dominators(f);
		common_operations(f);
		drop_dead(f);
	}
	return any;
}

void thread_branches(struct ir *f)
{
	for (unsigned round = 0; round < ROUNDS_MAX && one_round(f, false); round++)
		;
	one_round(f, true);
}
