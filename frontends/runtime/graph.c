/* Graphs as the program builds them: handles, nodes and edges. */
#include "frontends/runtime/graph.h"

#include <stdlib.h>
#include <string.h>

struct shared *graphs_hold(void)
{
	struct shared *s = warpbeam_runtime_shared();

	pthread_mutex_lock(&s->graph_lock);
	return s;
}

cudaError_t graphs_let_go(struct shared *s, cudaError_t e)
{
	pthread_mutex_unlock(&s->graph_lock);
	return keep_error(e);
}

bool is_graph(const struct shared *s, cudaGraph_t g)
{
	cudaGraph_t p = s->graphs;

	while (p && p != g)
		p = p->next;
	return p;
}

bool is_in(cudaGraph_t g, cudaGraphNode_t node)
{
	cudaGraphNode_t p = g->nodes;

	while (p && p != node)
		p = p->next;
	return p;
}

bool is_node(const struct shared *s, cudaGraphNode_t node)
{
	for (cudaGraph_t g = s->graphs; g; g = g->next)
		if (is_in(g, node))
			return true;
	return false;
}

cudaGraph_t graph_new(struct shared *s, bool inner)
{
	cudaGraph_t g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->end = &g->nodes;
	g->inner = inner;
	g->next = s->graphs;
	s->graphs = g;
	return g;
}

static void node_free(struct shared *s, cudaGraphNode_t node)
{
	work_free(s, &node->work);
	free(node->after);
	free(node);
}

void graph_free(struct shared *s, cudaGraph_t g)
{
	cudaGraph_t *p = &s->graphs;

	if (!g)
		return;
	while (*p != g)
		p = &(*p)->next;
	*p = g->next;
	for (cudaGraphNode_t node = g->nodes, next; node; node = next) {
		next = node->next;
		node_free(s, node);
	}
	free(g);
}

static bool depend(cudaGraphNode_t node, cudaGraphNode_t on)
{
	cudaGraphNode_t *more = realloc(node->after, (node->nafter + 1) * sizeof(cudaGraphNode_t));

	if (!more)
		return false;
	node->after = more;
	more[node->nafter++] = on;
	return true;
}

cudaGraphNode_t graph_add(struct shared *s, cudaGraph_t g, const cudaGraphNode_t *after, size_t n, struct work *w)
{
	cudaGraphNode_t node = calloc(1, sizeof *node);

	if (!node) {
		work_free(s, w);
		return NULL;
	}
	node->work = *w;
	node->graph = g;
	for (size_t i = 0; i < n; i++)
		if (!depend(node, after[i])) {
			node_free(s, node);
			return NULL;
		}
	*g->end = node;
	g->end = &node->next;
	g->n++;
	return node;
}

/* The node of a copy that is made from one. */
static cudaGraphNode_t made_from(cudaGraph_t copy, cudaGraphNode_t origin)
{
	cudaGraphNode_t p = copy->nodes;

	while (p && p->origin != origin)
		p = p->next;
	return p;
}

/* Nodes and edges of a copy; made: space for the graph's nodes. False: the host has no memory. */
static bool copy_nodes(struct shared *s, cudaGraph_t copy, cudaGraph_t g, cudaGraphNode_t *made)
{
	struct work w;
	size_t n = 0;

	for (cudaGraphNode_t p = g->nodes; p; p = p->next) {
		made[n] = work_copy(s, &w, &p->work) ? graph_add(s, copy, NULL, 0, &w) : NULL;
		if (!made[n])
			return false;
		made[n]->origin = p;
		p->mark = n++;
	}
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		for (size_t i = 0; i < p->nafter; i++)
			if (!depend(made[p->mark], made[p->after[i]->mark]))
				return false;
	return true;
}

cudaGraph_t graph_copy(struct shared *s, cudaGraph_t g, bool inner)
{
	cudaGraphNode_t *made = malloc((g->n + 1) * sizeof(cudaGraphNode_t));
	cudaGraph_t copy = made ? graph_new(s, inner) : NULL;

	if (copy && !copy_nodes(s, copy, g, made)) {
		graph_free(s, copy);
		copy = NULL;
	}
	free(made);
	return copy;
}

