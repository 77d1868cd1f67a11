/* Contexts: devices with memory of their own, for as long as any object of the context lives. */
#include "frontends/opencl/opencl.h"

cl_uint context_place(cl_context c, cl_device_id d)
{
	cl_uint i = 0;

	while (i < c->nplaces && c->places[i].device != d)
		i++;
	return i;
}

bool context_adopt(cl_context c, struct wb_program *p)
{
	struct wb_program **more = realloc(c->loaded, (c->nloaded + 1) * sizeof *more);

	if (!more)
		return false;
	c->loaded = more;
	c->loaded[c->nloaded++] = p;
	return true;
}

void context_end(void *object)
{
	cl_context c = object;

	for (cl_uint i = 0; i < c->nplaces; i++) {
		wb_device_free(c->places[i].memory);
		wb_config_free(c->places[i].config);
	}
	for (size_t i = 0; i < c->nloaded; i++)
		wb_program_free(c->loaded[i]);
	pthread_mutex_destroy(&c->running);
	free(c->loaded);
	free(c->places);
	free(c->properties);
}

/* ---- creation ---- */

/* Pairs of a name and a value, ended by 0. *n: elements with the 0. */
static cl_int check_properties(const cl_context_properties *p, size_t *n)
{
	bool platform = false;

	for (*n = 0; p && p[*n]; *n += 2) {
		if (p[*n] == CL_CONTEXT_PLATFORM && !platform) {
			platform = true;
			if (!object_is((void *)p[*n + 1], KIND_PLATFORM))
				return CL_INVALID_PLATFORM;
		} else if (p[*n] != CL_CONTEXT_INTEROP_USER_SYNC) {
			return CL_INVALID_PROPERTY;
		}
	}
	*n += p != NULL;
	return CL_SUCCESS;
}

static bool open_place(struct place *p, cl_device_id d)
{
	struct wb_diag diag;

	*p = (struct place){ .device = d, .clock = 1 };
	p->config = program_config(house_program(), d->chip, &diag);
	if (p->config && wb_device_new(p->config, &p->memory, &diag) == WB_OK)
		return true;
	program_say_diag(house_program(), d->chip, &diag);
	return false;
}

static cl_context context_new(const cl_context_properties *properties, size_t nproperties, cl_uint n,
			      const cl_device_id *devices, cl_int *error)
{
	cl_context c = object_new(KIND_CONTEXT, sizeof *c);

	*error = CL_OUT_OF_HOST_MEMORY;
	if (!c)
		return NULL;
	pthread_mutex_init(&c->running, NULL);
	c->places = calloc(n, sizeof *c->places);
	c->properties = calloc(nproperties + 1, sizeof *properties);
	bool good = c->places && c->properties;
	for (cl_uint i = 0; good && i < n; i++)
		if (context_place(c, devices[i]) == c->nplaces)
			good = open_place(&c->places[c->nplaces++], devices[i]);
	if (!good) {
		object_drop(c);
		return NULL;
	}
	if (nproperties)
		memcpy(c->properties, properties, nproperties * sizeof *properties);
	c->nproperties = nproperties;
	*error = CL_SUCCESS;
	return c;
}

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
				       void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
				       void *user_data, cl_int *errcode_ret)
{
	size_t nproperties;
	cl_int error;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if ((error = check_properties(properties, &nproperties)))
		return refuse(errcode_ret, error);
	if (!devices || !n || (!notify && user_data))
		return refuse(errcode_ret, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		if (!object_is(devices[i], KIND_DEVICE))
			return refuse(errcode_ret, CL_INVALID_DEVICE);
	cl_context c = context_new(properties, nproperties, n, devices, &error);
	return c ? grant(errcode_ret, c) : refuse(errcode_ret, error);
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
					       void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
					       void *user_data, cl_int *errcode_ret)
{
	cl_device_id devices[DEVICES_MOST];
	cl_uint n;
	cl_int error;

	error = clGetDeviceIDs(NULL, type, DEVICES_MOST, devices, &n);
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	size_t nproperties;
	cl_int properties_error = check_properties(properties, &nproperties);
	if (properties_error)
		return refuse(errcode_ret, properties_error);
	if (!notify && user_data)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	if (error)
		return refuse(errcode_ret, error);
	cl_context c = context_new(properties, nproperties, n, devices, &error);
	return c ? grant(errcode_ret, c) : refuse(errcode_ret, error);
}

cl_int CL_API_CALL clRetainContext(cl_context c)
{
	return object_retain(c, KIND_CONTEXT);
}

cl_int CL_API_CALL clReleaseContext(cl_context c)
{
	return object_release(c, KIND_CONTEXT);
}

cl_int CL_API_CALL clGetContextInfo(cl_context c, cl_context_info name, size_t size, void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };
	cl_device_id devices[DEVICES_MOST];

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(c, KIND_CONTEXT))
		return CL_INVALID_CONTEXT;
	switch (name) {
	case CL_CONTEXT_REFERENCE_COUNT:
		return ANSWER(&q, cl_uint, c->object.references);
	case CL_CONTEXT_NUM_DEVICES:
		return ANSWER(&q, cl_uint, c->nplaces);
	case CL_CONTEXT_DEVICES:
		for (cl_uint i = 0; i < c->nplaces; i++)
			devices[i] = c->places[i].device;
		return answer(&q, devices, c->nplaces * sizeof *devices);
	case CL_CONTEXT_PROPERTIES:
		return answer(&q, c->properties, c->nproperties * sizeof *c->properties);
	default:
		return CL_INVALID_VALUE;
	}
}
