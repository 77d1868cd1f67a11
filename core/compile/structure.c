/* Where lanes part and meet: branches that all lanes of a warp take alike, and a joinat for the others.
 *
 * A reader of PTX relies on this: lanes that part at a branch meet at the post-dominator of the branch, lanes that end
 * left out, before any barrier, vote, lock, atomic or volatile access behind. Convergence is part of a program's
 * meaning: a pass that copies, skips or joins blocks shows that no such instruction notices (thread.c), and meet.c
 * proves the joins and joinats of this pass.
 *
 * The meeting point J of a branch is the post-dominator along the paths to the kernel's end. All branches that meet at
 * J share one joinat, at the end of a block D that dominates the branches and every way to J, with J as a
 * post-dominator, and outside of loops without J. Regions of post-dominators nest, and the stack of the machine has the
 * entries in the right order by construction. */
#include "core/compile/ir.h"

#include <stdlib.h>
#include <string.h>

enum {
	EXACT_BLOCKS_MAX = 4096, /* larger functions: every branch counts as divergent */
	ENDS_MAX = 16,           /* tried as the end that paths lead to */
	NESTS_MAX = 16           /* loops that get a head of their own */
};

/* ---- the graph's edges ---- */

/* `new` in the text: behind `previous`. */
static void into_text(struct ir *f, struct ir_block *new, struct ir_block *previous)
{
	new->next = previous->next;
	new->previous = previous;
	if (new->next)
		new->next->previous = new;
	previous->next = new;
	if (f->last_block == previous)
		f->last_block = new;
}

static struct ir_block *empty_block(struct ir *f, struct ir_block *to)
{
	struct ir_block *new = ir_block(f);

	new->reachable = new->sealed = new->lowered = true;
	new->end = END_JUMP;
	new->to[0] = to;
	new->line = to->line;
	new->file = to->file;
	new->source_line = to->source_line;
	return new;
}

/* A block on the edge from the k-th block before `to`: behind that block on a fall-through edge, else at the end. */
static void split_edge(struct ir *f, struct ir_block *to, size_t k)
{
	struct ir_block *from = to->from[k], *new = empty_block(f, to);

	for (unsigned e = 0; e < 2; e++)
		if (from->to[e] == to)
			from->to[e] = new;
	ir_edge(f, from, new);
	to->from[k] = new;
	into_text(f, new, from->to[1] == new ? from : f->last_block);
}

/* What the phi takes from blocks `from`, through a block between. */
static struct source joined_source(struct ir *f, struct ir_insn *phi, struct ir_block **from, size_t n,
				   struct ir_block *between, struct ir_block *to)
{
	if (n == 1)
		return phi->args[ir_from(to, from[0])];
	struct ir_insn *part = ir_insn_new(f, IR_PHI);
	part->args = ptx_new(f->m, n * sizeof *part->args);
	part->nsrc = (unsigned)n;
	for (size_t k = 0; k < n; k++)
		part->args[k] = phi->args[ir_from(to, from[k])];
	part->dst = ir_value(f, phi->dst->class);
	part->dst->def = part;
	part->dst->divergent = phi->dst->divergent;
	ir_append(f, between, part);
	return of(part->dst);
}

/* `to` forgets the predecessors `from`. The source behind those of all predecessors becomes the last one. */
static void drop_predecessors(struct ir_block *to, struct ir_block **from, size_t n)
{
	size_t kept = 0;

	for (size_t k = 0; k < to->nfrom; k++) {
		bool moved = false;
		for (size_t j = 0; j < n; j++)
			moved |= from[j] == to->from[k];
		if (moved)
			continue;
		for (struct ir_insn *phi = to->head; phi && phi->op == IR_PHI; phi = phi->next)
			phi->args[kept] = phi->args[k];
		to->from[kept++] = to->from[k];
	}
	for (struct ir_insn *phi = to->head; phi && phi->op == IR_PHI; phi = phi->next) {
		phi->args[kept] = phi->args[to->nfrom];
		phi->nsrc = (unsigned)kept + 1;
	}
	to->nfrom = kept;
}

/* A block before `to` in the text, on the n edges from `from`; phis of `to` have a single source for all n. */
static struct ir_block *block_between(struct ir *f, struct ir_block **from, size_t n, struct ir_block *to)
{
	struct ir_block *new = empty_block(f, to);

