/* Captures: calls in streams become nodes of a graph. A stream has the dependencies of the stream's next work; an event
 * recorded in a capture takes the dependencies of the recording stream to other streams. */
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/graph.h"

struct capture *capture_of(const struct shared *s, const struct tail *t)
{
	struct capture *c = t && t->capture ? s->captures : NULL;

	while (c && c->number != t->capture)
		c = c->next;
	return c;
}

void tail_clear(struct tail *t)
{
	free(t->after);
	*t = (struct tail){ 0 };
}

/* Set the dependencies of a tail, or add new ones. False: the host has no memory. */
static bool tail_take(struct tail *t, const cudaGraphNode_t *after, size_t n, bool add)
{
	size_t have = add ? t->n : 0;
	cudaGraphNode_t *all = malloc((have + n + 1) * sizeof(cudaGraphNode_t));

	if (!all)
		return false;
	if (have)
		memcpy(all, t->after, have * sizeof(cudaGraphNode_t));
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < have && all[k] != after[i])
			k++;
		if (k == have)
			all[have++] = after[i];
	}
	free(t->after);
	t->after = all;
	t->n = have;
	return true;
}

/* Most programs have no capture, and take no lock. */
static bool is_any(void)
{
	return __atomic_load_n(&warpbeam_runtime_shared()->captures, __ATOMIC_RELAXED);
}

/* A capture of a stream before the legacy stream's work. */
static struct capture *before_legacy(const struct shared *s)
{
	struct capture *c = s->captures;

	while (c && !c->legacy)
		c = c->next;
	return c;
}

bool is_captured(cudaStream_t stream, cudaError_t *e)
{
	bool legacy = !stream || stream == cudaStreamLegacy;
	struct capture *c;

	*e = cudaSuccess;
	if (!is_any())
		return false;
	struct shared *s = graphs_hold();
	c = legacy ? before_legacy(s) : capture_of(s, stream_tail(stream));
	if (c && legacy) {
		c->invalid = true;
		*e = cudaErrorStreamCaptureImplicit;
	} else if (c && c->invalid) {
		*e = cudaErrorStreamCaptureInvalidated;
	}
	graphs_let_go(s, cudaSuccess);
	return c;
}

bool breaks_capture(cudaStream_t stream, bool all, cudaError_t *e)
{
	bool legacy = !stream || stream == cudaStreamLegacy, broken = false;

	if (!is_any())
		return false;
	struct shared *s = graphs_hold();
	struct capture *of = legacy ? before_legacy(s) : capture_of(s, stream_tail(stream));
	for (struct capture *c = s->captures; c; c = c->next)
		if (c == of || (all && c->mode == cudaStreamCaptureModeGlobal)) {
			c->invalid = true;
			broken = true;
		}
	graphs_let_go(s, cudaSuccess);
	*e = legacy && !all ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureUnsupported;
	return broken;
}

/* ---- nodes ---- */

/* Add the work of a call with error e; the lock is given back. */
static cudaError_t add(struct shared *s, cudaStream_t stream, struct work *w, cudaError_t e)
{
	struct tail *t = stream_tail(stream);
	struct capture *c = capture_of(s, t);
	cudaGraphNode_t node;

	if (e != cudaSuccess || !c) {
		if (e == cudaSuccess)
			work_free(s, w);
		if (c)
			c->invalid = true;
		return graphs_let_go(s, e == cudaSuccess ? cudaErrorIllegalState : e);
	}
	node = graph_add(s, c->graph, t->after, t->n, w);
	if (!node || !tail_take(t, &node, 1, false)) {
		c->invalid = true;
		return graphs_let_go(s, cudaErrorMemoryAllocation);
	}
	return graphs_let_go(s, cudaSuccess);
}

cudaError_t capture_kernel(cudaStream_t stream, struct function *f, dim3 grid, dim3 block, const struct values *values,
			   size_t shared_bytes, bool together)
{
	struct shared *s = graphs_hold();
	struct work w;
	cudaError_t e = kernel_work(&w, f, f ? f->host : NULL, grid, block, shared_bytes, values);

	if (e == cudaSuccess)
		w.kernel.together = together;
	return add(s, stream, &w, e);
}

cudaError_t capture_copy(cudaStream_t stream, void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
	struct shared *s = graphs_hold();
	struct work w = { .kind = NODE_COPY,
			  .copy = { .flat = true, .to = to, .from = from, .bytes = n, .kind = kind } };

	return add(s, stream, &w, (unsigned)kind <= cudaMemcpyDefault ? cudaSuccess : cudaErrorInvalidMemcpyDirection);
}

