/* Mapped objects. The program sees the device's own bytes where the host has them side by side; memory of
 * CL_MEM_USE_HOST_PTR, and other memory without such a view, is copied when mapped and when unmapped. */
#include "frontends/opencl/transfer.h"

static const cl_map_flags writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

void mapping_free(struct mapping *p)
{
	if (p)
		free(p->storage);
	free(p);
}

/* Move the object to a place and view the bytes; NULL: the host has no view of the memory. */
static uint8_t *view(cl_mem m, cl_uint place)
{
	cl_context c = object_keep(m->context);
	uint64_t address;

	object_keep(m);
	house_out();
	pthread_mutex_lock(&c->running);
	address = mem_address(m, place);
	uint8_t *bytes = address ? wb_memory_view(c->places[place].memory, address, m->bytes) : NULL;
	pthread_mutex_unlock(&c->running);
	house_in();
	object_drop(m);
	object_drop(c);
	return bytes;
}

static struct mapping *mapping_new(cl_uint place, cl_map_flags flags, const struct side *object, struct side *there,
				   const size_t region[3])
{
	size_t n = region[0] * region[1] * region[2], rounded = (n + BASE_ALIGN - 1) / BASE_ALIGN * BASE_ALIGN;
	struct mapping *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->flags = flags;
	p->object = *object;
	memcpy(p->region, region, sizeof p->region);
	if (!there->host && (there->host = view(object->mem, place))) {
		*there = (struct side){ NULL, there->host, object->offset, object->row, object->slice };
		p->is_own = true;
	} else if (!there->host) {
		p->storage = aligned_alloc(BASE_ALIGN, rounded);
		*there = (struct side){ NULL, p->storage, 0, region[0], region[0] * region[1] };
	}
	p->there = *there;
	if (p->there.host)
		return p;
	free(p);
	return NULL;
}

/* Mapping and unmapping of the device's own bytes: no copy, but the object moves to the place, and the time is a
 * transfer's. */
struct touch {
	struct command command;
	cl_mem mem;                     /* kept; NULL: unmapping */
	struct mapping *mapping;        /* to be freed at the end; NULL: mapping */
	size_t bytes;                   /* of the box, for the time */
};

static cl_int run_touch(struct command *c, struct place *p)
{
	struct touch *t = (struct touch *)c;
	cl_context context = c->queue->context;
	bool good = true;

	if (t->mem) {
		pthread_mutex_lock(&context->running);
		good = mem_address(t->mem, c->queue->place_number);
		pthread_mutex_unlock(&context->running);
	}
	c->nanoseconds = transfer_nanoseconds(t->bytes);
	return good ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

static void end_touch(struct command *c)
{
	struct touch *t = (struct touch *)c;

	object_drop(t->mem);
	mapping_free(t->mapping);
}

static struct command *touch_new(cl_command_queue q, const struct order *o, cl_mem m, struct mapping *unmapped,
				 size_t bytes, cl_int *error)
{
	struct touch *t = command_new(q, o, sizeof *t, error);

	if (!t)
		return NULL;
	t->command.run = run_touch;
	t->command.end = end_touch;
	t->mem = object_keep(m);
	t->mapping = unmapped;
	t->bytes = bytes;
	return &t->command;
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

/* The command of a map; a copy that nobody reads is not made. */
static struct command *map_command(cl_command_queue q, const struct order *o, const struct mapping *p, cl_int *error)
{
	bool unread = p->flags & CL_MAP_WRITE_INVALIDATE_REGION;

	if (p->is_own)
		return touch_new(q, o, p->object.mem, NULL,
				 unread ? 0 : p->region[0] * p->region[1] * p->region[2], error);
	if (unread)
		return command_new(q, o, sizeof(struct command), error);
	struct transfer *t = transfer_new(q, o, &p->there, &p->object, p->region, error);
	return t ? &t->command : NULL;
}

/* The command of an unmap, which frees the mapping at the end. */
static struct command *unmap_command(cl_command_queue q, const struct order *o, struct mapping *p, cl_int *error)
{
	bool written = p->flags & writing;

	if (p->is_own || !written)
		return touch_new(q, o, NULL, p, written ? p->region[0] * p->region[1] * p->region[2] : 0, error);
	struct transfer *t = transfer_new(q, o, &p->object, &p->there, p->region, error);
	if (!t)
		return NULL;
	t->mapping = p;
	return &t->command;
}

static void add_mapping(cl_mem m, struct mapping *p)
{
	p->next = m->mappings;
	m->mappings = p;
	m->nmappings++;
}

void *transfer_map(cl_command_queue q, const struct order *o, cl_map_flags flags, const struct side *object,
		   struct side *there, const size_t region[3], cl_int *errcode_ret)
{
	cl_int error = CL_OUT_OF_HOST_MEMORY;
	struct mapping *p = mapping_new(q->place_number, flags, object, there, region);
	struct command *c = p ? map_command(q, o, p, &error) : NULL;
	cl_mem m = object->mem;

	if (!c) {
		mapping_free(p);
		return refuse(errcode_ret, error);
	}
	uint8_t *pointer = p->there.host + p->there.offset;
	add_mapping(m, p);
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
	const struct side object = { m, NULL, offset, n, n };
	struct side there = { NULL, m->host, offset, n, n };
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
	struct command *c = unmap_command(q, &o, p, &error);
	if (c)
		return command_enqueue(c, &o);
	add_mapping(m, p);
	return error;
}