	for (struct ir_insn *phi = to->head; phi && phi->op == IR_PHI; phi = phi->next) {
		struct source *args = ptx_new(f->m, (to->nfrom + 1) * sizeof *args), joined;
		joined = joined_source(f, phi, from, n, new, to);
		memcpy(args, phi->args, to->nfrom * sizeof *args);
		args[to->nfrom] = joined;
		phi->args = args;
	}
	drop_predecessors(to, from, n);
	ir_edge(f, new, to);
	for (size_t j = 0; j < n; j++) {
		for (unsigned e = 0; e < ir_edges(from[j]); e++)
			if (from[j]->to[e] == to)
				from[j]->to[e] = new;
		ir_edge(f, from[j], new);
	}
	into_text(f, new, to->previous ? to->previous : f->last_block);
	return new;
}

/* An edge from a branch to a block with several predecessors has no place for the copies of phis. */
static void split_critical_edges(struct ir *f)
{
	size_t n = f->nblocks;

	for (size_t i = 0; i < n; i++)
		if (f->blocks[i]->end == END_BRANCH && f->blocks[i]->to[0] == f->blocks[i]->to[1])
			f->blocks[i]->end = END_JUMP;
	for (size_t i = 0; i < n; i++) {
		struct ir_block *to = f->blocks[i];
		bool phis = to->head && to->head->op == IR_PHI;
		for (size_t k = 0; phis && to->nfrom > 1 && k < to->nfrom; k++)
			if (to->from[k]->end == END_BRANCH)
				split_edge(f, to, k);
	}
}

/* A preheader before each loop: the place of a joinat for the exits. */
static void preheaders(struct ir *f)
{
	size_t n = f->nblocks;

	for (size_t i = 0; i < n; i++) {
		struct ir_block *head = f->blocks[i];
		struct ir_block **outside = ptx_new(f->m, (head->nfrom + 1) * sizeof *outside);
		size_t count = 0;
		for (size_t k = 0; k < head->nfrom; k++)
			if (!graph_dominates(head, head->from[k]))
				outside[count++] = head->from[k];
		if (count == head->nfrom || !count || (count == 1 && outside[0]->end == END_JUMP))
			continue;
		block_between(f, outside, count, head);
	}
}

/* ---- uniformity ---- */

static bool made_divergent(const struct ir_insn *i)
{
	switch (i->op) {
	case IR_NOP:
	case IR_ATOM:
	case IR_LDLOCK:
	case IR_CLOCK:
	case IR_PHYSID:
	case IR_PM:
	case IR_TEX:
	case IR_BALLOT: /* that of one group of lanes */
	case IR_SHFL:
	case IR_MATCH:
	case IR_REDUX: return true;
	case IR_LD: /* lanes together read a single word at a uniform address */
		return i->space == SPACE_LOCAL || (i->space != SPACE_CONST && i->block->parted);
	default: return false;
	}
}

static bool mark(struct value *v)
{
	bool new = v && !v->divergent;

	if (new)
		v->divergent = true;
	return new;
}

static bool divergent(const struct source *s) { return s->kind == SOURCE_VALUE && s->value->divergent; }

/* Blocks that use a value of another block: those of value v from begin[v] to begin[v + 1]. */
struct users {
	size_t *begin;
	struct ir_block **block;
};

static void note_use(struct users *u, const struct source *s, struct ir_block *b, bool fill)
{
	if (s->kind != SOURCE_VALUE || !s->value->def || s->value->def->block == b)
		return;
	if (fill)
		u->block[u->begin[s->value->id]++] = b;
	else
		u->begin[s->value->id + 2]++;
}

static void note_uses(struct users *u, struct ir_block *b, bool fill)
{
	for (struct ir_insn *i = b->head; i; i = i->next)
		IR_EACH_SOURCE(i, s)
			note_use(u, s, b, fill);
	if (b->end == END_BRANCH)
		note_use(u, &b->test, b, fill);
}

static struct users users_of(struct ir *f)
{
	struct users u = { .begin = ptx_new(f->m, (f->nvalues + 3) * sizeof *u.begin) };

