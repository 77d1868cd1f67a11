/* Orders and trees over the blocks of a function: reverse postorder, dominators (semidominators and nearest common
 * ancestors: Georgiadis, Tarjan and Werneck, 2006), ends of the thread, post-dominators along the paths to a block's
 * own end, nesting of loops. */
#include "core/compile/ir.h"

#include <stdlib.h>
#include <string.h>

/* Steps of all searches for regions: about a second. */
#define REGION_STEPS_MAX (UINT64_C(1) << 25)

/* A graph's nodes by their numbers in the order in which a search from node 0 comes to them. */
struct flow {
	size_t n;
	struct ir_block **block;         /* NULL: a node of no block */
	uint32_t *parent, *idom;         /* in the tree of the search; nearest dominator */
	uint32_t *number;                /* 1 + node of a block, by the block's id; 0: none */
	size_t *begin;                   /* nodes before node i are before[begin[i]] to before[begin[i + 1] - 1] */
	uint32_t *before;
	size_t nbefore;
};

size_t graph_post_order(struct ir *f, bool ways_out_first, struct ir_block **post)
{
	size_t n = 0, top = 0, total = f->nblocks;
	struct ir_block **stack = ptx_new(f->m, total * sizeof *stack);
	uint8_t *edge = ptx_new(f->m, total);

	for (size_t i = 0; i < total; i++)
		f->blocks[i]->reachable = false;
	for (size_t i = 0; i < total; i++)
		f->blocks[i]->id = (uint32_t)i;
	stack[top++] = f->entry;
	f->entry->reachable = true;
	while (top) {
		struct ir_block *b = stack[top - 1];
		unsigned edges = ir_edges(b);
		if (edge[b->id] == edges) {
			post[n++] = b;
			top--;
			continue;
		}
		unsigned k = edge[b->id]++;
		bool turned = ways_out_first && edges == 2 && b->to[0]->depth > b->to[1]->depth;
		struct ir_block *to = b->to[turned ? !k : k];
		if (!to->reachable) {
			to->reachable = true;
			stack[top++] = to;
		}
	}
	return n;
}

/* Edges from unreachable blocks go, with the sources of phis. */
static void drop_edges(struct ir *f)
{
	for (size_t i = 0; i < f->nblocks; i++) {
		struct ir_block *b = f->blocks[i];
		size_t kept = 0;
		for (size_t k = 0; b->reachable && k < b->nfrom; k++) {
			if (!b->from[k]->reachable)
				continue;
			for (struct ir_insn *phi = b->head; phi && phi->op == IR_PHI; phi = phi->next)
				phi->args[kept] = phi->args[k];
			b->from[kept++] = b->from[k];
		}
		b->nfrom = kept;
		for (struct ir_insn *phi = b->head; b->reachable && phi && phi->op == IR_PHI; phi = phi->next)
			phi->nsrc = (unsigned)kept;
	}
}

/* The text's order keeps reachable blocks alone. */
static void drop_blocks(struct ir *f)
{
	for (struct ir_block *b = f->entry; b; b = b->next) {
		while (b->next && !b->next->reachable)
			b->next = b->next->next;
		if (b->next)
			b->next->previous = b;
		f->last_block = b;
	}
}

/* Reverse postorder without recursion: f->blocks holds the reachable blocks in order afterwards, ids are places. */
void graph_order(struct ir *f)
{
	struct ir_block **post = ptx_new(f->m, f->nblocks * sizeof *post);
	size_t n = graph_post_order(f, false, post);

	drop_edges(f);
	drop_blocks(f);
	struct ir_block **blocks = ptx_new(f->m, (n + 1) * 2 * sizeof *blocks);
	f->blocks = NULL;
	f->nblocks = 0;
	for (size_t i = 0; i < n; i++)
		blocks[i] = post[n - 1 - i];
	for (size_t i = 0; i < n; i++) {
		blocks[i]->id = blocks[i]->order = (uint32_t)i;
		*(struct ir_block **)ptx_push(f->m, &f->blocks, &f->nblocks, sizeof *blocks) = blocks[i];
	}
}

void graph_drop_edge(struct ir_block *to, size_t k)
{
	size_t behind = to->nfrom - k - 1;

	for (struct ir_insn *phi = to->head; phi && phi->op == IR_PHI; phi = phi->next) {
		memmove(phi->args + k, phi->args + k + 1, behind * sizeof *phi->args);
		phi->nsrc--;
	}
	memmove(to->from + k, to->from + k + 1, behind * sizeof(struct ir_block *));
	to->nfrom--;
}

struct ir_block *graph_common_dominator(struct ir_block *a, struct ir_block *b)
{
	while (a != b) {
		while (a->order > b->order)
			a = a->idom;
		while (b->order > a->order)
			b = b->idom;
	}
	return a;
}

