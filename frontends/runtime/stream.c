/* Streams, which are in order and empty, and events, which are moments of the device's time: the sum of what launches
 * took by the chip's clock. Handles are kept in lists: a stale one is an error, never followed. */
#include <stdlib.h>

#include "frontends/runtime/graph.h"

struct CUstream_st {
	struct CUstream_st *next;
	uint64_t number;
	unsigned flags;
	int priority;
	struct tail tail;
};

struct CUevent_st {
	struct CUevent_st *next;
	uint64_t at_ns;
	bool recorded, timed;
	struct tail tail;
};

/* Take the lock of the lists. */
static struct shared *hold(void)
{
	struct shared *s = warpbeam_runtime_shared();

	pthread_mutex_lock(&s->stream_lock);
	return s;
}

static void let_go(struct shared *s) { pthread_mutex_unlock(&s->stream_lock); }

bool is_stream(const struct CUstream_st *s)
{
	const struct CUstream_st *p;

	if (!s || s == cudaStreamLegacy || s == cudaStreamPerThread)
		return true;
	struct shared *all = hold();
	for (p = all->streams; p && p != s; p = p->next)
		;
	let_go(all);
	return p;
}

bool is_event(const struct CUevent_st *e)
{
	const struct CUevent_st *p;

	struct shared *all = hold();
	for (p = all->events; p && p != e; p = p->next)
		;
	let_go(all);
	return p;
}

static bool is_made(const struct CUstream_st *s)
{
	return s && s != cudaStreamLegacy && s != cudaStreamPerThread && is_stream(s);
}

struct tail *stream_tail(cudaStream_t s) { return is_made(s) ? &s->tail : NULL; }
struct tail *event_tail(cudaEvent_t e) { return e && is_event(e) ? &e->tail : NULL; }
bool is_apart(const struct CUstream_st *s) { return is_made(s) && s->flags & cudaStreamNonBlocking; }

bool stream_facts(const struct CUstream_st *s, unsigned *flags, int *priority)
{
	bool made = is_made(s);

	if (!is_stream(s))
		return false;
	*flags = made ? s->flags : 0;
	*priority = made ? s->priority : 0;
	return true;
}

uint64_t stream_number(const struct CUstream_st *s)
{
	return is_made(s) ? s->number : 0;
}

bool is_stream_number(uint64_t number)
{
	const struct CUstream_st *p;

	struct shared *all = hold();
	for (p = all->streams; p && p->number != number; p = p->next)
		;
	let_go(all);
	return p;
}

CALL cudaError_t RT(StreamCreate)(cudaStream_t *s);
CALL cudaError_t RT(StreamCreateWithFlags)(cudaStream_t *s, unsigned flags);
CALL cudaError_t RT(StreamCreateWithPriority)(cudaStream_t *s, unsigned flags, int priority);
CALL cudaError_t RT(StreamGetPriority)(cudaStream_t s, int *priority);
CALL cudaError_t RT(StreamGetFlags)(cudaStream_t s, unsigned *flags);
CALL cudaError_t RT(StreamDestroy)(cudaStream_t s);
CALL cudaError_t RT(StreamSynchronize)(cudaStream_t s);
CALL cudaError_t RT(StreamQuery)(cudaStream_t s);
CALL cudaError_t RT(StreamWaitEvent)(cudaStream_t s, cudaEvent_t e, unsigned flags);
CALL cudaError_t RT(StreamAddCallback)(cudaStream_t s, cudaStreamCallback_t call, void *context, unsigned flags);
CALL cudaError_t RT(LaunchHostFunc)(cudaStream_t s, cudaHostFn_t call, void *context);
CALL cudaError_t RT(EventCreate)(cudaEvent_t *e);
CALL cudaError_t RT(EventCreateWithFlags)(cudaEvent_t *e, unsigned flags);
CALL cudaError_t RT(EventDestroy)(cudaEvent_t e);
CALL cudaError_t RT(EventRecord)(cudaEvent_t e, cudaStream_t s);
CALL cudaError_t RT(EventRecordWithFlags)(cudaEvent_t e, cudaStream_t s, unsigned flags);
CALL cudaError_t RT(EventSynchronize)(cudaEvent_t e);
CALL cudaError_t RT(EventQuery)(cudaEvent_t e);
CALL cudaError_t RT(EventElapsedTime)(float *ms, cudaEvent_t from, cudaEvent_t to);
CALL cudaError_t RT(EventElapsedTime_v2)(float *ms, cudaEvent_t from, cudaEvent_t to);

cudaError_t RT(StreamCreateWithPriority)(cudaStream_t *s, unsigned flags, int priority)
{
	struct CUstream_st *made = s && flags <= cudaStreamNonBlocking ? calloc(1, sizeof *made) : NULL;

	if (!made)
		return keep_error(cudaErrorInvalidValue);
	made->flags = flags;
	made->priority = priority;
	struct shared *all = hold();
	made->number = ++all->streams_made;
	made->next = all->streams;
	all->streams = made;
	let_go(all);
	*s = made;
	return cudaSuccess;
}

cudaError_t RT(StreamCreateWithFlags)(cudaStream_t *s, unsigned flags)
{
	return RT(StreamCreateWithPriority)(s, flags, 0);
}

