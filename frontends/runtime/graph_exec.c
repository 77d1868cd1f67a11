/* Executable graphs: copies with an order, launched in a stream. A launch is done when the call returns. */
#include <stdlib.h>

#include "frontends/runtime/graph.h"

static bool is_executable(const struct shared *s, cudaGraphExec_t exec)
{
	cudaGraphExec_t p = s->executables;

	while (p && p != exec)
		p = p->next;
	return p;
}

static cudaError_t instantiate(struct shared *s, cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags)
{
	enum { KNOWN = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
	       cudaGraphInstantiateFlagUseNodePriority };
	cudaError_t e;
	cudaGraphExec_t exec;

	if (!out || !is_graph(s, g) || flags & ~(unsigned long long)KNOWN)
		return cudaErrorInvalidValue;
	exec = calloc(1, sizeof *exec);
	if (!exec || !(exec->graph = graph_copy(s, g, true))) {
		free(exec);
		return cudaErrorMemoryAllocation;
	}
	exec->order = order_nodes(exec->graph, &e);
	if (!exec->order) {
		graph_free(s, exec->graph);
		free(exec);
		return e;
	}
	exec->frees = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
	exec->next = s->executables;
	s->executables = exec;
	*out = exec;
	return cudaSuccess;
}

CALL cudaError_t RT(GraphInstantiateWithFlags)(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long flags);
CALL cudaError_t RT(GraphExecDestroy)(cudaGraphExec_t exec);
CALL cudaError_t RT(GraphUpload)(cudaGraphExec_t exec, cudaStream_t stream);
CALL cudaError_t RT(GraphLaunch)(cudaGraphExec_t exec, cudaStream_t stream);

cudaError_t RT(GraphInstantiateWithFlags)(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long flags)
{
	struct shared *s = graphs_hold();

	return graphs_let_go(s, instantiate(s, exec, g, flags));
}

/* CUDA 12 has flags where earlier versions, and HIP, have pointers for a node and a text. */
#if !defined RUNTIME_HIP && CUDA_RUNTIME >= 12
CALL cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long flags);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long flags)
{
	return RT(GraphInstantiateWithFlags)(exec, g, flags);
}
#else
CALL cudaError_t RT(GraphInstantiate)(cudaGraphExec_t *exec, cudaGraph_t g, cudaGraphNode_t *wrong, char *log,
				      size_t bytes);
cudaError_t RT(GraphInstantiate)(cudaGraphExec_t *exec, cudaGraph_t g, cudaGraphNode_t *wrong, char *log, size_t bytes)
{
	if (wrong)
		*wrong = NULL;
	if (log && bytes)
		*log = '\0';
	return RT(GraphInstantiateWithFlags)(exec, g, 0);
}
#endif

cudaError_t RT(GraphExecDestroy)(cudaGraphExec_t exec)
{
	struct shared *s = graphs_hold();
	cudaGraphExec_t *p = &s->executables;

	while (*p && *p != exec)
		p = &(*p)->next;
	if (!exec || !*p)
		return graphs_let_go(s, cudaErrorInvalidValue);
	*p = exec->next;
	graph_free(s, exec->graph);
	free(exec->order);
	free(exec);
	return graphs_let_go(s, cudaSuccess);
}

