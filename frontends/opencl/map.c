/* Mapped buffers: a copy in the program's memory, from mapping to unmapping. */
#include "frontends/opencl/transfer.h"

static const cl_map_flags writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

static struct mapping *mapping_new(cl_mem m, cl_map_flags flags, size_t offset, size_t n)
{
	size_t rounded = (n + BASE_ALIGN - 1) / BASE_ALIGN * BASE_ALIGN;
	struct mapping *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	*p = (struct mapping){ .pointer = m->host ? m->host + offset : NULL, .offset = offset, .bytes = n,
			       .flags = flags };
	if (!m->host)
		p->pointer = p->storage = aligned_alloc(BASE_ALIGN, rounded);
	if (p->pointer)
		return p;
	free(p);
	return NULL;
}

static cl_int check_map(cl_command_queue q, cl_mem m, cl_map_flags flags, size_t offset, size_t n)
{
	cl_mem_flags forbidden = 0;
	cl_int error = transfer_objects(q, m, 0);

	if (error)
		return error;
	if (!n || offset > m->bytes || n > m->bytes - offset || (flags & ~(writing | CL_MAP_READ)) ||
	    ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
		return CL_INVALID_VALUE;
	if (flags & CL_MAP_READ)
		forbidden |= CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
	if (flags & writing)
		forbidden |= CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
	return m->flags & forbidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

static struct side side_of(cl_mem m, const struct mapping *p)
{
	return (struct side){ m, NULL, p->offset, p->bytes, p->bytes };
}

static struct side side_there(const struct mapping *p)
{
	return (struct side){ NULL, p->pointer, 0, p->bytes, p->bytes };
}

/* The command that copies, or nothing where the copy would not be read. */
static struct command *map_command(cl_command_queue q, const struct order *o, cl_mem m, const struct mapping *p,
				   cl_int *error)
{
	const struct side from = side_of(m, p), to = side_there(p);
	const size_t region[3] = { p->bytes, 1, 1 };

	if (p->flags & CL_MAP_WRITE_INVALIDATE_REGION)
		return command_new(q, o, sizeof(struct command), error);
	struct transfer *t = transfer_new(q, o, &to, &from, region, error);
	return t ? &t->command : NULL;
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, size_t offset,
				     size_t n, cl_uint nwait, const cl_event *wait, cl_event *event,
				     cl_int *errcode_ret)
{
	const struct order o = { CL_COMMAND_MAP_BUFFER, blocking, nwait, wait, event };
	cl_int error;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if ((error = check_map(q, m, flags, offset, n)) || (error = events_check(q->context, nwait, wait)))
		return refuse(errcode_ret, error);
	struct mapping *p = mapping_new(m, flags, offset, n);
	struct command *c = p ? map_command(q, &o, m, p, &error) : NULL;
	if (!c) {
		if (p)
			free(p->storage);
		free(p);
		return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
	}
	p->next = m->mappings;
	m->mappings = p;
	m->nmappings++;
	void *pointer = p->pointer;
	if ((error = command_enqueue(c, &o)))
		return refuse(errcode_ret, CL_MAP_FAILURE);
	return grant(errcode_ret, pointer);
}

/* Take the mapping with the pointer off the object; NULL: none. */
static struct mapping *take_mapping(cl_mem m, const void *pointer)
{
	for (struct mapping **at = &m->mappings, *p; (p = *at); at = &p->next)
		if (p->pointer == pointer) {
			*at = p->next;
			m->nmappings--;
			return p;
		}
	return NULL;
}

static void end_unmap(struct command *c)
{
	struct mapping **p = (struct mapping **)(c + 1);

	free((*p)->storage);
	free(*p);
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *pointer, cl_uint nwait,
					   const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_UNMAP_MEM_OBJECT, false, nwait, wait, event };
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if ((error = transfer_objects(q, m, 0)) || (error = events_check(q->context, nwait, wait)))
		return error;
	struct mapping *p = take_mapping(m, pointer);
	if (!p)
		return CL_INVALID_VALUE;
	if (p->flags & writing) {
		const struct side to = side_of(m, p), from = side_there(p);
		const size_t region[3] = { p->bytes, 1, 1 };
		struct transfer *t = transfer_new(q, &o, &to, &from, region, &error);
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
