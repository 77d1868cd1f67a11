/* Programs: from sources and binaries, built for each place of their context. */
#include "frontends/opencl/program.h"

/* Stands for the source in messages; headers are looked for in the working folder. */
const char source_name[] = "source.cl";
static const char binary_name[] = "binary";

cl_program program_new(cl_context c, const bool *chosen)
{
	cl_program p = object_new(KIND_PROGRAM, sizeof *p);

	if (!p)
		return NULL;
	p->context = object_keep(c);
	p->build = calloc(c->nplaces, sizeof *p->build);
	p->chosen = calloc(c->nplaces, sizeof *p->chosen);
	if (!p->build || !p->chosen) {
		object_drop(p);
		return NULL;
	}
	for (cl_uint i = 0; i < c->nplaces; i++) {
		p->chosen[i] = !chosen || chosen[i];
		p->build[i].status = CL_BUILD_NONE;
	}
	return p;
}

void program_end(void *object)
{
	cl_program p = object;

	for (cl_uint i = 0; p->build && i < p->context->nplaces; i++)
		build_clear(&p->build[i]);
	free(p->source);
	free(p->build);
	free(p->chosen);
	object_drop(p->context);
}

cl_int program_devices(cl_program p, cl_uint n, const cl_device_id *list, bool places[DEVICES_MOST])
{
	cl_context c = p->context;

	if (!n != !list)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < c->nplaces; i++)
		places[i] = !list && p->chosen[i];
	for (cl_uint i = 0; i < n; i++) {
		cl_uint at = context_place(c, list[i]);
		if (at == c->nplaces || !p->chosen[at])
			return CL_INVALID_DEVICE;
		places[at] = true;
	}
	return CL_SUCCESS;
}

/* ---- creation ---- */

/* The strings one behind the other. lengths NULL, or a length of 0: a string ends with NUL. */
static char *join(cl_uint n, const char **strings, const size_t *lengths)
{
	size_t bytes = 0, part;
	char *text;

	for (cl_uint i = 0; i < n; i++)
		bytes += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
	if (!(text = malloc(bytes + 1)))
		return NULL;
	bytes = 0;
	for (cl_uint i = 0; i < n; i++) {
		part = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
		memcpy(text + bytes, strings[i], part);
		bytes += part;
	}
	text[bytes] = '\0';
	return text;
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context c, cl_uint n, const char **strings, const size_t *lengths,
						 cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	if (!n || !strings)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		if (!strings[i])
			return refuse(errcode_ret, CL_INVALID_VALUE);
	cl_program p = program_new(c, NULL);
	if (!p || !(p->source = join(n, strings, lengths))) {
		object_drop(p);
		return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
	}
	return grant(errcode_ret, p);
}

/* Whether the bytes are a program for the place, and no text: an image, a code object or a cubin. */
static bool is_binary(const struct place *p, const void *bytes, size_t n)
{
	static const char *const formats[] = { "image", "code-object", "cubin-elf" };
	struct wb_program *program;
	struct wb_device *trial = NULL;
	bool good = false;

	if (object_file_is(bytes, n))
		return true;
	if (wb_program_load(bytes, n, binary_name, p->config, &program, NULL) != WB_OK)
		return false;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		good |= !strcmp(wb_program_format(program), formats[i]);
	good |= n >= 4 && !memcmp(bytes, "WBIM", 4);
	good = good && wb_device_new(p->config, &trial, NULL) == WB_OK &&
	       wb_device_load(trial, program, NULL) == WB_OK;
	wb_device_free(trial);
	wb_program_free(program);
	return good;
}