	for (unsigned fill = 0; fill < 2; fill++) {
		for (size_t n = 0; n < f->nblocks; n++)
			note_uses(&u, f->blocks[n], fill);
		for (size_t v = 1; !fill && v < f->nvalues + 2; v++)
			u.begin[v + 1] += u.begin[v];
		if (!fill) { /* filling moves each begin by one value */
			u.block = ptx_new(f->m, (u.begin[f->nvalues + 1] + 1) * sizeof *u.block);
			u.begin++;
		}
	}
	u.begin--;
	return u;
}

static bool used_outside(const struct ir *f, const struct users *u, const struct value *v)
{
	bool outside = false;

	for (size_t k = u->begin[v->id]; k < u->begin[v->id + 1] && !outside; k++)
		outside = !graph_inside(f, u->block[k]);
	return outside;
}

/* A value used outside of the region differs by lane. True: a mark is new. */
static bool mark_leaving(struct ir *f, const struct users *u, struct value *v)
{
	return v && used_outside(f, u, v) && mark(v);
}

/* Values joined behind a divergent branch, and values from a loop with a divergent exit. */
static bool spread(struct ir *f, struct ir_block *b, const struct users *u)
{
	struct ir_block *meet = b->ipdom;
	bool changed = false, back;

	graph_region(f, b, meet);
	back = graph_inside(f, b);
	for (size_t n = 0; n < f->region.n + (meet != NULL); n++) {
		struct ir_block *x = n < f->region.n ? f->region.blocks[n] : meet;
		x->parted |= x != meet;
		for (struct ir_insn *i = x->head; i; i = i->next) {
			if (i->op == IR_PHI)
				changed |= mark(i->dst);
			if (!back || x == meet)
				continue;
			changed |= mark_leaving(f, u, i->dst);
			changed |= mark_leaving(f, u, i->flags);
		}
	}
	return changed;
}

/* `exact`: lanes meet at each post-dominator, and are apart in the regions of divergent branches alone. */
static void find_uniform(struct ir *f, bool exact)
{
	for (size_t v = 0; v < f->nvalues; v++)
		f->values[v]->divergent = false;
	for (size_t n = 0; n < f->nblocks; n++) {
		f->blocks[n]->uniform = f->nblocks <= EXACT_BLOCKS_MAX;
		f->blocks[n]->parted = !exact;
	}
	if (f->nblocks > EXACT_BLOCKS_MAX)
		return;
	struct users users = users_of(f);
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t n = 0; n < f->nblocks; n++) {
			struct ir_block *b = f->blocks[n];
			for (struct ir_insn *i = b->head; i; i = i->next) {
				bool any = made_divergent(i) || (divergent(&i->guard) && !ir_asks(i->op)) ||
					   divergent(&i->old);
				for (unsigned k = 0; k < i->nsrc; k++)
					any |= divergent(i->op == IR_PHI || i->op == IR_PACK ? &i->args[k]
											     : &i->src[k]);
				if (any && mark(i->dst))
					changed = true;
				if (any && mark(i->flags))
					changed = true;
			}
			if (b->end != END_BRANCH || !divergent(&b->test) || !b->uniform)
				continue;
			b->uniform = false; /* the graph alone says where a branch spreads to: once is enough */
			changed |= spread(f, b, &users);
		}
	}
}

/* ---- joinat and join ---- */

static bool post_dominates(const struct ir_block *a, const struct ir_block *b)
{
	while (b && b != a)
		b = b->ipdom;
	return b == a;
}

/* J lies behind both ways out of b. Otherwise a way ends the thread, and no lanes have to meet. */
static bool needs_meeting(struct ir *f, const struct ir_block *b, const struct ir_block *meet)
{
	unsigned ways = 0;

	for (unsigned e = 0; e < 2; e++) {
		if (b->to[e] == meet) {
			ways += !graph_own_end(f, meet);
			continue;
		}
		bool reaches = false;
		graph_region(f, b->to[e], meet);
		for (size_t k = 0; k < meet->nfrom; k++)
			reaches |= (graph_inside(f, meet->from[k]) || meet->from[k] == b->to[e]) &&
				   !graph_own_end(f, meet);
		ways += reaches;
	}
	return ways > 1;
}

