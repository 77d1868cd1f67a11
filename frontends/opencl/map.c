/* Mapped objects: a copy of a box in the program's memory, from mapping to unmapping. */
#include "frontends/opencl/transfer.h"

static const cl_map_flags writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

void mapping_free(struct mapping *p)
{
	if (p)
		free(p->storage);
	free(p);
}

static struct mapping *mapping_new(cl_map_flags flags, const struct side *object, const struct side *there,
				   const size_t region[3])
{
	size_t n = region[0] * region[1] * region[2], rounded = (n + BASE_ALIGN - 1) / BASE_ALIGN * BASE_ALIGN;
	struct mapping *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	*p = (struct mapping){ .object = *object, .there = *there, .flags = flags };
	memcpy(p->region, region, sizeof p->region);
	if (!there->host)
		p->there.host = p->storage = aligned_alloc(BASE_ALIGN, rounded);
	if (p->there.host)
		return p;
	free(p);
	return NULL;
}

cl_int transfer_map_flags(const struct _cl_mem *m, cl_map_flags flags)
{
	cl_mem_flags forbidden = 0;

	if ((flags & ~(writing | CL_MAP_READ)) ||
	    ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
		return CL_INVALID_VALUE;
	if (flags & CL_MAP_READ)
		forbidden |= CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
	if (flags & writing)
		forbidden |= CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
	return m->flags & forbidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* The command that copies, or nothing where the copy would not be read. */
static struct command *map_command(cl_command_queue q, const struct order *o, const struct mapping *p, cl_int *error)
{
	if (p->flags & CL_MAP_WRITE_INVALIDATE_REGION)
		return command_new(q, o, sizeof(struct command), error);
	struct transfer *t = transfer_new(q, o, &p->there, &p->object, p->region, error);
	return t ? &t->command : NULL;
}

void *transfer_map(cl_command_queue q, const struct order *o, cl_map_flags flags, const struct side *object,
		   const struct side *there, const size_t region[3], cl_int *errcode_ret)
{
	cl_int error = CL_OUT_OF_HOST_MEMORY;
	struct mapping *p = mapping_new(flags, object, there, region);
	struct command *c = p ? map_command(q, o, p, &error) : NULL;
	cl_mem m = object->mem;

	if (!c) {
		mapping_free(p);
		return refuse(errcode_ret, error);
	}
	uint8_t *pointer = p->there.host + p->there.offset;
	p->next = m->mappings;
	m->mappings = p;
	m->nmappings++;
	return command_enqueue(c, o) ? refuse(errcode_ret, CL_MAP_FAILURE) : grant(errcode_ret, pointer);
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, size_t offset,
				     size_t n, cl_uint nwait, const cl_event *wait, cl_event *event,
				     cl_int *errcode_ret)
{
	const struct order o = { CL_COMMAND_MAP_BUFFER, blocking, nwait, wait, event };
	const size_t region[3] = { n, 1, 1 };
	cl_int error;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if ((error = transfer_objects(q, m, 0)))
		return refuse(errcode_ret, error);
	if (!transfer_in_bounds(m, offset, n))
		return refuse(errcode_ret, CL_INVALID_VALUE);
	if ((error = transfer_map_flags(m, flags)) || (error = events_check(q->context, nwait, wait)))
		return refuse(errcode_ret, error);
	const struct side object = { m, NULL, offset, n, n }, there = { NULL, m->host, m->host ? offset : 0, n, n };
	return transfer_map(q, &o, flags, &object, &there, region, errcode_ret);
}

/* Take the mapping with the pointer off the object; NULL: none. */
static struct mapping *take_mapping(cl_mem m, const void *pointer)
{
	for (struct mapping **at = &m->mappings, *p; (p = *at); at = &p->next)
		if (p->there.host + p->there.offset == (const uint8_t *)pointer) {
			*at = p->next;
			m->nmappings--;
			return p;
		}
	return NULL;
}

static void end_unmap(struct command *c)
{
	mapping_free(*(struct mapping **)(c + 1));
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *pointer, cl_uint nwait,
					   const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_UNMAP_MEM_OBJECT, false, nwait, wait, event };
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if ((error = mem_check(q->context, m)) || (error = events_check(q->context, nwait, wait)))
		return error;
	struct mapping *p = take_mapping(m, pointer);
	if (!p)
		return CL_INVALID_VALUE;
	if (p->flags & writing) {
		struct transfer *t = transfer_new(q, &o, &p->object, &p->there, p->region, &error);
		if (t)
			t->mapping = p;
		return t ? command_enqueue(&t->command, &o) : error;
	}
	struct command *c = command_new(q, &o, sizeof *c + sizeof p, &error);
	if (!c)
		return error;
	*(struct mapping **)(c + 1) = p;
	c->end = end_unmap;
	return command_enqueue(c, &o);
}
