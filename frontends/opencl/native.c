/* Native kernels: functions of the program, run on the host. Buffers among their arguments are copies in the program's
 * memory, which go back to the device afterwards. */
#include "frontends/opencl/transfer.h"

struct copied {
	cl_mem mem;                     /* reference of the command's own */
	size_t offset;                  /* of the pointer in the arguments */
	void *bytes;
};
struct native {
	struct command command;
	void (CL_CALLBACK *function)(void *);
	void *arguments;                /* NULL: none */
	cl_uint ncopied;
	struct copied copied[];
};

/* Copy all buffers to the host, or back. */
static bool copy_all(struct native *n, struct place *p, bool back)
{
	cl_command_queue q = n->command.queue;
	bool good = true;

	pthread_mutex_lock(&q->context->running);
	for (cl_uint i = 0; good && i < n->ncopied; i++) {
		struct copied *m = &n->copied[i];
		uint64_t at = mem_address(m->mem, q->place_number);
		if (!back && (m->bytes = malloc(m->mem->bytes)))
			memcpy((uint8_t *)n->arguments + m->offset, &m->bytes, sizeof m->bytes);
		good = at && m->bytes &&
		       (back ? wb_memory_write(p->memory, at, m->bytes, m->mem->bytes, NULL)
			     : wb_memory_read(p->memory, at, m->bytes, m->mem->bytes, NULL)) == WB_OK;
	}
	pthread_mutex_unlock(&q->context->running);
	return good;
}

static cl_int run_native(struct command *c, struct place *p)
{
	struct native *n = (struct native *)c;

	if (!copy_all(n, p, false))
		return CL_OUT_OF_HOST_MEMORY;
	n->function(n->arguments);
	c->nanoseconds = 1;
	return copy_all(n, p, true) ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static void end_native(struct command *c)
{
	struct native *n = (struct native *)c;

	for (cl_uint i = 0; i < n->ncopied; i++) {
		free(n->copied[i].bytes);
		object_drop(n->copied[i].mem);
	}
	free(n->arguments);
}

/* The places of the buffers' pointers lie in the arguments. */
static cl_int check_native(cl_command_queue q, const void *args, size_t bytes, cl_uint n, const cl_mem *list,
			   const void **places)
{
	if ((!args && (bytes || n)) || (args && !bytes) || (!n != !list) || (!n != !places))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < n; i++) {
		uintptr_t at = (uintptr_t)places[i], first = (uintptr_t)args;
		if (!object_is(list[i], KIND_MEM))
			return CL_INVALID_MEM_OBJECT;
		if (list[i]->context != q->context)
			return CL_INVALID_CONTEXT;
		if (at < first || bytes < sizeof(void *) || at - first > bytes - sizeof(void *))
			return CL_INVALID_VALUE;
	}
	return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue q, void (CL_CALLBACK *function)(void *), void *args,
					 size_t bytes, cl_uint n, const cl_mem *list, const void **places,
					 cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_NATIVE_KERNEL, false, nwait, wait, event };
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if (!function)
		return CL_INVALID_VALUE;
	if ((error = check_native(q, args, bytes, n, list, places)))
		return error;
	struct native *c = command_new(q, &o, sizeof *c + n * sizeof *c->copied, &error);
	if (!c)
		return error;
	c->command.run = run_native;
	c->command.end = end_native;
	c->function = function;
	if (args && !(c->arguments = malloc(bytes)))
		return command_refuse(&c->command, CL_OUT_OF_HOST_MEMORY);
	if (args)
		memcpy(c->arguments, args, bytes);
	for (cl_uint i = 0; i < n; i++)
		c->copied[c->ncopied++] = (struct copied){
			object_keep(list[i]), (uintptr_t)places[i] - (uintptr_t)args, NULL };
	return command_enqueue(&c->command, &o);
}