cudaError_t give_nodes(cudaGraphNode_t *to, size_t *capacity, const cudaGraphNode_t *from, size_t n)
{
	if (!capacity)
		return cudaErrorInvalidValue;
	for (size_t i = 0; to && i < *capacity; i++)
		to[i] = i < n ? from[i] : NULL;
	*capacity = to && *capacity < n ? *capacity : n;
	return cudaSuccess;
}

/* ---- calls ---- */

CALL cudaError_t RT(GraphCreate)(cudaGraph_t *g, unsigned flags);
CALL cudaError_t RT(GraphDestroy)(cudaGraph_t g);
CALL cudaError_t RT(GraphClone)(cudaGraph_t *clone, cudaGraph_t g);
CALL cudaError_t RT(GraphNodeFindInClone)(cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone);
CALL cudaError_t RT(GraphGetNodes)(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n);
CALL cudaError_t RT(GraphGetRootNodes)(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n);
CALL cudaError_t RT(GraphGetEdges)(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n);
CALL cudaError_t RT(GraphNodeGetType)(cudaGraphNode_t node, int *type);
CALL cudaError_t RT(GraphNodeGetDependencies)(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n);
CALL cudaError_t RT(GraphNodeGetDependentNodes)(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n);
CALL cudaError_t RT(GraphAddDependencies)(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
					  size_t n);
CALL cudaError_t RT(GraphRemoveDependencies)(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
					     size_t n);
CALL cudaError_t RT(GraphDestroyNode)(cudaGraphNode_t node);

