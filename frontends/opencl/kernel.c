/* Kernels: names of a built program with arguments. */
#include "frontends/opencl/image.h"

#include <stdio.h>

void kernel_end(void *object)
{
	cl_kernel k = object;

	for (cl_uint i = 0; k->argument && i < k->narguments; i++)
		free(k->argument[i].value);
	free(k->argument);
	free(k->prepared);
	free(k->name);
	k->program->kernels--;
	object_drop(k->program);
}

/* A place that the program is built for; nplaces: none. */
static cl_uint built_place(const struct _cl_program *p)
{
	cl_uint i = 0;

	while (i < p->context->nplaces && !p->build[i].program)
		i++;
	return i;
}

static bool has_kernel(const struct wb_program *p, const char *name)
{
	for (unsigned i = 0; i < wb_program_kernels(p); i++)
		if (!strcmp(wb_program_kernel(p, i)->name, name))
			return true;
	return false;
}

static cl_kernel kernel_new(cl_program p, const char *name, cl_int *error)
{
	cl_uint place = built_place(p);
	struct prepared *shape = program_kernel_get(p, place, name, error);
	cl_kernel k = shape ? object_new(KIND_KERNEL, sizeof *k) : NULL;

	if (!k)
		return NULL;
	k->program = object_keep(p);
	p->kernels++;
	k->shape = shape;
	k->narguments = shape->info->nparams;
	k->name = strdup(name);
	k->prepared = calloc(p->context->nplaces, sizeof *k->prepared);
	k->argument = calloc(k->narguments + 1, sizeof *k->argument);
	bool good = k->name && k->prepared && k->argument;
	for (cl_uint i = 0; good && i < k->narguments; i++) {
		size_t n = wb_prepared_parameter(program_prepared(shape->kernel), i)->size;
		good = (k->argument[i].value = calloc(1, n + 1)) != NULL;
	}
	if (good) {
		k->prepared[place] = shape;
		return k;
	}
	object_drop(k);
	*error = CL_OUT_OF_HOST_MEMORY;
	return NULL;
}