/* A block dominates blocks with numbers from the block's own on, as many as the block's tree has. Blocks that were made
 * since have no number and are looked up in the tree. */
bool graph_dominates(const struct ir_block *a, const struct ir_block *b)
{
	if (a->tree_size && b->tree_size)
		return b->tree_number - a->tree_number < a->tree_size;
	while (b && b->order > a->order)
		b = b == b->idom ? NULL : b->idom;
	return a == b;
}

static void loop_depths(struct ir *f)
{
	struct ir_block **stack = ptx_new(f->m, (f->nblocks + 1) * sizeof *stack);
	uint32_t *mark = ptx_new(f->m, f->nblocks * sizeof *mark), stamp = 0;

	for (size_t i = 0; i < f->nblocks; i++) {
		f->blocks[i]->depth = 0;
		f->blocks[i]->loop = f->blocks[i]->outer = NULL;
	}
	for (size_t i = 0; i < f->nblocks; i++) { /* a natural loop for each head */
		struct ir_block *head = f->blocks[i];
		size_t top = 0;
		stamp++;
		for (size_t k = 0; k < head->nfrom; k++)
			if (graph_dominates(head, head->from[k]) && mark[head->from[k]->id] != stamp) {
				mark[head->from[k]->id] = stamp;
				stack[top++] = head->from[k];
			}
		if (!top)
			continue;
		if (mark[head->id] != stamp) {
			mark[head->id] = stamp;
			head->depth++;
		}
		head->outer = head->loop;
		head->loop = head;
		while (top) {
			struct ir_block *b = stack[--top];
			if (b == head)
				continue;
			b->depth++;
			b->loop = head; /* heads of inner loops come later */
			for (size_t k = 0; k < b->nfrom; k++)
				if (mark[b->from[k]->id] != stamp) {
					mark[b->from[k]->id] = stamp;
					stack[top++] = b->from[k];
				}
		}
	}
}

bool graph_in_loop(const struct ir_block *b, const struct ir_block *head)
{
	const struct ir_block *x = b->loop;

	while (x && x != head)
		x = x->outer;
	return x == head;
}

static void number_tree(struct ir *f)
{
	uint32_t *next = ptx_new(f->m, f->nblocks * sizeof *next);

	for (size_t i = 0; i < f->nblocks; i++)
		f->blocks[i]->tree_size = 1;
	for (size_t i = f->nblocks; --i;)
		f->blocks[i]->idom->tree_size += f->blocks[i]->tree_size;
	f->blocks[0]->tree_number = 0;
	next[0] = 1;
	for (size_t i = 1; i < f->nblocks; i++) {
		struct ir_block *b = f->blocks[i];
		b->tree_number = next[b->idom->order];
		next[b->idom->order] += b->tree_size;
		next[i] = b->tree_number + 1;
	}
}

static struct flow flow_new(struct ir *f)
{
	size_t n = f->nblocks + 1;

	return (struct flow){ .block = ptx_new(f->m, n * sizeof(struct ir_block *)),
			      .parent = ptx_new(f->m, n * sizeof(uint32_t)),
			      .idom = ptx_new(f->m, n * sizeof(uint32_t)),
			      .number = ptx_new(f->m, n * sizeof(uint32_t)),
			      .begin = ptx_new(f->m, (n + 1) * sizeof(size_t)) };
}

static void flow_node(struct flow *g, struct ir_block *b, uint32_t parent)
{
	if (b)
		g->number[b->id] = (uint32_t)g->n + 1;
	g->block[g->n] = b;
	g->parent[g->n++] = parent;
}

/* The least semidominator on the way from node v up to nodes that are not linked yet, numbers up to `last`. */
static uint32_t least(uint32_t *up, uint32_t *label, const uint32_t *semi, uint32_t v, uint32_t last, uint32_t *stack)
{
	size_t top = 0;

	for (; up[v] >= last; v = up[v])
		stack[top++] = v;
	while (top) {
		uint32_t x = stack[--top];
		if (semi[label[up[x]]] < semi[label[x]])
			label[x] = label[up[x]];
		up[x] = up[v];
		v = x;
	}
	return label[v];
}

static void find_dominators(struct ir *f, struct flow *g)
{
	size_t bytes = (g->n + 1) * sizeof(uint32_t);
	uint32_t *up = ptx_new(f->m, bytes), *label = ptx_new(f->m, bytes), *semi = ptx_new(f->m, bytes),
		 *stack = ptx_new(f->m, bytes);

	for (uint32_t i = 0; i < g->n; i++) {
		up[i] = g->idom[i] = g->parent[i];
		label[i] = semi[i] = i;
	}
	for (uint32_t i = (uint32_t)g->n; i-- > 1;) {
		semi[i] = g->parent[i];
		for (size_t k = g->begin[i]; k < g->begin[i + 1]; k++) {
			uint32_t s = semi[least(up, label, semi, g->before[k], i + 1, stack)];
			semi[i] = s < semi[i] ? s : semi[i];
		}
	}
	for (uint32_t i = 1; i < g->n; i++)
		while (g->idom[i] > semi[i])
			g->idom[i] = g->idom[g->idom[i]];
}

