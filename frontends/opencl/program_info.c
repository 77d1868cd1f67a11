/* What programs tell of themselves. */
#include "frontends/opencl/program.h"

/* An array with an element for each device of the program, in the order of CL_PROGRAM_DEVICES. */
static cl_uint count_devices(const struct _cl_program *p)
{
	cl_uint n = 0;

	for (cl_uint i = 0; i < p->context->nplaces; i++)
		n += p->chosen[i];
	return n;
}

static cl_int answer_devices(const struct query *q, const struct _cl_program *p)
{
	cl_device_id devices[DEVICES_MOST];
	cl_uint n = 0;

	for (cl_uint i = 0; i < p->context->nplaces; i++)
		if (p->chosen[i])
			devices[n++] = p->context->places[i].device;
	return answer(q, devices, n * sizeof *devices);
}

static cl_int answer_sizes(const struct query *q, const struct _cl_program *p)
{
	size_t sizes[DEVICES_MOST];
	cl_uint n = 0;

	for (cl_uint i = 0; i < p->context->nplaces; i++)
		if (p->chosen[i])
			sizes[n++] = p->build[i].binary_bytes;
	return answer(q, sizes, n * sizeof *sizes);
}

/* The program has an array of pointers to memory for each binary; NULL: a binary that it does not want. */
static cl_int answer_binaries(const struct query *q, const struct _cl_program *p)
{
	size_t bytes = count_devices(p) * sizeof(unsigned char *);
	unsigned char **out = q->value;
	cl_uint n = 0;

	if (q->value && q->size < bytes)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; out && i < p->context->nplaces; i++) {
		if (!p->chosen[i])
			continue;
		if (out[n] && p->build[i].binary_bytes)
			memcpy(out[n], p->build[i].binary, p->build[i].binary_bytes);
		n++;
	}
	if (q->size_ret)
		*q->size_ret = bytes;
	return CL_SUCCESS;
}

/* The build with kernels; NULL: none. */
static const struct build *built(const struct _cl_program *p)
{
	for (cl_uint i = 0; i < p->context->nplaces; i++)
		if (p->build[i].program)
			return &p->build[i];
	return NULL;
}

static cl_int answer_names(const struct query *q, const struct wb_program *p)
{
	size_t bytes = 1;
	char *names, *end;
	cl_int error;

	for (unsigned i = 0; i < wb_program_kernels(p); i++)
		bytes += strlen(wb_program_kernel(p, i)->name) + 1;
	if (!(names = malloc(bytes)))
		return CL_OUT_OF_HOST_MEMORY;
	*(end = names) = '\0';
	for (unsigned i = 0; i < wb_program_kernels(p); i++)
		end = stpcpy(stpcpy(end, i ? ";" : ""), wb_program_kernel(p, i)->name);
	error = answer_text(q, names);
	free(names);
	return error;
}

cl_int CL_API_CALL clGetProgramInfo(cl_program p, cl_program_info name, size_t size, void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(p, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	switch (name) {
	case CL_PROGRAM_REFERENCE_COUNT:
		return ANSWER(&q, cl_uint, p->object.references);
	case CL_PROGRAM_CONTEXT:
		return ANSWER(&q, cl_context, p->context);
	case CL_PROGRAM_NUM_DEVICES:
		return ANSWER(&q, cl_uint, count_devices(p));
	case CL_PROGRAM_DEVICES:
		return answer_devices(&q, p);
	case CL_PROGRAM_SOURCE:
		return answer_text(&q, p->source ? p->source : "");
	case CL_PROGRAM_BINARY_SIZES:
		return answer_sizes(&q, p);
	case CL_PROGRAM_BINARIES:
		return answer_binaries(&q, p);
	case CL_PROGRAM_NUM_KERNELS:
		return built(p) ? ANSWER(&q, size_t, wb_program_kernels(built(p)->program))
				: CL_INVALID_PROGRAM_EXECUTABLE;
	case CL_PROGRAM_KERNEL_NAMES:
		return built(p) ? answer_names(&q, built(p)->program) : CL_INVALID_PROGRAM_EXECUTABLE;
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info name, size_t size,
					 void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(p, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	cl_uint place = context_place(p->context, d);
	if (place == p->context->nplaces || !p->chosen[place])
		return CL_INVALID_DEVICE;
	const struct build *b = &p->build[place];
	switch (name) {
	case CL_PROGRAM_BUILD_STATUS:
		return ANSWER(&q, cl_build_status, b->status);
	case CL_PROGRAM_BUILD_OPTIONS:
		return answer_text(&q, b->options ? b->options : "");
	case CL_PROGRAM_BUILD_LOG:
		return answer_text(&q, b->log ? b->log : "");
	case CL_PROGRAM_BINARY_TYPE:
		return ANSWER(&q, cl_program_binary_type, b->type);
	default:
		return CL_INVALID_VALUE;
	}
}