/* A circle of blocks that is entered in several places: no head, no loop. */
static bool has_headless_loops(const struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (unsigned e = 0; e < ir_edges(f->blocks[n]); e++)
			if (f->blocks[n]->to[e]->order <= f->blocks[n]->order &&
			    !graph_dominates(f->blocks[n]->to[e], f->blocks[n]))
				return true;
	return false;
}

/* Lanes behind J come to J again past D. */
static bool returns_past(struct ir *f, struct ir_block *d, struct ir_block *meet)
{
	struct ir_block **before = ptx_new(f->m, (meet->nfrom + 1) * sizeof *before);
	size_t n = 0;
	bool returns = false;

	graph_region(f, d, meet);
	for (size_t k = 0; k < meet->nfrom; k++)
		if (graph_inside(f, meet->from[k]))
			before[n++] = meet->from[k];
	graph_region(f, meet, d);
	for (size_t k = 0; k < n; k++)
		returns |= graph_inside(f, before[k]);
	return returns;
}

/* D for branches below `d` that meet at J: upwards until all holds. NULL: no block will do. A loop's first block is no
 * D of its own next turn: lanes may leave the loop from there, below the entry. Each turn of a loop that comes to J
 * comes to D before. */
static struct ir_block *place_of(struct ir *f, struct ir_block *d, struct ir_block *meet)
{
	const struct ir_block *loop = meet->loop == meet ? meet->outer : meet->loop;

	for (; d != meet; d = d->idom) {
		graph_region(f, d, meet);
		bool good = post_dominates(meet, d) && !graph_inside(f, d);
		if (loop && !graph_in_loop(d, loop))
			return NULL;
		for (size_t n = 0; good && n < f->region.n; n++) /* lanes at another end do not come to J */
			good = f->region.blocks[n]->ending != meet->ending || f->region.blocks[n]->end == END_EXIT ||
			       graph_dominates(d, f->region.blocks[n]);
		if (good)
			return f->headless && returns_past(f, d, meet) ? NULL : d;
		if (d == d->idom)
			return NULL;
	}
	return NULL;
}

/* Lanes of D's joinat meet at J itself, or in a block before J where other lanes come to J, too. */
static struct ir_block *meeting_block(struct ir *f, struct ir_block *d, struct ir_block *meet)
{
	struct ir_block **inside = ptx_new(f->m, (meet->nfrom + 1) * sizeof *inside);
	size_t n = 0;

	graph_region(f, d, meet);
	for (size_t k = 0; k < meet->nfrom; k++)
		if ((graph_inside(f, meet->from[k]) || meet->from[k] == d) && !graph_own_end(f, meet))
			inside[n++] = meet->from[k];
	if (n == meet->nfrom && !meet->join)
		return meet;
	return block_between(f, inside, n, meet);
}

static void push_joinat(struct ir *f, struct ir_block *d, struct ir_block *meet)
{
	size_t at;

	ptx_push(f->m, &d->joinat, &d->njoinat, sizeof meet);
	for (at = d->njoinat - 1; at && post_dominates(d->joinat[at - 1], meet) == false && d->joinat[at - 1] != meet;
	     at--)
		d->joinat[at] = d->joinat[at - 1];
	d->joinat[at] = meet;
}

struct meeting {
	struct ir_block *d, *meet;
	size_t index, before;            /* place in the list; 1 + place of an earlier one at the same J, 0: none */
};

/* The post-dominator, past blocks of nothing but copies of phis: a split edge is no place to meet. The block before a
 * loop is a place, because the joinat of the loop's lanes stands there. */
static struct ir_block *meeting_of(const struct ir_block *b)
{
	struct ir_block *meet = b->ipdom;

	while (meet && meet->end == END_JUMP && !meet->head && meet->ipdom == meet->to[0] &&
	       !graph_dominates(meet, meet->to[0]))
		meet = meet->ipdom;
	return meet;
}

static int by_meeting(const void *x, const void *y)
{
	const struct meeting *a = x, *b = y;

	return a->meet != b->meet ? (a->meet->order > b->meet->order) - (a->meet->order < b->meet->order)
				  : (a->index > b->index) - (a->index < b->index);
}