void graph_dominators(struct ir *f)
{
	struct flow g = flow_new(f);
	struct ir_block **stack = ptx_new(f->m, (f->nblocks + 1) * sizeof *stack);
	uint8_t *edge = ptx_new(f->m, f->nblocks + 1);
	size_t top = 0, edges = 0;

	stack[top++] = f->entry;
	flow_node(&g, f->entry, 0);
	while (top) {
		struct ir_block *b = stack[top - 1];
		if (edge[b->id] == ir_edges(b)) {
			top--;
			continue;
		}
		struct ir_block *to = b->to[edge[b->id]++];
		if (!g.number[to->id]) {
			flow_node(&g, to, g.number[b->id] - 1);
			stack[top++] = to;
		}
	}
	for (size_t i = 0; i < g.n; i++)
		edges += g.block[i]->nfrom;
	g.before = ptx_new(f->m, (edges + 1) * sizeof *g.before);
	for (size_t i = 0; i < g.n; i++) {
		g.begin[i] = g.nbefore;
		for (size_t k = 0; k < g.block[i]->nfrom; k++)
			if (g.number[g.block[i]->from[k]->id])
				g.before[g.nbefore++] = g.number[g.block[i]->from[k]->id] - 1;
		g.begin[i + 1] = g.nbefore;
	}
	find_dominators(f, &g);
	for (size_t i = 0; i < g.n; i++)
		g.block[i]->idom = g.block[g.idom[i]];
	number_tree(f);
	loop_depths(f);
}

/* ---- ends of the thread ----
 *
 * Lanes that have ended wait for no others: a path to an end does not keep other paths from meeting. A path counts if
 * the path leads to the block's own end. Ends stand in an order, and a block belongs to the first end that paths from
 * the block reach, so edges lead to blocks of the same end or of a later end, and never back: lanes that leave for a
 * later end pass no meeting point of the blocks behind them. The last end in the text comes first, or the end of the
 * caller's choice.
 *
 * An edge to an empty end is an end of its own. Other last blocks are places to meet, or, if f->splits_ends, ends by
 * edges as well: compilers share the last store of a kernel with early returns, which pass barriers. A last block with
 * a barrier or a vote remains a place to meet. */

/* A block that ends the thread, or a block with an edge that is an end of its own. */
struct end {
	struct ir_block *block;
	uint32_t number, last_number;    /* places in the text, from 1: of the block, of the last block behind */
	bool behind;                     /* the last block follows at once */
};

struct ends {
	struct end *list;                /* from the last in the text on */
	size_t n;
	uint32_t nroots;                 /* ends that blocks belong to */
	struct ir_block **root;          /* block of each number, from 1 */
	struct ir_block **stack;
};

bool graph_own_end(const struct ir *f, const struct ir_block *to)
{
	return to->end == END_EXIT && (!to->head || (f->splits_ends && !to->gathers));
}

static int by_text(const void *x, const void *y)
{
	const struct end *a = x, *b = y;

	if (a->last_number != b->last_number)
		return a->last_number < b->last_number ? 1 : -1;
	if (a->behind != b->behind)
		return a->behind ? -1 : 1;
	return (a->number < b->number) == a->behind ? 1 : -1;
}

static struct ends ends_of(struct ir *f)
{
	size_t edges = 1, words = (f->nblocks + 2) * sizeof(struct ir_block *);
	uint32_t place = 0, *places = ptx_new(f->m, (f->nblocks + 1) * sizeof *places);
	struct ends s = { .root = ptx_new(f->m, words), .stack = ptx_new(f->m, words) };

	for (struct ir_block *b = f->entry; b; b = b->next) {
		places[b->id] = ++place;
		edges += b->end == END_EXIT ? b->nfrom + 1 : 0;
	}
	s.list = ptx_new(f->m, edges * sizeof *s.list);
	for (struct ir_block *b = f->entry; b; b = b->next) {
		b->ending = 0;
		if (b->end == END_EXIT && !graph_own_end(f, b))
			s.list[s.n++] = (struct end){ b, places[b->id], places[b->id], true };
		for (size_t k = 0; k < b->nfrom; k++) {
			struct ir_block *from = b->from[k];
			bool behind = from->end == END_JUMP || from->next == b;
			if (graph_own_end(f, b))
				s.list[s.n++] = (struct end){ from, places[from->id], places[b->id], behind };
		}
	}
	qsort(s.list, s.n, sizeof *s.list, by_text);
	return s;
}

