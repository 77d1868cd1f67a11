/* Launches: the range of work-items and the arguments of a kernel become a launch of Warpbeam. */
#include "frontends/opencl/image.h"

/* A pointer among the parameters, whose address is known when the command runs. */
struct pointer {
	uint32_t offset, size;          /* in the parameters, bytes */
	cl_mem mem;                     /* kept; NULL: a null pointer */
};
struct launch {
	struct command command;
	cl_kernel kernel;               /* reference of the launch's own */
	struct prepared *prepared;
	struct wb_launch_size size;
	const char *call;
	uint64_t number;
	cl_int status;
	cl_uint npointers;
	uint8_t *params;                /* behind the pointers */
	struct pointer pointer[];
};

static cl_int run_launch(struct command *c, struct place *p)
{
	struct launch *l = (struct launch *)c;
	cl_context context = c->queue->context;
	struct program_result result;
	bool there = true;

	result.status = WB_ENV;
	result.nanoseconds = 0;
	pthread_mutex_lock(&context->running);
	for (cl_uint i = 0; i < l->npointers; i++) {
		cl_mem m = l->pointer[i].mem;
		uint64_t address = !m ? 0 : m->image ? image_address(m, c->queue->place_number) :
				   mem_address(m, c->queue->place_number);
		there &= address || !m;
		memcpy(l->params + l->pointer[i].offset, &address, l->pointer[i].size);
	}
	if (there)
		program_launch(house_program(), &(struct program_launch){
			.device = p->memory, .kernel = l->prepared->kernel, .size = l->size, .params = l->params,
			.param_bytes = l->prepared->info->param_bytes, .call = l->call, .number = l->number }, &result);
	pthread_mutex_unlock(&context->running);
	c->nanoseconds = result.nanoseconds;
	return !there ? CL_MEM_OBJECT_ALLOCATION_FAILURE : result.status == WB_OK ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static void end_launch(struct command *c)
{
	struct launch *l = (struct launch *)c;

	for (cl_uint i = 0; i < l->npointers; i++)
		object_drop(l->pointer[i].mem);
	object_drop(l->kernel);
}

/* ---- arguments ---- */

/* Put the address of an argument in shared memory; `end` bytes are in use. False: more than `most`. */
static bool place_shared(uint8_t *param, size_t size, uint64_t bytes, uint64_t *end, uint64_t most)
{
	enum { SHARED_ALIGN = 128 };    /* bytes of the largest type of OpenCL C */
	uint64_t begin = (*end + SHARED_ALIGN - 1) / SHARED_ALIGN * SHARED_ALIGN;

	memcpy(param, &begin, size < sizeof begin ? size : sizeof begin);
	*end = begin + bytes;
	return bytes <= most && *end <= most;
}

/* Put the arguments into the parameters; memory that a block shares goes behind the kernel's own. */
static cl_int take_arguments(struct launch *l, uint64_t shared_most)
{
	uint64_t own = l->prepared->info->shared_bytes, shared = own;

	for (cl_uint i = 0; i < l->kernel->narguments; i++) {
		const struct parameter *p = &l->prepared->parameter[i];
		const struct argument *a = &l->kernel->argument[i];
		if (p->passing == PASS_SHARED) {
			if (!place_shared(l->params + p->offset, p->size, a->bytes, &shared, shared_most))
				return CL_OUT_OF_RESOURCES;
		} else if (p->passing == PASS_ADDRESS) {
			l->pointer[l->npointers++] = (struct pointer){ p->offset, p->size, object_keep(a->mem) };
		} else {
			memcpy(l->params + p->offset, a->value, p->size);
		}
	}
	l->size.shared_bytes = (uint32_t)(shared - own);
	return CL_SUCCESS;
}

/* ---- the range ---- */

/* Choose a work-group size that the program leaves open: in each dimension the least divisor with a grid within the
 * device's, then the largest divisors within the bounds. */
static void choose_group(const size_t global[3], const struct _cl_device_id *d, uint64_t threads, size_t group[3])
{
	enum { THREADS_ENOUGH = 256 };
	uint64_t taken = 1;

	threads = threads < THREADS_ENOUGH ? threads : THREADS_ENOUGH;
	for (int i = 0; i < 3; i++) {
		size_t n = 1;
		while (n < d->block_most[i] && (global[i] % n || global[i] / n > d->grid_most[i]))
			n++;
		group[i] = n;
		taken *= n;
	}
	for (int i = 0; i < 3; i++) {
		uint64_t others = taken / group[i];
		size_t n = threads / others < d->block_most[i] ? threads / others : d->block_most[i];
		while (n > group[i] && global[i] % n)
			n--;
		group[i] = n > group[i] ? n : group[i];
		taken = others * group[i];
	}
}

struct range {
	cl_uint dimensions;
	const size_t *offset, *global, *group;  /* offset, group NULL: not given */
};

/* Also counts the blocks of each dimension. */
static cl_int check_group(const struct wb_prepared_info *k, const struct range *r, const uint64_t most[3],
			  const size_t global[3], const size_t group[3], size_t blocks[3])
{
	uint64_t threads = 1;

	for (cl_uint i = 0; i < r->dimensions; i++)
		if (group[i] > most[i])
			return CL_INVALID_WORK_ITEM_SIZE;
	for (cl_uint i = 0; i < 3; i++) {
		if (!group[i] || (k->block[i] && k->block[i] != group[i]))
			return CL_INVALID_WORK_GROUP_SIZE;
		threads *= group[i];
		if (i >= r->dimensions)
			continue;               /* of a size of 1 */
		blocks[i] = global[i] / group[i];
		if (blocks[i] * group[i] != global[i])
			return CL_INVALID_WORK_GROUP_SIZE;
	}
	return threads <= k->max_threads ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}

static cl_int take_range(struct wb_launch_size *size, const struct _cl_device_id *d, const struct wb_prepared_info *k,
			 const struct range *r)
{
	size_t global[3] = { 1, 1, 1 }, group[3] = { 1, 1, 1 }, blocks[3] = { 1, 1, 1 };
	cl_int error;

	if (r->dimensions < 1 || r->dimensions > 3)
		return CL_INVALID_WORK_DIMENSION;
	for (cl_uint i = 0; i < r->dimensions; i++) {
		if (!r->global || !r->global[i] || r->global[i] > UINT32_MAX)
			return CL_INVALID_GLOBAL_WORK_SIZE;
		if (r->offset && r->offset[i] > UINT32_MAX - r->global[i])
			return CL_INVALID_GLOBAL_OFFSET;
		global[i] = r->global[i];
		size->offset[i] = r->offset ? (uint32_t)r->offset[i] : 0;
		group[i] = r->group ? r->group[i] : 1;
	}
	if (!r->group && k->block[0])
		return CL_INVALID_WORK_GROUP_SIZE;
	if (!r->group)
		choose_group(global, d, k->max_threads, group);
	if ((error = check_group(k, r, d->block_most, global, group, blocks)))
		return error;
	for (cl_uint i = 0; i < r->dimensions; i++) {   /* others stay 0, for get_work_dim */
		if (blocks[i] > d->grid_most[i])
			return CL_INVALID_GLOBAL_WORK_SIZE;
		size->grid[i] = (uint32_t)blocks[i];
		size->block[i] = (uint32_t)group[i];
	}
	return CL_SUCCESS;
}

/* ---- entry points ---- */

static struct launch *launch_new(cl_command_queue q, cl_kernel k, const struct order *o, struct prepared *p,
				 cl_int *error)
{
	struct launch *l = command_new(q, o, sizeof *l + k->narguments * sizeof *l->pointer + p->info->param_bytes,
				       error);

	if (!l)
		return NULL;
	l->command.run = run_launch;
	l->command.end = end_launch;
	l->kernel = object_keep(k);
	l->prepared = p;
	l->params = (uint8_t *)&l->pointer[k->narguments];
	return l;
}

/* The kernel as it is prepared for the queue's place. */
static cl_int find_prepared(cl_command_queue q, cl_kernel k, struct prepared **out)
{
	cl_int error = CL_SUCCESS;

	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if (!object_is(k, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	if (k->program->context != q->context)
		return CL_INVALID_CONTEXT;
	if (!k->program->build[q->place_number].program)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	for (cl_uint i = 0; i < k->narguments; i++)
		if (!argument_usable(&k->argument[i], q->context))
			return CL_INVALID_KERNEL_ARGS;
	if (!k->prepared[q->place_number])
		k->prepared[q->place_number] = program_kernel_get(k->program, q->place_number, k->name, &error);
	*out = k->prepared[q->place_number];
	return error;
}

static cl_int enqueue(cl_command_queue q, cl_kernel k, const struct range *r, const struct order *o, const char *call,
		      uint64_t *number)
{
	struct prepared *p;
	struct wb_launch_size size = { .grid = { 0 } };
	cl_int error = find_prepared(q, k, &p);

	if (error)
		return error;
	const struct _cl_device_id *d = q->context->places[q->place_number].device;
	if ((error = take_range(&size, d, p->info, r)))
		return error;
	struct launch *l = launch_new(q, k, o, p, &error);
	if (!l)
		return error;
	l->size = size;
	l->call = call;
	l->number = ++*number;
	if ((error = take_arguments(l, d->shared_most)))
		return command_refuse(&l->command, error);
	return command_enqueue(&l->command, o);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dimensions, const size_t *offset,
					  const size_t *global, const size_t *group, cl_uint nwait,
					  const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_NDRANGE_KERNEL, false, nwait, wait, event };
	static uint64_t number;

	HOUSE(CL_OUT_OF_RESOURCES);
	return enqueue(q, k, &(struct range){ dimensions, offset, global, group }, &o, "clEnqueueNDRangeKernel",
		       &number);
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue q, cl_kernel k, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_TASK, false, nwait, wait, event };
	static const size_t one = 1;
	static uint64_t number;

	HOUSE(CL_OUT_OF_RESOURCES);
	return enqueue(q, k, &(struct range){ 1, NULL, &one, &one }, &o, "clEnqueueTask", &number);
}