static int by_depth(const void *x, const void *y)
{
	const struct meeting *a = x, *b = y;

	return a->meet == b->meet ? (a->d->order > b->d->order) - (a->d->order < b->d->order) : by_meeting(x, y);
}

/* Among the meetings at one J, inner ones come behind outer ones. */
static void sort_meetings(struct ir *f, struct meeting *list, size_t n)
{
	struct meeting *places = ptx_new(f->m, (n + 1) * sizeof *places);
	struct meeting *sorted = ptx_new(f->m, (n + 1) * sizeof *sorted);

	if (!n)
		return;
	for (size_t k = 0; k < n; k++)
		list[k].index = k;
	memcpy(places, list, n * sizeof *places);
	memcpy(sorted, list, n * sizeof *sorted);
	qsort(places, n, sizeof *places, by_meeting);
	qsort(sorted, n, sizeof *sorted, by_depth);
	for (size_t k = 0; k < n; k++)
		list[places[k].index] = sorted[k];
}

/* Lanes come from d to b, which d dominates, before they come to J: J is no loop's head between both. */
static bool comes_before(const struct ir_block *d, const struct ir_block *b, const struct ir_block *meet)
{
	return graph_dominates(d, b) && !(graph_dominates(meet, b) && !graph_dominates(meet, d));
}

/* The branch at the end of b meets at `meet`: joins an earlier meeting there if one place is good for both. False: no
 * place is good, and the paths run one after the other to the end. */
static bool add_meeting(struct ir *f, struct ir_block *b, struct ir_block *meet, struct meeting **list, size_t *n,
			size_t *latest)
{
	for (size_t k = latest[meet->id]; k; k = (*list)[k - 1].before)
		if (comes_before((*list)[k - 1].d, b, meet))
			return true;
	if (!needs_meeting(f, b, meet))
		return true;
	struct ir_block *d = place_of(f, b, meet);
	if (!d)
		return false;
	for (size_t k = latest[meet->id]; k; k = (*list)[k - 1].before) {
		struct ir_block *both = place_of(f, graph_common_dominator((*list)[k - 1].d, d), meet);
		if (both && comes_before(both, d, meet) && comes_before(both, (*list)[k - 1].d, meet)) {
			(*list)[k - 1].d = both;
			return true;
		}
	}
	*(struct meeting *)ptx_push(f->m, list, n, sizeof **list) = (struct meeting){ d, meet, 0, latest[meet->id] };
	latest[meet->id] = *n;
	return true;
}

/* Meetings of all divergent branches, along the paths to a chosen end. */
struct meetings {
	struct meeting *list;
	size_t n;
	size_t ends;             /* ends to choose from */
	size_t placeless;        /* branches whose lanes have no place to meet: they go on one after the other */
	size_t late;             /* branches whose lanes come to a barrier before they meet */
};

static struct meetings find_meetings(struct ir *f, size_t ends)
{
	size_t *latest = ptx_new(f->m, (f->nblocks + 1) * sizeof *latest);
	struct meetings m = { .ends = ends };

	for (size_t i = 0; i < f->nblocks; i++) {
		struct ir_block *b = f->blocks[i], *meet = meeting_of(b);
		if (b->end != END_BRANCH || b->uniform)
			continue;
		m.placeless += meet && !add_meeting(f, b, meet, &m.list, &m.n, latest);
		if (f->gather.n)
			m.late += meets_too_late(f, b, meet && needs_meeting(f, b, meet) ? meet : NULL, false) != NULL;
	}
	return m;
}

static struct meetings try_end(struct ir *f, size_t end, bool splits)
{
	f->splits_ends = splits;
	size_t ends = graph_postdominators(f, end);
	find_uniform(f, f->nblocks <= EXACT_BLOCKS_MAX);
	return find_meetings(f, ends);
}

/* Meetings before all barriers. The graph does not say which end is the kernel's and which ones are early: the last end
 * of the text is taken for the kernel's, then others are tried. */
static struct meetings choose_end(struct ir *f)
{
	struct meetings m = try_end(f, 0, false);
	size_t best = 0, least = m.placeless + m.late;
	bool splits = false, tried = false;

