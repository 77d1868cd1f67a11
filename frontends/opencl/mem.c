/* Memory objects: buffers, their parts, and what images share with them. The bytes are in one place of a context at a
 * time. */
#include "frontends/opencl/image.h"
#include "frontends/opencl/transfer.h"

enum { PIECE = 1 << 16 };

/* Copy the bytes of a buffer to another place, through the host. */
static bool move(cl_mem m, const struct place *from, const struct place *to, uint64_t at, uint64_t old)
{
	uint8_t *piece = malloc(PIECE);
	bool good = piece;

	for (size_t done = 0, n; good && done < m->bytes; done += n) {
		n = m->bytes - done < PIECE ? m->bytes - done : PIECE;
		good = wb_memory_read(from->memory, old + done, piece, n, NULL) == WB_OK &&
		       wb_memory_write(to->memory, at + done, piece, n, NULL) == WB_OK;
	}
	free(piece);
	return good;
}

cl_mem mem_root(cl_mem m)
{
	while (m->parent)
		m = m->parent;
	return m;
}

/* Memory of a place, with the uses that a buffer's flags allow to kernels (for --check bounds). Functions that write
 * images also load. */
static bool allocate(cl_mem b, cl_uint place)
{
	struct wb_device *v = b->context->places[place].memory;
	unsigned uses = b->image ? WB_MEMORY_LOADS | WB_MEMORY_STORES :
			b->flags & CL_MEM_READ_ONLY ? WB_MEMORY_LOADS :
			b->flags & CL_MEM_WRITE_ONLY ? WB_MEMORY_STORES : WB_MEMORY_LOADS | WB_MEMORY_STORES;

	return wb_memory_alloc(v, b->bytes, &b->address[place], NULL) == WB_OK &&
	       (!b->bytes || wb_memory_allow(v, b->address[place], uses, NULL) == WB_OK);
}

uint64_t mem_address(cl_mem m, cl_uint place)
{
	cl_mem b = mem_root(m);
	struct place *p = b->context->places;

	if (!b->address[place] && !allocate(b, place)) {
		b->address[place] = 0;
		return 0;
	}
	if (b->owner != place && !move(b, &p[b->owner], &p[place], b->address[place], b->address[b->owner]))
		return 0;
	b->owner = place;
	return b->address[place] + m->origin;
}

cl_int mem_check(cl_context c, cl_mem m)
{
	if (!object_is(m, KIND_MEM))
		return CL_INVALID_MEM_OBJECT;
	return m->context == c ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

/* Give back the memory of an object's places; commands of other objects may be running there. */
static void free_places(cl_mem m)
{
	cl_context c = object_keep(m->context);

	house_out();
	pthread_mutex_lock(&c->running);
	for (cl_uint i = 0; i < c->nplaces; i++) {
		if (m->address && m->address[i])
			wb_memory_free(c->places[i].memory, m->address[i], NULL);
		if (m->image && m->image->descriptor[i])
			wb_memory_free(c->places[i].memory, m->image->descriptor[i], NULL);
	}
	pthread_mutex_unlock(&c->running);
	house_in();
	object_drop(c);
}

void mem_end(void *object)
{
	cl_mem m = object;

	for (struct ending *e = m->endings, *next; e; e = next) {
		next = e->next;
		house_call(e->call);
		free(e);
	}
	for (struct mapping *p = m->mappings, *next; p; p = next) {
		next = p->next;
		mapping_free(p);
	}
	if (!m->parent || m->image)
		free_places(m);
	free(m->address);
	picture_free(m->image);
	object_drop(m->parent);
	object_drop(m->context);
}

/* ---- creation ---- */

static const cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
	host_access_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
	pointer_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

static bool at_most_one(cl_mem_flags flags)
{
	return !(flags & (flags - 1));
}

bool mem_are_flags(cl_mem_flags flags)
{
	return !(flags & ~(access_flags | host_access_flags | pointer_flags)) && at_most_one(flags & access_flags) &&
	       at_most_one(flags & host_access_flags) &&
	       !((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)));
}

cl_int mem_fill_first(cl_mem m, bool (*write)(cl_mem m, struct wb_device *v, uint64_t address, const void *host),
		      const void *host)
{
	cl_context c = m->context;
	cl_int error = CL_SUCCESS;
	uint64_t at;

	house_out();
	pthread_mutex_lock(&c->running);
	if (!(at = mem_address(m, 0)) || (host && !write(m, c->places[0].memory, at, host)))
		error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	pthread_mutex_unlock(&c->running);
	house_in();
	return error;
}

static bool write_buffer(cl_mem m, struct wb_device *v, uint64_t address, const void *host)
{
	return wb_memory_write(v, address, host, m->bytes, NULL) == WB_OK;
}

bool mem_fits(const struct _cl_context *c, size_t bytes)
{
	bool fits = false;

	for (cl_uint i = 0; i < c->nplaces; i++)
		fits |= bytes <= c->places[i].device->memory_bytes / 4;
	return fits;
}

