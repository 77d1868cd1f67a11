/* Objects and their references: a table of all live objects by address, so that a handle from a program is never read
 * before it is known. */
#include "frontends/opencl/opencl.h"

static struct object *live;

static const struct {
	cl_int wrong;
	void (*end)(void *object);
} kinds[KINDS] = {
	[KIND_PLATFORM] = { CL_INVALID_PLATFORM, NULL },
	[KIND_DEVICE] = { CL_INVALID_DEVICE, NULL },
	[KIND_CONTEXT] = { CL_INVALID_CONTEXT, context_end },
	[KIND_QUEUE] = { CL_INVALID_COMMAND_QUEUE, queue_end },
	[KIND_MEM] = { CL_INVALID_MEM_OBJECT, mem_end },
	[KIND_SAMPLER] = { CL_INVALID_SAMPLER, sampler_end },
	[KIND_PROGRAM] = { CL_INVALID_PROGRAM, program_end },
	[KIND_KERNEL] = { CL_INVALID_KERNEL, kernel_end },
	[KIND_EVENT] = { CL_INVALID_EVENT, event_end },
};

/* A place in the table: the low bits of addresses are alike. */
static unsigned hash_of(const void *object)
{
	return (unsigned)((uint64_t)(uintptr_t)object * 0x9e3779b97f4a7c15u >> 32);
}

static struct object *find(const void *handle)
{
	struct object *o;

	HASH_FIND_BYHASHVALUE(hh, live, &handle, sizeof handle, hash_of(handle), o);
	return o;
}

void *object_new(enum kind kind, size_t bytes)
{
	/* calloc leaves alone the blocks freed last: a handle of before is seldom a new object's */
	struct object *o = calloc(1, bytes), *found;

	if (!o)
		return NULL;
	o->dispatch = &dispatch_table;
	o->kind = kind;
	o->references = 1;
	o->self = o;
	HASH_ADD_BYHASHVALUE(hh, live, self, sizeof o->self, hash_of(o), o);
	if (!(found = find(o)))
		free(o);
	return found;
}

bool object_is(const void *handle, enum kind kind)
{
	const struct object *o = handle ? find(handle) : NULL;

	return o && o->kind == kind;
}

cl_int object_wrong(enum kind kind)
{
	return kinds[kind].wrong;
}

void *object_keep(void *handle)
{
	struct object *o = handle;

	if (o)
		o->references++;
	return o;
}

void object_drop(void *handle)
{
	struct object *o = handle;

	if (!o || !kinds[o->kind].end || --o->references)
		return;
	HASH_DEL(live, o);
	kinds[o->kind].end(o);
	free(o);
}

cl_int object_retain(void *handle, enum kind kind)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(handle, kind))
		return kinds[kind].wrong;
	if (kinds[kind].end)
		object_keep(handle);
	return CL_SUCCESS;
}

cl_int object_release(void *handle, enum kind kind)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(handle, kind))
		return kinds[kind].wrong;
	object_drop(handle);
	return CL_SUCCESS;
}
