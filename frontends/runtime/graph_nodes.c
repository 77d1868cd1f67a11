/* Calls about nodes by kind: to add a node, to ask for parameters, and to change parameters in a graph or in an
 * executable graph. */
#include <string.h>

#include "frontends/runtime/graph.h"

#define ADD cudaGraphNode_t *made, cudaGraph_t g, const cudaGraphNode_t *after, size_t n
#define EXEC cudaGraphExec_t exec, cudaGraphNode_t node

/* Whether the dependencies of a new node are nodes of the graph, each once. */
static bool may_add(const struct shared *s, cudaGraphNode_t *made, cudaGraph_t g, const cudaGraphNode_t *after,
		    size_t n)
{
	if (!made || !is_graph(s, g) || (n && !after))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!is_in(g, after[i]))
			return false;
		for (size_t k = 0; k < i; k++)
			if (after[k] == after[i])
				return false;
	}
	return true;
}

/* Add the work of a call with error e; the lock is given back. */
static cudaError_t add(struct shared *s, ADD, struct work *w, cudaError_t e)
{
	if (e != cudaSuccess)
		return graphs_let_go(s, e);
	if (!may_add(s, made, g, after, n)) {
		work_free(s, w);
		return graphs_let_go(s, cudaErrorInvalidValue);
	}
	*made = graph_add(s, g, after, n, w);
	return graphs_let_go(s, *made ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* The work of a node of the kind. NULL: another kind, or no node. */
static struct work *work_of(const struct shared *s, cudaGraphNode_t node, enum node_kind kind)
{
	return is_node(s, node) && node->work.kind == kind ? &node->work : NULL;
}

/* The work in an executable graph, made from the node. */
static struct work *work_in(const struct shared *s, cudaGraphExec_t exec, cudaGraphNode_t node, enum node_kind kind)
{
	cudaGraphExec_t e = s->executables;
	cudaGraphNode_t p;

	while (e && e != exec)
		e = e->next;
	for (p = e && node ? e->graph->nodes : NULL; p && p->origin != node; p = p->next)
		;
	return p && p->work.kind == kind ? &p->work : NULL;
}

/* Replace a work by another work of the same kind with error e; the lock is given back. */
static cudaError_t change(struct shared *s, struct work *place, struct work *w, cudaError_t e)
{
	if (e == cudaSuccess && !place) {
		work_free(s, w);
		e = cudaErrorInvalidValue;
	}
	if (e == cudaSuccess) {
		work_free(s, place);
		*place = *w;
	}
	return graphs_let_go(s, e);
}

/* Three calls with a work: to add a node, and to change the work in a graph or in an executable graph. The call's last
 * parameters are at the end; made_work is the work made of these. */
#define WORK_CALLS(adds, sets, sets_in, kind, made_work, ...) \
	CALL cudaError_t adds(ADD, __VA_ARGS__); \
	CALL cudaError_t sets(cudaGraphNode_t node, __VA_ARGS__); \
	CALL cudaError_t sets_in(EXEC, __VA_ARGS__); \
	cudaError_t adds(ADD, __VA_ARGS__) \
	{ \
		struct shared *s = graphs_hold(); \
		struct work w; \
		cudaError_t e = made_work; \
		return add(s, made, g, after, n, &w, e); \
	} \
	cudaError_t sets(cudaGraphNode_t node, __VA_ARGS__) \
	{ \
		struct shared *s = graphs_hold(); \
		struct work w; \
		cudaError_t e = made_work; \
		return change(s, work_of(s, node, kind), &w, e); \
	} \
	cudaError_t sets_in(EXEC, __VA_ARGS__) \
	{ \
		struct shared *s = graphs_hold(); \
		struct work w; \
		cudaError_t e = made_work; \
		return change(s, work_in(s, exec, node, kind), &w, e); \
	}
#define NODE_CALLS(name, kind, made_work, ...) \
	WORK_CALLS(RT(GraphAdd##name), RT(Graph##name##SetParams), RT(GraphExec##name##SetParams), kind, made_work, \
		   __VA_ARGS__)
/* A call for a node's parameters. */
#define NODE_ASKS(name, kind, type, answer) \
	CALL cudaError_t name(cudaGraphNode_t node, type *p); \
	cudaError_t name(cudaGraphNode_t node, type *p) \
	{ \
		struct shared *s = graphs_hold(); \
		struct work *w = work_of(s, node, kind); \
		if (!w || !p) \
			return graphs_let_go(s, cudaErrorInvalidValue); \
		answer; \
		return graphs_let_go(s, cudaSuccess); \
	}

/* ---- kernels ---- */

static cudaError_t kernel_of(struct work *w, const struct RT(KernelNodeParams) *p)
{
	struct values v = { 0 };

	if (!p || (p->kernelParams && p->extra))
		return cudaErrorInvalidValue;
	v.each = p->kernelParams;
	if (p->extra && !read_extra(p->extra, &v))
		return cudaErrorInvalidValue;
	return kernel_work(w, find_function(NULL, p->func), p->func, p->gridDim, p->blockDim, p->sharedMemBytes, &v);
}

static void ask_kernel(const struct kernel_work *k, struct RT(KernelNodeParams) *p)
{
	*p = (struct RT(KernelNodeParams)){ .func = (void *)(uintptr_t)k->host, .gridDim = k->grid,
					    .blockDim = k->block, .sharedMemBytes = (unsigned)k->shared_bytes,
					    .kernelParams = k->each };
}

NODE_CALLS(KernelNode, NODE_KERNEL, kernel_of(&w, p), const struct RT(KernelNodeParams) *p)
NODE_ASKS(RT(GraphKernelNodeGetParams), NODE_KERNEL, struct RT(KernelNodeParams), ask_kernel(&w->kernel, p))

/* ---- copies ---- */

static cudaError_t flat_of(struct work *w, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	*w = (struct work){ .kind = NODE_COPY, .copy = { .flat = true, .to = to, .from = from, .bytes = bytes,
							 .kind = kind } };
	return (unsigned)kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection
						  : to && from ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t box_of(struct work *w, const struct cudaMemcpy3DParms *p)
{
	if (!p || !(p->srcArray || p->srcPtr.ptr) || !(p->dstArray || p->dstPtr.ptr))
		return cudaErrorInvalidValue;
	*w = (struct work){ .kind = NODE_COPY, .copy = { .box = *p } };
	return (unsigned)p->kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
}

static void ask_copy(const struct copy_work *c, struct cudaMemcpy3DParms *p)
{
	*p = c->box;
	if (!c->flat)
		return;
	p->srcPtr = (struct cudaPitchedPtr){ (void *)(uintptr_t)c->from, c->bytes, c->bytes, 1 };
	p->dstPtr = (struct cudaPitchedPtr){ c->to, c->bytes, c->bytes, 1 };
	p->extent = (struct cudaExtent){ c->bytes, 1, 1 };
	p->kind = c->kind;
}

static cudaError_t symbol_of(struct work *w, const void *symbol, const void *other, size_t bytes, size_t offset,
			     enum cudaMemcpyKind kind, bool write)
{
	cudaError_t e;
	void *p = NULL;
	struct runtime *r = begin(&e);

	if (!r)
		return e;
	if (e == cudaSuccess)
		e = symbol_place(r, symbol, offset, bytes, &p);
	end(r, cudaSuccess);
	if (e != cudaSuccess)
		return e;
	return write ? flat_of(w, p, other, bytes, kind) : flat_of(w, (void *)(uintptr_t)other, p, bytes, kind);
}

NODE_CALLS(MemcpyNode, NODE_COPY, box_of(&w, p), const struct cudaMemcpy3DParms *p)
NODE_ASKS(RT(GraphMemcpyNodeGetParams), NODE_COPY, struct cudaMemcpy3DParms, ask_copy(&w->copy, p))

/* The form of the copy is at the end of the name. */
#define COPY_CALLS(form, made_work, ...) \
	WORK_CALLS(RT(GraphAddMemcpyNode##form), RT(GraphMemcpyNodeSetParams##form), \
		   RT(GraphExecMemcpyNodeSetParams##form), NODE_COPY, made_work, __VA_ARGS__)
COPY_CALLS(1D, flat_of(&w, to, from, bytes, kind), void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
COPY_CALLS(ToSymbol, symbol_of(&w, symbol, from, bytes, offset, kind, true), const void *symbol, const void *from,
	   size_t bytes, size_t offset, enum cudaMemcpyKind kind)
COPY_CALLS(FromSymbol, symbol_of(&w, symbol, to, bytes, offset, kind, false), void *to, const void *symbol,
	   size_t bytes, size_t offset, enum cudaMemcpyKind kind)

/* ---- bytes set, calls of the host, nothing ---- */

static cudaError_t fill_of(struct work *w, const struct RT(MemsetParams) *p)
{
	if (!p || !p->dst || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
		return cudaErrorInvalidValue;
	if (p->height > 1 && p->pitch / p->elementSize < p->width)
		return cudaErrorInvalidValue;
	*w = (struct work){ .kind = NODE_FILL, .fill = { .dst = p->dst, .pitch = p->pitch, .value = p->value,
							 .elementSize = p->elementSize, .width = p->width,
							 .height = p->height } };
	return cudaSuccess;
}

static void ask_fill(const struct cudaMemsetParams *f, struct RT(MemsetParams) *p)
{
	*p = (struct RT(MemsetParams)){ .dst = f->dst, .pitch = f->pitch, .value = f->value,
					.elementSize = f->elementSize, .width = f->width, .height = f->height };
}

static cudaError_t host_of(struct work *w, const struct cudaHostNodeParams *p)
{
	if (!p || !p->fn)
		return cudaErrorInvalidValue;
	*w = (struct work){ .kind = NODE_HOST, .host = { p->fn, p->userData } };
	return cudaSuccess;
}

static void ask_host(const struct work *w, struct cudaHostNodeParams *p)
{
	*p = (struct cudaHostNodeParams){ w->host.call, w->host.context };
}

NODE_CALLS(MemsetNode, NODE_FILL, fill_of(&w, p), const struct RT(MemsetParams) *p)
NODE_ASKS(RT(GraphMemsetNodeGetParams), NODE_FILL, struct RT(MemsetParams), ask_fill(&w->fill, p))
NODE_CALLS(HostNode, NODE_HOST, host_of(&w, p), const struct cudaHostNodeParams *p)
NODE_ASKS(RT(GraphHostNodeGetParams), NODE_HOST, struct cudaHostNodeParams, ask_host(w, p))

CALL cudaError_t RT(GraphAddEmptyNode)(ADD);
cudaError_t RT(GraphAddEmptyNode)(ADD)
{
	struct shared *s = graphs_hold();
	struct work w = { .kind = NODE_EMPTY };

	return add(s, made, g, after, n, &w, cudaSuccess);
}

/* ---- child graphs ---- */

/* A graph is no part of itself. */
static bool is_within(cudaGraph_t g, cudaGraph_t outer)
{
	if (g == outer)
		return true;
	for (cudaGraphNode_t p = outer->nodes; p; p = p->next)
		if (p->work.kind == NODE_GRAPH && is_within(g, p->work.child))
			return true;
	return false;
}

static cudaError_t child_of(struct shared *s, struct work *w, cudaGraph_t g, cudaGraph_t child)
{
	if (!is_graph(s, child) || (g && is_graph(s, g) && is_within(g, child)))
		return cudaErrorInvalidValue;
	*w = (struct work){ .kind = NODE_GRAPH, .child = graph_copy(s, child, true) };
	return w->child ? cudaSuccess : cudaErrorMemoryAllocation;
}

CALL cudaError_t RT(GraphAddChildGraphNode)(ADD, cudaGraph_t child);
cudaError_t RT(GraphAddChildGraphNode)(ADD, cudaGraph_t child)
{
	struct shared *s = graphs_hold();
	struct work w;
	cudaError_t e = child_of(s, &w, g, child);

	return add(s, made, g, after, n, &w, e);
}

CALL cudaError_t RT(GraphExecChildGraphNodeSetParams)(EXEC, cudaGraph_t child);
cudaError_t RT(GraphExecChildGraphNodeSetParams)(EXEC, cudaGraph_t child)
{
	struct shared *s = graphs_hold();
	struct work w;
	cudaError_t e = child_of(s, &w, NULL, child);

	return change(s, work_in(s, exec, node, NODE_GRAPH), &w, e);
}
NODE_ASKS(RT(GraphChildGraphNodeGetGraph), NODE_GRAPH, cudaGraph_t, *p = w->child)

/* ---- events ---- */

static cudaError_t event_of(struct work *w, enum node_kind kind, cudaEvent_t event)
{
	*w = (struct work){ .kind = kind, .event = event };
	return event && is_event(event) ? cudaSuccess : cudaErrorInvalidValue;
}

#define EVENT_CALLS(name, kind) \
	WORK_CALLS(RT(GraphAdd##name), RT(Graph##name##SetEvent), RT(GraphExec##name##SetEvent), kind, \
		   event_of(&w, kind, event), cudaEvent_t event) \
	NODE_ASKS(RT(Graph##name##GetEvent), kind, cudaEvent_t, *p = w->event)
EVENT_CALLS(EventRecordNode, NODE_RECORD)
EVENT_CALLS(EventWaitNode, NODE_WAIT)

/* ---- memory ---- */

CALL cudaError_t RT(GraphAddMemAllocNode)(ADD, struct cudaMemAllocNodeParams *p);
cudaError_t RT(GraphAddMemAllocNode)(ADD, struct cudaMemAllocNodeParams *p)
{
	struct shared *s = graphs_hold();
	struct work w;
	cudaError_t e = p && p->poolProps.allocType == cudaMemAllocationTypePinned && may_add(s, made, g, after, n)
			? alloc_work(&w, p->bytesize) : cudaErrorInvalidValue;

	if (e == cudaSuccess)
		p->dptr = pointer(w.memory->address);
	return add(s, made, g, after, n, &w, e);
}

static void ask_alloc(const struct graph_memory *m, struct cudaMemAllocNodeParams *p)
{
	memset(p, 0, sizeof *p);
	p->poolProps.allocType = cudaMemAllocationTypePinned;
	p->poolProps.location.type = cudaMemLocationTypeDevice;
	p->bytesize = m->bytes;
	p->dptr = pointer(m->address);
}
NODE_ASKS(RT(GraphMemAllocNodeGetParams), NODE_ALLOC, struct cudaMemAllocNodeParams, ask_alloc(w->memory, p))

CALL cudaError_t RT(GraphAddMemFreeNode)(ADD, void *p);
cudaError_t RT(GraphAddMemFreeNode)(ADD, void *p)
{
	struct shared *s = graphs_hold();
	struct work w;
	cudaError_t e = free_work(s, &w, p);

	return add(s, made, g, after, n, &w, e);
}
NODE_ASKS(RT(GraphMemFreeNodeGetParams), NODE_FREE, void *, *p = w->freed)