cl_mem mem_new(cl_context c, cl_mem_flags flags, size_t bytes)
{
	cl_mem m = object_new(KIND_MEM, sizeof *m);

	if (!m)
		return NULL;
	m->context = object_keep(c);
	m->flags = flags & access_flags ? flags : flags | CL_MEM_READ_WRITE;
	m->bytes = bytes;
	if ((m->address = calloc(c->nplaces, sizeof *m->address)))
		return m;
	object_drop(m);
	return NULL;
}

cl_mem CL_API_CALL clCreateBuffer(cl_context c, cl_mem_flags flags, size_t bytes, void *host, cl_int *errcode_ret)
{
	bool wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
	cl_int error;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	if (!mem_are_flags(flags))
		return refuse(errcode_ret, CL_INVALID_VALUE);
	if (!bytes || !mem_fits(c, bytes))
		return refuse(errcode_ret, CL_INVALID_BUFFER_SIZE);
	if (wants_host != (host != NULL))
		return refuse(errcode_ret, CL_INVALID_HOST_PTR);
	cl_mem m = mem_new(c, flags, bytes);
	if (!m)
		return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
	if (flags & CL_MEM_USE_HOST_PTR)
		m->host = host;
	if ((error = mem_fill_first(m, write_buffer, host))) {
		object_drop(m);
		return refuse(errcode_ret, error);
	}
	return grant(errcode_ret, m);
}

/* The flags of a part: what it does not say comes from the buffer. False: the buffer forbids them. */
bool mem_part_flags(const struct _cl_mem *b, cl_mem_flags flags, cl_mem_flags *out)
{
	cl_mem_flags kernel = b->flags & access_flags, host = b->flags & host_access_flags;

	*out = (flags & access_flags ? flags & access_flags : kernel) |
	       (flags & host_access_flags ? flags & host_access_flags : host) | (b->flags & pointer_flags);
	return mem_are_flags(flags) && !(flags & pointer_flags) &&
	       (kernel == CL_MEM_READ_WRITE || !(flags & access_flags) || (flags & access_flags) == kernel) &&
	       (!host || !(flags & host_access_flags) || (flags & CL_MEM_HOST_NO_ACCESS) ||
		(flags & host_access_flags) == host);
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem b, cl_mem_flags flags, cl_buffer_create_type type, const void *info,
				     cl_int *errcode_ret)
{
	const cl_buffer_region *region = info;
	cl_mem_flags own;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(b, KIND_MEM) || b->parent || b->image)
		return refuse(errcode_ret, CL_INVALID_MEM_OBJECT);
	if (!mem_part_flags(b, flags, &own) || type != CL_BUFFER_CREATE_TYPE_REGION || !region)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	if (region->origin > b->bytes || region->size > b->bytes - region->origin)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	if (!region->size)
		return refuse(errcode_ret, CL_INVALID_BUFFER_SIZE);
	if (region->origin % BASE_ALIGN)
		return refuse(errcode_ret, CL_MISALIGNED_SUB_BUFFER_OFFSET);
	cl_mem m = mem_new(b->context, own, region->size);
	if (!m)
		return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
	m->parent = object_keep(b);
	m->origin = region->origin;
	m->host = b->host ? b->host + region->origin : NULL;
	return grant(errcode_ret, m);
}

cl_int CL_API_CALL clRetainMemObject(cl_mem m)
{
	return object_retain(m, KIND_MEM);
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem m)
{
	return object_release(m, KIND_MEM);
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem m, void (CL_CALLBACK *callback)(cl_mem, void *),
						    void *user_data)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(m, KIND_MEM))
		return CL_INVALID_MEM_OBJECT;
	if (!callback)
		return CL_INVALID_VALUE;
	struct ending *e = calloc(1, sizeof *e);
	struct call *call = calloc(1, sizeof *call);
	if (!e || !call) {
		free(e);
		free(call);
		return CL_OUT_OF_HOST_MEMORY;
	}
	*call = (struct call){ .mem = callback, .handle = m, .user_data = user_data };
	*e = (struct ending){ m->endings, call };
	m->endings = e;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem m, cl_mem_info name, size_t size, void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(m, KIND_MEM))
		return CL_INVALID_MEM_OBJECT;
	switch (name) {
	case CL_MEM_TYPE:
		return ANSWER(&q, cl_mem_object_type, m->image ? m->image->type : CL_MEM_OBJECT_BUFFER);
	case CL_MEM_FLAGS:
		return ANSWER(&q, cl_mem_flags, m->flags);
	case CL_MEM_SIZE:
		return ANSWER(&q, size_t, m->bytes);
	case CL_MEM_HOST_PTR:
		return ANSWER(&q, void *, m->host);
	case CL_MEM_MAP_COUNT:
		return ANSWER(&q, cl_uint, m->nmappings);
	case CL_MEM_REFERENCE_COUNT:
		return ANSWER(&q, cl_uint, m->object.references);
	case CL_MEM_CONTEXT:
		return ANSWER(&q, cl_context, m->context);
	case CL_MEM_ASSOCIATED_MEMOBJECT:
		return ANSWER(&q, cl_mem, m->parent);
	case CL_MEM_OFFSET:
		return ANSWER(&q, size_t, m->image ? 0 : m->origin);
	default:
		return CL_INVALID_VALUE;
	}
}