cudaError_t capture_box(cudaStream_t stream, const struct cudaMemcpy3DParms *p)
{
	struct shared *s = graphs_hold();
	struct work w = { .kind = NODE_COPY };

	if (p)
		w.copy.box = *p;
	return add(s, stream, &w, p ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t capture_fill(cudaStream_t stream, const struct cudaMemsetParams *p)
{
	struct shared *s = graphs_hold();
	struct work w = { .kind = NODE_FILL, .fill = *p };

	return add(s, stream, &w, cudaSuccess);
}

cudaError_t capture_host(cudaStream_t stream, cudaHostFn_t call, void *context)
{
	struct shared *s = graphs_hold();
	struct work w = { .kind = NODE_HOST, .host = { call, context } };

	return add(s, stream, &w, call ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t capture_alloc(cudaStream_t stream, void **p, size_t bytes)
{
	struct shared *s = graphs_hold();
	struct work w;
	cudaError_t e = p ? alloc_work(&w, bytes) : cudaErrorInvalidValue;

	if (e == cudaSuccess)
		*p = pointer(w.memory->address);
	return add(s, stream, &w, e);
}

cudaError_t capture_free(cudaStream_t stream, void *p)
{
	struct shared *s = graphs_hold();
	struct work w;

	return add(s, stream, &w, free_work(s, &w, p));
}

cudaError_t capture_child(cudaStream_t stream, cudaGraph_t g)
{
	struct shared *s = graphs_hold();
	struct work w = { .kind = NODE_GRAPH, .child = graph_copy(s, g, true) };

	return add(s, stream, &w, w.child ? cudaSuccess : cudaErrorMemoryAllocation);
}

bool capture_record(cudaStream_t stream, cudaEvent_t event, cudaError_t *e)
{
	struct tail *from = stream_tail(stream), *to = event_tail(event);

	if (!is_captured(stream, e)) {
		if (to)
			to->capture = 0;
		return false;
	}
	struct shared *s = graphs_hold();
	if (*e == cudaSuccess && !tail_take(to, from->after, from->n, false))
		*e = cudaErrorMemoryAllocation;
	to->capture = *e == cudaSuccess ? from->capture : 0;
	graphs_let_go(s, *e);
	return true;
}

bool capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *e)
{
	if (!is_any())
		return false;
	struct shared *s = graphs_hold();
	struct tail *from = event_tail(event), *to = stream_tail(stream);
	struct capture *by = capture_of(s, from), *of = capture_of(s, to);
	*e = cudaSuccess;
	if (!by && !of) {
		graphs_let_go(s, cudaSuccess);
		return false;
	}
	if (!by)
		*e = cudaErrorStreamCaptureIsolation;   /* the event is of work outside */
	else if (of && of != by)
		*e = cudaErrorStreamCaptureMerge;
	else if (!to)
		*e = cudaErrorStreamCaptureImplicit;
	else if (by->invalid)
		*e = cudaErrorStreamCaptureInvalidated;
	else if (!tail_take(to, from->after, from->n, of))
		*e = cudaErrorMemoryAllocation;
	else
		to->capture = by->number;
	if (*e != cudaSuccess && (of || by))
		(of ? of : by)->invalid = true;
	graphs_let_go(s, *e);
	return true;
}

bool is_captured_event(cudaEvent_t event)
{
	if (!is_any())
		return false;
	struct shared *s = graphs_hold();
	struct capture *c = capture_of(s, event_tail(event));
	if (c)
		c->invalid = true;
	graphs_let_go(s, cudaSuccess);
	return c;
}

/* ---- begin and end ---- */

CALL cudaError_t RT(StreamBeginCapture)(cudaStream_t stream, enum cudaStreamCaptureMode mode);
CALL cudaError_t RT(StreamEndCapture)(cudaStream_t stream, cudaGraph_t *g);
CALL cudaError_t RT(StreamIsCapturing)(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
CALL cudaError_t RT(StreamGetCaptureInfo)(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
					  unsigned long long *number);
CALL cudaError_t RT(StreamGetCaptureInfo_v2)(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
					     unsigned long long *number, cudaGraph_t *g, const cudaGraphNode_t **after,
					     size_t *n);
CALL cudaError_t RT(StreamUpdateCaptureDependencies)(cudaStream_t stream, cudaGraphNode_t *after, size_t n,
						     unsigned flags);
CALL cudaError_t RT(ThreadExchangeStreamCaptureMode)(enum cudaStreamCaptureMode *mode);

cudaError_t RT(StreamBeginCapture)(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	struct shared *s = graphs_hold();
	struct tail *t = stream_tail(stream);
	struct capture *c = NULL;

	if (!t)
		return graphs_let_go(s, is_stream(stream) ? cudaErrorStreamCaptureUnsupported
							  : cudaErrorInvalidResourceHandle);
	if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
		return graphs_let_go(s, cudaErrorInvalidValue);
	if (capture_of(s, t))
		return graphs_let_go(s, cudaErrorIllegalState);
	c = calloc(1, sizeof *c);
	if (!c || !(c->graph = graph_new(s, true))) {
		free(c);
		return graphs_let_go(s, cudaErrorMemoryAllocation);
	}
	tail_clear(t);
	c->number = t->capture = ++s->captures_begun;
	c->origin = stream;
	c->mode = mode;
	c->legacy = !is_apart(stream);
	c->next = s->captures;
	s->captures = c;
	return graphs_let_go(s, cudaSuccess);
}

/* Whether each node without dependents is among the origin's last: else a stream has not been joined. */
static bool is_joined(cudaGraph_t g, const struct tail *t)
{
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		p->mark = 1;
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		for (size_t i = 0; i < p->nafter; i++)
			p->after[i]->mark = 0;
	for (size_t i = 0; i < t->n; i++)
		t->after[i]->mark = 0;
	for (cudaGraphNode_t p = g->nodes; p; p = p->next)
		if (p->mark)
			return false;
	return true;
}

static void capture_free_all(struct shared *s, struct capture *c, bool keep)
{
	struct capture **p = &s->captures;

	while (*p != c)
		p = &(*p)->next;
	*p = c->next;
	if (keep)
		c->graph->inner = false;
	else
		graph_free(s, c->graph);
	free(c);
}

cudaError_t RT(StreamEndCapture)(cudaStream_t stream, cudaGraph_t *g)
{
	struct shared *s = graphs_hold();
	struct tail *t = stream_tail(stream);
	struct capture *c = capture_of(s, t);
	cudaError_t e = cudaSuccess;

	if (!c || !g)
		return graphs_let_go(s, !is_stream(stream) ? cudaErrorInvalidResourceHandle
				     : c ? cudaErrorInvalidValue : cudaErrorIllegalState);
	*g = NULL;
	if (c->origin != stream) {
		c->invalid = true;
		return graphs_let_go(s, cudaErrorStreamCaptureUnmatched);
	}
	if (c->invalid)
		e = cudaErrorStreamCaptureInvalidated;
	else if (!is_joined(c->graph, t))
		e = cudaErrorStreamCaptureUnjoined;
	if (e == cudaSuccess)
		*g = c->graph;
	capture_free_all(s, c, e == cudaSuccess);
	tail_clear(t);
	return graphs_let_go(s, e);
}

void capture_abandon(const struct CUstream_st *origin)
{
	if (!is_any())
		return;
	struct shared *s = graphs_hold();
	for (struct capture *c = s->captures, *next; c; c = next) {
		next = c->next;
		if (c->origin == origin)
			capture_free_all(s, c, false);
	}
	graphs_let_go(s, cudaSuccess);
}

static enum cudaStreamCaptureStatus status_of(const struct capture *c)
{
	return !c ? cudaStreamCaptureStatusNone
		  : c->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

cudaError_t RT(StreamGetCaptureInfo_v2)(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
					unsigned long long *number, cudaGraph_t *g, const cudaGraphNode_t **after,
					size_t *n)
{
	struct shared *s = graphs_hold();
	struct tail *t = stream_tail(stream);
	struct capture *c = capture_of(s, t);

	if (!status || !is_stream(stream))
		return graphs_let_go(s, status ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
	*status = status_of(c);
	if (*status != cudaStreamCaptureStatusActive)
		return graphs_let_go(s, cudaSuccess);
	if (number)
		*number = c->number;
	if (g)
		*g = c->graph;
	if (after)
		*after = t->after;
	if (n)
		*n = t->n;
	return graphs_let_go(s, cudaSuccess);
}

cudaError_t RT(StreamGetCaptureInfo)(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
				     unsigned long long *number)
{
	return RT(StreamGetCaptureInfo_v2)(stream, status, number, NULL, NULL, NULL);
}

cudaError_t RT(StreamIsCapturing)(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	return RT(StreamGetCaptureInfo_v2)(stream, status, NULL, NULL, NULL, NULL);
}

cudaError_t RT(StreamUpdateCaptureDependencies)(cudaStream_t stream, cudaGraphNode_t *after, size_t n, unsigned flags)
{
	struct shared *s = graphs_hold();
	struct tail *t = stream_tail(stream);
	struct capture *c = capture_of(s, t);

	if (!c || c->invalid)
		return graphs_let_go(s, c ? cudaErrorStreamCaptureInvalidated : cudaErrorIllegalState);
	if ((n && !after) || flags > cudaStreamSetCaptureDependencies)
		return graphs_let_go(s, cudaErrorInvalidValue);
	for (size_t i = 0; i < n; i++)
		if (!is_in(c->graph, after[i]))
			return graphs_let_go(s, cudaErrorInvalidValue);
	return graphs_let_go(s, tail_take(t, after, n, flags == cudaStreamAddCaptureDependencies)
			     ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* The mode of a thread forbids calls beside captures of other threads; no call is forbidden here. */
cudaError_t RT(ThreadExchangeStreamCaptureMode)(enum cudaStreamCaptureMode *mode)
{
	static _Thread_local enum cudaStreamCaptureMode own;
	enum cudaStreamCaptureMode was = own;

	if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
		return keep_error(cudaErrorInvalidValue);
	own = *mode;
	*mode = was;
	return cudaSuccess;
}
