/* Post-dominators: chains of nodes with one way in and out are taken out of the graph first, as most of a program is
 * such chains; the rest is solved turned round, node by node in reverse postorder until none changes. */
#include "core/postdom.h"

#include "core/base/arena.h"

/* The graph backwards, from the end: predecessors of each node, and the order in which a depth-first walk leaves the
 * nodes. */
struct backwards {
	uint32_t n;
	const uint32_t (*succ)[2];
	uint32_t *begin;        /* n + 2: node i's predecessors are before[begin[i]] … before[begin[i + 1] − 1] */
	uint32_t *before;
	uint32_t *number;       /* in postorder, from 1; 0: not reached */
	uint32_t *order;        /* nodes by number */
	uint32_t reached;
};

static void count_before(struct backwards *g)
{
	uint32_t total = 0;

	for (uint32_t i = 0; i < g->n; i++)
		for (int k = 0; k < 2; k++)
			if (g->succ[i][k] != POSTDOM_NONE)
				g->begin[g->succ[i][k] + 1]++;
	for (uint32_t i = 0; i <= g->n + 1; i++) {
		total += g->begin[i];
		g->begin[i] = total;
	}
}

static void list_before(struct backwards *g, uint32_t *fill)
{
	for (uint32_t i = 0; i <= g->n; i++)
		fill[i] = g->begin[i];
	for (uint32_t i = 0; i < g->n; i++)
		for (int k = 0; k < 2; k++)
			if (g->succ[i][k] != POSTDOM_NONE)
				g->before[fill[g->succ[i][k]]++] = i;
}

static void walk(struct backwards *g, uint32_t *stack, uint32_t *next)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i <= g->n; i++)
		next[i] = g->begin[i];
	stack[depth++] = g->n;
	g->number[g->n] = UINT32_MAX;           /* entered, not left */
	while (depth) {
		uint32_t at = stack[depth - 1];
		if (next[at] == g->begin[at + 1]) {
			g->number[at] = ++g->reached;
			g->order[g->reached] = at;
			depth--;
			continue;
		}
		uint32_t to = g->before[next[at]++];
		if (!g->number[to]) {
			g->number[to] = UINT32_MAX;
			stack[depth++] = to;
		}
	}
}

/* The nearest node that post-dominates both. */
static uint32_t common(const struct backwards *g, const uint32_t *ipdom, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (g->number[a] < g->number[b])
			a = ipdom[a];
		while (g->number[b] < g->number[a])
			b = ipdom[b];
	}
	return a;
}

/* Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", on the graph turned round. */
static void settle(const struct backwards *g, uint32_t *ipdom)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t k = g->reached - 1; k > 0; k--) {
			uint32_t i = g->order[k], best = POSTDOM_NONE;
			for (int e = 0; e < 2; e++) {
				uint32_t s = g->succ[i][e];
				if (s == POSTDOM_NONE || ipdom[s] == POSTDOM_NONE)
					continue;
				best = best == POSTDOM_NONE ? s : common(g, ipdom, s, best);
			}
			changed |= ipdom[i] != best;
			ipdom[i] = best;
		}
	}
}

static bool solve(uint32_t n, const uint32_t (*succ)[2], uint32_t *ipdom, struct arena *a)
{
	struct backwards g = { .n = n, .succ = succ };
	uint32_t *scratch = ARENA_ARRAY(a, uint32_t, n + 1), *stack = ARENA_ARRAY(a, uint32_t, n + 1);

	g.begin = ARENA_ARRAY(a, uint32_t, n + 2);
	g.before = ARENA_ARRAY(a, uint32_t, 2 * (size_t)n + 1);
	g.number = ARENA_ARRAY(a, uint32_t, n + 1);
	g.order = ARENA_ARRAY(a, uint32_t, n + 2);
	if (!scratch || !stack || !g.begin || !g.before || !g.number || !g.order)
		return false;
	count_before(&g);
	list_before(&g, scratch);
	walk(&g, stack, scratch);
	for (uint32_t i = 0; i < n; i++)
		ipdom[i] = POSTDOM_NONE;
	ipdom[n] = n;
	settle(&g, ipdom);
	return true;
}

