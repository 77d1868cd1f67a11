/* Command queues, and the commands without work: markers, barriers, waiting. */
#include "frontends/opencl/opencl.h"

static const cl_command_queue_properties known_properties =
	CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

void queue_end(void *object)
{
	cl_command_queue q = object;

	object_drop(q->context);
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context c, cl_device_id d, cl_command_queue_properties properties,
						  cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	if (!object_is(d, KIND_DEVICE) || context_place(c, d) == c->nplaces)
		return refuse(errcode_ret, CL_INVALID_DEVICE);
	if (properties & ~known_properties)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	cl_command_queue q = object_new(KIND_QUEUE, sizeof *q);
	if (!q)
		return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
	q->context = object_keep(c);
	q->place_number = context_place(c, d);
	q->properties = properties;
	return grant(errcode_ret, q);
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue q)
{
	return object_retain(q, KIND_QUEUE);
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue q)
{
	return object_release(q, KIND_QUEUE);
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info name, size_t size, void *value,
					 size_t *size_ret)
{
	const struct query query = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	switch (name) {
	case CL_QUEUE_CONTEXT:
		return ANSWER(&query, cl_context, q->context);
	case CL_QUEUE_DEVICE:
		return ANSWER(&query, cl_device_id, q->context->places[q->place_number].device);
	case CL_QUEUE_REFERENCE_COUNT:
		return ANSWER(&query, cl_uint, q->object.references);
	case CL_QUEUE_PROPERTIES:
		return ANSWER(&query, cl_command_queue_properties, q->properties);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue q, cl_command_queue_properties properties,
					     cl_bool enable, cl_command_queue_properties *old)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if (properties & ~known_properties)
		return CL_INVALID_VALUE;
	if (old)
		*old = q->properties;
	q->properties = enable ? q->properties | properties : q->properties & ~properties;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clFlush(cl_command_queue q)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return object_is(q, KIND_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clFinish(cl_command_queue q)
{
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	object_keep(q);
	while (q->head || q->busy)
		house_wait();
	error = q->failed ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
	q->failed = false;
	object_drop(q);
	return error;
}

/* ---- commands without work ---- */

/* A command that waits for the list, or for all commands before; a barrier holds up those behind as well. */
static cl_int enqueue_point(cl_command_queue q, const struct order *o, bool barrier)
{
	struct order own = *o;
	cl_int error;

	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	struct command *c = command_new(q, &own, sizeof *c, &error);
	if (!c)
		return error;
	c->barrier = barrier || !c->nwait;
	return command_enqueue(c, &own);
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event *list, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return enqueue_point(q, &(struct order){ CL_COMMAND_MARKER, false, n, list, event }, false);
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint n, const cl_event *list, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return enqueue_point(q, &(struct order){ CL_COMMAND_BARRIER, false, n, list, event }, true);
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue q, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (object_is(q, KIND_QUEUE) && !event)
		return CL_INVALID_VALUE;
	return enqueue_point(q, &(struct order){ CL_COMMAND_MARKER, false, 0, NULL, event }, false);
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue q)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return enqueue_point(q, &(struct order){ CL_COMMAND_BARRIER, false, 0, NULL, NULL }, true);
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue q, cl_uint n, const cl_event *list)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if (!n || !list)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < n; i++)
		if (!object_is(list[i], KIND_EVENT))
			return CL_INVALID_EVENT;
	return enqueue_point(q, &(struct order){ CL_COMMAND_BARRIER, false, n, list, NULL }, true);
}