cudaError_t RT(StreamCreate)(cudaStream_t *s) { return RT(StreamCreateWithPriority)(s, 0, 0); }

cudaError_t RT(StreamGetPriority)(cudaStream_t s, int *priority)
{
	unsigned flags;

	if (!priority)
		return keep_error(cudaErrorInvalidValue);
	return keep_error(stream_facts(s, &flags, priority) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t RT(StreamGetFlags)(cudaStream_t s, unsigned *flags)
{
	int priority;

	if (!flags)
		return keep_error(cudaErrorInvalidValue);
	return keep_error(stream_facts(s, flags, &priority) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t RT(StreamDestroy)(cudaStream_t s)
{
	struct CUstream_st **p;

	capture_abandon(s);
	struct shared *all = hold();
	for (p = &all->streams; *p && *p != s; p = &(*p)->next)
		;
	bool found = s && *p;
	if (found)
		*p = s->next;
	let_go(all);
	if (found) {
		tail_clear(&s->tail);
		free(s);
	}
	return keep_error(found ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

/* The error of a call that waits for a stream: everything is done, but a launch may have failed. */
static cudaError_t waited(bool valid)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return keep_error(e);
	return end(r, valid ? e : cudaErrorInvalidResourceHandle);
}

cudaError_t RT(StreamSynchronize)(cudaStream_t s)
{
	REFUSE_CAPTURE(s);
	return waited(is_stream(s));
}

cudaError_t RT(StreamQuery)(cudaStream_t s)
{
	REFUSE_CAPTURE(s);
	return waited(is_stream(s));
}

cudaError_t RT(StreamWaitEvent)(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
	cudaError_t captured;

	(void)flags;
	if (capture_wait(s, e, &captured))
		return captured;
	return waited(is_stream(s) && is_event(e));
}

cudaError_t RT(StreamAddCallback)(cudaStream_t s, cudaStreamCallback_t call, void *context, unsigned flags)
{
	cudaError_t e;

	REFUSE_CAPTURE(s);
	e = waited(is_stream(s));
	if (e == cudaErrorInvalidResourceHandle || !call || flags)
		return keep_error(e == cudaSuccess ? cudaErrorInvalidValue : e);
	call(s, e, context);
	return cudaSuccess;
}

cudaError_t RT(LaunchHostFunc)(cudaStream_t s, cudaHostFn_t call, void *context)
{
	cudaError_t e;

	MAY_CAPTURE(s, capture_host(s, call, context));
	e = waited(is_stream(s));
	if (e != cudaSuccess || !call)
		return keep_error(e == cudaSuccess ? cudaErrorInvalidValue : e);
	call(context);
	return cudaSuccess;
}

cudaError_t RT(EventCreateWithFlags)(cudaEvent_t *e, unsigned flags)
{
	struct CUevent_st *made = e ? calloc(1, sizeof *made) : NULL;

	if (!made)
		return keep_error(cudaErrorInvalidValue);
	made->timed = !(flags & cudaEventDisableTiming);
	struct shared *all = hold();
	made->next = all->events;
	all->events = made;
	let_go(all);
	*e = made;
	return cudaSuccess;
}

cudaError_t RT(EventCreate)(cudaEvent_t *e) { return RT(EventCreateWithFlags)(e, 0); }

cudaError_t RT(EventDestroy)(cudaEvent_t e)
{
	struct CUevent_st **p;

	struct shared *all = hold();
	for (p = &all->events; *p && *p != e; p = &(*p)->next)
		;
	bool found = e && *p;
	if (found)
		*p = e->next;
	let_go(all);
	if (found) {
		tail_clear(&e->tail);
		free(e);
	}
	return keep_error(found ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t RT(EventRecord)(cudaEvent_t event, cudaStream_t s)
{
	cudaError_t e;
	struct runtime *r;

	if (!is_event(event) || !is_stream(s))
		return keep_error(cudaErrorInvalidResourceHandle);
	if (capture_record(s, event, &e))
		return e;
	r = begin(&e);
	if (!r)
		return keep_error(e);
	event->at_ns = ++r->now;        /* no two moments are one */
	event->recorded = true;
	return end(r, e);
}

cudaError_t RT(EventRecordWithFlags)(cudaEvent_t e, cudaStream_t s, unsigned flags)
{
	(void)flags;
	return RT(EventRecord)(e, s);
}

cudaError_t RT(EventSynchronize)(cudaEvent_t e)
{
	return is_captured_event(e) ? keep_error(cudaErrorCapturedEvent) : waited(is_event(e));
}

cudaError_t RT(EventQuery)(cudaEvent_t e) { return RT(EventSynchronize)(e); }

cudaError_t RT(EventElapsedTime)(float *ms, cudaEvent_t from, cudaEvent_t to)
{
	if (!ms)
		return keep_error(cudaErrorInvalidValue);
	if (!is_event(from) || !is_event(to) || !from->recorded || !to->recorded || !from->timed || !to->timed)
		return keep_error(cudaErrorInvalidResourceHandle);
	*ms = (float)((double)(int64_t)(to->at_ns - from->at_ns) * 1e-6);
	return cudaSuccess;
}

cudaError_t RT(EventElapsedTime_v2)(float *ms, cudaEvent_t from, cudaEvent_t to)
{
	return RT(EventElapsedTime)(ms, from, to);
}