/* The graph without its chains: nodes with two successors, nodes behind them, nodes with several predecessors, and the
 * end. The nearest post-dominator of a node with two successors is among these: a node on the ways from both has two
 * predecessors, unless one of the successors is the node. */
struct contracted {
	uint32_t n;
	const uint32_t (*succ)[2];
	uint8_t *ways;          /* ways into each node, 2: two or more, or kept for another reason */
	uint32_t *number;       /* of each kept node */
	uint32_t *node;         /* by number */
	uint32_t nkept;
	uint32_t *lead;         /* the first kept node behind each other node; POSTDOM_NONE: none */
};

static bool is_kept(const struct contracted *c, uint32_t i)
{
	return i == c->n || c->ways[i] >= 2;
}

static uint32_t only_successor(const struct contracted *c, uint32_t i)
{
	return c->succ[i][0] != POSTDOM_NONE ? c->succ[i][0] : c->succ[i][1];
}

static bool parts(const struct contracted *c, uint32_t i)
{
	return c->succ[i][0] != POSTDOM_NONE && c->succ[i][1] != POSTDOM_NONE;
}

static void find_kept(struct contracted *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		bool both = parts(c, i);
		for (int k = 0; k < 2; k++) {
			uint32_t s = c->succ[i][k];
			if (s < c->n)
				c->ways[s] = both || c->ways[s] ? 2 : 1;
		}
		if (both)
			c->ways[i] = 2;
	}
	for (uint32_t i = 0; i <= c->n; i++)
		if (is_kept(c, i)) {
			c->node[c->nkept] = i;
			c->number[i] = c->nkept++;
		}
}

/* The first kept node from node i on; the nodes before it learn of it. */
static uint32_t follow(const struct contracted *c, uint32_t i)
{
	uint32_t to = i;

	while (to != POSTDOM_NONE && !is_kept(c, to))
		to = only_successor(c, to);
	for (; i != to; i = only_successor(c, i))
		c->lead[i] = to;
	return to;
}

/* Post-dominators of the kept nodes, then of the chains between them. */
static bool expand(struct contracted *c, uint32_t *out, struct arena *a)
{
	uint32_t (*succ)[2] = arena_alloc(a, (c->nkept + 1) * sizeof *succ, _Alignof(uint32_t));
	uint32_t *ipdom = ARENA_ARRAY(a, uint32_t, c->nkept + 1);

	if (!succ || !ipdom)
		return false;
	for (uint32_t i = 0; i < c->n; i++)
		c->lead[i] = POSTDOM_NONE;
	for (uint32_t i = 0; i + 1 < c->nkept; i++)
		for (int k = 0; k < 2; k++) {
			uint32_t s = c->succ[c->node[i]][k], to = s == POSTDOM_NONE ? s : follow(c, s);
			succ[i][k] = to == POSTDOM_NONE ? to : c->number[to];
		}
	for (uint32_t i = 0; i < c->n; i++)
		if (!c->ways[i])
			follow(c, i);
	if (!solve(c->nkept - 1, (const uint32_t (*)[2])succ, ipdom, a))
		return false;
	for (uint32_t i = 0; i < c->n; i++) {
		bool kept = is_kept(c, i);
		uint32_t lead = kept ? i : c->lead[i], to = lead == POSTDOM_NONE ? lead : ipdom[c->number[lead]];
		bool ends = to != POSTDOM_NONE;
		out[i] = !ends ? POSTDOM_NONE : parts(c, i) ? c->node[to] : only_successor(c, i);
	}
	return true;
}

bool postdominators(uint32_t n, const uint32_t (*succ)[2], uint32_t *out)
{
	struct arena a = { 0 };
	struct contracted c = { .n = n, .succ = succ };
	bool ok;

	c.ways = ARENA_ARRAY(&a, uint8_t, n + 1);
	c.number = ARENA_ARRAY(&a, uint32_t, n + 1);
	c.node = ARENA_ARRAY(&a, uint32_t, n + 1);
	c.lead = ARENA_ARRAY(&a, uint32_t, n + 1);
	ok = c.ways && c.number && c.node && c.lead;
	if (ok) {
		find_kept(&c);
		ok = expand(&c, out, &a);
	}
	arena_free(&a);
	return ok;
}