cl_kernel CL_API_CALL clCreateKernel(cl_program p, const char *name, cl_int *errcode_ret)
{
	cl_int error = CL_OUT_OF_HOST_MEMORY;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(p, KIND_PROGRAM))
		return refuse(errcode_ret, CL_INVALID_PROGRAM);
	if (built_place(p) == p->context->nplaces)
		return refuse(errcode_ret, CL_INVALID_PROGRAM_EXECUTABLE);
	if (!name)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	if (!has_kernel(p->build[built_place(p)].program, name))
		return refuse(errcode_ret, CL_INVALID_KERNEL_NAME);
	cl_kernel k = kernel_new(p, name, &error);
	return k ? grant(errcode_ret, k) : refuse(errcode_ret, error);
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program p, cl_uint n, cl_kernel *out, cl_uint *number)
{
	cl_int error = CL_OUT_OF_HOST_MEMORY;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(p, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	if (built_place(p) == p->context->nplaces)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	const struct wb_program *from = p->build[built_place(p)].program;
	unsigned all = wb_program_kernels(from);
	if (out && n < all)
		return CL_INVALID_VALUE;
	for (unsigned i = 0; out && i < all; i++) {
		if ((out[i] = kernel_new(p, wb_program_kernel(from, i)->name, &error)))
			continue;
		while (i--)
			object_drop(out[i]);
		return error;
	}
	if (number)
		*number = all;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clRetainKernel(cl_kernel k)
{
	return object_retain(k, KIND_KERNEL);
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel k)
{
	return object_release(k, KIND_KERNEL);
}

/* ---- arguments ---- */

/* Put a memory object, NULL for none, into an argument. */
static void put_mem(struct argument *a, cl_mem m)
{
	a->mem = m;
	a->image = m && m->image;
}

bool argument_usable(const struct argument *a, const struct _cl_context *c)
{
	return a->set && (!a->mem || (object_is(a->mem, KIND_MEM) && a->mem->context == c &&
				      a->image == (a->mem->image != NULL)));
}

static cl_int set_buffer(cl_kernel k, struct argument *a, size_t bytes, const void *value)
{
	cl_mem m = NULL;

	if (bytes != sizeof m)
		return CL_INVALID_ARG_SIZE;
	if (value)
		memcpy(&m, value, sizeof m);
	if (m && (!object_is(m, KIND_MEM) || m->context != k->program->context || m->image))
		return CL_INVALID_MEM_OBJECT;
	put_mem(a, m);
	return CL_SUCCESS;
}

/* The name of the type that a kernel has for the kind of image. */
static const char *type_of(const struct image *i)
{
	static const char *const names[] = {
		"image2d_t", "image3d_t", "image2d_array_t", "image1d_t", "image1d_array_t", "image1d_buffer_t",
	};

	return names[i->type - CL_MEM_OBJECT_IMAGE2D];
}

static cl_int set_image(cl_kernel k, struct argument *a, const struct wb_parameter *p, size_t bytes, const void *value)
{
	cl_mem m;

	if (!value)
		return CL_INVALID_ARG_VALUE;
	if (bytes != sizeof m)
		return CL_INVALID_ARG_SIZE;
	memcpy(&m, value, sizeof m);
	if (!object_is(m, KIND_MEM) || m->context != k->program->context || !m->image)
		return CL_INVALID_MEM_OBJECT;
	cl_mem_flags forbidden = !strcmp(p->access, "read_only") ? CL_MEM_WRITE_ONLY :
				 !strcmp(p->access, "write_only") ? CL_MEM_READ_ONLY : 0;
	/* a type that begins otherwise is a name of the source's own */
	if ((m->flags & forbidden) || (!strncmp(p->type, "image", 5) && strcmp(p->type, type_of(m->image))))
		return CL_INVALID_ARG_VALUE;
	put_mem(a, m);
	return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel k, struct argument *a, const struct wb_parameter *p, size_t bytes,
			  const void *value)
{
	uint64_t word;
	cl_sampler s;

	if (!value)
		return CL_INVALID_ARG_VALUE;
	if (bytes != sizeof s)
		return CL_INVALID_ARG_SIZE;
	memcpy(&s, value, sizeof s);
	if (!object_is(s, KIND_SAMPLER) || s->context != k->program->context)
		return CL_INVALID_SAMPLER;
	word = sampler_bits(s);
	memcpy(a->value, &word, p->size < sizeof word ? p->size : sizeof word);
	return CL_SUCCESS;
}

static cl_int set_local(struct argument *a, size_t bytes, const void *value)
{
	if (value)
		return CL_INVALID_ARG_VALUE;
	if (!bytes)
		return CL_INVALID_ARG_SIZE;
	a->bytes = bytes;
	return CL_SUCCESS;
}

static cl_int set_value(struct argument *a, const struct wb_parameter *p, size_t bytes, const void *value)
{
	if (bytes != p->size)
		return CL_INVALID_ARG_SIZE;
	if (!value)
		return CL_INVALID_ARG_VALUE;
	memcpy(a->value, value, bytes);
	a->bytes = bytes;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel k, cl_uint index, size_t bytes, const void *value)
{
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(k, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	if (index >= k->narguments)
		return CL_INVALID_ARG_INDEX;
	struct argument *a = &k->argument[index];
	const struct wb_parameter *p = wb_prepared_parameter(program_prepared(k->shape->kernel), index);
	if (!strcmp(p->kind, "local"))
		error = set_local(a, bytes, value);
	else if (!strcmp(p->kind, "pointer"))
		error = set_buffer(k, a, bytes, value);
	else if (!strcmp(p->kind, "image"))
		error = set_image(k, a, p, bytes, value);
	else if (!strcmp(p->kind, "sampler"))
		error = set_sampler(k, a, p, bytes, value);
	else if (!strcmp(p->kind, "value"))
		error = set_value(a, p, bytes, value);
	else
		error = CL_INVALID_ARG_VALUE;   /* pipes do not exist */
	a->set |= !error;
	return error;
}

/* ---- properties ---- */

/* The attributes that a kernel has in its source, as OpenCL C spells them; kernels of binaries have none. */
static cl_int answer_attributes(const struct query *q, const struct _cl_kernel *k)
{
	const struct wb_prepared_info *i = k->shape->info;
	const struct { const char *name; const uint32_t *n; } groups[] = {
		{ "reqd_work_group_size", i->block }, { "work_group_size_hint", i->block_hint },
	};
	char text[512] = "";
	size_t n = 0;

	if (k->program->from_binary)
		return answer_text(q, "");
	if (*i->vector_hint)
		n = (size_t)snprintf(text, sizeof text, " vec_type_hint(%.100s)", i->vector_hint);
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
		if (groups[g].n[0])
			n += (size_t)snprintf(text + n, sizeof text - n, " %s(%u,%u,%u)", groups[g].name,
					      groups[g].n[0], groups[g].n[1], groups[g].n[2]);
	return answer_text(q, text + (n > 0));
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel k, cl_kernel_info name, size_t size, void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(k, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	switch (name) {
	case CL_KERNEL_FUNCTION_NAME:
		return answer_text(&q, k->name);
	case CL_KERNEL_NUM_ARGS:
		return ANSWER(&q, cl_uint, k->narguments);
	case CL_KERNEL_REFERENCE_COUNT:
		return ANSWER(&q, cl_uint, k->object.references);
	case CL_KERNEL_CONTEXT:
		return ANSWER(&q, cl_context, k->program->context);
	case CL_KERNEL_PROGRAM:
		return ANSWER(&q, cl_program, k->program);
	case CL_KERNEL_ATTRIBUTES:
		return answer_attributes(&q, k);
	default:
		return CL_INVALID_VALUE;
	}
}

static cl_kernel_arg_access_qualifier access_of(const struct wb_parameter *p)
{
	if (strcmp(p->kind, "image"))
		return CL_KERNEL_ARG_ACCESS_NONE;
	return !strcmp(p->access, "read_only") ? CL_KERNEL_ARG_ACCESS_READ_ONLY :
	       !strcmp(p->access, "write_only") ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY : CL_KERNEL_ARG_ACCESS_READ_WRITE;
}

static cl_kernel_arg_type_qualifier qualifiers_of(const struct wb_parameter *p)
{
	return (strstr(p->qualifiers, "const") || !strcmp(p->space, "constant") ? CL_KERNEL_ARG_TYPE_CONST : 0) |
	       (strstr(p->qualifiers, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
	       (strstr(p->qualifiers, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0);
}

static cl_kernel_arg_address_qualifier address_of(const struct wb_parameter *p)
{
	return !strcmp(p->space, "global") || !strcmp(p->kind, "image") ? CL_KERNEL_ARG_ADDRESS_GLOBAL :
	       !strcmp(p->space, "constant") ? CL_KERNEL_ARG_ADDRESS_CONSTANT :
	       !strcmp(p->space, "local") ? CL_KERNEL_ARG_ADDRESS_LOCAL : CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel k, cl_uint index, cl_kernel_arg_info name, size_t size, void *value,
				      size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(k, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	if (index >= k->narguments)
		return CL_INVALID_ARG_INDEX;
	const struct wb_parameter *p = wb_prepared_parameter(program_prepared(k->shape->kernel), index);
	switch (name) {
	case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
		return ANSWER(&q, cl_kernel_arg_address_qualifier, address_of(p));
	case CL_KERNEL_ARG_ACCESS_QUALIFIER:
		return ANSWER(&q, cl_kernel_arg_access_qualifier, access_of(p));
	case CL_KERNEL_ARG_TYPE_NAME:
		return answer_text(&q, p->type);
	case CL_KERNEL_ARG_TYPE_QUALIFIER:
		return ANSWER(&q, cl_kernel_arg_type_qualifier, qualifiers_of(p));
	case CL_KERNEL_ARG_NAME:
		return *p->name ? answer_text(&q, p->name) : CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_work_group_info name, size_t size,
					    void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(k, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	cl_context c = k->program->context;
	cl_uint place = d ? context_place(c, d) : 0;
	if (place == c->nplaces || (!d && c->nplaces > 1) || !k->program->build[place].program)
		return CL_INVALID_DEVICE;
	struct prepared *p = program_kernel_get(k->program, place, k->name, &error);
	if (!p)
		return error;
	size_t local = 0;
	for (cl_uint i = 0; i < k->narguments; i++)
		if (!strcmp(wb_prepared_parameter(program_prepared(k->shape->kernel), i)->kind, "local"))
			local += k->argument[i].bytes;
	switch (name) {
	case CL_KERNEL_WORK_GROUP_SIZE:
		return ANSWER(&q, size_t, p->info->max_threads);
	case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
		return ANSWER(&q, struct { size_t n[3]; }, { p->info->block[0], p->info->block[1], p->info->block[2] });
	case CL_KERNEL_LOCAL_MEM_SIZE:
		return ANSWER(&q, cl_ulong, p->info->shared_bytes + local);
	case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
		return ANSWER(&q, size_t, p->info->warp_lanes);
	case CL_KERNEL_PRIVATE_MEM_SIZE:
		return ANSWER(&q, cl_ulong, p->info->local_bytes);
	default:
		return CL_INVALID_VALUE;        /* CL_KERNEL_GLOBAL_WORK_SIZE is of built-in kernels alone */
	}
}
