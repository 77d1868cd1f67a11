/* What nodes do: their work as the program describes it, copied, freed and done. */
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/graph.h"

CALL cudaError_t RT(Memcpy)(void *to, const void *from, size_t n, enum cudaMemcpyKind kind);
CALL cudaError_t RT(EventRecord)(cudaEvent_t event, cudaStream_t s);
CALL cudaError_t RT(Memcpy3D)(const struct cudaMemcpy3DParms *p);

/* ---- kernels ---- */

/* The places of the parameters within the values, as the program gives them. False: no memory. */
static bool set_places(struct kernel_work *k, const struct wb_prepared *prepared)
{
	unsigned n = wb_prepared_info(prepared)->nparams;

	k->each = calloc(n + 1, sizeof *k->each);
	for (unsigned i = 0; k->each && i < n; i++)
		k->each[i] = k->values + wb_prepared_parameter(prepared, i)->offset;
	return k->each;
}

static void kernel_free(struct kernel_work *k)
{
	free(k->values);
	free(k->each);
}

cudaError_t kernel_work(struct work *w, struct function *f, const void *host, dim3 grid, dim3 block,
			size_t shared_bytes, const struct values *values)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return e;
	if (e == cudaSuccess)
		e = f ? prepare_function(r, f) : cudaErrorInvalidDeviceFunction;
	if (e == cudaSuccess && !(grid.x && grid.y && grid.z && block.x && block.y && block.z))
		e = cudaErrorInvalidValue;
	*w = (struct work){ .kind = NODE_KERNEL, .kernel = { .function = f, .host = host, .grid = grid, .block = block,
							     .shared_bytes = shared_bytes } };
	if (e == cudaSuccess) {
		const struct wb_prepared *k = program_prepared(f->kernel);
		w->kernel.bytes = wb_prepared_info(k)->param_bytes;
		w->kernel.values = malloc(w->kernel.bytes + 1);
		if (!w->kernel.values || !set_places(&w->kernel, k))
			e = cudaErrorMemoryAllocation;
		else if (!gather(k, values, w->kernel.values))
			e = cudaErrorInvalidValue;
	}
	end(r, cudaSuccess);
	if (e != cudaSuccess)
		kernel_free(&w->kernel);
	return e;
}

static bool kernel_copy(struct kernel_work *to, const struct kernel_work *from)
{
	const struct wb_prepared *prepared = program_prepared(from->function->kernel);

	*to = *from;
	to->each = NULL;
	to->values = malloc(from->bytes + 1);
	if (!to->values)
		return false;
	memcpy(to->values, from->values, from->bytes);
	if (set_places(to, prepared))
		return true;
	free(to->values);
	return false;
}

static cudaError_t run_kernel(const struct kernel_work *k, cudaStream_t stream)
{
	struct values v = { .whole = k->values, .bytes = k->bytes };

	if (!is_function(k->function))
		return cudaErrorInvalidResourceHandle;
	return k->together ? launch_together(k->function, k->grid, k->block, &v, k->shared_bytes, stream,
					     RT_NAME(GraphLaunch))
			   : launch(k->function, k->grid, k->block, &v, k->shared_bytes, stream,
				    RT_NAME(GraphLaunch));
}

/* ---- memory ---- */

cudaError_t alloc_work(struct work *w, size_t bytes)
{
	struct shared *s = warpbeam_runtime_shared();
	struct graph_memory *m = bytes ? calloc(1, sizeof *m) : NULL;
	cudaError_t e;
	void *p = NULL;
	struct runtime *r;

	if (!m)
		return bytes ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
	r = begin(&e);
	if (r && e == cudaSuccess)
		e = allocate(r, &p, bytes);
	if (r)
		end(r, cudaSuccess);
	if (e != cudaSuccess) {
		free(m);
		return e;
	}
	*m = (struct graph_memory){ .next = s->graph_memory, .address = number(p), .bytes = bytes, .graphs = 1 };
	s->graph_memory = m;
	*w = (struct work){ .kind = NODE_ALLOC, .memory = m };
	return cudaSuccess;
}

static struct graph_memory *find_memory(const struct shared *s, const void *p)
{
	struct graph_memory *m = s->graph_memory;

	while (m && m->address != number(p))
		m = m->next;
	return m;
}

cudaError_t free_work(struct shared *s, struct work *w, void *p)
{
	struct graph_memory *m = find_memory(s, p);
	cudaError_t e;
	struct runtime *r = begin(&e);
	bool right = r && p && is_device(r, p, 1);

	if (r)
		end(r, cudaSuccess);
	if (!right)
		return cudaErrorInvalidValue;
	if (m)
		m->graphs++;
	*w = (struct work){ .kind = NODE_FREE, .memory = m, .freed = p };
	return cudaSuccess;
}

/* Give memory back that no node names and the program has freed. */
static void settle_memory(struct shared *s, struct graph_memory *m)
{
	struct graph_memory **p = &s->graph_memory;
	cudaError_t e;
	struct runtime *r;

	if (m->graphs || m->live)
		return;
	while (*p != m)
		p = &(*p)->next;
	*p = m->next;
	r = begin(&e);
	if (r) {
		release(r, pointer(m->address));
		end(r, cudaSuccess);
	}
	free(m);
}