	for (unsigned split = 0; f->gather.n && f->nblocks <= EXACT_BLOCKS_MAX && least && split < 2; split++)
		for (size_t end = !split; least && end < m.ends && end < ENDS_MAX; end++) {
			m = try_end(f, end, split);
			tried = true;
			if (m.placeless + m.late >= least)
				continue;
			least = m.placeless + m.late;
			best = end;
			splits = split;
		}
	if (tried && least)
		m = try_end(f, best, splits);
	if (m.placeless) { /* lanes may be apart anywhere: what is read together may differ */
		find_uniform(f, false);
		m = find_meetings(f, m.ends);
	}
	return m;
}

/* ---- loops with a common head ----
 *
 * Compilers give two loops a common head: an inner turn ends before J, as by `continue`, and an outer turn behind J. A
 * new block before the head begins the outer turns, the D of lanes that meet at J. Turns may also have their last block
 * in common, with the step of a loop's counter: the outer turns get a copy. */

/* A last block that may have a copy: lanes do not notice, and a store, say, remains a single one. */
static bool may_copy(const struct ir_block *last)
{
	const struct ir_insn *i = last->head;

	while (i && !(ir_op_info[i->op].flags & EFFECT) && !i->is_volatile && !i->twin)
		i = i->next;
	return !i && last->end == END_JUMP;
}

struct copying {
	struct ir *f;
	struct ir_block *to;             /* the copy */
	struct value **map;              /* by id: the copy's value; NULL: a value of another block */
	size_t n;                        /* values before the copy was made */
};

static void name_copy(const struct copying *c, struct source *s)
{
	ir_resolve(s);
	if (s->kind == SOURCE_VALUE && s->value->id < c->n && c->map[s->value->id])
		s->value = c->map[s->value->id];
}

static struct value *copied_value(struct copying *c, struct value *v, struct ir_insn *def)
{
	struct value *new = v ? ir_value(c->f, v->class) : NULL;

	if (!v)
		return NULL;
	uint32_t id = new->id;
	*new = *v;
	new->id = id;
	new->def = def;
	c->map[v->id] = new;
	return new;
}

static void copy_insn(struct copying *c, const struct ir_insn *i, const size_t *from, size_t n)
{
	struct ir_insn *new = ir_insn_new(c->f, i->op);

	*new = *i;
	new->next = new->previous = NULL;
	if (i->args)
		new->args = ptx_new(c->f->m, (n + i->nsrc) * sizeof *new->args);
	for (size_t k = 0; i->args && k < (i->op == IR_PHI ? n : i->nsrc); k++)
		new->args[k] = i->args[i->op == IR_PHI ? from[k] : k];
	if (i->op == IR_PHI)
		new->nsrc = (unsigned)n;
	for (struct source *s = i->args ? new->args : new->src, *end = s + new->nsrc; i->op != IR_PHI && s < end; s++)
		name_copy(c, s);
	name_copy(c, &new->guard);
	name_copy(c, &new->old);
	new->dst = copied_value(c, i->dst, new);
	new->flags = copied_value(c, i->flags, new);
	ir_append(c->f, c->to, new);
}

/* The n edges to `last` from places `from`, in their order, go to a copy instead. `last` jumps to the head. */
static void copy_last(struct ir *f, struct ir_block *last, const size_t *from, size_t n)
{
	struct ir_block *head = last->to[0];
	size_t place = ir_from(head, last);
	struct copying c = { f, empty_block(f, head), ptx_new(f->m, (f->nvalues + 1) * sizeof *c.map), f->nvalues };

	for (const struct ir_insn *i = last->head; i; i = i->next)
		copy_insn(&c, i, from, n);
	for (struct ir_insn *phi = head->head; phi && phi->op == IR_PHI; phi = phi->next) {
		struct source *args = ptx_new(f->m, (head->nfrom + 1) * sizeof *args);
		memcpy(args, phi->args, head->nfrom * sizeof *args);
		args[head->nfrom] = args[place];
		name_copy(&c, &args[head->nfrom]);
		phi->args = args;
		phi->nsrc = (unsigned)head->nfrom + 1;
	}
	ir_edge(f, c.to, head);
	for (size_t k = 0; k < n; k++) {
		struct ir_block *b = last->from[from[k]];
		for (unsigned e = 0; e < ir_edges(b); e++)
			if (b->to[e] == last)
				b->to[e] = c.to;
		ir_edge(f, b, c.to);
	}
	for (size_t k = n; k--;)
		graph_drop_edge(last, from[k]);
	into_text(f, c.to, f->last_block);
}

