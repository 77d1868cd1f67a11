/* Orders and trees over the blocks of a function: reverse postorder, dominators (Cooper, Harvey and Kennedy, 2001),
 * post-dominators without the paths to the end of the thread, nesting of loops. */
#include "core/compile/ir.h"

#include <string.h>

/* Steps of all searches for regions: about a second. */
#define REGION_STEPS_MAX (UINT64_C(1) << 27)

/* Reverse postorder without recursion: f->blocks holds the reachable blocks in order afterwards, ids are places. */
void graph_order(struct ir *f)
{
	size_t n = 0, top = 0, total = f->nblocks;
	struct ir_block **post = ptx_new(f->m, total * sizeof *post);
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
		struct ir_block *to = b->to[edge[b->id]++];
		if (!to->reachable) {
			to->reachable = true;
			stack[top++] = to;
		}
	}
	for (size_t i = 0; i < total; i++) { /* edges from unreachable blocks go, with the sources of phis */
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
	/* The text's order keeps reachable blocks alone. */
	for (struct ir_block *b = f->entry; b; b = b->next) {
		while (b->next && !b->next->reachable)
			b->next = b->next->next;
		f->last_block = b;
	}
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

void graph_dominators(struct ir *f)
{
	for (size_t i = 0; i < f->nblocks; i++)
		f->blocks[i]->idom = NULL;
	f->entry->idom = f->entry;
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 1; i < f->nblocks; i++) {
			struct ir_block *b = f->blocks[i], *idom = NULL;
			for (size_t k = 0; k < b->nfrom; k++)
				if (b->from[k]->idom)
					idom = idom ? graph_common_dominator(idom, b->from[k]) : b->from[k];
			changed |= b->idom != idom;
			b->idom = idom;
		}
	}
	number_tree(f);
	loop_depths(f);
}

static bool only_exits(const struct ir_block *b) { return b->end == END_EXIT && !b->head; }

/* The end of the program: the last block of the text with the end of the thread, or, if the block is empty, the
 * predecessor closest in the text. Paths around the end of the program end the thread early. */
static struct ir_block *main_end(struct ir *f)
{
	struct ir_block *end = NULL, *before = NULL;

	for (struct ir_block *b = f->entry; b; b = b->next)
		end = b->end == END_EXIT ? b : end;
	if (!end || !only_exits(end) || !end->nfrom)
		return end;
	for (struct ir_block *b = f->entry; b; b = b->next)
		if (b->end != END_EXIT && (b->to[0] == end || (b->end == END_BRANCH && b->to[1] == end)))
			before = !before || b->end == END_JUMP || b->next == end ? b : before;
	return before ? before : end;
}

static bool post_edge(const bool *goes_on, const struct ir_block *from, const struct ir_block *to)
{
	return !only_exits(to) && (!goes_on[from->id] || goes_on[to->id]);
}

static struct ir_block *post_common(struct ir_block *a, struct ir_block *b, const uint32_t *number)
{
	while (a && b && a != b) {
		while (a && b && number[a->id] > number[b->id])
			a = a->ipdom;
		while (a && b && number[b->id] > number[a->id])
			b = b->ipdom;
	}
	return a && b ? a : NULL;
}

/* ipdom NULL: the paths of the block do not meet before the end. An empty block at the end of the thread counts as part
 * of each edge into the block. */
void graph_postdominators(struct ir *f)
{
	size_t n = f->nblocks, top = 0, numbered = 0;
	bool *goes_on = ptx_new(f->m, n), *seen = ptx_new(f->m, n), *known = ptx_new(f->m, n);
	struct ir_block **stack = ptx_new(f->m, (n + 1) * sizeof *stack),
			**list = ptx_new(f->m, (n + 1) * sizeof *list);
	uint32_t *number = ptx_new(f->m, n * sizeof *number);
	struct ir_block *end = main_end(f);

	if (end) {
		goes_on[end->id] = true;
		stack[top++] = end;
	}
	while (top) {
		struct ir_block *b = stack[--top];
		for (size_t k = 0; k < b->nfrom; k++)
			if (!goes_on[b->from[k]->id]) {
				goes_on[b->from[k]->id] = true;
				stack[top++] = b->from[k];
			}
	}
	/* Reverse postorder of the reversed graph, from its roots: blocks none of whose edges count. */
	uint32_t *at = ptx_new(f->m, n * sizeof *at);
	for (size_t root = n; root--;) {
		struct ir_block *r = f->blocks[root];
		bool is_root = true;
		for (unsigned e = 0; e < ir_edges(r); e++)
			is_root &= !post_edge(goes_on, r, r->to[e]);
		if (!is_root || seen[r->id])
			continue;
		seen[r->id] = true;
		stack[top++] = r;
		while (top) {
			struct ir_block *b = stack[top - 1];
			if (at[b->id] == b->nfrom) {
				list[numbered++] = b;
				top--;
				continue;
			}
			struct ir_block *from = b->from[at[b->id]++];
			if (!seen[from->id] && post_edge(goes_on, from, b)) {
				seen[from->id] = true;
				stack[top++] = from;
			}
		}
	}
	for (size_t i = 0; i < numbered; i++)
		number[list[i]->id] = (uint32_t)(numbered - i);
	for (size_t i = 0; i < n; i++)
		f->blocks[i]->ipdom = NULL;
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = numbered; i--;) {
			struct ir_block *b = list[i], *meet = NULL;
			bool first = true;
			for (unsigned e = 0; e < ir_edges(b); e++) {
				struct ir_block *to = b->to[e];
				if (!post_edge(goes_on, b, to) || !seen[to->id] || !known[to->id])
					continue;
				meet = first ? to : post_common(meet, to, number);
				first = false;
			}
			changed |= !known[b->id] || b->ipdom != meet;
			known[b->id] = true;
			b->ipdom = meet;
		}
	}
}

void graph_region(struct ir *f, struct ir_block *from, const struct ir_block *stop)
{
	size_t done = 0;

	if (f->region_space < f->nblocks) {
		f->region_space = 2 * f->nblocks;
		f->region = ptx_new(f->m, f->region_space * sizeof *f->region);
	}
	f->region_number++;
	f->nregion = 0;
	for (const struct ir_block *b = from; b; b = done < f->nregion ? f->region[done++] : NULL)
		for (unsigned e = 0; e < ir_edges(b); e++)
			if (b->to[e] != stop && !graph_inside(f, b->to[e])) {
				b->to[e]->region = f->region_number;
				f->region[f->nregion++] = b->to[e];
			}
	f->region_steps += f->nregion;
	if (f->region_steps > REGION_STEPS_MAX)
		ptx_fail(f->m, f->func->line, 1, "%.60s has %zu blocks nested deeper than this compiler takes",
			 f->func->name, f->nblocks);
}