bool free_graph_memory(void *p, cudaError_t *e)
{
	struct shared *s = warpbeam_runtime_shared();
	struct graph_memory *m;

	if (!p || !__atomic_load_n(&s->graph_memory, __ATOMIC_RELAXED))
		return false;
	pthread_mutex_lock(&s->graph_lock);
	m = find_memory(s, p);
	if (m) {
		*e = m->live ? cudaSuccess : cudaErrorInvalidValue;
		m->live = false;
		settle_memory(s, m);
	}
	pthread_mutex_unlock(&s->graph_lock);
	return m;
}

/* An address is allocated once: by a launch, until it is freed. */
static cudaError_t run_alloc(struct graph_memory *m)
{
	bool twice = m->live;

	m->live = true;
	return twice ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t run_free(const struct work *w)
{
	cudaError_t e;
	struct runtime *r;

	if (w->memory) {
		e = w->memory->live ? cudaSuccess : cudaErrorInvalidValue;
		w->memory->live = false;
		return e;
	}
	r = begin(&e);
	if (!r)
		return e;
	if (e == cudaSuccess)
		e = release(r, w->freed);
	end(r, cudaSuccess);
	return e;
}

/* ---- any work ---- */

void work_free(struct shared *s, struct work *w)
{
	if (w->kind == NODE_KERNEL)
		kernel_free(&w->kernel);
	if (w->kind == NODE_GRAPH)
		graph_free(s, w->child);
	if ((w->kind == NODE_ALLOC || w->kind == NODE_FREE) && w->memory) {
		w->memory->graphs--;
		settle_memory(s, w->memory);
	}
}

bool work_copy(struct shared *s, struct work *to, const struct work *from)
{
	*to = *from;
	if (from->kind == NODE_KERNEL)
		return is_function(from->kernel.function) && kernel_copy(&to->kernel, &from->kernel);
	if (from->kind == NODE_GRAPH)
		return (to->child = graph_copy(s, from->child, true));
	if ((from->kind == NODE_ALLOC || from->kind == NODE_FREE) && from->memory)
		from->memory->graphs++;
	return true;
}

static cudaError_t run_copy(const struct copy_work *c)
{
	return c->flat ? RT(Memcpy)(c->to, c->from, c->bytes, c->kind) : RT(Memcpy3D)(&c->box);
}

static cudaError_t run_fill(const struct cudaMemsetParams *f)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return e;
	for (size_t y = 0; y < f->height && e == cudaSuccess; y++)
		e = fill_values(r, (char *)f->dst + y * f->pitch, f->value, f->elementSize, f->width);
	return end(r, e);
}

static cudaError_t run_child(cudaGraph_t child, cudaStream_t stream)
{
	cudaError_t e;
	cudaGraphNode_t *order = order_nodes(child, &e);

	if (order)
		e = run_nodes(child, order, stream);
	free(order);
	return e;
}

static cudaError_t run_work(struct work *w, cudaStream_t stream)
{
	switch (w->kind) {
	case NODE_KERNEL: return run_kernel(&w->kernel, stream);
	case NODE_COPY: return run_copy(&w->copy);
	case NODE_FILL: return run_fill(&w->fill);
	case NODE_HOST:
		w->host.call(w->host.context);
		return cudaSuccess;
	case NODE_GRAPH: return run_child(w->child, stream);
	case NODE_RECORD: return RT(EventRecord)(w->event, stream);
	case NODE_ALLOC: return run_alloc(w->memory);
	case NODE_FREE: return run_free(w);
	default: return cudaSuccess;    /* everything before is done */
	}
}

cudaError_t run_nodes(cudaGraph_t g, cudaGraphNode_t *order, cudaStream_t stream)
{
	cudaError_t e = cudaSuccess;

	for (size_t i = 0; i < g->n && e == cudaSuccess; i++)
		e = run_work(&order[i]->work, stream);
	return e;
}

static bool may_run(cudaGraphNode_t node)
{
	for (size_t i = 0; i < node->nafter; i++)
		if (!node->after[i]->mark)
			return false;
	return true;
}

cudaGraphNode_t *order_nodes(cudaGraph_t g, cudaError_t *e)
{
	cudaGraphNode_t *order = malloc((g->n + 1) * sizeof(cudaGraphNode_t));
	size_t n = 0, before;

	*e = order ? cudaSuccess : cudaErrorMemoryAllocation;
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		p->mark = 0;
	do {    /* one pass, where nodes are made behind their dependencies */
		before = n;
		for (cudaGraphNode_t p = g->nodes; order && p; p = p->next)
			if (!p->mark && may_run(p)) {
				p->mark = 1;
				order[n++] = p;
			}
	} while (order && n > before && n < g->n);
	if (order && n < g->n) {
		*e = cudaErrorInvalidValue;
		free(order);
		return NULL;
	}
	return order;
}