/* Turns from behind J get a last block of their own, where turns from before J share theirs. The latest region is the
 * head's, up to J. */
static bool part_last(struct ir *f, struct ir_block *head)
{
	for (size_t k = 0; k < head->nfrom; k++) {
		struct ir_block *last = head->from[k];
		size_t *from = ptx_new(f->m, (last->nfrom + 1) * sizeof *from), n = 0;
		for (size_t j = 0; last != head && graph_inside(f, last) && j < last->nfrom; j++)
			if (!graph_inside(f, last->from[j]) && last->from[j] != head)
				from[n++] = j;
		if (n && n < last->nfrom && may_copy(last)) {
			copy_last(f, last, from, n);
			return true;
		}
	}
	return false;
}

/* False: J is in no loop of two. */
static bool nest_loop(struct ir *f, const struct ir_block *b, const struct ir_block *meet)
{
	struct ir_block *head = meet->loop == meet ? meet->outer : meet->loop, **outer;
	size_t n = 0;

	if (!head || !graph_in_loop(b, head))
		return false;
	graph_region(f, head, meet);
	if (graph_inside(f, head->idom)) /* the block before the loop */
		return false;
	while (part_last(f, head))
		;
	outer = ptx_new(f->m, (head->nfrom + 1) * sizeof *outer);
	for (size_t k = 0; k < head->nfrom; k++)
		if (head->from[k] != head && !graph_inside(f, head->from[k]))
			outer[n++] = head->from[k];
	if (n < 2 || n == head->nfrom)
		return false;
	block_between(f, outer, n, head);
	return true;
}

/* A place to meet for the lanes of another branch. False: no branch gets a place. */
static bool nest_loops(struct ir *f)
{
	bool any = false;

	for (size_t n = 0; !any && n < f->nblocks; n++) {
		struct ir_block *b = f->blocks[n], *meet = meeting_of(b);
		any = b->end == END_BRANCH && !b->uniform && meet && needs_meeting(f, b, meet) &&
		      !place_of(f, b, meet) && nest_loop(f, b, meet);
	}
	return any;
}

static void order_again(struct ir *f)
{
	graph_order(f);
	graph_dominators(f);
	f->headless = has_headless_loops(f);
}

static void place_joins(struct ir *f)
{
	find_gathering(f);
	struct meetings all = choose_end(f);
	for (unsigned round = 0; all.placeless && round < NESTS_MAX && nest_loops(f); round++) {
		order_again(f);
		all = choose_end(f);
	}
	struct meeting *list = all.list;
	size_t n = all.n;

	/* Inner meetings first: a block made for an inner meeting belongs to the region of the outer. */
	sort_meetings(f, list, n);
	for (size_t k = n; k--;) {
		struct meeting m = list[k];
		struct ir_block *meet = meeting_block(f, m.d, m.meet);
		meet->join = true;
		if (meet != m.meet) { /* the new block's place in the trees */
			meet->ipdom = m.meet;
			meet->idom = m.d;
			meet->order = m.meet->order;
			meet->ending = m.meet->ending;
		}
		push_joinat(f, m.d, meet);
	}
}

/* The instruction waits for no lanes. The last source, the mask, goes with the wait, but not that of a reduction. */
static void drop_wait(struct ir_insn *i)
{
	if ((i->waits && i->op != IR_REDUX) || i->op == IR_WARPSYNC)
		i->nsrc--;
	if (i->op == IR_WARPSYNC)
		i->op = IR_MEET;
	i->waits = false;
}

/* Where no lanes are apart, none has to wait for others. */
static void drop_waits(struct ir *f)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i && !f->blocks[n]->parted; i = i->next)
			drop_wait(i);
}

void structure(struct ir *f)
{
	graph_order(f);
	split_critical_edges(f);
	graph_order(f);
	graph_dominators(f);
	preheaders(f);
	order_again(f);
	place_joins(f);
	drop_waits(f);
	graph_order(f);
	graph_dominators(f);
	check_meetings(f);
}