/* The blocks with paths to the end, among blocks without an end so far, have the end. */
static void give_end(struct ir *f, struct ends *s, struct ir_block *end)
{
	size_t top = 0;

	s->root[++s->nroots] = end;
	end->ending = s->nroots;
	s->stack[top++] = end;
	while (top) {
		struct ir_block *b = s->stack[--top];
		for (size_t k = 0; k < b->nfrom; k++)
			if (!b->from[k]->ending && !graph_own_end(f, b)) {
				b->from[k]->ending = s->nroots;
				s->stack[top++] = b->from[k];
			}
	}
}

static struct ends find_ends(struct ir *f, size_t first)
{
	struct ends s = ends_of(f);

	if (first < s.n)
		give_end(f, &s, s.list[first].block);
	for (size_t k = 0; k < s.n; k++)
		if (!s.list[k].block->ending)
			give_end(f, &s, s.list[k].block);
	for (size_t n = f->nblocks; n--;) /* circles without an end */
		if (!f->blocks[n]->ending && !graph_own_end(f, f->blocks[n]))
			give_end(f, &s, f->blocks[n]);
	return s;
}

static bool post_edge(const struct ir *f, const struct ir_block *from, const struct ir_block *to)
{
	return !graph_own_end(f, to) && from->ending == to->ending;
}

/* The graph turned round: node 0 stands behind all ends. */
static void nodes_backwards(struct ir *f, struct flow *g, const struct ends *ends)
{
	size_t *done = ptx_new(f->m, f->nblocks * sizeof *done);

	flow_node(g, NULL, 0);
	for (uint32_t n = 1; n <= ends->nroots; n++) {
		size_t top = 0;
		flow_node(g, ends->root[n], 0);
		ends->stack[top++] = ends->root[n];
		while (top) {
			struct ir_block *b = ends->stack[top - 1];
			if (done[b->id] == b->nfrom) {
				top--;
				continue;
			}
			struct ir_block *from = b->from[done[b->id]++];
			if (!g->number[from->id] && post_edge(f, from, b)) {
				flow_node(g, from, g->number[b->id] - 1);
				ends->stack[top++] = from;
			}
		}
	}
}

size_t graph_postdominators(struct ir *f, size_t first)
{
	struct flow g = flow_new(f);
	struct ends ends = find_ends(f, first);

	nodes_backwards(f, &g, &ends);
	g.before = ptx_new(f->m, (3 * g.n + 1) * sizeof *g.before);
	for (size_t i = 1; i < g.n; i++) {
		struct ir_block *b = g.block[i];
		g.begin[i] = g.nbefore;
		if (ends.root[b->ending] == b)
			g.before[g.nbefore++] = 0;
		for (unsigned e = 0; e < ir_edges(b); e++)
			if (post_edge(f, b, b->to[e]))
				g.before[g.nbefore++] = g.number[b->to[e]->id] - 1;
		g.begin[i + 1] = g.nbefore;
	}
	find_dominators(f, &g);
	for (size_t i = 0; i < f->nblocks; i++)
		f->blocks[i]->ipdom = NULL;
	for (size_t i = 1; i < g.n; i++)
		g.block[i]->ipdom = g.block[g.idom[i]];
	return ends.n;
}

size_t graph_effects(const struct ir *f)
{
	size_t n = 0;

	for (size_t k = 0; k < f->nblocks; k++)
		for (const struct ir_insn *i = f->blocks[k]->head; i; i = i->next)
			n += ir_op_info[i->op].flags & EFFECT || i->is_volatile;
	return n;
}

void graph_count_steps(struct ir *f, size_t steps)
{
	f->region.steps += steps;
	if (f->region.steps > REGION_STEPS_MAX)
		ptx_fail(f->m, f->func->line, 1, "%.60s has %zu blocks nested deeper than this compiler takes: a part "
			 "of its work may go to a second kernel", f->func->name, f->nblocks);
}

void graph_region(struct ir *f, struct ir_block *from, const struct ir_block *stop)
{
	size_t done = 0;

	if (f->region.space < f->nblocks) {
		f->region.space = 2 * f->nblocks;
		f->region.blocks = ptx_new(f->m, f->region.space * sizeof *f->region.blocks);
	}
	f->region.number++;
	f->region.n = 0;
	for (const struct ir_block *b = from; b; b = done < f->region.n ? f->region.blocks[done++] : NULL)
		for (unsigned e = 0; e < ir_edges(b); e++)
			if (b->to[e] != stop && !graph_inside(f, b->to[e])) {
				b->to[e]->region = f->region.number;
				f->region.blocks[f->region.n++] = b->to[e];
			}
	graph_count_steps(f, f->region.n);
}