static bool take_binary(cl_program p, cl_uint place, const void *bytes, size_t n)
{
	struct build *b = &p->build[place];

	if (!(b->binary = malloc(n)))
		return false;
	memcpy(b->binary, bytes, n);
	b->binary_bytes = n;
	b->type = object_file_is(bytes, n) ? object_file_type(bytes, n) : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
	return true;
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id *list,
						 const size_t *lengths, const unsigned char **binaries,
						 cl_int *status, cl_int *errcode_ret)
{
	bool chosen[DEVICES_MOST] = { false }, good = true;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	if (!n || !list || !lengths || !binaries)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++) {
		if (context_place(c, list[i]) == c->nplaces)
			return refuse(errcode_ret, CL_INVALID_DEVICE);
		chosen[context_place(c, list[i])] = true;
	}
	for (cl_uint i = 0; i < n; i++) {
		bool empty = !lengths[i] || !binaries[i];
		bool fits = !empty && is_binary(&c->places[context_place(c, list[i])], binaries[i], lengths[i]);
		if (status)
			status[i] = empty ? CL_INVALID_VALUE : fits ? CL_SUCCESS : CL_INVALID_BINARY;
		if (empty)
			return refuse(errcode_ret, CL_INVALID_VALUE);
		good &= fits;
	}
	if (!good)
		return refuse(errcode_ret, CL_INVALID_BINARY);
	cl_program p = program_new(c, chosen);
	if (p)
		p->from_binary = true;
	for (cl_uint i = 0; p && i < n; i++)
		if (!take_binary(p, context_place(c, list[i]), binaries[i], lengths[i])) {
			object_drop(p);
			p = NULL;
		}
	return p ? grant(errcode_ret, p) : refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context c, cl_uint n, const cl_device_id *list,
							 const char *names, cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	for (cl_uint i = 0; list && i < n; i++)
		if (context_place(c, list[i]) == c->nplaces)
			return refuse(errcode_ret, CL_INVALID_DEVICE);
	return refuse(errcode_ret, CL_INVALID_VALUE);    /* no device has built-in kernels */
}

cl_int CL_API_CALL clRetainProgram(cl_program p)
{
	return object_retain(p, KIND_PROGRAM);
}

cl_int CL_API_CALL clReleaseProgram(cl_program p)
{
	return object_release(p, KIND_PROGRAM);
}

/* ---- building ---- */

void program_notify(cl_program p, built_call *notify, void *user_data)
{
	struct call *call = notify ? calloc(1, sizeof *call) : NULL;

	if (!call)
		return;
	*call = (struct call){ .built = notify, .handle = object_keep(p), .user_data = user_data };
	house_call(call);
}

cl_int program_load(cl_program p, cl_uint place, const char *options, const char *text, size_t n, const char *name)
{
	struct build *b = &p->build[place];
	cl_int error;

	b->options = options ? strdup(options) : NULL;
	b->status = CL_BUILD_IN_PROGRESS;
	house_out();
	error = build_load(p->context, &p->context->places[place], b, text, n, name);
	house_in();
	return error;
}

/* Build for one place: from the source, or from a binary. */
static cl_int build_place(cl_program p, cl_uint place, const char *options)
{
	struct build *b = &p->build[place];
	size_t n = b->binary_bytes;
	uint8_t *binary = b->binary;
	cl_int error;

	if (p->source) {
		build_clear(b);
		return program_load(p, place, options, p->source, strlen(p->source), source_name);
	}
	if (!binary || object_file_is(binary, n))
		return CL_INVALID_BINARY;
	b->binary = NULL;
	build_clear(b);
	error = program_load(p, place, options, (const char *)binary, n, binary_name);
	if (!b->binary) {
		b->binary = binary;
		b->binary_bytes = n;
	} else {
		free(binary);
	}
	return error == CL_BUILD_PROGRAM_FAILURE ? CL_INVALID_BINARY : error;
}

cl_int CL_API_CALL clBuildProgram(cl_program p, cl_uint n, const cl_device_id *list, const char *options,
				  built_call *notify, void *user_data)
{
	bool places[DEVICES_MOST];
	cl_int error, found = CL_SUCCESS;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(p, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	if (!notify && user_data)
		return CL_INVALID_VALUE;
	if ((error = program_devices(p, n, list, places)))
		return error;
	if (p->kernels)
		return CL_INVALID_OPERATION;
	for (cl_uint i = 0; i < p->context->nplaces; i++)
		if (places[i] && p->build[i].status == CL_BUILD_IN_PROGRESS)
			return CL_INVALID_OPERATION;
	object_keep(p);
	for (cl_uint i = 0; i < p->context->nplaces; i++)
		if (places[i] && (error = build_place(p, i, options)) && !found)
			found = error;
	program_notify(p, notify, user_data);
	object_drop(p);
	return found;
}