cudaError_t RT(GraphCreate)(cudaGraph_t *g, unsigned flags)
{
	struct shared *s = graphs_hold();

	if (!g || flags)
		return graphs_let_go(s, cudaErrorInvalidValue);
	*g = graph_new(s, false);
	return graphs_let_go(s, *g ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t RT(GraphDestroy)(cudaGraph_t g)
{
	struct shared *s = graphs_hold();
	bool right = is_graph(s, g) && !g->inner;

	if (right)
		graph_free(s, g);
	return graphs_let_go(s, right ? cudaSuccess : cudaErrorInvalidValue);
}

static bool has_memory(cudaGraph_t g)
{
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		if (p->work.kind == NODE_ALLOC || p->work.kind == NODE_FREE)
			return true;
	return false;
}

cudaError_t RT(GraphClone)(cudaGraph_t *clone, cudaGraph_t g)
{
	struct shared *s = graphs_hold();

	if (!clone || !is_graph(s, g))
		return graphs_let_go(s, cudaErrorInvalidValue);
	if (has_memory(g))      /* two graphs would allocate at the same addresses */
		return graphs_let_go(s, cudaErrorNotSupported);
	*clone = graph_copy(s, g, false);
	return graphs_let_go(s, *clone ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t RT(GraphNodeFindInClone)(cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone)
{
	struct shared *s = graphs_hold();
	cudaGraphNode_t p = found && node && is_graph(s, clone) ? made_from(clone, node) : NULL;

	if (p)
		*found = p;
	return graphs_let_go(s, p ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t nodes_of(cudaGraph_t g, bool roots, cudaGraphNode_t *nodes, size_t *n)
{
	cudaGraphNode_t *all = malloc((g->n + 1) * sizeof(cudaGraphNode_t));
	size_t found = 0;
	cudaError_t e;

	if (!all)
		return cudaErrorMemoryAllocation;
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		if (!roots || !p->nafter)
			all[found++] = p;
	e = give_nodes(nodes, n, all, found);
	free(all);
	return e;
}

cudaError_t RT(GraphGetNodes)(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
	struct shared *s = graphs_hold();

	return graphs_let_go(s, is_graph(s, g) ? nodes_of(g, false, nodes, n) : cudaErrorInvalidValue);
}

cudaError_t RT(GraphGetRootNodes)(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
	struct shared *s = graphs_hold();

	return graphs_let_go(s, is_graph(s, g) ? nodes_of(g, true, nodes, n) : cudaErrorInvalidValue);
}

cudaError_t RT(GraphGetEdges)(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n)
{
	struct shared *s = graphs_hold();
	size_t found = 0;

	if (!is_graph(s, g) || !n || !from != !to)
		return graphs_let_go(s, cudaErrorInvalidValue);
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		for (size_t i = 0; i < p->nafter; i++, found++)
			if (from && found < *n) {
				from[found] = p->after[i];
				to[found] = p;
			}
	*n = from && *n < found ? *n : found;
	return graphs_let_go(s, cudaSuccess);
}

cudaError_t RT(GraphNodeGetType)(cudaGraphNode_t node, int *type)
{
	struct shared *s = graphs_hold();

	if (!type || !is_node(s, node))
		return graphs_let_go(s, cudaErrorInvalidValue);
	*type = (int)node->work.kind + (int)RT(GraphNodeTypeKernel);
	return graphs_let_go(s, cudaSuccess);
}

cudaError_t RT(GraphNodeGetDependencies)(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n)
{
	struct shared *s = graphs_hold();

	return graphs_let_go(s, is_node(s, node) ? give_nodes(nodes, n, node->after, node->nafter)
						 : cudaErrorInvalidValue);
}

/* The place of a dependency among the node's; nafter: there is none. */
static size_t find_edge(cudaGraphNode_t node, cudaGraphNode_t on)
{
	size_t i = 0;

	while (i < node->nafter && node->after[i] != on)
		i++;
	return i;
}

static cudaError_t dependents_of(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n)
{
	cudaGraphNode_t *all = malloc((node->graph->n + 1) * sizeof(cudaGraphNode_t));
	size_t found = 0;
	cudaError_t e;

	if (!all)
		return cudaErrorMemoryAllocation;
	for (cudaGraphNode_t p = node->graph->nodes; p; p = p->next)
		if (find_edge(p, node) < p->nafter)
			all[found++] = p;
	e = give_nodes(nodes, n, all, found);
	free(all);
	return e;
}

cudaError_t RT(GraphNodeGetDependentNodes)(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n)
{
	struct shared *s = graphs_hold();

	return graphs_let_go(s, is_node(s, node) ? dependents_of(node, nodes, n) : cudaErrorInvalidValue);
}

/* All edges, or none. */
static cudaError_t change_edges(struct shared *s, cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
				size_t n, bool add)
{
	if (!is_graph(s, g) || (n && (!from || !to)))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < n; i++)
		if (!is_in(g, from[i]) || !is_in(g, to[i]) || from[i] == to[i] ||
		    (find_edge(to[i], from[i]) < to[i]->nafter) == add)
			return cudaErrorInvalidValue;
	for (size_t i = 0; i < n; i++) {
		size_t at = find_edge(to[i], from[i]);
		if (add && at == to[i]->nafter && !depend(to[i], from[i]))
			return cudaErrorMemoryAllocation;
		if (!add && at < to[i]->nafter)
			memmove(&to[i]->after[at], &to[i]->after[at + 1],
				(--to[i]->nafter - at) * sizeof(cudaGraphNode_t));
	}
	return cudaSuccess;
}

cudaError_t RT(GraphAddDependencies)(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n)
{
	struct shared *s = graphs_hold();

	return graphs_let_go(s, change_edges(s, g, from, to, n, true));
}

cudaError_t RT(GraphRemoveDependencies)(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n)
{
	struct shared *s = graphs_hold();

	return graphs_let_go(s, change_edges(s, g, from, to, n, false));
}

cudaError_t RT(GraphDestroyNode)(cudaGraphNode_t node)
{
	struct shared *s = graphs_hold();
	cudaGraph_t g = is_node(s, node) ? node->graph : NULL;
	cudaGraphNode_t *p;

	if (!g)
		return graphs_let_go(s, cudaErrorInvalidValue);
	if (node->work.kind == NODE_ALLOC || node->work.kind == NODE_FREE)
		return graphs_let_go(s, cudaErrorNotSupported);
	for (struct capture *c = s->captures; c; c = c->next)
		if (c->graph == g)      /* streams have the nodes */
			return graphs_let_go(s, cudaErrorInvalidValue);
	for (cudaGraphNode_t other = g->nodes; other; other = other->next)
		if (find_edge(other, node) < other->nafter)
			change_edges(s, g, &node, &other, 1, false);
	for (p = &g->nodes; *p != node; p = &(*p)->next)
		;
	*p = node->next;
	if (!*p)
		g->end = p;
	g->n--;
	node_free(s, node);
	return graphs_let_go(s, cudaSuccess);
}
