/* Post-dominators of the graph turned round, node by node in reverse postorder until none changes. */
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

bool postdominators(uint32_t n, const uint32_t (*succ)[2], uint32_t *out)
{
	struct arena a = { 0 };
	struct backwards g = { .n = n, .succ = succ };
	uint32_t *ipdom = ARENA_ARRAY(&a, uint32_t, n + 1);
	uint32_t *scratch = ARENA_ARRAY(&a, uint32_t, n + 1), *stack = ARENA_ARRAY(&a, uint32_t, n + 1);

	g.begin = ARENA_ARRAY(&a, uint32_t, n + 2);
	g.before = ARENA_ARRAY(&a, uint32_t, 2 * (size_t)n + 1);
	g.number = ARENA_ARRAY(&a, uint32_t, n + 1);
	g.order = ARENA_ARRAY(&a, uint32_t, n + 2);
	bool ok = ipdom && scratch && stack && g.begin && g.before && g.number && g.order;
	if (ok) {
		count_before(&g);
		list_before(&g, scratch);
		walk(&g, stack, scratch);
		for (uint32_t i = 0; i < n; i++)
			ipdom[i] = POSTDOM_NONE;
		ipdom[n] = n;
		settle(&g, ipdom);
		for (uint32_t i = 0; i < n; i++)
			out[i] = ipdom[i];
	}
	arena_free(&a);
	return ok;
}
