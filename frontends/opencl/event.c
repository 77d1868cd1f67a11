/* Events: the state of commands and of what the program says itself (user events), with callbacks and times. */
#include "frontends/opencl/opencl.h"

cl_event event_new(cl_context c, cl_command_queue q, cl_command_type type)
{
	cl_event e = object_new(KIND_EVENT, sizeof *e);

	if (!e)
		return NULL;
	e->context = object_keep(c);
	e->queue = object_keep(q);
	e->type = type;
	e->status = q ? CL_QUEUED : CL_SUBMITTED;
	return e;
}

void event_end(void *object)
{
	cl_event e = object;

	for (struct watch *w = e->watches, *next; w; w = next) {
		next = w->next;
		free(w->call);
		free(w);
	}
	object_drop(e->queue);
	object_drop(e->context);
}

bool event_over(const struct _cl_event *e)
{
	return e->status <= CL_COMPLETE;
}

/* Call the callbacks for the statuses that the event has reached, in the order in which they were set. */
static void call_watches(cl_event e)
{
	for (struct watch **at = &e->watches, *w; (w = *at); ) {
		if (e->status > w->status) {
			at = &w->next;
			continue;
		}
		w->call->handle = object_keep(e);
		w->call->status = e->status < 0 ? e->status : w->status;
		house_call(w->call);
		*at = w->next;
		free(w);
	}
}

void event_advance(cl_event e, cl_int status)
{
	e->status = status;
	call_watches(e);
	if (event_over(e))
		house_changed();
}

cl_int events_check(cl_context c, cl_uint n, const cl_event *list)
{
	if (!n != !list)
		return CL_INVALID_EVENT_WAIT_LIST;
	for (cl_uint i = 0; i < n; i++)
		if (!object_is(list[i], KIND_EVENT))
			return CL_INVALID_EVENT_WAIT_LIST;
	for (cl_uint i = 0; i < n; i++)
		if (c && list[i]->context != c)
			return CL_INVALID_CONTEXT;
	return CL_SUCCESS;
}

/* ---- entry points ---- */

cl_event CL_API_CALL clCreateUserEvent(cl_context c, cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	cl_event e = event_new(c, NULL, CL_COMMAND_USER);
	return e ? grant(errcode_ret, e) : refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event e, cl_int status)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(e, KIND_EVENT) || e->queue)
		return CL_INVALID_EVENT;
	if (status > CL_COMPLETE)
		return CL_INVALID_VALUE;
	if (e->set)
		return CL_INVALID_OPERATION;
	e->set = true;
	event_advance(e, status);
	commands_run();
	return CL_SUCCESS;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint n, const cl_event *list)
{
	bool failed = false;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!n || !list)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < n; i++)
		if (!object_is(list[i], KIND_EVENT))
			return CL_INVALID_EVENT;
	for (cl_uint i = 1; i < n; i++)
		if (list[i]->context != list[0]->context)
			return CL_INVALID_CONTEXT;
	for (cl_uint i = 0; i < n; i++) {
		cl_event e = object_keep(list[i]);
		while (!event_over(e))
			house_wait();
		failed |= e->status < 0;
		object_drop(e);
	}
	return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

cl_int CL_API_CALL clSetEventCallback(cl_event e, cl_int status,
				      void (CL_CALLBACK *callback)(cl_event, cl_int, void *), void *user_data)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(e, KIND_EVENT))
		return CL_INVALID_EVENT;
	if (!callback || (status != CL_SUBMITTED && status != CL_RUNNING && status != CL_COMPLETE))
		return CL_INVALID_VALUE;
	struct watch *w = calloc(1, sizeof *w), **end = &e->watches;
	struct call *call = calloc(1, sizeof *call);
	if (!w || !call) {
		free(w);
		free(call);
		return CL_OUT_OF_HOST_MEMORY;
	}
	*call = (struct call){ .event = callback, .user_data = user_data };
	*w = (struct watch){ .status = status, .call = call };
	while (*end)
		end = &(*end)->next;
	*end = w;
	call_watches(e);
	return CL_SUCCESS;
}

cl_int CL_API_CALL clRetainEvent(cl_event e)
{
	return object_retain(e, KIND_EVENT);
}

cl_int CL_API_CALL clReleaseEvent(cl_event e)
{
	return object_release(e, KIND_EVENT);
}

cl_int CL_API_CALL clGetEventInfo(cl_event e, cl_event_info name, size_t size, void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(e, KIND_EVENT))
		return CL_INVALID_EVENT;
	switch (name) {
	case CL_EVENT_COMMAND_QUEUE:
		return ANSWER(&q, cl_command_queue, e->queue);
	case CL_EVENT_CONTEXT:
		return ANSWER(&q, cl_context, e->context);
	case CL_EVENT_COMMAND_TYPE:
		return ANSWER(&q, cl_command_type, e->type);
	case CL_EVENT_COMMAND_EXECUTION_STATUS:
		return ANSWER(&q, cl_int, e->status);
	case CL_EVENT_REFERENCE_COUNT:
		return ANSWER(&q, cl_uint, e->object.references);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event e, cl_profiling_info name, size_t size, void *value,
					   size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(e, KIND_EVENT))
		return CL_INVALID_EVENT;
	if (!e->queue || !(e->queue->properties & CL_QUEUE_PROFILING_ENABLE) || e->status != CL_COMPLETE)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	if (name < CL_PROFILING_COMMAND_QUEUED || name > CL_PROFILING_COMMAND_END)
		return CL_INVALID_VALUE;
	return ANSWER(&q, cl_ulong, e->time[name - CL_PROFILING_COMMAND_QUEUED]);
}