cudaError_t RT(GraphUpload)(cudaGraphExec_t exec, cudaStream_t stream)
{
	struct shared *s = graphs_hold();

	return graphs_let_go(s, !is_executable(s, exec) ? cudaErrorInvalidValue
			     : is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

/* Free memory of earlier launches. */
static void free_leftovers(cudaGraph_t g)
{
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		if (p->work.kind == NODE_ALLOC)
			p->work.memory->live = false;
}

cudaError_t RT(GraphLaunch)(cudaGraphExec_t exec, cudaStream_t stream)
{
	struct shared *s = graphs_hold();
	bool right = is_executable(s, exec);
	cudaError_t e;

	if (!right || !is_stream(stream))
		return graphs_let_go(s, right ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
	graphs_let_go(s, cudaSuccess);
	if (is_captured(stream, &e))
		return e == cudaSuccess ? capture_child(stream, exec->graph) : keep_error(e);
	if (exec->frees)
		free_leftovers(exec->graph);
	return keep_error(run_nodes(exec->graph, exec->order, stream));
}

/* ---- other parameters, from a graph of the same form ---- */

/* *wrong: the first node of another kind, or with other dependencies, than the node of the copy. */
static enum cudaGraphExecUpdateResult compare(cudaGraph_t mine, cudaGraph_t other, cudaGraphNode_t *wrong)
{
	size_t n = 0;

	*wrong = NULL;
	if (mine->n != other->n)
		return cudaGraphExecUpdateErrorTopologyChanged;
	for (cudaGraphNode_t p = mine->nodes, q = other->nodes; p; p = p->next, q = q->next)
		p->mark = q->mark = n++;
	for (cudaGraphNode_t p = mine->nodes, q = other->nodes; p; p = p->next, q = q->next) {
		*wrong = q;
		if (p->work.kind != q->work.kind)
			return cudaGraphExecUpdateErrorNodeTypeChanged;
		if (p->work.kind == NODE_ALLOC || p->work.kind == NODE_FREE)
			return cudaGraphExecUpdateErrorNotSupported;
		if (p->nafter != q->nafter)
			return cudaGraphExecUpdateErrorTopologyChanged;
		for (size_t i = 0; i < p->nafter; i++)
			if (p->after[i]->mark != q->after[i]->mark)
				return cudaGraphExecUpdateErrorTopologyChanged;
	}
	*wrong = NULL;
	return cudaGraphExecUpdateSuccess;
}

static cudaError_t update(struct shared *s, cudaGraphExec_t exec, cudaGraph_t g)
{
	cudaGraph_t copy = graph_copy(s, g, true);
	cudaError_t e = cudaErrorMemoryAllocation;
	cudaGraphNode_t *order = copy ? order_nodes(copy, &e) : NULL;

	if (!order) {
		graph_free(s, copy);
		return e;
	}
	/* handles of the first graph's nodes stay valid */
	for (cudaGraphNode_t p = exec->graph->nodes, q = copy->nodes; p; p = p->next, q = q->next)
		q->origin = p->origin;
	graph_free(s, exec->graph);
	free(exec->order);
	exec->graph = copy;
	exec->order = order;
	return cudaSuccess;
}

static cudaError_t exec_update(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *wrong,
			       enum cudaGraphExecUpdateResult *result)
{
	struct shared *s = graphs_hold();
	enum cudaGraphExecUpdateResult r = cudaGraphExecUpdateError;
	cudaGraphNode_t node = NULL;
	cudaError_t e = cudaErrorInvalidValue;

	if (is_executable(s, exec) && is_graph(s, g)) {
		r = compare(exec->graph, g, &node);
		e = r == cudaGraphExecUpdateSuccess ? update(s, exec, g) : cudaErrorGraphExecUpdateFailure;
	}
	if (wrong)
		*wrong = node;
	if (result)
		*result = r;
	return graphs_let_go(s, e);
}

#ifdef RUNTIME_HIP
CALL cudaError_t hipGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *wrong,
				    enum cudaGraphExecUpdateResult *result);
cudaError_t hipGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *wrong,
			       enum cudaGraphExecUpdateResult *result)
{
	return exec_update(exec, g, wrong, result);
}
#else
CALL cudaError_t warpbeam_cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *wrong,
					      enum cudaGraphExecUpdateResult *result);
cudaError_t warpbeam_cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *wrong,
					 enum cudaGraphExecUpdateResult *result)
{
	return exec_update(exec, g, wrong, result);
}
#if CUDA_RUNTIME >= 12
CALL cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphExecUpdateResultInfo *info);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphExecUpdateResultInfo *info)
{
	return exec_update(exec, g, info ? &info->errorNode : NULL, info ? &info->result : NULL);
}
#else
CALL cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *wrong,
				     enum cudaGraphExecUpdateResult *result);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *wrong,
				enum cudaGraphExecUpdateResult *result)
{
	return exec_update(exec, g, wrong, result);
}
#endif
#endif
